//! What an account did on several chains, as one list: the newest first, and one cursor that carries the place on each chain.
//!
//! A chain's own pages are asked and kept as if it were asked for alone. Where a chain has more, but not in hand, what comes next there may be
//! newer than what the others have: its next page is asked for, or this one ends.

use super::asked::AccountQuery;
use super::balance::unavailable;
use super::listed;
use crate::activity::{Cursor, Places, Track};
use crate::guard::project::Project;
use crate::upstream::Unanswered;
use crate::{AppState, Failure};
use futures_util::future::join_all;
use portico_api::account::{History, Transaction};
use portico_terms::AccountId;
use std::collections::VecDeque;

const NAME: &str = "history";

/// Each chain costs a question to its source.
const MOST_CHAINS: usize = 16;

/// How often the pages of one chain are turned for a page of all.
const MOST_TURNS: usize = 3;

/// How many rows a page has.
const ROWS: usize = crate::activity::ROWS;

/// The account on each chain of which a source knows the history, where the query names no chain; 400 where they are too many.
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
        "The history of {} chains is too much at once, at most {MOST_CHAINS} are merged; the query must carry a chainId",
        accounts.len()
    );
    Err(Failure::parameter("chainId", sentence))
}

/// A chain whose pages are being read.
struct Feed {
    account: AccountId,
    /// Names the page that `rows` are of; none for the first.
    page: Option<String>,
    /// Names the page after it.
    next: Option<String>,
    /// The last that was told of this page.
    last: Option<String>,
    rows: VecDeque<Transaction>,
    source: Option<String>,
    age: Option<u32>,
}

/// The page of all of these.
pub(super) async fn page(state: &AppState, asked: &AccountQuery, accounts: Vec<AccountId>) -> Result<History, Failure> {
    let address = accounts.first().map(|account| account.address().to_owned()).unwrap_or_default();
    let places = asked.cursor.as_deref().map(|word| Places::read(word, NAME, &address)).transpose();
    let places = places.map_err(|_| unavailable(Unanswered::Cursor, NAME, None))?;
    let (mut feeds, mut at) = match &places {
        None => (accounts.into_iter().map(Feed::new).collect(), None),
        Some(places) => (going_on(places, accounts)?, Some(places.at.clone())),
    };
    let turned = join_all(feeds.iter_mut().map(|feed| feed.turn(state, asked, at.as_deref()))).await;
    let failed: Vec<Option<Unanswered>> = turned.into_iter().map(Result::err).collect();
    let first = failed.iter().zip(&feeds).find_map(|(failed, feed)| Some(((*failed)?, feed.account.chain().clone())));
    // As with balances, a chain that fails costs only itself; but once it has begun to tell, nothing of it may be missing.
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
            // Whoever goes on hears why.
            if turned.iter().any(Result::is_err) || turns == 0 {
                break;
            }
            continue;
        }
        let newest = feeds.iter_mut().filter(|feed| !feed.rows.is_empty());
        // Of those that are equally new the first.
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

/// The chains of a cursor, of which each must still be served to the project.
fn going_on(places: &Places, mut accounts: Vec<AccountId>) -> Result<Vec<Feed>, Failure> {
    let mut feed = |track: &Track| {
        // Each chain once: a cursor that was made up may name one as often as it likes, and each time its source would be asked.
        let known = accounts.iter().position(|account| account.chain().to_string() == track.chain)?;
        let account = accounts.swap_remove(known);
        let page = track.page.as_ref().map(|(source, place)| {
            let (source, place) = (source.clone(), place.clone());
            Cursor { list: NAME.into(), account: account.to_string(), source, place }.word()
        });
        Some(Feed { next: page, last: track.last.clone(), ..Feed::new(account) })
    };
    let feeds: Option<Vec<Feed>> = places.tracks.iter().map(&mut feed).collect();
    feeds.ok_or_else(|| unavailable(Unanswered::Cursor, NAME, None))
}

impl Feed {
    fn new(account: AccountId) -> Feed {
        Feed { account, page: None, next: None, last: None, rows: VecDeque::new(), source: None, age: None }
    }

    /// The same where all of this page was told.
    async fn turn_on(&mut self, state: &AppState, asked: &AccountQuery, at: Option<&str>) -> Result<(), Unanswered> {
        self.last = None;
        self.turn(state, asked, at).await
    }

    /// Reads on until there is a row that was not told, or no page.
    async fn turn(&mut self, state: &AppState, asked: &AccountQuery, at: Option<&str>) -> Result<(), Unanswered> {
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
        Err(Unanswered::Failed)
    }

    /// Whether what comes next is not in hand.
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

    /// Where to go on; nothing where the chain has ended.
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

/// The rows of a page after the last that was told of it. Where that is no longer on it, or nothing of the chain was told, what is newer than
/// all that was told came since, and is on the first page of who asks anew.
fn unsent(rows: Vec<Transaction>, last: Option<&str>, at: Option<&str>) -> VecDeque<Transaction> {
    let told = last.and_then(|last| rows.iter().position(|row| row.id == last));
    let begin = match (told, at) {
        (Some(told), _) => told + 1,
        (None, Some(at)) => rows.iter().take_while(|row| time(row) > at).count(),
        (None, None) => 0,
    };
    rows.into_iter().skip(begin).collect()
}

/// To the second, which is as far as sources agree on the form. What is not mined yet is the newest.
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
        // Of this chain nothing was told, or what was told is not there any more.
        for last in [None, Some("gone")] {
            assert_eq!(ids(last, Some("2025-02-01T00:00:00")), ["b", "a"]);
        }
    }
}
