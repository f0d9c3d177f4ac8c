//! Mails of the vault: they wait in a queue, so that no answer tells by its time whether or where a mail went.

mod address;
mod connection;
mod outbox;
mod queue;
mod server;
mod smtp;
mod text;

pub(crate) use address::Address;
pub(crate) use outbox::{Kept, OUTBOX, Outbox, outbox};
pub(super) use queue::Full;

use crate::config::MailWay;
use portico_api::wallet::Deed;
use queue::Queue;
use smtp::Smtp;
use std::net::IpAddr;
use std::sync::Arc;
use text::Written;
use tokio::sync::oneshot;
use zeroize::Zeroizing;

/// A mail before it is written.
#[derive(Clone)]
pub struct Letter {
    pub(super) to: Address,
    /// BCP 47 tag.
    pub(super) language: String,
    pub(super) matter: Matter,
    /// Epoch milliseconds.
    pub(super) at: i64,
    /// Visitor whose request sends the mail; `None` for the vault's own.
    pub(super) visitor: Option<IpAddr>,
}

/// Occasion of a mail.
#[derive(Clone)]
pub(super) enum Matter {
    /// An unknown device wants to log in; this mail has a link and no code.
    Approval { link: String, host: String, browser: String, place: String },
    /// A login's code; this mail has no link.
    Code { code: Zeroizing<String>, host: String },
    /// A code for the change of the address.
    Change { code: Zeroizing<String> },
    /// A code for the address of a further login.
    Add { code: Zeroizing<String> },
    /// Notice to the address before, with the link that cancels the addition.
    Added { link: String },
    /// Notice to the old address, with the link that cancels the change.
    Changed { link: String },
    /// To the address that was removed; the link restores it.
    Removed { link: String },
    /// Notice of a login on a device that the account didn't have; this mail has no link.
    Arrived { host: String, browser: String, place: String },
    /// The visitor confirms something in the settings; this mail has a link and no code.
    Confirm { deed: Deed, link: String, host: String, browser: String, place: String },
    /// Something was done in the settings.
    Notice(Notice),
}

impl Matter {
    /// Whether a visitor asked for the mail. Others tell what was done, and have to arrive.
    fn is_asked_for(&self) -> bool {
        match self {
            Matter::Approval { .. }
            | Matter::Code { .. }
            | Matter::Change { .. }
            | Matter::Add { .. }
            | Matter::Confirm { .. } => true,
            Matter::Added { .. }
            | Matter::Changed { .. }
            | Matter::Removed { .. }
            | Matter::Arrived { .. }
            | Matter::Notice(_) => false,
        }
    }
}

/// What was done in the settings.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Notice {
    /// Recovery phrase and keys were shown.
    Exported,
    RecoveryRemoved,
    RecoveryAdded,
    PasskeyAdded,
    KitAdded,
    PasswordSet,
    /// A passkey, a password or a kit was removed.
    WayRemoved,
    DeviceRemoved,
    LoginAdded,
    EmailAdded,
    LoginRemoved,
    Unfrozen,
}

/// Way of mails out of the vault; clones share it.
#[derive(Clone)]
pub struct Mailer {
    way: Arc<Way>,
}

enum Way {
    Outbox(Outbox),
    Queue(Queue),
}

/// A mail on its way to the mail server. Where it is dropped, nobody waits for the mail.
pub(super) struct Sending(oneshot::Receiver<bool>);

impl Sending {
    /// Waits until the mail server has the mail (false), or doesn't get it (true).
    pub(super) async fn fails(self) -> bool {
        self.0.await != Ok(true)
    }
}

/// The mail server cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct MailError(String);

impl Mailer {
    /// Starts to send by this way.
    pub fn new(way: &MailWay) -> Result<Mailer, MailError> {
        let way = match way {
            MailWay::Outbox => Way::Outbox(Outbox::default()),
            MailWay::Smtp { url, from } => {
                let smtp = Smtp::new(url, (**from).clone())?;
                let (queue, queued) = Queue::new();
                tokio::spawn(smtp.run(queued));
                Way::Queue(queue)
            }
        };
        Ok(Mailer { way: Arc::new(way) })
    }

    pub(super) fn send(&self, letter: Letter) -> Result<Sending, Full> {
        let (told, sending) = oneshot::channel();
        match &*self.way {
            Way::Outbox(outbox) => {
                outbox.put(&letter);
                // An error is a mail that nobody waits for.
                let _ = told.send(true);
            }
            Way::Queue(queue) => queue.put(letter, told)?,
        }
        Ok(Sending(sending))
    }

    /// The outbox, if mails are not sent.
    pub(super) fn outbox(&self) -> Option<&Outbox> {
        match &*self.way {
            Way::Outbox(outbox) => Some(outbox),
            Way::Queue(_) => None,
        }
    }
}

/// Whether mails can be sent: the mail server answers and takes name and password. Then true if it offers delivery status notifications
/// (RFC 3461), by which a bounce leaves out a mail's text.
pub async fn check(way: &MailWay) -> Result<bool, MailError> {
    match way {
        MailWay::Outbox => Ok(false),
        MailWay::Smtp { url, from } => Smtp::new(url, (**from).clone())?.check().await,
    }
}

impl Letter {
    fn written(&self) -> Written {
        text::write(self)
    }
}
