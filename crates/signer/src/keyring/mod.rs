//! The signer of the frame's worker: a machine that holds the unlocked wallet.

mod command;
mod export;
mod open;
mod sign;

use open::{Stored, Typed};

pub use command::{Answer, Command, PrivateKey, SignRequest};

use crate::account::Keys;
use crate::bytes::{self, Random};
use crate::entropy::Entropy;
use crate::refusal::{Reason, Refusal};
use crate::vault::hpke::KeyPair;
use crate::vault::{Kek, Kit, Owner, VaultKey};
use portico_api::wallet::{Slot, SlotKind};
use portico_json::{Read, parse, to_text};

/// Longest command in bytes: a message of the host page has at most 256 KiB, and may grow while it is wrapped as JSON.
const LONGEST: usize = 1024 * 1024;

/// Keys of at most one wallet, and the key pair for the next release.
#[derive(Default)]
pub struct Keyring {
    pair: Option<KeyPair>,
    wallet: Option<Unlocked>,
}

/// Unlocked wallet. Each field is wiped when dropped.
struct Unlocked {
    user: String,
    id: String,
    key: VaultKey,
    entropy: Entropy,
    keys: Keys,
}

impl Keyring {
    /// Performs a command, the JSON of a [`Command`], and returns the JSON of an [`Answer`]. A refused command changes nothing, except that
    /// `create` and `unlock` always use up the key pair and first lock the wallet that was open.
    pub fn command(&mut self, json: &str) -> String {
        to_text(&read(json).and_then(|command| self.perform(command)).unwrap_or_else(Answer::from))
    }

    fn perform(&mut self, command: Command) -> Result<Answer, Refusal> {
        match command {
            Command::KeyPair { random } => {
                let pair = KeyPair::derive(&Random::read(&random, 32)?.take());
                let key = bytes::encode(pair.public());
                self.pair = Some(pair);
                Ok(Answer::KeyPair { key })
            }
            Command::Create { release, device, random } => self.create(&release, &device, &random),
            Command::Unlock { release, record, device, kit, passkey, password, only, known, random } => self.unlock(
                &release,
                Stored { record: &record, known: known.as_ref() },
                &device,
                Typed {
                    kit: kit.as_deref(),
                    passkey: passkey.as_deref(),
                    password: password.as_deref(),
                    only: only == Some(true),
                },
                &random,
            ),
            Command::Sign { request } => Ok(Answer::Signed { result: sign::sign(&self.open()?.keys, &request)? }),
            Command::Kit { random } => self.kit(&random),
            Command::Passkey { output, hint, random } => self.passkey(&output, hint, &random),
            Command::Password { key, random } => self.password(&key, &random),
            Command::Recovery { release, device, random } => self.recovery(&release, &device, &random),
            Command::Export => export::export(self.open()?),
            Command::Lock => {
                *self = Keyring::default();
                Ok(Answer::Locked)
            }
        }
    }

    fn open(&self) -> Result<&Unlocked, Refusal> {
        self.wallet.as_ref().ok_or(Refusal::new(Reason::Locked, ""))
    }

    /// Makes a slot that a new printed code opens.
    fn kit(&self, random: &str) -> Result<Answer, Refusal> {
        let wallet = self.open()?;
        let mut random = Random::read(random, 56)?;
        let kit = Kit::new(random.take());
        let hint = ["{\"mark\":\"", &kit.mark(), "\"}"].concat();
        let slot = wallet.slot(SlotKind::Kit, Some(hint), &Kek::kit(&kit), &mut random);
        Ok(Answer::Kit { slot, code: kit.text().to_string() })
    }

    /// Makes a slot that a passkey opens.
    fn passkey(&self, output: &str, hint: String, random: &str) -> Result<Answer, Refusal> {
        let wallet = self.open()?;
        let not = |part| Refusal::new(Reason::Command, part);
        let output = bytes::decode_exact::<32>(output).ok_or(not("output"))?;
        let mut random = Random::read(random, 40)?;
        Ok(Answer::Slot { slot: wallet.slot(SlotKind::Passkey, Some(hint), &Kek::passkey(&output), &mut random) })
    }

    /// Makes a slot that a password opens.
    fn password(&self, key: &str, random: &str) -> Result<Answer, Refusal> {
        let wallet = self.open()?;
        let key = bytes::decode_exact::<64>(key).ok_or(Refusal::new(Reason::Command, "key"))?;
        let mut random = Random::read(random, 40)?;
        Ok(Answer::Slot { slot: wallet.slot(SlotKind::Password, None, &Kek::password(&key), &mut random) })
    }
}

impl Unlocked {
    /// Slot that a key opens.
    fn slot(&self, kind: SlotKind, hint: Option<String>, kek: &Kek, random: &mut Random) -> Slot {
        let mut slot = new_slot(kind, random);
        slot.hint = hint;
        let owner = Owner { user: &self.user, wallet: &self.id };
        owner.wrap(&mut slot, kek, &self.key, *random.take());
        slot
    }
}

/// Slot that wraps nothing yet.
fn new_slot(kind: SlotKind, random: &mut Random) -> Slot {
    Slot { id: bytes::encode(random.take::<16>().as_slice()), kind, ..Slot::default() }
}

fn read(json: &str) -> Result<Command, Refusal> {
    let not = |part| Refusal::new(Reason::Command, part);
    if json.len() > LONGEST {
        return Err(not("size"));
    }
    let value = parse(json).map_err(|_| not("JSON"))?;
    Command::read(&value).map_err(|error| not(error.0))
}

#[cfg(test)]
mod tests;
