//! Paged lists, cached by cursor for some seconds, and served stale if no source responds.

use super::balance::{forced, unavailable};
use super::query::AccountQuery;
use crate::activity::{Cursor, Page};
use crate::config::Vendor;
use crate::guard::project::Project;
use crate::price::named;
use crate::source::kept::{self, CachedAnswer};
use crate::upstream::{From, NoSourceAnswered};
use crate::{AppState, Failure, visitors};
use portico_json::{Read, Write, parse, to_text};
use portico_terms::AccountId;
use std::time::Duration;

/// The first page changes with every block; later pages only shift.
const FIRST_FRESH: Duration = Duration::from_secs(15);
const FRESH: Duration = Duration::from_secs(30);

/// Page in the form of a response.
pub(super) trait Listed: Read + Write {
    type Row;
    fn new(rows: Vec<Self::Row>, next: Option<String>) -> Self;
    fn with_source(self, source: &str, age: u32) -> Self;
}

/// Requested page. `name` is the name of the list; `ask` queries the sources.
pub(super) async fn page<L: Listed>(
    state: &AppState,
    project: &Project,
    asked: &AccountQuery,
    name: &str,
    ask: impl AsyncFnOnce(&AccountId, Option<From<'_>>) -> Result<(Vendor, Page<L::Row>), NoSourceAnswered>,
) -> Result<L, Failure> {
    let account = asked.account(state, project)?;
    let list = of_account(state, asked, name, &account, asked.cursor.as_deref(), ask).await;
    list.map_err(|unanswered| unavailable(unanswered, name, Some(account.chain())))
}

/// Page that begins at the cursor, of one account on one chain.
pub(super) async fn of_account<L: Listed>(
    state: &AppState,
    asked: &AccountQuery,
    name: &str,
    account: &AccountId,
    cursor: Option<&str>,
    ask: impl AsyncFnOnce(&AccountId, Option<From<'_>>) -> Result<(Vendor, Page<L::Row>), NoSourceAnswered>,
) -> Result<L, NoSourceAnswered> {
    let word = cursor.unwrap_or_default();
    let cursor = cursor.map(|word| Cursor::read(word, name, account)).transpose();
    let cursor = cursor.map_err(|_| NoSourceAnswered::Cursor)?;
    let key = format!("{name}:{}:{}:{word}", named(account), asked.money.word());
    let kept = kept::get(state, &key).await;
    let fresh = if cursor.is_some() { FRESH } else { FIRST_FRESH };
    let force = forced(state, asked, &key).await;
    if let Some(list) = kept.as_ref().filter(|kept| !force && kept.fresh(fresh)).and_then(told) {
        return Ok(list);
    }
    let from = cursor.as_ref().map(|cursor| From { source: &cursor.source, place: &cursor.place });
    match visitors::noting_left_out(ask(account, from)).await {
        (Ok((vendor, Page { rows, next })), left_out) => {
            let source = vendor.word();
            let next = next.map(|place| {
                Cursor { list: name.into(), account: account.to_string(), source: source.into(), place }.word()
            });
            let list = L::new(rows, next);
            if !left_out {
                kept::put(state, &key, &CachedAnswer::new(source, to_text(&list))).await;
            }
            Ok(list.with_source(source, 0))
        }
        (Err(NoSourceAnswered::Failed), _) => kept.as_ref().and_then(told).ok_or(NoSourceAnswered::Failed),
        (Err(unanswered), _) => Err(unanswered),
    }
}

fn told<L: Listed>(kept: &CachedAnswer) -> Option<L> {
    let list = L::read(&parse(&kept.body).ok()?).ok()?;
    Some(list.with_source(&kept.source, kept.age()))
}
