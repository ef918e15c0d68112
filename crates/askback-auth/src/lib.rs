//! OAuth for MCP servers over HTTP, behind the trait of [`askback_host::authorization`].
//!
//! Owns how tokens are come by, renewed, kept and given up. Must not know how a request is sent, which server is configured how, or how a
//! page is opened: the binary brings those together. Tokens leave this crate only through [`Authorizer::token`] of the server that they are
//! bound to.
//!
//! The protocol of OAuth is `rmcp`'s where it can be; `docs/decisions/0009-oauth-by-rmcp-behind-a-trait.md` says what is ours.
//!
//! [`Authorizer::token`]: askback_host::authorization::Authorizer::token

pub mod address;
mod assertion;
mod attempts;
mod authorizer;
pub mod browser;
mod challenge;
mod courier;
mod credentials;
mod discovery;
mod enterprise;
mod failure;
mod holdings;
mod login;
mod machine;
mod registration;
mod renewal;
mod revocation;
mod scopes;
pub mod secret;
pub mod settings;
mod steps;
pub mod store;
mod token_endpoint;
mod wording;

use askback_desk::texts::Resource;

pub use authorizer::OAuthAuthorizer;
pub use revocation::Revocation;
pub use settings::Settings;

/// The words of this crate.
pub const AUTH: Resource =
    Resource { en: include_str!("../locales/en/auth.ftl"), zh_cn: include_str!("../locales/zh-CN/auth.ftl") };

#[cfg(test)]
mod tests {
    use askback_desk::texts::{Lang, Texts, differences};

    use super::AUTH;

    #[test]
    fn every_language_has_every_message() {
        assert_eq!(differences(&AUTH), Vec::<String>::new());
        for lang in Lang::ALL {
            Texts::new(lang, &[AUTH]);
        }
    }
}
