//! Attestation of the page that published a message: a browser sends its origin with the socket, and the page cannot change it.

use super::fault::Fault;
use super::request::Publication;
use super::{MessageId, Relay, now};
use axum::http::{HeaderMap, header};
use k256::sha2::{Digest, Sha256};
use portico_walletconnect::attestation::{MAX_ORIGIN, attest, origin_of};
use portico_walletconnect::jwt::ClientKey;
use std::sync::Arc;

/// Tags of the messages that a wallet shows to its visitor: session proposal, request and sign-in.
const ATTESTED: [u32; 3] = [1100, 1108, 1116];

/// Origin of the page that opened the connection; `None` for a program, which sends no or a malformed origin.
pub(super) fn origin(headers: &HeaderMap) -> Option<Arc<str>> {
    let sent = headers.get(header::ORIGIN)?.to_str().ok().filter(|sent| sent.len() <= MAX_ORIGIN)?;
    origin_of(sent).filter(|origin| origin == sent).map(Arc::from)
}

impl Relay {
    /// Key that signs attestations, the same on all nodes of a database.
    pub(super) async fn attestation_key(&self) -> Result<&ClientKey, Fault> {
        let make = async || {
            let seed = Sha256::new_with_prefix(b"portico relay attestation\0").chain_update(self.secret().await?);
            Ok(ClientKey::from_seed(&seed.finalize().into()))
        };
        self.attestation_key.get_or_try_init(make).await
    }

    /// Attestation to deliver with a message: the relay's own where the publisher is a page, else that of the publisher.
    pub(super) async fn attested(
        &self,
        origin: Option<&str>,
        publication: &Publication,
        id: MessageId,
    ) -> Result<Option<Box<str>>, Fault> {
        let Some(origin) = origin.filter(|_| ATTESTED.contains(&publication.tag)) else {
            return Ok(publication.attestation.as_deref().map(Into::into));
        };
        let expires = (now().unsigned_abs() / 1000).saturating_add(publication.ttl);
        Ok(Some(attest(self.attestation_key().await?, &id.to_string(), origin, expires).into()))
    }
}
