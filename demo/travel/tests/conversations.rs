//! Conversations with the travel server, message by message, in both eras. The client here is written by hand: it reads
//! and writes lines of JSON.
#![expect(clippy::unwrap_used, reason = "in a test, what is not there fails the test")]

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};
use tokio::task::JoinHandle;

const MODERN: &str = "2026-07-28";
const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

fn everything() -> Value {
    json!({ "elicitation": { "form": {}, "url": {} }, "sampling": { "tools": {} }, "roots": {} })
}

struct Client {
    writer: WriteHalf<DuplexStream>,
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    server: JoinHandle<Result<(), askback_travel::Error>>,
    capabilities: Value,
    last_id: u64,
    /// What was told of resources, in between.
    news: Vec<Value>,
}

impl Client {
    fn start(capabilities: Value) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (reader, writer) = tokio::io::split(theirs);
        let server = tokio::spawn(askback_travel::serve(reader, writer));
        let (reader, writer) = tokio::io::split(ours);
        Self { writer, lines: BufReader::new(reader).lines(), server, capabilities, last_id: 0, news: Vec::new() }
    }

    /// A client of the modern era.
    fn modern(capabilities: Value) -> Self {
        Self::start(capabilities)
    }

    /// A client of the legacy era, after the handshake.
    async fn legacy(version: &str, capabilities: Value) -> Self {
        let mut client = Self::start(capabilities.clone());
        let hello = json!({
            "protocolVersion": version,
            "capabilities": capabilities,
            "clientInfo": { "name": "test", "version": "0" }
        });
        client.send(json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello })).await;
        assert_eq!(client.receive().await["result"]["protocolVersion"], version);
        client.send(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        client
    }

    async fn send(&mut self, message: Value) {
        self.writer.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    /// The next message that is no news.
    async fn receive(&mut self) -> Value {
        loop {
            let message = self.next_message().await;
            let method = message["method"].as_str().unwrap_or_default();
            if !method.starts_with("notifications/resources/") && !method.starts_with("notifications/subscriptions/") {
                return message;
            }
            self.news.push(message);
        }
    }

    /// Receives news until there have been as many.
    async fn hears(&mut self, times: usize) -> Vec<Value> {
        while self.news.len() < times {
            let message = self.next_message().await;
            self.news.push(message);
        }
        std::mem::take(&mut self.news)
    }

    async fn next_message(&mut self) -> Value {
        let line = tokio::time::timeout(Duration::from_secs(10), self.lines.next_line()).await;
        serde_json::from_str(&line.expect("no message came").unwrap().expect("the server hung up")).unwrap()
    }

    async fn request(&mut self, method: &str, params: Value) {
        self.last_id += 1;
        self.send(json!({ "jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params })).await;
    }

    /// A request of the modern era and its response.
    async fn ask_modern(&mut self, method: &str, params: Value) -> Value {
        self.request_modern(method, params).await;
        let response = self.receive().await;
        assert_eq!(response["id"], self.last_id);
        response
    }

    async fn request_modern(&mut self, method: &str, mut params: Value) {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "0" },
            "io.modelcontextprotocol/clientCapabilities": self.capabilities,
        });
        self.request(method, params).await;
    }

    /// Receives an ask of the legacy era and answers it.
    async fn hear(&mut self, method: &str, answer: Value) -> Value {
        let ask = self.receive().await;
        assert_eq!(ask["method"], method, "{ask}");
        self.send(json!({ "jsonrpc": "2.0", "id": ask["id"], "result": answer })).await;
        ask["params"].clone()
    }

    async fn result(&mut self) -> Value {
        let response = self.receive().await;
        assert_eq!(response["id"], self.last_id, "{response}");
        response["result"].clone()
    }
}

/// A call in either era, as one conversation: the asks come out with their keys, the answers go in.
struct Call<'a> {
    client: &'a mut Client,
    era: &'static str,
    method: &'static str,
    params: Value,
    state: Value,
    pending: Value,
}

impl<'a> Call<'a> {
    async fn start(client: &'a mut Client, era: &'static str, method: &'static str, params: Value) -> Self {
        let mut call = Call { client, era, method, params, state: Value::Null, pending: Value::Null };
        let params = call.params.clone();
        if era == MODERN {
            call.pending = call.client.ask_modern(method, params).await;
        } else {
            call.client.request(method, params).await;
        }
        call
    }

