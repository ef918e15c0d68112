//! Forty-seven flights, the same every time, and how they rank by what somebody prefers. Knows nothing about language
//! models.

/// One way to get there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Flight {
    /// Airline code and number, as in `ME412`; unique in a list.
    pub(crate) number: String,
    pub(crate) airline: &'static str,
    pub(crate) price_usd: u32,
    /// Minutes after midnight.
    pub(crate) departs: u32,
    /// Minutes from departure to arrival.
    pub(crate) lasts: u32,
    /// Where one changes planes.
    pub(crate) via: Vec<&'static str>,
}

impl Flight {
    pub(crate) fn departure(&self) -> String {
        clock(self.departs)
    }

    pub(crate) fn arrival(&self) -> String {
        let arrives = self.departs + self.lasts;
        let next_day = if arrives >= DAY { " (next day)" } else { "" };
        format!("{}{next_day}", clock(arrives))
    }

    pub(crate) fn duration(&self) -> String {
        format!("{} h {:02} min", self.lasts / 60, self.lasts % 60)
    }

    pub(crate) fn layovers(&self) -> String {
        match self.via.as_slice() {
            [] => "direct".to_owned(),
            [one] => format!("1 layover in {one}"),
            more => format!("{} layovers in {}", more.len(), more.join(" and ")),
        }
    }

    /// The flight on one line.
    pub(crate) fn line(&self) -> String {
        format!(
            "{} {}, ${}, departs {}, arrives {}, {}, {}",
            self.number,
            self.airline,
            self.price_usd,
            self.departure(),
            self.arrival(),
            self.duration(),
            self.layovers()
        )
    }
}

pub(crate) const COUNT: usize = 47;

const DAY: u32 = 24 * 60;
const AIRLINES: [(&str, &str); 6] = [
    ("ME", "Meridian Air"),
    ("NL", "Northlight"),
    ("SK", "Skylark Express"),
    ("CJ", "Costa Jet"),
    ("VA", "Volant Airways"),
    ("AQ", "Aquila"),
];
const HUBS: [&str; 6] = ["Lyon", "Zurich", "Porto", "Munich", "Brussels", "Milan"];

/// The flights to `destination` in `month`, in the order of a flight search: by no order that means anything.
pub(crate) fn search(destination: &str, month: &str) -> Vec<Flight> {
    let mut dice = Dice::seeded(&format!("{}|{}", destination.to_lowercase(), month.to_lowercase()));
    (0..COUNT)
        .map(|index| {
            let (code, airline) = dice.pick(&AIRLINES);
            let stops = [0, 0, 1, 1, 1, 2][dice.below(6) as usize];
            let via: Vec<&str> = {
                let first = dice.below(6) as usize;
                (0..stops).map(|stop| HUBS[(first + stop) % HUBS.len()]).collect()
            };
            // Ten numbers to each place in the list keep them apart.
            let number = format!("{code}{}", 100 + 10 * index as u32 + dice.below(10));
            let departs = dice.below(DAY / 5) * 5;
            let lasts = 130 + dice.below(9) * 5 + stops as u32 * (80 + dice.below(30) * 5);
            let red_eye = if departs < 5 * 60 { 45 } else { 0 };
            let price_usd = 260 + dice.below(240) - 50 * stops as u32 - red_eye;
            Flight { number, airline, price_usd, departs, lasts, via }
        })
        .collect()
}

/// The indices of `flights` from the best to the worst by `preferences`, which are read for the words that people use.
pub(crate) fn rank(flights: &[Flight], preferences: &str) -> Vec<usize> {
    let wishes = Wishes::read(preferences);
    let mut order: Vec<usize> = (0..flights.len()).collect();
    order.sort_by_key(|&index| (wishes.broken_by(&flights[index]), wishes.cost(&flights[index]), index));
    order
}

#[derive(Debug, PartialEq, Eq)]
struct Wishes {
    departs: Option<(u32, u32)>,
    most_layovers: Option<usize>,
    cheap: bool,
    fast: bool,
}

