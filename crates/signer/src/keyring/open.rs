//! Creating and unlocking a wallet.

use super::command::DeviceSecret;
use super::{Answer, Keyring, Unlocked, new_slot};
use crate::account::Keys;
use crate::bytes::{self, Random};
use crate::entropy::Entropy;
use crate::refusal::{Reason, Refusal};
use crate::vault::{Kek, Kit, Owner, RELEASE_INFO, VaultKey, hpke, release_data};
use portico_api::wallet::{NewWallet, Release, Sealed, Slot, SlotKind, WalletRecord};
use portico_json::{Map, Read, parse};
use zeroize::Zeroizing;

/// Shares of a release, wiped when dropped.
struct Shares {
    recovery: Option<Zeroizing<[u8; 32]>>,
    device: Zeroizing<[u8; 32]>,
}

/// Wallet as the server stores it, and the addresses that this browser remembers.
pub(super) struct Stored<'a> {
    pub record: &'a WalletRecord,
    pub known: Option<&'a Map<String, String>>,
}

/// What the visitor has to open the wallet where the server has no share for it.
#[derive(Clone, Copy)]
pub(super) struct Typed<'a> {
    /// Printed code.
    pub kit: Option<&'a str>,
    /// Output of a passkey's PRF.
    pub passkey: Option<&'a str>,
    /// Export key of a password.
    pub password: Option<&'a str>,
    /// Whether no other slot may open it.
    pub only: bool,
}

impl Keyring {
    pub(super) fn create(&mut self, release: &Sealed, device: &DeviceSecret, random: &str) -> Result<Answer, Refusal> {
        self.wallet = None;
        let shares = self.shares(release, device)?;
        let mut random = Random::read(random, 184)?;
        let recovery = Kek::recovery(shares.recovery.ok_or(Refusal::new(Reason::Release, "recovery"))?);
        let (entropy, key) = (Entropy::new(random.take()), VaultKey::new(random.take()));
        let keys = keys_of(&entropy)?;
        let id = bytes::encode(random.take::<16>().as_slice());
        let owner = Owner { user: &device.user, wallet: &id };
        let mut recovery_slot = new_slot(SlotKind::Recovery, &mut random);
        owner.wrap(&mut recovery_slot, &recovery, &key, *random.take());
        let device_slot = device.slot(owner, &key, &shares.device, &mut random)?;
        let wallet = NewWallet {
            id: id.clone(),
            blob: owner.seal_blob(&key, &entropy, *random.take()),
            slots: vec![recovery_slot, device_slot],
            addresses: keys.addresses(),
        };
        self.wallet = Some(Unlocked { user: device.user.clone(), id, key, entropy, keys });
        Ok(Answer::Created { wallet })
    }

    pub(super) fn unlock(
        &mut self,
        release: &Sealed,
        Stored { record, known }: Stored<'_>,
        device: &DeviceSecret,
        typed: Typed<'_>,
        random: &str,
    ) -> Result<Answer, Refusal> {
        self.wallet = None;
        // The release of a frozen wallet has no shares.
        if record.frozen {
            return Err(Refusal::new(Reason::Frozen, ""));
        }
        let shares = self.shares(release, device)?;
        let mut random = Random::read(random, 40)?;
        let owner = Owner { user: &device.user, wallet: &record.id };
        let own = Kek::device(&*device.secret()?, &shares.device);
        let is_own = |slot: &&Slot| slot.kind == SlotKind::Device && slot.device.as_ref() == Some(&device.thumbprint);
        let opened = record.slots.iter().filter(is_own).find_map(|slot| owner.unwrap(slot, &own));
        let is_known = opened.is_some();
        let found = match opened.filter(|_| !typed.only) {
            Some(key) => Some(key),
            None => unwrap_otherwise(owner, &record.slots, shares.recovery.filter(|_| !typed.only), typed)?,
        };
        let key = found.ok_or(Refusal::new(Reason::Slots, ""))?;
        let not = |part| Refusal::new(Reason::Record, part);
        let entropy = owner.open_blob(&key, &record.blob).ok_or(not("blob"))?;
        let keys = keys_of(&entropy)?;
        if !is_same(&record.addresses, &keys.addresses()) {
            return Err(not("addresses"));
        }
        if known.is_some_and(|known| !is_same(known, &keys.addresses())) {
            return Err(not("known"));
        }
        let device_slot = if is_known { None } else { Some(device.slot(owner, &key, &shares.device, &mut random)?) };
        let addresses = keys.addresses();
        self.wallet = Some(Unlocked { user: device.user.clone(), id: record.id.clone(), key, entropy, keys });
        Ok(Answer::Unlocked { addresses, device_slot })
    }

