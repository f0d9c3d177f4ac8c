//! Rotation of the root key: the operator replaces it because a copy may have leaked, and no wallet is lost.
//!
//! Three steps, so that a key on disk fits the database after a kill at any point: the new key is written beside the old one, one transaction seals
//! everything again, the new file takes the place of the old one. Between the last two the new file alone fits, and the next call finishes.

use super::encoding::{decode, random};
use super::enter::{FIRST_VERSION, email_place, share_place};
use super::password::password_place;
use super::root::{Keys, Root, RootError, SealError};
use super::table::{self, AuditRow, Part, SealedRow};
use super::{VaultError, belongs};
use crate::db::Database;
use portico_api::wallet::{Slot, SlotKind};
use portico_signer::vault::{Kek, Owner};
use std::fs::{File, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt, chown};
use std::path::{Path, PathBuf};
use tokio::net::UnixStream;

/// Event of the audit log.
const ROTATED: &str = "rotated";

/// Reason why a root key was not rotated. Each text is a sentence or two for the operator.
#[derive(Debug, thiserror::Error)]
pub enum RotateError {
    /// A key cannot be read or written.
    #[error("{0}")]
    Root(#[from] RootError),
    /// The database belongs to neither key, or failed.
    #[error("{0}")]
    Vault(#[from] VaultError),
    /// A vault listens.
    #[error(
        "A vault listens at {0}. Stop it first: `systemctl stop portico-vault`, or stop the `portico serve` that started it."
    )]
    Running(PathBuf),
    /// Another process rotates.
    #[error("Another `portico vault rotate` is running. Wait until it has ended.")]
    Overtaken,
    /// A file cannot be moved or written.
    #[error("Couldn't use {0} ({1}). Run this as the owner of the root key, who needs to write to its folder.")]
    File(PathBuf, io::Error),
    /// Texts that the old key does not open.
    #[error(
        "The old key can't open {first}{}. Nothing was changed. To skip what can't be used now either, add --leave-unopened.", others(.count)
    )]
    Unopened {
        /// Number of such texts.
        count: usize,
        /// One of them.
        first: String,
    },
    /// A text cannot be sealed.
    #[error("Couldn't seal again: {0}. Nothing was changed.")]
    Seal(String),
    /// The database failed; nothing was changed.
    #[error("Couldn't use the database of the vault: {0}. Nothing was changed.")]
    Database(#[from] sqlx::Error),
    /// The database failed at the end.
    #[error(
        "Couldn't finish in the database: {0}. Both keys are kept. Run `portico vault rotate` again: it finds the one that the database belongs to."
    )]
    Commit(sqlx::Error),
    /// The rotation failed, and what it made stays; the second text says what.
    #[error("{0} {1}")]
    Left(Box<RotateError>, String),
    /// The write-ahead log stays.
    #[error(
        "Replaced the root key, but the write-ahead log of the database may still have what the old one opens: {0}"
    )]
    Log(sqlx::Error),
}

/// How many more there are than the one that is named.
fn others(count: &usize) -> String {
    match count {
        0 | 1 => String::new(),
        _ => format!(", and {} more", count - 1),
    }
}

impl From<SealError> for RotateError {
    fn from(error: SealError) -> RotateError {
        RotateError::Seal(error.to_string())
    }
}

/// What was sealed again.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Rotated {
    /// Addresses of users, and those that a link can restore.
    pub addresses: usize,
    /// Shares of devices.
    pub shares: usize,
    /// Recovery slots.
    pub slots: usize,
    /// Passwords.
    pub passwords: usize,
    /// Texts that stay as they are, because the old key does not open them.
    pub left: usize,
}

/// How a rotation goes.
pub struct Course<'a> {
    /// Socket at which no vault may listen.
    pub socket: &'a Path,
    /// Epoch milliseconds.
    pub now: i64,
    /// Whether texts that the old key does not open stay as they are.
    pub leave_unopened: bool,
    /// Is told how many texts of how many are sealed again.
    pub progress: &'a mut (dyn FnMut(usize, usize) + Send),
}

/// Beginning of a rotation.
pub enum Begun {
    /// The new key is written.
    New(Box<Rotation>),
    /// An earlier rotation was interrupted at its end: the database belongs to the new key.
    Interrupted(Committed),
}

/// Files of a rotation.
struct Files {
    key: PathBuf,
    new: PathBuf,
    /// Held until the end, so that a second rotation does not begin.
    _lock: File,
}

/// A rotation whose new key is written. Dropped, it changes nothing more.
pub struct Rotation {
    files: Files,
    old: Keys,
    new: Keys,
    /// Where a key is now that an earlier rotation had left unused.
    pub set_aside: Option<PathBuf>,
}

