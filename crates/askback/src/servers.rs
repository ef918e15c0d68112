//! `servers`: which are configured, and logging in to those that want it.

use askback_auth::Revocation;

use crate::authorization::Person;
use crate::command_line::{Options, ServersTask};
use crate::console::{self, Console};
use crate::failure::{Failure, FailureKind};
use crate::run_call::print_out;
use crate::target::{Setup, Target};
use crate::wording;

/// Runs the command and gives its exit code.
pub(crate) async fn run(console: &Console, task: &ServersTask, options: &Options) -> u8 {
    let outcome = match task {
        ServersTask::List => list(console, options),
        ServersTask::Login { server } => log_in(console, server, options).await,
        ServersTask::Logout { server } => log_out(console, server, options).await,
    };
    match outcome {
        Ok(()) => 0,
        Err(failure) => {
            wording::print_failure(&console.texts, &failure, console.colour);
            failure.kind.exit_code()
        }
    }
}

fn list(console: &Console, options: &Options) -> Result<(), Failure> {
    let setup = Setup::read(console, options)?;
    let names = setup.names();
    if names.is_empty() {
        let failure = Failure::new(FailureKind::Usage, console.texts.get("servers-nothing"));
        return Err(failure.hint(console.texts.get("target-none-configured")));
    }
    for name in names {
        let target = setup.named(&name, None, &console.texts)?;
        print_out(&format!("{name}\t{}", target.spec.source.line()));
    }
    Ok(())
}

fn target(console: &Console, server: &str, options: &Options) -> Result<Target, Failure> {
    Setup::read(console, options)?.named(server, options.name.as_deref(), &console.texts)
}

async fn log_in(console: &Console, server: &str, options: &Options) -> Result<(), Failure> {
    let target = target(console, server, options)?;
    let name = target.spec.name.to_string();
    let texts = &console.texts;
    if !console.interactive {
        return Err(Failure::new(FailureKind::Usage, texts.get("login-nobody")));
    }
    let Some(authorizer) = target.authorizer(console, Person::Asked) else { return Err(no_address(console, &name)) };
    match authorizer.log_in().await {
        Ok(issuer) => {
            let variables = [("server", name.into()), ("issuer", issuer.into())];
            console::err(format_args!("{}", texts.format("login-done", &variables)));
            Ok(())
        }
        Err(error) => {
            let variables = [("server", name.into()), ("detail", error.to_string().into())];
            Err(Failure::new(FailureKind::Connect, texts.format("connect-login-failed", &variables)))
        }
    }
}

async fn log_out(console: &Console, server: &str, options: &Options) -> Result<(), Failure> {
    let target = target(console, server, options)?;
    let name = target.spec.name.to_string();
    let texts = &console.texts;
    let Some(authorizer) = target.authorizer(console, Person::Absent) else { return Err(no_address(console, &name)) };
    match authorizer.log_out().await {
        Ok(revocation) => {
            console::err(format_args!("{}", texts.format("logout-done", &[("server", name.into())])));
            match revocation {
                Revocation::Revoked => console::err(format_args!("{}", texts.get("logout-revoked"))),
                Revocation::Failed => console::err(format_args!("{}", texts.get("logout-not-revoked"))),
                Revocation::NotOffered => {}
            }
            Ok(())
        }
        Err(error) => {
            let variables = [("server", name.into()), ("detail", error.to_string().into())];
            Err(Failure::new(FailureKind::Connect, texts.format("logout-failed", &variables)))
        }
    }
}

fn no_address(console: &Console, name: &str) -> Failure {
    Failure::new(FailureKind::Usage, console.texts.format("login-no-address", &[("server", name.into())]))
}
