//! Places of the embedded wallet's vault.

use super::folder::{FolderFault, closed, enter};
use super::{DatabasePlace, LinkSide, Mistake, SettingSource, VaultLink, named};
use std::path::{Path, PathBuf};

/// Places of the vault, and its limits.
#[derive(Clone, Debug)]
pub struct VaultPlace {
    /// Database of the vault.
    pub database: DatabasePlace,
    /// File with the root key: 32 bytes in hex.
    pub root_key_file: PathBuf,
    /// Unix socket at which the vault listens.
    pub socket: PathBuf,
    /// Place of the socket's path in the configuration.
    pub socket_place: SettingSource,
    /// Connection to or from another host.
    pub link: Option<VaultLink>,
    /// Permissions of the socket: 0600, or 0660 for a server of another user in the vault's group.
    pub socket_mode: u32,
    /// Whether `serve` starts the vault; if not, something else does.
    pub start: bool,
    /// Maximum number of recovery shares that are released in an hour.
    pub releases_per_hour: u32,
    /// Maximum number of those of one user; a quarter of all at most.
    pub user_releases_per_hour: u32,
    /// Maximum number of logins by e-mail that begin in a minute.
    pub logins_per_minute: u32,
    /// Seconds between two mails to one address.
    pub mail_pause: u32,
}

impl VaultPlace {
    /// Whether the folder of a command decides which vault it means: a path of the vault is relative. If another unit than `serve` starts the
    /// vault, only the socket is in the folder of the server.
    pub(crate) fn is_relative(&self) -> bool {
        if self.is_away() {
            return false;
        }
        let database = matches!(&self.database, DatabasePlace::Sqlite(file) if file.is_relative());
        self.socket.is_relative() || self.start && (database || self.root_key_file.is_relative())
    }

    /// Whether the vault is on another host.
    pub(crate) fn is_away(&self) -> bool {
        self.away_at().is_some()
    }

    /// Host and port of a vault on another host.
    pub(crate) fn away_at(&self) -> Option<String> {
        match &self.link {
            Some(VaultLink { side: LinkSide::Server { host, port }, .. }) => Some(format!("{host}:{port}")),
            _ => None,
        }
    }

    /// Whether `portico vault serve` runs it: `serve` doesn't start it, or its server is on another host.
    pub(crate) fn is_alone(&self) -> bool {
        !self.start || matches!(&self.link, Some(VaultLink { side: LinkSide::Vault(_), .. }))
    }

    /// Folder of the configuration file, if the relative root key is there and not in the folder of the command. A key that
    /// was left here is none of a vault on another host.
    pub(crate) fn beside<'a>(&self, file: &'a Path) -> Option<&'a Path> {
        if self.is_away() {
            return None;
        }
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty())?;
        let elsewhere = self.root_key_file.is_relative() && !self.root_key_file.exists();
        (elsewhere && folder.join(&self.root_key_file).exists()).then_some(folder)
    }

    /// The mistake that the folder of the socket isn't there. A vault with a unit of its own gets the folder when it starts, so only the check of the
    /// configuration asks for it, and only if `serve` starts the vault.
    pub(crate) fn without_folder(&self) -> Option<Mistake> {
        let folder = self.socket.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let sentence = match enter(folder) {
            Ok(()) => return None,
            Err(FolderFault::Closed) => closed("the folder of the vault's socket,", folder),
            Err(_) => format!("the folder {} of the vault's socket doesn't exist. Create it first.", named(folder)),
        };
        self.start.then(|| Mistake::new(self.socket_place.clone(), sentence))
    }
}
