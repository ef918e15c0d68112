//! Makes the pictures of the documentation: the demo, played at a terminal, at its third field and at the review.
//!
//! `cargo run -p askback-testkit --example pictures -- ASKBACK FOLDER`, with the path of the program and of the folder for the pictures.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use askback_testkit::terminal::Session;

const LIMIT: Duration = Duration::from_secs(20);

fn main() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [askback, folder] = &args[..] else { return Err("pictures ASKBACK FOLDER".into()) };
    for (lang, review) in [("en", "This goes to"), ("zh-CN", "将发送给")] {
        let mut command = Command::new(askback);
        command.args(["demo", "--lang", lang]).env_remove("NO_COLOR").env("TERM", "xterm-256color");
        let mut session = Session::start_at_terminal(command, 30, 84).map_err(|error| error.to_string())?;
        let see = |session: &mut Session, text: &str| {
            session.wait_until(&format!("{text:?} to be seen"), LIMIT, |session| session.screen().contains(text))
        };
        see(&mut session, "confirmBooking")?;
        session.press("type:y enter")?;
        see(&mut session, "seatPreference")?;
        session.press("down enter")?;
        see(&mut session, "roomType")?;
        keep(&session, folder, &format!("prompt.{lang}.svg"))?;
        session.press("down enter")?;
        see(&mut session, "travelInsurance")?;
        session.press("enter")?;
        see(&mut session, review)?;
        keep(&session, folder, &format!("review.{lang}.svg"))?;
        session.press("enter")?;
        see(&mut session, "Full name")?;
        session.press("esc")?;
        session.end(LIMIT)?;
    }
    Ok(())
}

fn keep(session: &Session, folder: &str, name: &str) -> Result<(), String> {
    let picture = session.picture("Askback asks at a terminal").ok_or("there is no screen")?;
    std::fs::write(Path::new(folder).join(name), picture).map_err(|error| format!("{name}: {error}"))
}
