//! Reasons why there is no root key, as sentences for the operator.

use crate::config::{ended, named};
use crate::user::this_user;
use crate::vault::kms::KmsError;
use crate::vault::token::TokenError;
use std::io;

/// Reason why there is no root key. Each text is one sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum RootError {
    /// The file cannot be read.
    #[error("{}", unread(.0, .1))]
    Read(String, io::Error),
    /// Other users of the machine may read it.
    #[error("Other users of this machine can read the root key {0}. Stop that with `chmod go= {0}`.")]
    Open(String),
    /// The file holds something else.
    #[error("{0} isn't a root key, which has 64 hex digits. Restore your copy of the key.")]
    Form(String),
    /// The file holds a text that seems to name a key, in none of the forms.
    #[error(
        "{0} doesn't name a root key. Begin it with `pkcs11:` for a key in a token, or `aws-kms:` for one in AWS KMS."
    )]
    Name(String),
    /// The file names a key in a token, which gives none.
    #[error("Couldn't get the root key that {0} names: {1}")]
    Token(String, TokenError),
    /// The file names a key of a key management service, which gives none.
    #[error("Couldn't get the root key that {0} names: {1}")]
    Kms(String, KmsError),
    /// It exists already.
    #[error("{0} is already there and stays as it is.")]
    There(String),
    /// It cannot be written.
    #[error("Couldn't write the root key {0} ({1})")]
    Write(String, io::Error),
    /// A new key was made, and then cannot be used.
    #[error("{} {left}", ended(&.cause.to_string()))]
    Left {
        /// Why it cannot be used.
        cause: Box<RootError>,
        /// Sentences about what is left.
        left: String,
    },
    /// The machine has no randomness.
    #[error("Couldn't get random numbers from this machine ({0})")]
    Random(#[from] getrandom::Error),
}

impl RootError {
    /// Whether there is no key: no file, or no such key in the token that the file names.
    pub(crate) fn is_missing(&self) -> bool {
        match self {
            RootError::Read(_, error) => error.kind() == io::ErrorKind::NotFound,
            RootError::Token(_, error) => matches!(error, TokenError::NoKey(_)),
            _ => false,
        }
    }
}

/// Sentence about a key that cannot be read.
fn unread(file: &str, error: &io::Error) -> String {
    let file = &named(file);
    match error.kind() {
        io::ErrorKind::NotFound => format!("The root key {file} doesn't exist. Make one with `portico vault init`."),
        io::ErrorKind::PermissionDenied => {
            format!("This user ({}) can't read the root key {file}. Run this as its owner.", this_user())
        }
        _ => format!("Couldn't read the root key {file} ({error})."),
    }
}
