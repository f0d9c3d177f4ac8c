//! Mails that are kept instead of sent: for demo and development on one machine.

use super::super::{Vault, answer};
use super::Letter;
use crate::Failure;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use portico_json::Json;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// Path of the web tier's request.
pub(crate) const OUTBOX: &str = "/outbox";

/// Mails that are kept; older ones are forgotten.
const MOST: usize = 50;

/// A kept mail.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub(crate) struct Kept {
    pub(crate) to: String,
    pub(crate) subject: String,
    pub(crate) text: String,
    pub(crate) html: String,
    /// Epoch milliseconds.
    pub(crate) at: i64,
}

/// The kept mails, the newest first.
#[derive(Default)]
pub(crate) struct Outbox {
    kept: Mutex<VecDeque<Kept>>,
}

impl Outbox {
    pub(super) fn put(&self, letter: &Letter) {
        let written = letter.written();
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.truncate(MOST - 1);
        let to = letter.to.as_str().to_owned();
        kept.push_front(Kept { to, subject: written.subject, text: written.text, html: written.html, at: letter.at });
    }

    fn all(&self) -> Vec<Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

/// The kept mails as a response; 404 where mails are sent.
pub(crate) async fn outbox(State(vault): State<Vault>) -> Result<Response, Failure> {
    match vault.inner.mailer.outbox() {
        Some(outbox) => Ok(answer(&outbox.all())),
        None => Err(Failure::new(StatusCode::NOT_FOUND, "", "There is nothing at this path")),
    }
}
