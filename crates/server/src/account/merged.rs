//! History of an account on several chains as one list, newest first; one cursor carries the position on each chain.
//!
//! Pages of each chain are queried and cached like those of a single-chain request. If a chain has more rows that are not loaded yet,
//! they may be newer than the loaded rows of other chains: its next page is loaded, or this page ends.

use super::balance::unavailable;
use super::listed;
use super::query::AccountQuery;
use crate::activity::{Cursor, Places, Track};
use crate::guard::project::Project;
use crate::upstream::NoSourceAnswered;
use crate::{AppState, Failure};
use futures_util::future::join_all;
use portico_api::account::{History, Transaction};
use portico_terms::AccountId;
use std::collections::VecDeque;

const NAME: &str = "history";

/// Each chain costs a request to its source.
const MOST_CHAINS: usize = 16;

/// Maximum number of pages read per chain for one merged page.
const MOST_TURNS: usize = 3;

/// Rows per page.
const ROWS: usize = crate::activity::ROWS;

/// The account on each chain with a history source, if the query names no chain; 400 if there are too many chains.
pub(super) fn accounts(state: &AppState, project: &Project, asked: &AccountQuery) -> Result<Vec<AccountId>, Failure> {
    if asked.names_chain() {
        return Ok(Vec::new());
    }
    let mut accounts = asked.accounts(state, project)?;
    let known = |account: &AccountId| {
        state.chain(account.chain()).is_some_and(|chain| state.upstreams().know_history(&chain.config()))
    };
    accounts.retain(known);
    if accounts.len() <= MOST_CHAINS {
        return Ok(accounts);
    }
    let sentence = format!(
        "Can't merge the history of {} chains, only of {MOST_CHAINS}. Add a chainId to the query.",
        accounts.len()
    );
    Err(Failure::parameter("chainId", sentence))
}

/// Chain whose pages are being read.
struct Feed {
    account: AccountId,
    /// Cursor of the page of `rows`; `None` for the first page.
    page: Option<String>,
    /// Cursor of the next page.
    next: Option<String>,
    /// Id of the last row of this page that was sent.
    last: Option<String>,
    rows: VecDeque<Transaction>,
    source: Option<String>,
    age: Option<u32>,
}

/// Merged page of these accounts.
pub(super) async fn page(state: &AppState, asked: &AccountQuery, accounts: Vec<AccountId>) -> Result<History, Failure> {
    let address = accounts.first().map(|account| account.address().to_owned()).unwrap_or_default();
    let places = asked.cursor.as_deref().map(|word| Places::read(word, NAME, &address)).transpose();
    let places = places.map_err(|_| unavailable(NoSourceAnswered::Cursor, NAME, None))?;
    let (mut feeds, mut at) = match &places {
        None => (accounts.into_iter().map(Feed::new).collect(), None),
        Some(places) => (going_on(places, accounts)?, Some(places.at.clone())),
    };
    let turned = join_all(feeds.iter_mut().map(|feed| feed.turn(state, asked, at.as_deref()))).await;
    let failed: Vec<Option<NoSourceAnswered>> = turned.into_iter().map(Result::err).collect();
    let first = failed.iter().zip(&feeds).find_map(|(failed, feed)| Some(((*failed)?, feed.account.chain().clone())));
    // As with balances, a failed chain is left out; but if an earlier page contains rows of it, none may be missing.
    if let Some((unanswered, chain)) = first
        && (at.is_some() || failed.iter().all(Option::is_some))
    {
        return Err(unavailable(unanswered, NAME, Some(&chain)));
    }
    let mut failed = failed.into_iter();
    feeds.retain(|_| failed.next().flatten().is_none());
    let mut rows = Vec::new();
    let mut turns = MOST_TURNS;
    while rows.len() < ROWS {
        if feeds.iter().any(Feed::is_behind) {
            let behind = feeds.iter_mut().filter(|feed| feed.is_behind());
            let turned = join_all(behind.map(|feed| feed.turn_on(state, asked, at.as_deref()))).await;
            turns -= 1;
            // The next request, with the cursor, reports the error.
            if turned.iter().any(Result::is_err) || turns == 0 {
                break;
            }
            continue;
        }
        let newest = feeds.iter_mut().filter(|feed| !feed.rows.is_empty());
        // On equal times the first chain wins.
        let newest = newest.reduce(|one, other| if other.time() > one.time() { other } else { one });
        let Some(row) = newest.and_then(Feed::take) else { break };
        at = Some(time(&row).to_owned());
        rows.push(row);
    }
    let tracks: Vec<Track> = feeds.iter().filter_map(Feed::track).collect();
    let next = (!tracks.is_empty() && !rows.is_empty())
        .then(|| Places { list: NAME.into(), address, at: at.unwrap_or_default(), tracks }.word());
    let mut sources: Vec<String> = feeds.iter().filter_map(|feed| feed.source.clone()).collect();
    sources.sort();
    sources.dedup();
    let age = feeds.iter().filter_map(|feed| feed.age).max();
    Ok(History { data: rows, next, source: (!sources.is_empty()).then(|| sources.join(",")), age })
}

