//! The root key and the keys derived from it. It is in a file of its own, in a token (`token.rs`) or in a key management service (`kms.rs`), never
//! in a database, so that a stolen database opens nothing. Two keys outlive their root, sealed under the next one (`kept.rs`).

mod error;

use super::encoding::{decode_any, encode, random};
use super::kms::KmsKey;
use super::token::TokenKey;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::error::Unspecified;
use ring::hkdf::{HKDF_SHA256, KeyType, Salt};
use ring::hmac;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};
use zeroize::{Zeroize, Zeroizing};

pub use error::RootError;

const LENGTH: usize = 32;

/// A derived key.
pub(super) type Derived = Zeroizing<[u8; LENGTH]>;

/// Uses of keys that outlive their root.
pub(super) const INDEX: &[u8] = b"portico index 1";
pub(super) const AUDIT: &[u8] = b"portico audit 1";

/// Key from which all other keys of the vault come.
pub struct Root(Zeroizing<[u8; LENGTH]>);

/// What keeps the key behind the root key, and never gives it out.
pub enum Keeper {
    /// A token of PKCS#11.
    Token(TokenKey),
    /// The key management service of AWS.
    Kms(KmsKey),
}

impl Root {
    /// Reads the key, which only the owner of the file may read.
    pub fn read(file: &Path) -> Result<Root, RootError> {
        let name = || file.display().to_string();
        let failed = |error| RootError::Read(name(), error);
        check_closed(file)?;
        match keeper(file)? {
            Some(Keeper::Token(key)) => return key.root().map(Root).map_err(|error| RootError::Token(name(), error)),
            Some(Keeper::Kms(key)) => return key.root().map(Root).map_err(|error| RootError::Kms(name(), error)),
            None => {}
        }
        let text = Zeroizing::new(std::fs::read(file).map_err(failed)?);
        let is_name = text.iter().any(|letter| b":=".contains(letter));
        let wrong = || if is_name { RootError::Name(name()) } else { RootError::Form(name()) };
        Root::parse(text.trim_ascii_end()).ok_or_else(wrong)
    }

    /// Makes a key in a new file; in a token, if the file is there and names one. A key of a key management service is there already.
    pub fn create(file: &Path) -> Result<Root, RootError> {
        match keeper(file) {
            Ok(Some(Keeper::Kms(_))) => return Root::read(file),
            Ok(Some(Keeper::Token(key))) => {
                check_closed(file)?;
                key.make().map_err(|error| RootError::Token(file.display().to_string(), error))?;
                return Root::read(file);
            }
            Err(error @ (RootError::Token(..) | RootError::Kms(..))) => return Err(error),
            // There is no file, or one that is not replaced.
            Ok(None) | Err(_) => {}
        }
        let root = Root(Zeroizing::new(random()?));
        let mut text = Zeroizing::new(String::with_capacity(2 * LENGTH + 1));
        for byte in root.0.iter() {
            // Writing to a String cannot fail.
            let _ = write!(text, "{byte:02x}");
        }
        text.push('\n');
        match write_new(file, &text) {
            Ok(()) => Ok(root),
            // A file that has no key is told of as such.
            Err(error @ RootError::There(_)) => Err(Root::read(file).err().unwrap_or(error)),
            Err(error) => Err(error),
        }
    }

    /// What keeps the key that a file names; `None` if the file has it.
    pub fn keeper(file: &Path) -> Option<Keeper> {
        keeper(file).ok().flatten()
    }

    /// Makes the next key of a file in another one; in the same token or service, if it keeps the old one.
    pub(super) fn create_next(old: &Path, new: &Path) -> Result<Root, RootError> {
        let key = match keeper(old)? {
            Some(Keeper::Token(key)) => key,
            Some(Keeper::Kms(key)) => {
                let next = key.make_next().map_err(|error| RootError::Kms(old.display().to_string(), error))?;
                let written = write_new(new, &format!("{}\n", next.name()));
                written.map_err(|error| RootError::Left { cause: error.into(), left: next.left_over() })?;
                return Root::read(new).map_err(|error| Root::discarded(new, error));
            }
            None => return Root::create(new),
        };
        let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let base = key.object().split('@').next().unwrap_or_default();
        let next = key.with_object(format!("{base}@{time}"));
        write_new(new, &format!("{}\n", next.uri()))?;
        Root::create(new).map_err(|error| Root::discarded(new, error))
    }

