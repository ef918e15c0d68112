//! Signs the assertion with which a client proves that it has its key.
//!
//! Owns the form of the assertion (RFC 7523, section 3) and its signature, by the `ring` that TLS uses already. Must not know where it is
//! sent.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::{SecureRandom, SystemRandom};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair, EcdsaSigningAlgorithm,
    RSA_PKCS1_SHA256, RsaKeyPair,
};
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::pki_types::pem::PemObject;
use serde_json::json;

use crate::failure::Failure;
use crate::secret::Secret;
use crate::settings::Algorithm;

/// How long an assertion counts; it is used at once.
const LIFE: Duration = Duration::from_secs(120);

/// An assertion by the client `id` to `audience`, made at `now` (seconds since 1970).
///
/// # Errors
/// [`Failure::Key`] when `key` is not one for `algorithm`.
pub(crate) fn sign(id: &str, audience: &str, key: &Secret, algorithm: Algorithm, now: u64) -> Result<Secret, Failure> {
    let failed = || Failure::Key { algorithm: algorithm.name() };
    let random = SystemRandom::new();
    let mut unique = [0; 16];
    random.fill(&mut unique).map_err(|_| failed())?;
    let header = json!({ "alg": algorithm.name(), "typ": "client-authentication+jwt" });
    let claims = json!({
        "iss": id,
        "sub": id,
        "aud": audience,
        "jti": URL_SAFE_NO_PAD.encode(unique),
        "iat": now,
        "exp": now + LIFE.as_secs(),
    });
    let [header, claims] = [header, claims].map(|part| URL_SAFE_NO_PAD.encode(part.to_string()));
    let signed = format!("{header}.{claims}");
    let signature = signature(signed.as_bytes(), key, algorithm, &random).ok_or_else(failed)?;
    Ok(Secret::new(format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))))
}

fn signature(message: &[u8], key: &Secret, algorithm: Algorithm, random: &SystemRandom) -> Option<Vec<u8>> {
    let key = PrivatePkcs8KeyDer::from_pem_slice(key.reveal().as_bytes()).ok()?;
    let key = key.secret_pkcs8_der();
    let by_curve = |curve: &'static EcdsaSigningAlgorithm| {
        let pair = EcdsaKeyPair::from_pkcs8(curve, key, random).ok()?;
        Some(pair.sign(random, message).ok()?.as_ref().to_vec())
    };
    match algorithm {
        Algorithm::Es256 => by_curve(&ECDSA_P256_SHA256_FIXED_SIGNING),
        Algorithm::Es384 => by_curve(&ECDSA_P384_SHA384_FIXED_SIGNING),
        Algorithm::Rs256 => {
            let pair = RsaKeyPair::from_pkcs8(key).ok()?;
            let mut signature = vec![0; pair.public().modulus_len()];
            pair.sign(&RSA_PKCS1_SHA256, random, message, &mut signature).ok()?;
            Some(signature)
        }
    }
}
