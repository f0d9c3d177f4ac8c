//! The vault's side. Each password has a setup of its own: the key that the server contributes. Who has no setup cannot test a guess, so the vault keeps
//! it sealed.

pub use crate::random::Seed;

use crate::{CONTEXT, Suite, random};
use opaque_ke::{
    CredentialRequest, RegistrationRequest, RegistrationUpload, ServerLogin, ServerLoginParameters, ServerRegistration,
    ServerSetup,
};
use zeroize::Zeroizing;

/// Bytes of a setup.
const SETUP: usize = 128;

/// What the vault keeps of a password, wiped when dropped.
pub struct Kept(Zeroizing<Vec<u8>>);

/// Setup of a password that is being set.
pub struct Begun {
    /// Setup, for [`Kept::new`].
    pub setup: Zeroizing<Vec<u8>>,
    /// Message for the client.
    pub response: Vec<u8>,
}

/// Answers the first message of a client that sets a password, with a new setup. `None` if the message is not of its form. Always a new one: an
/// answer by an earlier setup would let guesses be tested that nobody counts.
pub fn begin(seed: &Seed, user: &[u8], request: &[u8]) -> Option<Begun> {
    let request = RegistrationRequest::deserialize(request).ok()?;
    let setup = ServerSetup::<Suite>::new(&mut random::of(seed));
    let response = ServerRegistration::start(&setup, request, user).ok()?.message.serialize().to_vec();
    Some(Begun { setup: Zeroizing::new(setup.serialize().to_vec()), response })
}

/// Answers a try.
fn answer(
    seed: &Seed,
    setup: &ServerSetup<Suite>,
    record: Option<ServerRegistration<Suite>>,
    user: &[u8],
    request: &[u8],
) -> Option<Vec<u8>> {
    let request = CredentialRequest::deserialize(request).ok()?;
    let parameters = ServerLoginParameters { context: Some(CONTEXT), ..ServerLoginParameters::default() };
    let begun = ServerLogin::start(&mut random::of(seed), setup, record, request, user, parameters).ok()?;
    Some(begun.message.serialize().to_vec())
}

/// Answers a try where there is no password, as if there were one. `none` is a seed that is always the same for this user: else two tries with one
/// message would tell.
pub fn pretend(seed: &Seed, none: &Seed, user: &[u8], request: &[u8]) -> Option<Vec<u8>> {
    answer(seed, &ServerSetup::new(&mut random::of(none)), None, user, request)
}

impl Kept {
    /// From a setup and the client's record. `None` if one is not of its form.
    pub fn new(setup: &[u8], record: &[u8]) -> Option<Kept> {
        let kept = Kept(Zeroizing::new([setup, record].concat()));
        kept.parts().map(|_| ())?;
        Some(kept)
    }

    /// From the bytes of an earlier one.
    pub fn read(bytes: Zeroizing<Vec<u8>>) -> Option<Kept> {
        let kept = Kept(bytes);
        kept.parts().map(|_| ())?;
        Some(kept)
    }

    /// Bytes to store.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Answers the first message of a client that tries a password. `None` if the message is not of its form.
    pub fn answer(&self, seed: &Seed, user: &[u8], request: &[u8]) -> Option<Vec<u8>> {
        let (setup, record) = self.parts()?;
        answer(seed, &setup, Some(record), user, request)
    }

    fn parts(&self) -> Option<(ServerSetup<Suite>, ServerRegistration<Suite>)> {
        let (setup, record) = self.0.split_at_checked(SETUP)?;
        let record = RegistrationUpload::deserialize(record).ok()?;
        Some((ServerSetup::deserialize(setup).ok()?, ServerRegistration::finish(record)))
    }
}