    /// Expects one ask, answers it, and returns its parameters.
    async fn hear(&mut self, method: &str, answer: Value) -> Value {
        if self.era != MODERN {
            return self.client.hear(method, answer).await;
        }
        let result = &self.pending["result"];
        assert_eq!(result["resultType"], "input_required", "{}", self.pending);
        let (key, ask) = result["inputRequests"].as_object().unwrap().iter().next().unwrap();
        assert_eq!(ask["method"], method);
        let (key, asked) = (key.clone(), ask["params"].clone());
        self.state = result["requestState"].clone();
        self.retry(json!({ key: answer })).await;
        asked
    }

    async fn retry(&mut self, answers: Value) {
        let mut params = self.params.clone();
        params["inputResponses"] = answers;
        params["requestState"] = self.state.clone();
        self.pending = self.client.ask_modern(self.method, params).await;
    }

    async fn end(self) -> Value {
        if self.era == MODERN { self.pending["result"].clone() } else { self.client.result().await }
    }
}

async fn both_eras() -> Vec<(&'static str, Client)> {
    let mut clients = vec![(MODERN, Client::modern(everything()))];
    for version in LEGACY {
        clients.push((version, Client::legacy(version, everything()).await));
    }
    clients
}

fn call(name: &str, arguments: Value) -> Value {
    json!({ "name": name, "arguments": arguments })
}

fn accept(content: Value) -> Value {
    json!({ "action": "accept", "content": content })
}