/// A rotation after which the database belongs to the new key, whose file has yet to take its place.
pub struct Committed {
    files: Files,
    /// What was sealed again.
    pub rotated: Rotated,
}

/// Path of the new key beside the old one.
pub(crate) fn new_key(file: &Path) -> PathBuf {
    with_ending(file, ".new")
}

fn with_ending(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Whether the file of a rotation that was interrupted at its end has the key of a database; changes nothing.
pub(crate) async fn is_interrupted(file: &Path, database: &Database) -> bool {
    match Root::read(&new_key(file)) {
        Ok(root) => belongs(root, database).await.unwrap_or_default(),
        Err(_) => false,
    }
}

impl Files {
    fn lock(file: &Path) -> Result<Files, RotateError> {
        let lock = File::open(file).map_err(|error| RootError::Read(file.display().to_string(), error))?;
        match lock.try_lock() {
            Ok(()) => Ok(Files { key: file.into(), new: new_key(file), _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(RotateError::Overtaken),
            Err(TryLockError::Error(error)) => Err(RotateError::File(file.into(), error)),
        }
    }

    /// Makes the names of the files survive a power failure.
    fn sync(&self) -> io::Result<()> {
        let folder = self.key.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    }

    /// Writes the new key, for the owner of the old one.
    fn create(&self) -> Result<Root, RotateError> {
        Root::create_next(&self.key, &self.new)?;
        let owned = || {
            let (old, new) = (std::fs::metadata(&self.key)?, std::fs::metadata(&self.new)?);
            if (old.uid(), old.gid()) != (new.uid(), new.gid()) {
                chown(&self.new, Some(old.uid()), Some(old.gid()))?;
            }
            self.sync()
        };
        owned().map_err(|error| self.discarded(RotateError::File(self.new.clone(), error)))?;
        // What counts is what the file has.
        Root::read(&self.new).map_err(|error| self.discarded(error.into()))
    }

    /// Error of a new key that is discarded because of it.
    fn discarded(&self, error: RotateError) -> RotateError {
        match Root::discard_next(&self.new) {
            Some(left) => RotateError::Left(error.into(), left),
            None => error,
        }
    }

    /// Moves a key away that fits no database of this place. It may fit a copy of it, so it is not deleted.
    fn set_aside(&self) -> Result<Option<PathBuf>, RotateError> {
        if std::fs::symlink_metadata(&self.new).is_err() {
            return Ok(None);
        }
        let mut free = with_ending(&self.key, ".unused");
        while std::fs::symlink_metadata(&free).is_ok() {
            free = with_ending(&free, "1");
        }
        let moved = std::fs::rename(&self.new, &free).and_then(|()| self.sync());
        moved.map_err(|error| RotateError::File(self.new.clone(), error))?;
        Ok(Some(free))
    }
}

/// Whether nothing listens at the socket.
async fn silent(socket: &Path) -> Result<(), RotateError> {
    match UnixStream::connect(socket).await {
        Ok(_) => Err(RotateError::Running(socket.into())),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Err(RotateError::File(socket.into(), error)),
        Err(_) => Ok(()),
    }
}

fn keys(root: Root) -> Result<Keys, VaultError> {
    Keys::new(root).map_err(|_| VaultError::Keys)
}

impl Rotation {
    /// Writes a new key beside that of a migrated database, unless the database belongs to such a key already.
    pub async fn begin(file: &Path, socket: &Path, database: &Database) -> Result<Begun, RotateError> {
        silent(socket).await?;
        let files = Files::lock(file)?;
        let old = keys(Root::read(file)?)?;
        let stored = table::root_check(database, &old.check(false)).await?;
        if !old.is_check(&stored) {
            return match is_interrupted(file, database).await {
                true => Ok(Begun::Interrupted(Committed { files, rotated: Rotated::default() })),
                false => Err(VaultError::OtherRoot.into()),
            };
        }
        let old = old.complete(database).await?;
        let set_aside = files.set_aside()?;
        let new = keys(files.create()?)?;
        Ok(Begun::New(Box::new(Rotation { files, old, new, set_aside })))
    }

    /// Seals everything again in one transaction. The new key goes where it certainly did not happen.
    pub async fn commit(self, database: &Database, course: Course<'_>) -> Result<Committed, RotateError> {
        let Rotation { files, old, new, .. } = self;
        let (before, after) = (table::root_check(database, &old.check(false)).await?, new.check(true));
        let rotated = Rotated::default();
        let mut turn = Turn { course, old, new, before, after, rotated, done: 0, unopened: None };
        match table::rotate_root(database, &mut turn).await {
            Ok(()) => Ok(Committed { files, rotated: turn.rotated }),
            Err(error @ RotateError::Commit(_)) => Err(error),
            Err(error) => Err(files.discarded(error)),
        }
    }
}

impl Committed {
    /// Puts the new key in the place of the old one, and takes what was sealed by the old one out of SQLite's write-ahead log.
    pub async fn finish(self, database: &Database) -> Result<Rotated, RotateError> {
        let Files { key, new, .. } = &self.files;
        let moved = std::fs::rename(new, key).and_then(|()| self.files.sync());
        moved.map_err(|error| RotateError::File(key.clone(), error))?;
        database.forget_deleted().await.map_err(RotateError::Log)?;
        Ok(self.rotated)
    }
}

/// What the transaction needs of a rotation.
pub(super) struct Turn<'a> {
    course: Course<'a>,
    pub(super) old: Keys,
    pub(super) new: Keys,
    /// Text of the database that tells which root it belongs to, now and then.
    pub(super) before: String,
    pub(super) after: String,
    rotated: Rotated,
    done: usize,
    /// First text that the old key did not open.
    unopened: Option<String>,
}

impl Turn<'_> {
    /// Looks once more, as a vault may have begun to listen before the database was claimed. One that begins later finds it claimed.
    pub(super) async fn alone(&mut self) -> Result<(), RotateError> {
        silent(self.course.socket).await
    }

    /// The text under the new key; `None` if it stays as it is.
    pub(super) fn renew(&mut self, part: Part, row: &SealedRow, total: i64) -> Result<Option<String>, RotateError> {
        let user = row.user.as_str();
        let (sealed, counted) = match part {
            Part::Email | Part::Undo => (self.sealed(&email_place(user), row)?, &mut self.rotated.addresses),
            Part::Share => (self.sealed(&share_place(user, &row.id), row)?, &mut self.rotated.shares),
            Part::Recovery => (self.wrapped(row)?, &mut self.rotated.slots),
            Part::Password => (self.sealed(&password_place(user, &row.id), row)?, &mut self.rotated.passwords),
        };
        match sealed {
            Some(_) => *counted += 1,
            None => {
                self.rotated.left += 1;
                self.unopened.get_or_insert_with(|| match part {
                    Part::Email | Part::Undo => format!("the email address of user {user}"),
                    Part::Share => format!("the share of a device of user {user}"),
                    Part::Recovery => format!("the recovery slot of user {user}"),
                    Part::Password => format!("the password of user {user}"),
                });
            }
        }
        self.done += 1;
        (self.course.progress)(self.done, usize::try_from(total).unwrap_or_default());
        Ok(sealed)
    }

    fn sealed(&self, place: &[&str], row: &SealedRow) -> Result<Option<String>, RotateError> {
        match self.old.open(place, &row.sealed) {
            Ok(plain) => Ok(Some(self.new.seal(place, &plain)?)),
            Err(_) => Ok(None),
        }
    }

    /// The recovery slot under the new root's key of its version. A slot that was stored under the key of an earlier version counts too, so that
    /// the old root opens none.
    fn wrapped(&self, row: &SealedRow) -> Result<Option<String>, RotateError> {
        let Some(user) = decode::<16>(&row.user) else { return Ok(None) };
        let key = |keys: &Keys, version: i64| {
            let version = u32::try_from(version).map_err(|_| SealError::Cipher)?;
            Ok::<_, SealError>(Kek::recovery(keys.recovery(&user, version)?))
        };
        let owner = Owner { user: &row.user, wallet: &row.wallet };
        let (id, wrapped) = (row.id.clone(), row.sealed.clone());
        let mut slot = Slot { id, wrapped, kind: SlotKind::Recovery, ..Slot::default() };
        for version in (FIRST_VERSION..=row.version).rev() {
            if let Some(opened) = owner.unwrap(&slot, &key(&self.old, version)?) {
                let nonce = random().map_err(SealError::from)?;
                owner.wrap(&mut slot, &key(&self.new, row.version)?, &opened, nonce);
                return Ok(Some(slot.wrapped));
            }
        }
        Ok(None)
    }

    /// Whether all texts may be left as they are by now.
    pub(super) fn complete(&mut self) -> Result<(), RotateError> {
        match self.unopened.take() {
            Some(first) if !self.course.leave_unopened => {
                Err(RotateError::Unopened { count: self.rotated.left, first })
            }
            _ => Ok(()),
        }
    }

    /// Row of the audit log, without its hash.
    pub(super) fn row(&self, seq: i64) -> AuditRow {
        let text = String::new;
        AuditRow { seq, at: self.course.now, event: ROTATED.into(), user: text(), detail: text(), hash: text() }
    }
}