impl Wishes {
    fn read(preferences: &str) -> Self {
        let text = preferences.to_lowercase();
        let words: Vec<&str> =
            text.split(|each: char| !each.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let says = |any: &[&str]| words.iter().any(|word| any.contains(word));
        let departs = if says(&["morning", "early"]) {
            Some((5 * 60, 12 * 60))
        } else if says(&["afternoon"]) {
            Some((12 * 60, 18 * 60))
        } else if says(&["evening", "late"]) {
            Some((18 * 60, DAY))
        } else {
            None
        };
        let counted = words.windows(2).find(|pair| pair[1].starts_with("layover") || pair[1].starts_with("stop"));
        let most_layovers = if says(&["direct", "nonstop"]) || text.contains("non-stop") {
            Some(0)
        } else {
            counted.and_then(|pair| match pair[0] {
                "no" | "zero" => Some(0),
                "one" => Some(1),
                "two" => Some(2),
                number => number.parse().ok(),
            })
        };
        Self {
            departs,
            most_layovers,
            cheap: says(&["cheap", "cheapest", "price", "budget", "inexpensive"]),
            fast: says(&["fast", "fastest", "short", "shortest", "quick", "quickest"]),
        }
    }

    /// How many wishes the flight does not meet.
    fn broken_by(&self, flight: &Flight) -> usize {
        let too_early_or_late = self.departs.is_some_and(|(from, to)| !(from..to).contains(&flight.departs));
        let too_many = self.most_layovers.is_some_and(|most| flight.via.len() > most);
        usize::from(too_early_or_late) + usize::from(too_many)
    }

    /// Dollars, with time counted as money.
    fn cost(&self, flight: &Flight) -> u32 {
        let per_hour = match (self.cheap, self.fast) {
            (true, false) => 5,
            (false, true) => 120,
            _ => 30,
        };
        flight.price_usd + flight.lasts * per_hour / 60
    }
}

/// The indices of the flights that a text mentions, in the order of their first mention.
///
/// A flight is mentioned by its number (`ME412`, `ME 412`, `me-412`). Only a text without any is read for places in the
/// list, as in "flight 7" or "#7".
pub(crate) fn mentioned(flights: &[Flight], text: &str) -> Vec<usize> {
    let text = text.to_lowercase();
    let words: Vec<(usize, &str)> = text
        .split(|each: char| !each.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
        .collect();
    let mut by_number = Vec::new();
    let mut by_place = Vec::new();
    for (at, &(start, word)) in words.iter().enumerate() {
        let before = at.checked_sub(1).map_or("", |before| words[before].1);
        let found = flights.iter().position(|flight| {
            let number = flight.number.to_lowercase();
            word == number || number.strip_prefix(before) == Some(word) && before.len() == 2
        });
        if let Some(index) = found {
            push_new(&mut by_number, index);
        }
        let counted = ["flight", "option", "choice", "number", "no"].contains(&before) || text[..start].ends_with('#');
        if let Some(place) = word.parse::<usize>().ok().filter(|place| counted && (1..=flights.len()).contains(place)) {
            push_new(&mut by_place, place - 1);
        }
    }
    if by_number.is_empty() { by_place } else { by_number }
}

fn push_new(list: &mut Vec<usize>, index: usize) {
    if !list.contains(&index) {
        list.push(index);
    }
}

fn clock(minutes: u32) -> String {
    format!("{:02}:{:02}", minutes / 60 % 24, minutes % 60)
}

/// Numbers that look random and are the same for the same seed, on every machine.
struct Dice(u64);

impl Dice {
    fn seeded(text: &str) -> Self {
        // FNV-1a.
        Self(
            text.bytes()
                .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)),
        )
    }

    /// A number from 0 up to and not including `end`.
    fn below(&mut self, end: u32) -> u32 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % u64::from(end)) as u32
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_same_search_finds_the_same_flights() {
        let flights = search("Barcelona", "June");
        assert_eq!(flights.len(), COUNT);
        assert_eq!(flights, search("barcelona", "JUNE"));
        assert_ne!(flights, search("Barcelona", "July"));
        let numbers: HashSet<_> = flights.iter().map(|flight| &flight.number).collect();
        assert_eq!(numbers.len(), COUNT);
        // Recorded conversations and answer files depend on these very flights.
        let first = "SK103 Skylark Express, $340, departs 00:40, arrives 03:20, 2 h 40 min, direct";
        assert_eq!(flights[0].line(), first);
    }

    #[test]
    fn preferences_are_met_first() {
        let flights = search("Barcelona", "June");
        let best = &flights[rank(&flights, "morning departure, max 1 layover")[0]];
        assert!((5 * 60..12 * 60).contains(&best.departs) && best.via.len() <= 1, "{best:?}");
        let direct = &flights[rank(&flights, "non-stop in the evening")[0]];
        assert!(direct.departs >= 18 * 60 && direct.via.is_empty(), "{direct:?}");
        let cheapest = flights.iter().map(|flight| flight.price_usd).min();
        assert!(flights[rank(&flights, "cheapest")[0]].price_usd <= cheapest.unwrap() + 40);
    }

    #[test]
    fn mentions_are_read_in_their_order() {
        let flights = search("Barcelona", "June");
        let check = |text: &str, expected: &[usize]| assert_eq!(mentioned(&flights, text), expected, "{text}");
        let [a, b] = [&flights[6].number, &flights[20].number];
        check(&format!("Take {b}. If it is full, {}, then {b}", a.to_lowercase()), &[20, 6]);
        check(&format!("1. {} {} is best", &a[..2], &a[2..]), &[6]);
        check(&format!("flight 1: {a}-like"), &[6]);
        check("Take flight 7.", &[6]);
        check("Option 21, then #7, in 2026 for 7 days", &[20, 6]);
        check("Flight 48 or flight 0", &[]);
        check("I cannot say", &[]);
    }
}