fn says(text: &str) -> Value {
    json!({ "role": "assistant", "content": { "type": "text", "text": text }, "model": "tiny", "stopReason": "endTurn" })
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

fn traveller() -> Value {
    json!({
        "fullName": "Ada Lovelace", "email": "ada@example.org", "dateOfBirth": "1985-12-10", "dietary": ["vegan"],
        "bags": 2, "emergencyName": "Charles", "emergencyPhone": "+44 20 7946 0000"
    })
}

#[tokio::test]
async fn a_vacation_is_booked() {
    for (era, mut client) in both_eras().await {
        let mut booking = Call::start(&mut client, era, "tools/call", call("book_vacation", json!({}))).await;
        let form = booking
            .hear("elicitation/create", accept(json!({ "confirmBooking": true, "travelInsurance": true })))
            .await;
        assert!(
            form["message"].as_str().unwrap().starts_with("Please confirm your Barcelona vacation booking details:")
        );
        let fields = &form["requestedSchema"]["properties"];
        assert_eq!(fields["confirmBooking"]["description"], "Confirm the booking (Flights + Hotel = $3,000)");
        assert_eq!(fields["roomType"]["enum"], json!(["sea view", "city view", "garden view"]));
        assert_eq!(form["requestedSchema"]["required"], json!(["confirmBooking"]));
        let contact = booking.hear("elicitation/create", accept(traveller())).await;
        assert!(contact["requestedSchema"]["properties"]["emergencyPhone"]["pattern"].is_string(), "{era}");
        let result = booking.end().await;
        assert_eq!(result["structuredContent"]["totalUsd"], 3150, "{era}: {result}");
        assert!(text(&result).contains("Total: $3,150"), "{result}");

        let mut latest =
            Call::start(&mut client, era, "resources/read", json!({ "uri": "travel://bookings/latest" })).await;
        latest.hear("elicitation/create", accept(json!({}))).await;
        let shown = latest.end().await;
        assert!(shown["contents"][0]["text"].as_str().unwrap().contains("Ada Lovelace"), "{shown}");
    }
}

async fn book(client: &mut Client, era: &'static str) -> Value {
    let mut booking = Call::start(client, era, "tools/call", call("book_vacation", json!({}))).await;
    booking.hear("elicitation/create", accept(json!({ "confirmBooking": true }))).await;
    booking.hear("elicitation/create", accept(traveller())).await;
    booking.end().await["structuredContent"].clone()
}

#[tokio::test]
async fn whoever_listens_hears_of_a_booking() {
    const LATEST: &str = "travel://bookings/latest";
    for (era, mut client) in both_eras().await {
        if era == MODERN {
            let wanted = json!({
                "resourcesListChanged": true, "toolsListChanged": true,
                "resourceSubscriptions": [LATEST, "travel://packages"]
            });
            client.request_modern("subscriptions/listen", json!({ "notifications": wanted })).await;
            let told = client.hears(1).await;
            let accepted = json!({ "resourcesListChanged": true, "resourceSubscriptions": [LATEST] });
            assert_eq!(told[0]["params"]["notifications"], accepted, "{told:?}");
        } else {
            client.request("resources/subscribe", json!({ "uri": LATEST })).await;
            assert_eq!(client.result().await, json!({}));
        }
        let booking = book(&mut client, era).await;
        let told = client.hears(2).await;
        let updated = told.iter().find(|told| told["method"] == "notifications/resources/updated");
        assert_eq!(updated.unwrap()["params"]["uri"], LATEST, "{era}");
        assert!(told.iter().any(|told| told["method"] == "notifications/resources/list_changed"), "{era}: {told:?}");

        let uri = format!("travel://bookings/{}", booking["reference"].as_str().unwrap());
        let mut shown = Call::start(&mut client, era, "resources/read", json!({ "uri": uri })).await;
        shown.hear("elicitation/create", accept(json!({}))).await;
        assert_eq!(shown.end().await["contents"][0]["uri"], uri.as_str(), "{era}");

        if era != MODERN {
            client.request("resources/unsubscribe", json!({ "uri": LATEST })).await;
            assert_eq!(client.result().await, json!({}));
            book(&mut client, era).await;
            let told = client.hears(1).await;
            assert_eq!(told[0]["method"], "notifications/resources/list_changed", "{era}");
        }
    }
}

#[tokio::test]
async fn what_is_not_agreed_to_is_not_booked() {
    for answer in
        [json!({ "action": "decline" }), json!({ "action": "cancel" }), accept(json!({ "confirmBooking": false }))]
    {
        for (era, mut client) in both_eras().await {
            let mut booking = Call::start(&mut client, era, "tools/call", call("book_vacation", json!({}))).await;
            booking.hear("elicitation/create", answer.clone()).await;
            let result = booking.end().await;
            assert_eq!(result["structuredContent"]["booked"], false);
            assert_ne!(result["isError"], true);
            assert!(text(&result).starts_with("Nothing was booked"), "{result}");
        }
    }
}

#[tokio::test]
async fn the_best_flight_is_the_models_and_the_rest_is_ours() {
    let mut seen = Vec::new();
    for (era, mut client) in both_eras().await {
        let mut search = Call::start(&mut client, era, "tools/call", call("find_best_flight", json!({}))).await;
        let asked = search.hear("sampling/createMessage", says("Take flight 7.")).await;
        let prompt = asked["messages"][0]["content"]["text"].as_str().unwrap();
        assert!(prompt.starts_with("Analyze these flight options and recommend the best choice:\n1. "));
        assert!(prompt.contains("\n47. ") && prompt.ends_with("User preferences: morning departure, max 1 layover"));
        assert_eq!(asked["modelPreferences"]["intelligencePriority"], 0.9);
        let result = search.end().await;
        let best = result["structuredContent"]["recommendations"].clone();
        let chosen_by: Vec<_> = best.as_array().unwrap().iter().map(|each| each["chosenBy"].clone()).collect();
        assert_eq!(chosen_by, ["model", "ranking", "ranking"]);
        seen.push((prompt.to_owned(), best));
    }
    assert!(seen.windows(2).all(|pair| pair[0] == pair[1]));
}

#[tokio::test]
async fn research_is_a_loop_of_tools() {
    for (era, mut client) in both_eras().await {
        let wants = json!({
            "role": "assistant", "model": "tiny", "stopReason": "toolUse",
            "content": [
                { "type": "text", "text": "Looking." },
                { "type": "tool_use", "id": "a", "name": "weather", "input": { "city": "Barcelona" } },
                { "type": "tool_use", "id": "b", "name": "horoscope", "input": { "city": "Barcelona" } }
            ]
        });
        let mut research =
            Call::start(&mut client, era, "tools/call", call("research_trip", json!({ "city": "Barcelona" }))).await;
        let first = research.hear("sampling/createMessage", wants).await;
        assert_eq!(first["tools"].as_array().unwrap().len(), 3);
        let second = research.hear("sampling/createMessage", says("Go in June.")).await;
        let messages = second["messages"].as_array().unwrap();
        assert_eq!(messages[1]["content"][1]["name"], "weather");
        assert_eq!(messages[2]["role"], "user");
        assert_eq!(messages[2]["content"][0]["toolUseId"], "a");
        assert_eq!(messages[2]["content"][1]["isError"], true);
        let result = research.end().await;
        assert_eq!(text(&result), "Go in June.");
        assert_eq!(result["structuredContent"]["toolsUsed"], json!(["weather", "horoscope"]));
    }
}

#[tokio::test]
async fn research_ends_when_the_model_does_not() {
    for (era, mut client) in both_eras().await {
        let wants = json!({
            "role": "assistant", "model": "tiny",
            "content": { "type": "tool_use", "id": "a", "name": "sights", "input": { "city": "Oslo" } }
        });
        let mut research =
            Call::start(&mut client, era, "tools/call", call("research_trip", json!({ "city": "Oslo" }))).await;
        for round in 1..=6 {
            let asked = research.hear("sampling/createMessage", wants.clone()).await;
            assert_eq!(asked["messages"].as_array().unwrap().len(), 2 * round - 1);
        }
        let result = research.end().await;
        assert_eq!(result["isError"], true);
    }
}

#[tokio::test]
async fn itineraries_stay_inside_the_roots() {
    let home = std::env::temp_dir().join(format!("askback travel {}", std::process::id()));
    let (root, outside) = (home.join("my trips"), home.join("private"));
    std::fs::create_dir_all(&root).unwrap();
    std::fs::create_dir_all(&outside).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&outside, root.join("link")).unwrap();
        std::os::unix::fs::symlink(outside.join("new.md"), root.join("file.md")).unwrap();
    }
    let uri = |path: &std::path::Path| format!("file://{}", path.display().to_string().replace(' ', "%20"));
    let roots = json!({ "roots": [{ "uri": "file:///no/such/folder" }, { "uri": uri(&root), "name": "Trips" }] });

    for (era, mut client) in both_eras().await {
        let mut save = async |arguments: Value, roots: &Value| {
            let mut saving = Call::start(&mut client, era, "tools/call", call("save_itinerary", arguments)).await;
            saving.hear("roots/list", roots.clone()).await;
            saving.end().await
        };
        let result = save(json!({ "title": "Barcelona: 3 days", "text": "Go." }), &roots).await;
        assert_ne!(result["isError"], true, "{era}: {result}");
        let written = std::fs::read_to_string(root.join("itineraries/barcelona-3-days.md")).unwrap();
        assert_eq!(written, "# Barcelona: 3 days\n\nGo.\n");
        for path in ["../private/a.md", "/etc/a.md", "b/../../a.md", "link/a.md", "link/deep/a.md", "file.md", ".."] {
            let result = save(json!({ "title": "T", "text": "T", "path": path }), &roots).await;
            assert_eq!(result["isError"], true, "{era}: {path}: {result}");
        }
        let result = save(json!({ "title": "T", "text": "T" }), &json!({ "roots": [] })).await;
        assert_eq!(result["isError"], true, "{era}: {result}");
    }
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 0);
    std::fs::remove_dir_all(home).unwrap();
}