    /// Makes a recovery slot of the open wallet.
    pub(super) fn recovery(
        &mut self,
        release: &Sealed,
        device: &DeviceSecret,
        random: &str,
    ) -> Result<Answer, Refusal> {
        let shares = self.shares(release, device)?;
        let wallet = self.open()?;
        if wallet.user != device.user {
            return Err(Refusal::new(Reason::Command, "user"));
        }
        let kek = Kek::recovery(shares.recovery.ok_or(Refusal::new(Reason::Release, "recovery"))?);
        Ok(Answer::Slot { slot: wallet.slot(SlotKind::Recovery, None, &kek, &mut Random::read(random, 40)?) })
    }

    /// Opens a release. A key pair opens at most one.
    fn shares(&mut self, release: &Sealed, device: &DeviceSecret) -> Result<Shares, Refusal> {
        let pair = self.pair.take().ok_or(Refusal::new(Reason::KeyPair, ""))?;
        device.check()?;
        let not = |part| Refusal::new(Reason::Release, part);
        let enc = bytes::decode_exact::<32>(&release.enc).ok_or(not("enc"))?;
        let sealed = bytes::decode(&release.ciphertext).ok_or(not("ciphertext"))?;
        let data = release_data(&device.user, &device.thumbprint);
        let text = hpke::open(&pair, &enc, RELEASE_INFO.as_bytes(), data.as_bytes(), &sealed);
        let text = text.ok_or(not("ciphertext"))?;
        let text = std::str::from_utf8(&text).map_err(|_| not("ciphertext"))?;
        let value = parse(text).map_err(|_| not("ciphertext"))?;
        let Release { recovery, device } = Release::read(&value).map_err(|error| not(error.0))?;
        let recovery = recovery.map(|share| bytes::decode_exact::<32>(&share).ok_or(not("recovery"))).transpose()?;
        Ok(Shares { recovery, device: bytes::decode_exact(&device).ok_or(not("device"))? })
    }
}

impl DeviceSecret {
    fn check(&self) -> Result<(), Refusal> {
        let not = |part| Refusal::new(Reason::Command, part);
        bytes::decode_exact::<16>(&self.user).ok_or(not("user"))?;
        bytes::decode_exact::<32>(&self.thumbprint).ok_or(not("thumbprint"))?;
        self.secret().map(drop)
    }

    fn secret(&self) -> Result<Zeroizing<[u8; 32]>, Refusal> {
        bytes::decode_exact(&self.secret).ok_or(Refusal::new(Reason::Command, "secret"))
    }

    /// New slot of this device.
    fn slot(&self, owner: Owner<'_>, key: &VaultKey, share: &[u8; 32], random: &mut Random) -> Result<Slot, Refusal> {
        let mut slot = new_slot(SlotKind::Device, random);
        slot.device = Some(self.thumbprint.clone());
        owner.wrap(&mut slot, &Kek::device(&*self.secret()?, share), key, *random.take());
        Ok(slot)
    }
}

/// Unwraps the vault key by the recovery slot, or else by a passkey, a password or a kit.
fn unwrap_otherwise(
    owner: Owner<'_>,
    slots: &[Slot],
    recovery: Option<Zeroizing<[u8; 32]>>,
    Typed { kit, passkey, password, .. }: Typed<'_>,
) -> Result<Option<VaultKey>, Refusal> {
    let by = |kind, kek: &Kek| slots.iter().filter(|slot| slot.kind == kind).find_map(|slot| owner.unwrap(slot, kek));
    if let Some(key) = recovery.and_then(|share| by(SlotKind::Recovery, &Kek::recovery(share))) {
        return Ok(Some(key));
    }
    if let Some(output) = passkey {
        let output = bytes::decode_exact::<32>(output).ok_or(Refusal::new(Reason::Command, "passkey"))?;
        if let Some(key) = by(SlotKind::Passkey, &Kek::passkey(&output)) {
            return Ok(Some(key));
        }
    }
    if let Some(key) = password {
        let key = bytes::decode_exact::<64>(key).ok_or(Refusal::new(Reason::Command, "password"))?;
        if let Some(key) = by(SlotKind::Password, &Kek::password(&key)) {
            return Ok(Some(key));
        }
    }
    let Some(code) = kit else { return Ok(None) };
    let kit = Kit::read(code).ok_or(Refusal::new(Reason::Command, "kit"))?;
    Ok(by(SlotKind::Kit, &Kek::kit(&kit)))
}

fn keys_of(entropy: &Entropy) -> Result<Keys, Refusal> {
    Keys::of(&entropy.seed()).ok_or(Refusal::new(Reason::Record, "blob"))
}

/// Whether a record has exactly these addresses: one more, one less or another is a lie.
fn is_same(told: &Map<String, String>, derived: &Map<String, String>) -> bool {
    told.len() == derived.len() && derived.iter().all(|(namespace, address)| told.get(namespace) == Some(address))
}