    /// Deletes a key that [`Root::create_next`] made and nothing was sealed under: its file, and the key of a token that it names. A key of a
    /// key management service stays, because its deletion takes a permission that rotating does not need. Sentences about a key that stays.
    pub(super) fn discard_next(new: &Path) -> Option<String> {
        let left = match keeper(new) {
            Ok(Some(Keeper::Token(key))) => match key.destroy() {
                Ok(()) => None,
                // The next rotation moves the file away.
                Err(error) => return Some(key.left_over(&error)),
            },
            Ok(Some(Keeper::Kms(key))) => Some(key.left_over()),
            Ok(None) | Err(_) => None,
        };
        // The same.
        let _ = std::fs::remove_file(new);
        left
    }

    /// Error of a key that is discarded because of it.
    fn discarded(new: &Path, error: RootError) -> RootError {
        match Root::discard_next(new) {
            Some(left) => RootError::Left { cause: error.into(), left },
            None => error,
        }
    }

    fn parse(text: &[u8]) -> Option<Root> {
        let mut bytes = Zeroizing::new([0; LENGTH]);
        if text.len() != 2 * LENGTH {
            return None;
        }
        for (byte, pair) in bytes.iter_mut().zip(text.chunks_exact(2)) {
            let digit = |letter: u8| char::from(letter).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
            *byte = digit(pair[0])? * 16 + digit(pair[1])?;
        }
        Some(Root(bytes))
    }

    fn derive(&self, info: &[&[u8]]) -> Result<Derived, Unspecified> {
        let mut key = Zeroizing::new([0; LENGTH]);
        let extracted = Salt::new(HKDF_SHA256, &[]).extract(&self.0[..]);
        extracted.expand(info, Length)?.fill(&mut key[..])?;
        Ok(key)
    }
}

/// Refuses a file that other users may read.
fn check_closed(file: &Path) -> Result<(), RootError> {
    let name = || file.display().to_string();
    let found = std::fs::metadata(file).map_err(|error| RootError::Read(name(), error))?;
    match is_open(found.permissions().mode(), found.uid(), found.gid()) {
        true => Err(RootError::Open(name())),
        false => Ok(()),
    }
}

/// What keeps the key that a file names, if it names one.
fn keeper(file: &Path) -> Result<Option<Keeper>, RootError> {
    let name = || file.display().to_string();
    let bytes = Zeroizing::new(std::fs::read(file).map_err(|error| RootError::Read(name(), error))?);
    let Ok(text) = std::str::from_utf8(bytes.trim_ascii_end()) else { return Ok(None) };
    if let Some(key) = KmsKey::parse(text) {
        return key.map(|key| Some(Keeper::Kms(key))).map_err(|error| RootError::Kms(name(), error));
    }
    let key = TokenKey::parse(text).transpose().map_err(|error| RootError::Token(name(), error))?;
    Ok(key.map(Keeper::Token))
}

fn write_new(file: &Path, text: &str) -> Result<(), RootError> {
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => RootError::There(file.display().to_string()),
        _ => RootError::Write(file.display().to_string(), error),
    };
    let mut new = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(file).map_err(failed)?;
    new.write_all(text.as_bytes()).and_then(|()| new.sync_all()).map_err(failed)
}

/// Whether other users may read a file. Of root's own files the group counts for nothing: systemd's credentials are such files, which a list of
/// their own opens to the service's user.
pub(super) fn is_open(mode: u32, owner: u32, group: u32) -> bool {
    let closed = if owner == 0 && group == 0 { 0o037 } else { 0o077 };
    mode & closed != 0
}

/// Length of a derived key.
struct Length;

impl KeyType for Length {
    fn len(&self) -> usize {
        LENGTH
    }
}

/// Keys of a running vault.
pub(super) struct Keys {
    root: Root,
    pepper: hmac::Key,
    /// Key of the root itself, which tells whether a database belongs to it.
    own: hmac::Key,
    index: hmac::Key,
    audit: hmac::Key,
    /// Keys of earlier roots, by the last row of the audit log that each hashed.
    earlier: BTreeMap<i64, hmac::Key>,
    rest: LessSafeKey,
}

impl Keys {
    pub(super) fn new(root: Root) -> Result<Keys, Unspecified> {
        let mac = |info: &[u8]| Ok::<_, Unspecified>(mac(&*root.derive(&[info])?));
        let (pepper, own, audit) = (mac(b"portico pepper 1")?, mac(INDEX)?, mac(AUDIT)?);
        let rest = LessSafeKey::new(UnboundKey::new(&CHACHA20_POLY1305, &root.derive(&[b"portico at rest 1"])?[..])?);
        Ok(Keys { pepper, index: own.clone(), own, audit, earlier: BTreeMap::new(), rest, root })
    }

    /// Key of the root itself for one of the uses above.
    pub(super) fn own(&self, info: &[u8]) -> Result<Derived, SealError> {
        Ok(self.root.derive(&[info])?)
    }

    /// Finds users by the key of an earlier root.
    pub(super) fn keep_index(&mut self, key: &Derived) {
        self.index = mac(key);
    }