#[tokio::test]
async fn three_asks_come_in_one_round_or_one_after_another() {
    let roots = json!({ "roots": [] });
    let mut client = Client::modern(everything());
    let mut plan = Call::start(&mut client, MODERN, "tools/call", call("plan_everything", json!({}))).await;
    let result = plan.pending["result"].clone();
    let keys: Vec<_> = result["inputRequests"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(keys, ["wishes", "folders", "idea"]);
    assert_eq!(result["inputRequests"]["folders"], json!({ "method": "roots/list" }));
    plan.state = result["requestState"].clone();
    // One answer is missing and one was never asked for: only the missing one is asked again.
    plan.retry(json!({ "wishes": accept(json!({ "days": 2 })), "idea": says("Tibidabo."), "extra": {} })).await;
    assert_eq!(plan.pending["result"]["inputRequests"], json!({ "folders": { "method": "roots/list" } }));
    plan.state = plan.pending["result"]["requestState"].clone();
    plan.retry(json!({ "folders": roots })).await;
    let result = plan.end().await;
    assert_eq!(result["structuredContent"]["days"], 2);
    assert_eq!(result["resultType"], "complete");

    let mut client = Client::legacy("2025-11-25", everything()).await;
    let mut plan = Call::start(&mut client, "2025-11-25", "tools/call", call("plan_everything", json!({}))).await;
    plan.hear("elicitation/create", accept(json!({ "days": 2 }))).await;
    plan.hear("roots/list", roots).await;
    plan.hear("sampling/createMessage", says("Tibidabo.")).await;
    assert_eq!(plan.end().await["structuredContent"]["idea"], "Tibidabo.");
}

#[tokio::test]
async fn a_prompt_asks_before_it_is_written() {
    for (era, mut client) in both_eras().await {
        let mut prompt = Call::start(&mut client, era, "prompts/get", json!({ "name": "plan_trip" })).await;
        prompt.hear("elicitation/create", accept(json!({ "travellers": 4, "budget": 2500 }))).await;
        let result = prompt.end().await;
        let text = result["messages"][0]["content"]["text"].as_str().unwrap();
        assert!(text.contains("We are 4 and have a budget of $2500."), "{text}");
    }
}

/// Presses the button of a payment page, or does whatever else `method` does there.
async fn browse(method: &str, url: &str) -> String {
    let (host, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut page = tokio::net::TcpStream::connect(host).await.unwrap();
    let request = format!("{method} /{path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\n\r\n");
    page.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    page.read_to_string(&mut answer).await.unwrap();
    answer
}

#[tokio::test]
async fn a_deposit_is_paid_on_its_page() {
    let mut client = Client::legacy("2025-11-25", everything()).await;
    client.request("tools/call", call("pay_deposit", json!({}))).await;
    let asked = client.hear("elicitation/create", json!({ "action": "accept" })).await;
    let url = asked["url"].as_str().unwrap();
    assert!(browse("GET", url).await.contains("Pay the deposit of $300"));
    assert!(browse("DELETE", url).await.starts_with("HTTP/1.1 405"));
    assert!(browse("POST", url).await.contains("is paid"));
    // The notice and the result may come in either order.
    let (first, second) = (client.receive().await, client.receive().await);
    let (notice, result) = if first["method"].is_string() { (first, second) } else { (second, first) };
    assert_eq!(notice["method"], "notifications/elicitation/complete");
    assert_eq!(notice["params"]["elicitationId"], asked["elicitationId"]);
    assert_eq!(result["result"]["structuredContent"]["status"], "paid");
}

#[tokio::test]
async fn a_deposit_is_polled_for_in_the_modern_era() {
    let mut client = Client::modern(everything());
    let mut paying =
        Call::start(&mut client, MODERN, "tools/call", call("pay_deposit", json!({ "wait_seconds": 5 }))).await;
    let asked = paying.hear("elicitation/create", json!({ "action": "accept" })).await;
    assert!(asked.get("elicitationId").is_none());
    let waiting = &paying.pending["result"];
    assert_eq!(waiting["resultType"], "input_required");
    assert!(waiting.get("inputRequests").is_none() && waiting["requestState"].is_string(), "{waiting}");
    browse("POST", asked["url"].as_str().unwrap()).await;
    paying.state = waiting["requestState"].clone();
    paying.retry(json!({})).await;
    assert_eq!(paying.end().await["structuredContent"]["status"], "paid");
}

#[tokio::test]
async fn a_deposit_may_stay_pending() {
    for era in [MODERN, "2025-11-25"] {
        let mut client =
            if era == MODERN { Client::modern(everything()) } else { Client::legacy(era, everything()).await };
        let arguments = json!({ "wait_seconds": 0 });
        let mut paying = Call::start(&mut client, era, "tools/call", call("pay_deposit", arguments)).await;
        paying.hear("elicitation/create", json!({ "action": "accept" })).await;
        let result = paying.end().await;
        assert_eq!(result["structuredContent"]["status"], "pending", "{result}");
        assert_ne!(result["isError"], true);
    }
}

#[tokio::test]
async fn a_missing_capability_is_named() {
    let mut client = Client::modern(json!({ "elicitation": {} }));
    let response = client.ask_modern("tools/call", call("plan_everything", json!({}))).await;
    assert_eq!(response["error"]["code"], -32021);
    assert_eq!(response["error"]["data"]["requiredCapabilities"], json!({ "roots": {}, "sampling": {} }));

    let mut client = Client::legacy("2025-11-25", json!({ "elicitation": {} })).await;
    client.request("tools/call", call("pay_deposit", json!({}))).await;
    let result = client.result().await;
    assert_eq!(result["isError"], true);
    assert!(text(&result).contains("elicitation.url"), "{result}");
}

#[tokio::test]
async fn a_refused_ask_is_told_to_the_caller() {
    let mut client = Client::legacy("2025-11-25", everything()).await;
    client.request("tools/call", call("find_best_flight", json!({}))).await;
    let ask = client.receive().await;
    let error = json!({ "code": -1, "message": "User rejected sampling request" });
    client.send(json!({ "jsonrpc": "2.0", "id": ask["id"], "error": error })).await;
    let result = client.result().await;
    assert_eq!(result["isError"], true);
    assert!(text(&result).contains("User rejected sampling request"));
}

#[tokio::test]
async fn a_request_state_is_good_for_its_call_only() {
    let mut client = Client::modern(everything());
    let response = client.ask_modern("tools/call", call("book_vacation", json!({}))).await;
    let state = response["result"]["requestState"].as_str().unwrap().to_owned();
    let check = async |client: &mut Client, arguments: Value, state: &str| {
        let mut params = call("book_vacation", arguments);
        params["requestState"] = json!(state);
        client.ask_modern("tools/call", params).await
    };
    assert!(check(&mut client, json!({}), &state).await["result"]["requestState"].is_string());
    assert_eq!(check(&mut client, json!({ "destination": "Kyoto" }), &state).await["error"]["code"], -32602);
    let forged = state.replace(|each: char| each.is_ascii_lowercase(), "x");
    assert_eq!(check(&mut client, json!({}), &forged).await["error"]["code"], -32602);
    let mut other = Client::modern(everything());
    assert_eq!(check(&mut other, json!({}), &state).await["error"]["code"], -32602);
}

#[tokio::test]
async fn a_booking_sent_again_is_made_once() {
    let mut client = Client::modern(everything());
    let mut booking = Call::start(&mut client, MODERN, "tools/call", call("book_vacation", json!({}))).await;
    booking.hear("elicitation/create", accept(json!({ "confirmBooking": true }))).await;
    booking.state = booking.pending["result"]["requestState"].clone();
    let answers = json!({ "contact": accept(traveller()) });
    booking.retry(answers.clone()).await;
    let once = booking.pending["result"]["structuredContent"].clone();
    booking.retry(answers).await;
    assert_eq!(booking.pending["result"]["structuredContent"], once);
}

#[tokio::test]
async fn a_call_that_is_taken_back_takes_its_ask_back() {
    let mut client = Client::legacy("2025-11-25", everything()).await;
    client.request("tools/call", call("book_vacation", json!({}))).await;
    let ask = client.receive().await;
    let id = client.last_id;
    client.send(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } })).await;
    let notice = client.receive().await;
    assert_eq!(notice["method"], "notifications/cancelled");
    assert_eq!(notice["params"]["requestId"], ask["id"]);
}

