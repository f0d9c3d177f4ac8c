//! A root key in a hardware security module, or another token of PKCS#11. The token keeps a secret key that it never gives out; the root key is
//! what that key makes of a fixed text, by HMAC-SHA-256, each time a vault starts. So no file has it.

use super::root::is_open;
use crate::user::this_user;
use cryptoki::context::{CInitializeArgs, CInitializeFlags, Pkcs11};
use cryptoki::error::{Error, RvError};
use cryptoki::mechanism::Mechanism;
use cryptoki::object::{Attribute, AttributeType, KeyType, ObjectClass, ObjectHandle};
use cryptoki::session::{Session, UserType};
use cryptoki::types::AuthPin;
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use zeroize::{Zeroize, Zeroizing};

/// Text of which the token makes the root key.
const TEXT: &[u8] = b"portico root 1";
/// Length of a key that is made, and of the root key.
const LENGTH: u64 = 32;

/// A token's library is initialised once in a process.
static ONE: Mutex<()> = Mutex::new(());

/// Where the key is: a URI of PKCS#11 (RFC 7512).
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TokenKey {
    /// Library of the token.
    module: PathBuf,
    /// Label of the token.
    token: String,
    /// Label of the key.
    object: String,
    /// File with the PIN.
    pin: PathBuf,
}

/// Reason why a token gives no root key. Each text is one sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// The text is not such a URI.
    #[error("{0}. Write it as `pkcs11:token=…;object=…?module-path=…&pin-source=…` (RFC 7512).")]
    Uri(&'static str),
    /// The file with the PIN cannot be read.
    #[error("{}", unread(.0, .1))]
    Pin(String, io::Error),
    /// Other users of the machine may read the PIN.
    #[error("other users of this machine can read the PIN in {0}. Stop that with `chmod go= {0}`.")]
    OpenPin(String),
    /// The file has no PIN, or not that of the token.
    #[error(
        "{0} doesn't have the PIN of the token. Correct it before the next try, because wrong tries lock the token."
    )]
    WrongPin(String),
    /// One more wrong PIN would lock the token, or it is locked.
    #[error("the token takes no more tries of the PIN. Unlock it with its maker's tool, and check {0}.")]
    Locked(String),
    /// No token has this label.
    #[error("the module has no token `{0}`. Check `token` and `module-path`.")]
    NoToken(String),
    /// The token has no such key.
    #[error("the token has no key `{0}`. `portico vault init` makes it.")]
    NoKey(String),
    /// The token has more than one key of this name.
    #[error("the token has {0} keys `{1}`, and only one can be the root key. Give the others another name.")]
    Keys(usize, String),
    /// A key of this name is there already.
    #[error("the token has a key `{0}` already. Start the vault, or name another key.")]
    Taken(String),
    /// The key can leave the token.
    #[error("the key `{0}` can leave the token. Use one that is sensitive and can't be extracted")]
    Extractable(String),
    /// The key makes no root key.
    #[error("the key `{0}` made {1} bytes by HMAC-SHA-256, not 32. Use another key.")]
    Length(String, usize),
    /// The library isn't there, or is none of PKCS#11.
    #[error("{}", unloaded(.0, .1))]
    NoModule(PathBuf, Error),
    /// The library refused.
    #[error("{}", refused(.0))]
    Module(#[from] Error),
}

/// Sentences about a PIN that can't be read.
fn unread(file: &str, error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => {
            format!("couldn't read the PIN in {file}, which doesn't exist. Create it, or check `pin-source`.")
        }
        ErrorKind::PermissionDenied => {
            format!("this user ({}) can't read the PIN in {file}. Run this as its owner.", this_user())
        }
        kind => format!("couldn't read the PIN in {file} ({kind}). Check `pin-source`."),
    }
}

/// Sentences about a library that can't be loaded.
fn unloaded(module: &Path, error: &Error) -> String {
    let path = module.display().to_string();
    if !module.exists() {
        return format!("there is no module {path}. Check `module-path`.");
    }
    let cause = match error {
        // The words of the system's loader, which begin with the path.
        Error::LibraryLoading(error) => {
            let told = error.to_string();
            format!(" ({})", told.strip_prefix(&format!("{path}: ")).unwrap_or(&told).replace(": ", ", "))
        }
        _ => String::new(),
    };
    format!("{path} isn't a PKCS#11 module that this machine can load{cause}. Check `module-path`.")
}