/// Feeds of the cursor's chains, each of which must still be served to the project.
fn going_on(places: &Places, mut accounts: Vec<AccountId>) -> Result<Vec<Feed>, Failure> {
    let mut feed = |track: &Track| {
        // Each chain once: a forged cursor could repeat a chain, with a request to its source each time.
        let known = accounts.iter().position(|account| account.chain().to_string() == track.chain)?;
        let account = accounts.swap_remove(known);
        let page = track.page.as_ref().map(|(source, place)| {
            let (source, place) = (source.clone(), place.clone());
            Cursor { list: NAME.into(), account: account.to_string(), source, place }.word()
        });
        Some(Feed { next: page, last: track.last.clone(), ..Feed::new(account) })
    };
    let feeds: Option<Vec<Feed>> = places.tracks.iter().map(&mut feed).collect();
    feeds.ok_or_else(|| unavailable(NoSourceAnswered::Cursor, NAME, None))
}

impl Feed {
    fn new(account: AccountId) -> Feed {
        Feed { account, page: None, next: None, last: None, rows: VecDeque::new(), source: None, age: None }
    }

    /// Reads the next page after all rows of this one were sent.
    async fn turn_on(
        &mut self,
        state: &AppState,
        asked: &AccountQuery,
        at: Option<&str>,
    ) -> Result<(), NoSourceAnswered> {
        self.last = None;
        self.turn(state, asked, at).await
    }

    /// Reads pages until there is an unsent row, or no page is left.
    async fn turn(&mut self, state: &AppState, asked: &AccountQuery, at: Option<&str>) -> Result<(), NoSourceAnswered> {
        for _ in 0..MOST_TURNS {
            let page = self.next.clone();
            let list: History =
                listed::of_account(state, asked, NAME, &self.account, page.as_deref(), async |account, from| {
                    state.upstreams().history(state, account, from, asked.money).await
                })
                .await?;
            self.page = page;
            self.next = list.next;
            (self.source, self.age) = (list.source, list.age);
            self.rows = unsent(list.data, self.last.as_deref(), at);
            if !self.rows.is_empty() || self.next.is_none() {
                return Ok(());
            }
            self.last = None;
        }
        Err(NoSourceAnswered::Failed)
    }

    /// Whether the next row is not loaded yet.
    fn is_behind(&self) -> bool {
        self.rows.is_empty() && self.next.is_some()
    }

    fn time(&self) -> &str {
        self.rows.front().map_or("", time)
    }

    fn take(&mut self) -> Option<Transaction> {
        let row = self.rows.pop_front()?;
        self.last = Some(row.id.clone());
        Some(row)
    }

    /// Position to continue at; `None` at the end of the chain.
    fn track(&self) -> Option<Track> {
        let (page, last) = match (self.rows.is_empty(), &self.next) {
            (false, _) => (&self.page, self.last.clone()),
            (true, Some(_)) => (&self.next, None),
            (true, None) => return None,
        };
        let place = |word: &String| {
            let cursor = Cursor::read(word, NAME, &self.account).ok()?;
            Some((cursor.source, cursor.place))
        };
        Some(Track { chain: self.account.chain().to_string(), page: page.as_ref().and_then(place), last })
    }
}

/// Rows of a page after the last row that was sent. If that row is gone from the page, or no row of the chain was sent, rows newer than
/// `at` arrived since; they are skipped here and show up on the first page of a new request.
fn unsent(rows: Vec<Transaction>, last: Option<&str>, at: Option<&str>) -> VecDeque<Transaction> {
    let told = last.and_then(|last| rows.iter().position(|row| row.id == last));
    let begin = match (told, at) {
        (Some(told), _) => told + 1,
        (None, Some(at)) => rows.iter().take_while(|row| time(row) > at).count(),
        (None, None) => 0,
    };
    rows.into_iter().skip(begin).collect()
}

/// Time to the second, since sources differ beyond that. A row that is not mined yet counts as the newest.
fn time(row: &Transaction) -> &str {
    let at = row.metadata.mined_at.as_str();
    if at.is_empty() { "9" } else { at.get(..19).unwrap_or(at) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use portico_api::account::TransactionMetadata;

    fn row(id: &str, at: &str) -> Transaction {
        let metadata = TransactionMetadata { mined_at: at.into(), ..TransactionMetadata::default() };
        Transaction { id: id.into(), metadata, ..Transaction::default() }
    }

    fn ids(last: Option<&str>, at: Option<&str>) -> Vec<String> {
        let rows = vec![
            row("new", ""),
            row("c", "2025-03-01T00:00:00Z"),
            row("b", "2025-02-01T00:00:00.5Z"),
            row("a", "2025-01-01T00:00:00Z"),
        ];
        unsent(rows, last, at).into_iter().map(|row| row.id).collect()
    }

    #[test]
    fn a_page_goes_on_after_what_was_told_whatever_came_since() {
        assert_eq!(ids(None, None), ["new", "c", "b", "a"]);
        assert_eq!(ids(Some("c"), Some("2025-02-15T00:00:00")), ["b", "a"]);
        // No row of this chain was sent, or the last sent row is gone.
        for last in [None, Some("gone")] {
            assert_eq!(ids(last, Some("2025-02-01T00:00:00")), ["b", "a"]);
        }
    }
}
