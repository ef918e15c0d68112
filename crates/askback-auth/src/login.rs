//! One login by a person.
//!
//! Owns the order of its steps and the checks of the answer that comes back. PKCE, `state` and the exchange of the code are `rmcp`'s. Must
//! not know when a login is due, or where its outcome is kept.
//!
//! Serves "Authorization Flow Steps" and "Authorization Response Validation" (RFC 9207) of the authorization pages.

use askback_core::engine::{Leave, LeaveAnswer};
use askback_host::authorization::Person;
use url::Url;

use crate::browser::{Browser, BrowserError, LoginPage, Redirected};
use crate::credentials::{Client, Credentials, Token};
use crate::discovery::Found;
use crate::failure::Failure;
use crate::registration::introduce;
use crate::scopes;
use crate::settings::Settings;

/// What a login starts from.
pub(crate) struct Before<'a> {
    /// The client of an earlier login at this issuer.
    pub(crate) client: Option<&'a Client>,
    /// The scopes that were asked for at this issuer before.
    pub(crate) scopes: &'a [String],
    /// The scopes that the server's challenge names.
    pub(crate) challenged: &'a [String],
}

/// Lets the person log in at `found`; one who is in the middle of a call is asked first.
///
/// # Errors
/// Whatever goes wrong on the way; nothing is left behind then.
pub(crate) async fn log_in(
    settings: &Settings,
    found: &mut Found,
    browser: &dyn Browser,
    before: Before<'_>,
    person: Option<&dyn Person>,
) -> Result<Credentials, Failure> {
    found.check_pkce()?;
    let registered_with = match before.client {
        Some(Client::Dynamic { redirect_uri, .. }) => Some(redirect_uri.as_str()),
        _ => None,
    };
    let visit = browser.prepare(registered_with).await?;
    let offered = found.metadata.scopes_supported.clone().unwrap_or_default();
    let scopes = scopes::select(before.challenged, &found.listed_scopes, before.scopes, &offered);
    let client = introduce(found, &settings.client, before.client, visit.redirect_uri(), &scopes).await?;

    let wanted: Vec<&str> = scopes.iter().map(String::as_str).collect();
    let address = found.manager.get_authorization_url(&wanted).await.map_err(Failure::token)?;
    let address = Url::parse(&address).map_err(|_| Failure::Address { address })?;
    let leave = Leave { giver: found.issuer.clone(), page: address.to_string(), extent: scopes.clone() };
    let is_agreed = match person {
        None => false,
        Some(person) => match person.goes(leave).await {
            LeaveAnswer::Goes => true,
            LeaveAnswer::Stays => return Err(BrowserError::Declined.into()),
            // Whoever opens pages may still know somebody.
            LeaveAnswer::Nobody => false,
        },
    };
    let (server_name, issuer) = (settings.server_name.clone(), found.issuer.clone());
    let page = LoginPage { address, server_name, issuer, is_agreed };
    let state = page.state();
    let answer = visit.make(page).await?;
    let code = code_in(&answer, state.as_deref(), found)?;

    let state = state.unwrap_or_default();
    let issuer = answer.parameter("iss");
    let issued = found.manager.exchange_code_for_token_with_issuer(&code, &state, issuer.as_deref()).await;
    let token = Token::from_response(&issued.map_err(Failure::token)?, &scopes).ok_or(Failure::NoToken)?;
    Ok(Credentials {
        server: settings.server.as_str().to_owned(),
        issuer: found.issuer.clone(),
        client,
        token: Some(token),
    })
}

/// The code of an answer that is one to this login, from whom it was asked of. Until both are sure, nothing else in it counts, not even the
/// error that it reports.
fn code_in(answer: &Redirected, state: Option<&str>, found: &Found) -> Result<String, Failure> {
    if state.is_none() || answer.parameter("state").as_deref() != state {
        return Err(Failure::OtherState);
    }
    let received = answer.parameter("iss");
    let expected = found.metadata.issuer.as_deref();
    let must_be_there = found.says("authorization_response_iss_parameter_supported");
    if received.as_deref() != expected && (received.is_some() || must_be_there) {
        return Err(Failure::WrongIssuer { expected: found.issuer.clone(), received });
    }
    if let Some(error) = answer.parameter("error") {
        return Err(Failure::LoginRefused { error, description: answer.parameter("error_description") });
    }
    answer.parameter("code").ok_or(Failure::NoCode)
}