    /// Checks the rows of the audit log up to `last` by the key of an earlier root.
    pub(super) fn keep_audit(&mut self, last: i64, key: &Derived) {
        self.earlier.insert(last, mac(key));
    }

    /// Key that hashes a row of the audit log.
    pub(super) fn audit(&self, seq: i64) -> &hmac::Key {
        self.earlier.range(seq..).next().map_or(&self.audit, |(_, key)| key)
    }

    /// Key of the recovery slot of a user's wallet.
    pub(super) fn recovery(&self, user: &[u8; 16], version: u32) -> Result<Derived, SealError> {
        Ok(self.root.derive(&[b"portico recovery 1", user, &version.to_be_bytes()])?)
    }

    /// Seed of what answers tries where a user has no password.
    pub(super) fn no_password(&self, user: &str) -> Result<Derived, SealError> {
        Ok(self.root.derive(&[b"portico no password 1", user.as_bytes()])?)
    }

    /// Name under which the user of an address is found; the database does not tell the address.
    pub(super) fn index(&self, address: &str) -> String {
        encode(hmac::sign(&self.index, address.as_bytes()))
    }

    /// Text that tells whether a database belongs to this root key. One that was rotated has another, because a portico that knows no
    /// rotation would find nobody there, and make each visitor a second user.
    pub(super) fn check(&self, rotated: bool) -> String {
        encode(hmac::sign(&self.own, if rotated { b"portico check 2" } else { b"portico check 1" }))
    }

    /// Whether this is the text of a database that belongs to this root key.
    pub(super) fn is_check(&self, text: &str) -> bool {
        [false, true].into_iter().any(|rotated| self.check(rotated) == text)
    }

    /// Hash of a code. `of` has a fixed length in each use: the login's id, or that of a change.
    pub(super) fn code_hash(&self, of: &str, code: &str, device: &str) -> String {
        encode(hmac::sign(&self.pepper, code_text(of, code, device).as_bytes()))
    }

    /// Whether a code is the hashed one, in constant time.
    pub(super) fn is_code(&self, hash: &str, of: &str, code: &str, device: &str) -> bool {
        let Some(hash) = decode_any(hash) else { return false };
        hmac::verify(&self.pepper, code_text(of, code, device).as_bytes(), &hash).is_ok()
    }

    /// Encrypts for the database; `place` names the row and column, so that a sealed text is worthless anywhere else.
    pub(super) fn seal(&self, place: &[&str], plain: &[u8]) -> Result<String, SealError> {
        let nonce: [u8; NONCE_LEN] = random()?;
        let mut sealed = nonce.to_vec();
        let mut text = Zeroizing::new(plain.to_vec());
        let aad = Aad::from(place.join("\n").into_bytes());
        let tag = self.rest.seal_in_place_separate_tag(Nonce::assume_unique_for_key(nonce), aad, &mut text)?;
        sealed.extend_from_slice(&text);
        sealed.extend_from_slice(tag.as_ref());
        Ok(encode(sealed))
    }

    /// Decrypts what [`Keys::seal`] wrote for this place.
    pub(super) fn open(&self, place: &[&str], sealed: &str) -> Result<Zeroizing<Vec<u8>>, SealError> {
        let mut bytes = decode_any(sealed).ok_or(Unspecified)?;
        let (nonce, text) = bytes.split_at_mut_checked(NONCE_LEN).ok_or(Unspecified)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce)?;
        let aad = Aad::from(place.join("\n").into_bytes());
        let opened = self.rest.open_in_place(nonce, aad, text).map(|plain| Zeroizing::new(plain.to_vec()));
        bytes.zeroize();
        Ok(opened?)
    }
}

fn mac(key: &[u8; LENGTH]) -> hmac::Key {
    hmac::Key::new(hmac::HMAC_SHA256, key)
}

fn code_text(of: &str, code: &str, device: &str) -> Zeroizing<String> {
    Zeroizing::new(format!("{of}\n{code}\n{device}"))
}

