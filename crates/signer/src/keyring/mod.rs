//! The signer of the frame's worker: a machine that holds the unlocked wallet.

mod command;
mod open;
mod sign;

use open::Stored;

pub use command::{Answer, Command, SignRequest};

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
            Command::Unlock { release, record, device, kit, known, random } => self.unlock(
                &release,
                Stored { record: &record, known: known.as_ref() },
                &device,
                kit.as_deref(),
                &random,
            ),
            Command::Sign { request } => Ok(Answer::Signed { result: sign::sign(&self.open()?.keys, &request)? }),
            Command::Kit { random } => self.kit(&random),
            Command::Words => Ok(Answer::Words { words: self.open()?.entropy.words().to_string() }),
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
        let mut slot = new_slot(SlotKind::Kit, &mut random);
        slot.hint = Some(["{\"mark\":\"", &kit.mark(), "\"}"].concat());
        let owner = Owner { user: &wallet.user, wallet: &wallet.id };
        owner.wrap(&mut slot, &Kek::kit(&kit), &wallet.key, *random.take());
        Ok(Answer::Kit { slot, code: kit.text().to_string() })
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