/// Sentences about a library that refuses, with the standard's name of the cause: a maker's documentation has it too.
fn refused(error: &Error) -> String {
    match error {
        Error::Pkcs11(cause, function) => {
            let mut name = String::from("CKR");
            for letter in format!("{cause:?}").chars() {
                if letter.is_ascii_uppercase() {
                    name.push('_');
                }
                name.push(letter.to_ascii_uppercase());
            }
            format!("the module answers C_{function:?} with {name}. Check the token with its maker's tool.")
        }
        _ => "the module doesn't answer as PKCS#11 says. Check `module-path`, and the module's version.".into(),
    }
}

impl TokenKey {
    /// Reads the URI, if the text is one.
    pub(super) fn parse(text: &str) -> Option<Result<TokenKey, TokenError>> {
        Some(read(text.strip_prefix("pkcs11:")?))
    }

    /// URI of another key of the same token.
    pub(super) fn with_object(&self, object: String) -> TokenKey {
        TokenKey { object, ..self.clone() }
    }

    pub(super) fn object(&self) -> &str {
        &self.object
    }

    pub(super) fn uri(&self) -> String {
        let word =
            |text: &str| percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string();
        let path = |path: &Path| word(&path.to_string_lossy());
        let (token, object) = (word(&self.token), word(&self.object));
        format!(
            "pkcs11:token={token};object={object}?module-path={}&pin-source={}",
            path(&self.module),
            path(&self.pin)
        )
    }

    /// The root key.
    pub(super) fn root(&self) -> Result<Zeroizing<[u8; 32]>, TokenError> {
        self.session(|session| {
            let key = match self.find(session)?[..] {
                [key] => key,
                [] => return Err(TokenError::NoKey(self.object.clone())),
                ref found => return Err(TokenError::Keys(found.len(), self.object.clone())),
            };
            let kept = session.get_attributes(key, &[AttributeType::Sensitive, AttributeType::Extractable])?;
            if !(kept.contains(&Attribute::Sensitive(true)) && kept.contains(&Attribute::Extractable(false))) {
                return Err(TokenError::Extractable(self.object.clone()));
            }
            let mut made = session.sign(&Mechanism::Sha256Hmac, key, TEXT)?;
            let mut root = Zeroizing::new([0; 32]);
            let fits = made.len() == root.len();
            if fits {
                root.copy_from_slice(&made);
            }
            let length = made.len();
            made.zeroize();
            if fits { Ok(root) } else { Err(TokenError::Length(self.object.clone(), length)) }
        })
    }

    /// Makes the key in the token, which must not have one of this name.
    pub(super) fn make(&self) -> Result<(), TokenError> {
        self.session(|session| {
            if !self.find(session)?.is_empty() {
                return Err(TokenError::Taken(self.object.clone()));
            }
            let template = [
                Attribute::Class(ObjectClass::SECRET_KEY),
                Attribute::KeyType(KeyType::GENERIC_SECRET),
                Attribute::Label(self.object.clone().into_bytes()),
                Attribute::ValueLen(LENGTH.into()),
                Attribute::Token(true),
                Attribute::Private(true),
                Attribute::Sensitive(true),
                Attribute::Extractable(false),
                Attribute::Sign(true),
            ];
            session.generate_key(&Mechanism::GenericSecretKeyGen, &template)?;
            Ok(())
        })
    }

    /// Deletes the key, which nothing was sealed under.
    pub(super) fn destroy(&self) -> Result<(), TokenError> {
        self.session(|session| {
            for key in self.find(session)? {
                session.destroy_object(key)?;
            }
            Ok(())
        })
    }

    /// Sentences about a key that was made for nothing, and that the token doesn't delete.
    pub(super) fn left_over(&self, error: &TokenError) -> String {
        let TokenKey { module, token, object, .. } = self;
        let (module, error) = (module.display(), error.to_string());
        let error = error.trim_end_matches('.');
        format!(
            "The new key `{object}` may stay in the token `{token}` ({error}). Nothing is encrypted with it. Delete it: pkcs11-tool --module {module} --token-label '{token}' --login --delete-object --type secrkey --label '{object}'"
        )
    }

    fn find(&self, session: &Session) -> Result<Vec<ObjectHandle>, TokenError> {
        let wanted = [Attribute::Class(ObjectClass::SECRET_KEY), Attribute::Label(self.object.clone().into_bytes())];
        Ok(session.find_objects(&wanted)?)
    }