/// A sealed text cannot be made or opened.
#[derive(Debug, thiserror::Error)]
pub(super) enum SealError {
    #[error("a text of the database doesn't open with this root key")]
    Cipher,
    #[error("couldn't get random numbers from this machine ({0})")]
    Random(#[from] getrandom::Error),
}

impl From<Unspecified> for SealError {
    fn from(_: Unspecified) -> SealError {
        SealError::Cipher
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{Permissions, set_permissions};

    fn keys(byte: &str) -> Keys {
        Keys::new(Root::parse(byte.repeat(LENGTH).as_bytes()).unwrap()).unwrap()
    }

    #[test]
    fn a_key_is_read_from_a_file_of_its_owner_alone_and_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("vault.key");
        let told = Root::read(&file).err().unwrap().to_string();
        assert_eq!(told, format!("The root key {} doesn't exist. Make one with `portico vault init`.", file.display()));
        let made = Root::create(&file).unwrap();
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(*Root::read(&file).unwrap().0, *made.0);
        assert!(matches!(Root::create(&file), Err(RootError::There(..))));
        set_permissions(&file, Permissions::from_mode(0o604)).unwrap();
        assert!(matches!(Root::read(&file), Err(RootError::Open(_))));
        for wrong in ["", "00", &"0g".repeat(LENGTH), &"00".repeat(LENGTH + 1)] {
            std::fs::remove_file(&file).unwrap();
            std::fs::write(&file, wrong).unwrap();
            set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
            assert!(matches!(Root::read(&file), Err(RootError::Form(_))), "{wrong}");
            assert!(matches!(Root::create(&file), Err(RootError::Form(_))), "{wrong}");
        }
    }

    #[test]
    fn a_mistyped_name_of_a_key_is_told_with_the_forms_of_names_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("vault.key");
        for wrong in
            ["arn:aws:kms:eu-central-1:1:key/a", "pkcs11token=a;object=b?module-path=/m&pin-source=/p", " pkcs11:a"]
        {
            std::fs::write(&file, wrong).unwrap();
            set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
            for found in [Root::read(&file), Root::create(&file)] {
                let told = found.err().unwrap().to_string();
                let words = "doesn't name a root key. Begin it with `pkcs11:` for a key in a token, or `aws-kms:` for one in AWS KMS.";
                assert_eq!(told, format!("{} {words}", file.display()), "{wrong}");
            }
            assert_eq!(std::fs::read_to_string(&file).unwrap(), wrong);
        }
    }

    #[test]
    fn a_credential_of_systemd_is_closed_and_a_file_that_a_group_reads_is_not() {
        for (mode, owner, group, open) in [
            (0o100400, 1000, 1000, false),
            (0o100440, 0, 0, false),
            (0o100440, 1000, 1000, true),
            (0o100440, 0, 1000, true),
            (0o100460, 0, 0, true),
            (0o100404, 0, 0, true),
        ] {
            assert_eq!(is_open(mode, owner, group), open, "{mode:o} {owner} {group}");
        }
    }

    #[test]
    fn a_sealed_text_opens_in_its_own_place_with_its_own_root_alone() {
        let (own, other) = (keys("01"), keys("02"));
        let sealed = own.seal(&["share", "user", "device"], b"secret").unwrap();
        assert_eq!(own.open(&["share", "user", "device"], &sealed).unwrap().as_slice(), b"secret");
        assert!(own.open(&["share", "user", "other"], &sealed).is_err());
        assert!(other.open(&["share", "user", "device"], &sealed).is_err());
        for broken in ["", "AAAA", &sealed[..sealed.len() - 4], &format!("{sealed}AAAA"), "!"] {
            assert!(own.open(&["share", "user", "device"], broken).is_err(), "{broken}");
        }
    }

    #[test]
    fn each_row_of_the_audit_log_has_the_key_of_its_root() {
        let mut third = keys("03");
        for (last, root) in [(4, "01"), (9, "02")] {
            third.keep_audit(last, &keys(root).own(AUDIT).unwrap());
        }
        let tag = |key: &hmac::Key| encode(hmac::sign(key, b"row"));
        for (seq, root) in [(1, "01"), (4, "01"), (5, "02"), (9, "02"), (10, "03"), (i64::MAX, "03")] {
            assert_eq!(tag(third.audit(seq)), tag(keys(root).audit(seq)), "{seq}");
        }
    }

    #[test]
    fn a_kept_index_finds_users_and_tells_no_root() {
        let (first, mut second) = (keys("01"), keys("02"));
        second.keep_index(&first.own(INDEX).unwrap());
        assert_eq!(second.index("ada@example.org"), first.index("ada@example.org"));
        for rotated in [false, true] {
            assert!(first.is_check(&first.check(rotated)) && second.is_check(&second.check(rotated)));
            assert!(!second.is_check(&first.check(rotated)) && !first.is_check(&second.check(rotated)));
        }
    }

    #[test]
    fn the_recovery_key_is_hkdf_over_user_and_version() {
        // Written by RFC 5869 with Python's hmac: salt of zeros, ikm 32 times 01, info "portico recovery 1", 16 zeros, 00000001.
        let key = keys("01").recovery(&[0; 16], 1).unwrap();
        assert_eq!(encode(*key), "UAR5ANAUFSvDJN2KU64YaYwM7taMAE6lYuGu4SEb_bQ");
        assert_ne!(*key, *keys("01").recovery(&[0; 16], 2).unwrap());
        assert_ne!(*key, *keys("01").recovery(&[1; 16], 1).unwrap());
    }
}
