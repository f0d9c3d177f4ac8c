//! Keys that outlive their root, sealed under the present one in the database: that of the index, because nobody knows whom a hashed name
//! means, and those of the audit log, because rows are not hashed again.

use super::VaultError;
use super::root::{AUDIT, Derived, INDEX, Keys, SealError};
use super::table;
use crate::db::Database;
use ring::error::Unspecified;
use zeroize::Zeroizing;

/// Names among the settings of the database. That of an audit key ends with the last row that it hashed.
const INDEX_NAME: &str = "kept index";
const AUDIT_NAME: &str = "kept audit ";

/// A kept key, or its sealed text, under its name.
pub(super) type Named<T> = (String, T);

fn place(name: &str) -> [&str; 2] {
    ["kept key", name]
}

fn open(keys: &Keys, name: &str, sealed: &str) -> Result<Derived, SealError> {
    let opened = keys.open(&place(name), sealed)?;
    Ok(Zeroizing::new(opened.as_slice().try_into().map_err(|_| Unspecified)?))
}

impl Keys {
    /// The same with the keys that a database keeps.
    pub(super) async fn complete(mut self, database: &Database) -> Result<Keys, VaultError> {
        for (name, sealed) in table::kept(database).await? {
            let key = open(&self, &name, &sealed).map_err(|_| VaultError::OtherRoot)?;
            match name.strip_prefix(AUDIT_NAME).map(str::parse) {
                Some(Ok(last)) => self.keep_audit(last, &key),
                None if name == INDEX_NAME => self.keep_index(&key),
                _ => return Err(VaultError::Keys),
            }
        }
        Ok(self)
    }

    /// What the database keeps under the next root: what it keeps now, and the own keys of this root, the last row of whose audit log is `last`.
    pub(super) fn hand_over(
        &self,
        next: &Keys,
        kept: &[Named<String>],
        last: i64,
    ) -> Result<Vec<Named<String>>, SealError> {
        let opened = kept.iter().map(|(name, sealed)| Ok((name.clone(), open(self, name, sealed)?)));
        let mut keys = opened.collect::<Result<Vec<Named<Derived>>, SealError>>()?;
        if !keys.iter().any(|(name, _)| name == INDEX_NAME) {
            keys.push((INDEX_NAME.into(), self.own(INDEX)?));
        }
        if last > 0 {
            keys.push((format!("{AUDIT_NAME}{last}"), self.own(AUDIT)?));
        }
        let seal = |(name, key): Named<Derived>| {
            let sealed = next.seal(&place(&name), &key[..])?;
            Ok((name, sealed))
        };
        keys.into_iter().map(seal).collect()
    }
}