#[tokio::test]
async fn a_client_that_wants_progress_gets_it() {
    let mut client = Client::legacy("2025-11-25", everything()).await;
    let mut params = call("find_best_flight", json!({}));
    params["_meta"] = json!({ "progressToken": "p" });
    client.request("tools/call", params).await;
    client.hear("sampling/createMessage", says("Take flight 7.")).await;
    let notice = client.receive().await;
    assert_eq!(notice["method"], "notifications/progress");
    assert_eq!(notice["params"]["progressToken"], "p");
    client.result().await;
}

#[tokio::test]
async fn the_server_leaves_when_the_client_does() {
    for (era, mut client) in both_eras().await {
        let call = call("pay_deposit", json!({ "wait_seconds": 120 }));
        let paying = Call::start(&mut client, era, "tools/call", call).await;
        if era != MODERN {
            paying.client.receive().await;
        }
        let Client { writer, lines, server, .. } = client;
        drop((writer, lines));
        let left = tokio::time::timeout(Duration::from_secs(2), server).await;
        left.expect("the server stays").unwrap().unwrap();
    }
}

#[tokio::test]
async fn plain_use_asks_nothing() {
    let mut client = Client::modern(json!({}));
    let found = client.ask_modern("server/discover", json!({})).await;
    assert!(found["result"]["supportedVersions"].as_array().unwrap().contains(&json!(MODERN)), "{found}");
    let tools = client.ask_modern("tools/list", json!({})).await;
    for tool in tools["result"]["tools"].as_array().unwrap() {
        assert!(
            tool["title"].is_string() && tool["description"].is_string() && tool["annotations"].is_object(),
            "{tool}"
        );
    }
    let packages = client.ask_modern("tools/call", call("list_packages", json!({}))).await;
    assert_eq!(packages["result"]["structuredContent"]["packages"].as_array().unwrap().len(), 3);
    let held = client.ask_modern("tools/call", call("hold_seat", json!({ "flight": "me412", "seat": "12a" }))).await;
    assert_eq!(held["result"]["structuredContent"]["seat"], "12A");
    let resource = client.ask_modern("resources/read", json!({ "uri": "travel://packages" })).await;
    assert!(resource["result"]["contents"][0]["text"].as_str().unwrap().contains("Barcelona"));
    let unknown = client.ask_modern("tools/call", call("fly", json!({}))).await;
    assert_eq!(unknown["error"]["code"], -32602);
}