    /// Works in a session of the token, as its user.
    fn session<T>(&self, work: impl FnOnce(&Session) -> Result<T, TokenError>) -> Result<T, TokenError> {
        let name = || self.pin.display().to_string();
        let unread = |error| TokenError::Pin(name(), error);
        let found = std::fs::metadata(&self.pin).map_err(unread)?;
        if is_open(found.permissions().mode(), found.uid(), found.gid()) {
            return Err(TokenError::OpenPin(name()));
        }
        let pin = std::fs::read_to_string(&self.pin).map(Zeroizing::new).map_err(unread)?;
        let pin = AuthPin::new(pin.trim_ascii_end().into());
        let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        let module = Pkcs11::new(&self.module).map_err(|error| TokenError::NoModule(self.module.clone(), error))?;
        module.initialize(CInitializeArgs::new(CInitializeFlags::OS_LOCKING_OK))?;
        let done = self.slot(&module).and_then(|slot| {
            // A vault that starts again and again must not lock the token.
            let told = module.get_token_info(slot)?;
            if told.user_pin_locked() || told.user_pin_final_try() {
                return Err(TokenError::Locked(name()));
            }
            let session = module.open_rw_session(slot)?;
            session.login(UserType::User, Some(&pin)).map_err(|error| match error {
                Error::Pkcs11(RvError::PinIncorrect | RvError::PinInvalid | RvError::PinLenRange, _) => {
                    TokenError::WrongPin(name())
                }
                error => error.into(),
            })?;
            let done = work(&session);
            session.logout()?;
            done
        });
        module.finalize()?;
        done
    }

    fn slot(&self, module: &Pkcs11) -> Result<cryptoki::slot::Slot, TokenError> {
        for slot in module.get_slots_with_initialized_token()? {
            if module.get_token_info(slot)?.label() == self.token {
                return Ok(slot);
            }
        }
        Err(TokenError::NoToken(self.token.clone()))
    }
}

fn read(uri: &str) -> Result<TokenKey, TokenError> {
    let (path, query) = uri.split_once('?').ok_or(TokenError::Uri("it has no `module-path`"))?;
    if query.split('&').any(|part| part.starts_with("pin-value=")) {
        return Err(TokenError::Uri("a PIN goes into a file of its own, named by `pin-source`"));
    }
    let value = |part: &str, between: char, name: &str| {
        let found = part.split(between).find_map(|one| one.strip_prefix(name)?.strip_prefix('='));
        let decoded = found.map(|text| percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned());
        decoded.filter(|text| !text.is_empty())
    };
    let file = |name: &str| {
        let text = value(query, '&', name)?;
        Some(PathBuf::from(text.strip_prefix("file:").unwrap_or(&text)))
    };
    Ok(TokenKey {
        module: file("module-path").ok_or(TokenError::Uri("it has no `module-path`"))?,
        token: value(path, ';', "token").ok_or(TokenError::Uri("it has no `token`"))?,
        object: value(path, ';', "object").ok_or(TokenError::Uri("it has no `object`"))?,
        pin: file("pin-source").ok_or(TokenError::Uri("it has no `pin-source`"))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use cryptoki::context::Function;

    #[test]
    fn a_uri_names_the_token_the_key_its_library_and_the_file_of_the_pin() {
        let text = "pkcs11:token=The%20token;object=root?module-path=/usr/lib/x.so&pin-source=file:/etc/portico/pin";
        let key = TokenKey::parse(text).unwrap().unwrap();
        let expected = TokenKey {
            module: "/usr/lib/x.so".into(),
            token: "The token".into(),
            object: "root".into(),
            pin: "/etc/portico/pin".into(),
        };
        assert_eq!(key, expected);
        assert_eq!(TokenKey::parse(&key.uri()).unwrap().unwrap(), key);
        assert!(TokenKey::parse(&"00".repeat(32)).is_none());
    }

    #[test]
    fn a_refusal_of_the_library_has_the_names_of_the_standard() {
        for (cause, name) in
            [(RvError::DeviceError, "CKR_DEVICE_ERROR"), (RvError::VendorDefined(7), "CKR_VENDOR_DEFINED(7)")]
        {
            let told = TokenError::from(Error::Pkcs11(cause, Function::SignInit)).to_string();
            let words = format!("the module answers C_SignInit with {name}. Check the token with its maker's tool.");
            assert_eq!(told, words);
        }
    }

    #[test]
    fn what_a_uri_lacks_is_said_and_a_pin_in_it_is_refused() {
        for (uri, lacks) in [
            ("pkcs11:token=a;object=b", "module-path"),
            ("pkcs11:object=b?module-path=/m&pin-source=/p", "token"),
            ("pkcs11:token=a;object=?module-path=/m&pin-source=/p", "object"),
            ("pkcs11:token=a;object=b?module-path=/m", "pin-source"),
            ("pkcs11:token=a;object=b?module-path=/m&pin-value=1234&pin-source=/p", "a PIN goes into a file"),
        ] {
            let error = TokenKey::parse(uri).unwrap().unwrap_err().to_string();
            assert!(error.contains(lacks), "{uri}: {error}");
        }
    }
}
