//! Merges paged lists of pieces, each newest first, into one list of transactions in pages of [`ROWS`].
//!
//! Pages are cut between blocks, so all pieces of a transaction are on one page. A position consists of, for each list, the page with the
//! next piece, and of the block to continue with: it stays valid whatever is mined meanwhile.

use super::{Of, Page, Piece, ROWS, compose};
use crate::source::{Fault, SourceAnswer};
use futures_util::future::join_all;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Query parameters of a page at its source; empty for the first page.
pub(crate) type Params = Vec<(String, String)>;

/// List of pieces, newest block first.
pub(crate) trait Stream: Send + Sync {
    /// Fetches one page.
    fn leaf<'a>(&'a self, params: &'a Params) -> SourceAnswer<'a, Leaf>;
}

/// Page of a list.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Leaf {
    pub(crate) pieces: Vec<Piece>,
    /// Parameters of the next page.
    pub(crate) next: Option<Params>,
}

/// Position where a page ended.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
struct PageEnd {
    /// For each list, the page with the next piece; `None` at the end of the list.
    pages: Vec<Option<Params>>,
    /// Block to continue with; newer blocks are done.
    until: Option<u64>,
    /// Number of transactions of that block already sent.
    told: usize,
    /// Whether some pieces of that block were sent already and the remaining ones follow.
    rest: bool,
}

/// Maximum number of requests to a source for one page.
const MOST_LEAVES: usize = 12;

/// Maximum number of pieces per source page; the rest is ignored.
const MOST_PIECES: usize = 2000;

/// Limits of the parameters in a position.
const MOST_PARAMS: usize = 16;
const LONGEST: usize = 256;

/// Next page after a position.
pub(crate) async fn page(
    streams: &[&dyn Stream],
    of: Of<'_>,
    place: Option<&str>,
) -> Result<Page<portico_api::account::Transaction>, Fault> {
    let place = match place {
        None => PageEnd { pages: vec![Some(Params::new()); streams.len()], ..PageEnd::default() },
        Some(text) => read(text, streams.len()).ok_or(Fault::Cursor)?,
    };
    let mut feeds: Vec<Feed<'_>> =
        streams.iter().zip(place.pages.clone()).map(|(stream, page)| Feed::new(*stream, page)).collect();
    let mut left = MOST_LEAVES;
    let mut rows = Vec::new();
    let (mut until, mut told, mut rest) = (place.until, place.told, place.rest);
    loop {
        if !fill(&mut feeds, until, &mut left).await? {
            break;
        }
        let Some(block) = feeds.iter().filter_map(|feed| feed.pieces.front()).map(|piece| piece.block).max() else {
            // All lists have ended.
            return Ok(Page { rows, next: None });
        };
        if until != Some(block) {
            (told, rest) = (0, false);
        }
        let before: Vec<Option<Params>> = feeds.iter().map(Feed::page).collect();
        let (pieces, whole) = gather(&mut feeds, block, &mut left).await?;
        if !whole && !rows.is_empty() {
            // So large a block starts a page of its own, with a full budget of requests.
            return Ok(Page { rows, next: Some(write(&PageEnd { pages: before, until, told, rest })) });
        }
        let groups = by_hash(pieces);
        let room = ROWS - rows.len();
        let fresh: Vec<_> = groups.iter().skip(told).collect();
        rows.extend(fresh.iter().take(room).filter_map(|(hash, pieces)| {
            let id = if rest { format!("{hash}-{}", pieces.len()) } else { (*hash).clone() };
            compose(of, id, pieces)
        }));
        if fresh.len() > room {
            return Ok(Page {
                rows,
                next: Some(write(&PageEnd { pages: before, until: Some(block), told: told + room, rest })),
            });
        }
        (until, told, rest) = match (whole, block.checked_sub(1)) {
            (true, Some(older)) => (Some(older), 0, false),
            (true, None) => return Ok(Page { rows, next: None }),
            (false, _) => (Some(block), 0, true),
        };
        if rows.len() >= ROWS || left == 0 {
            break;
        }
    }
    let pages: Vec<Option<Params>> = feeds.iter().map(Feed::page).collect();
    let more = pages.iter().any(Option::is_some) && !rows.is_empty();
    Ok(Page { rows, next: more.then(|| write(&PageEnd { pages, until, told, rest })) })
}

/// List that is being read.
struct Feed<'a> {
    stream: &'a dyn Stream,
    /// Page of `pieces`.
    current: Option<Params>,
    /// Page after `current`.
    next: Option<Params>,
    pieces: VecDeque<Piece>,
}

impl<'a> Feed<'a> {
    fn new(stream: &'a dyn Stream, page: Option<Params>) -> Feed<'a> {
        Feed { stream, current: None, next: page, pieces: VecDeque::new() }
    }

    /// Page with the next piece.
    fn page(&self) -> Option<Params> {
        if self.pieces.is_empty() { self.next.clone() } else { self.current.clone() }
    }

    async fn turn(&mut self, until: Option<u64>) -> Result<(), Fault> {
        let Some(page) = self.next.take() else { return Ok(()) };
        let leaf = self.stream.leaf(&page).await?;
        let wanted = |piece: &Piece| until.is_none_or(|until| piece.block <= until);
        self.pieces = leaf.pieces.into_iter().take(MOST_PIECES).filter(wanted).collect();
        // A source may return pieces out of order.
        self.pieces.make_contiguous().sort_by_key(|piece| std::cmp::Reverse(piece.block));
        // A page that names itself as the next would never end.
        self.next = leaf.next.filter(|next| *next != page && small(next));
        self.current = Some(page);
        Ok(())
    }
}

/// Reads pages until each list has a piece or has ended; false if the budget of requests is used up.
async fn fill(feeds: &mut [Feed<'_>], until: Option<u64>, left: &mut usize) -> Result<bool, Fault> {
    loop {
        let turning: Vec<&mut Feed<'_>> =
            feeds.iter_mut().filter(|feed| feed.pieces.is_empty() && feed.next.is_some()).collect();
        if turning.is_empty() {
            return Ok(true);
        }
        if *left < turning.len() {
            *left = 0;
            return Ok(false);
        }
        *left -= turning.len();
        for turned in join_all(turning.into_iter().map(|feed| feed.turn(until))).await {
            turned?;
        }
    }
}

/// All pieces of a block, and whether they are complete.
async fn gather(feeds: &mut [Feed<'_>], block: u64, left: &mut usize) -> Result<(Vec<Piece>, bool), Fault> {
    let mut found = Vec::new();
    for feed in feeds {
        loop {
            while feed.pieces.front().is_some_and(|piece| piece.block >= block) {
                found.extend(feed.pieces.pop_front());
            }
            if !feed.pieces.is_empty() || feed.next.is_none() {
                break;
            }
            if *left == 0 {
                return Ok((found, false));
            }
            *left -= 1;
            feed.turn(Some(block)).await?;
        }
    }
    Ok((found, true))
}

/// Groups pieces by transaction, in order of first appearance.
fn by_hash(pieces: Vec<Piece>) -> Vec<(String, Vec<Piece>)> {
    let mut groups: Vec<(String, Vec<Piece>)> = Vec::new();
    for piece in pieces {
        match groups.iter_mut().find(|(hash, _)| *hash == piece.hash) {
            Some((_, group)) => group.push(piece),
            None => groups.push((piece.hash.clone(), vec![piece])),
        }
    }
    groups
}

fn write(place: &PageEnd) -> String {
    serde_json::to_string(place).unwrap_or_default()
}

fn read(text: &str, streams: usize) -> Option<PageEnd> {
    let place: PageEnd = serde_json::from_str(text).ok()?;
    (place.pages.len() == streams && place.pages.iter().flatten().all(small)).then_some(place)
}

fn small(params: &Params) -> bool {
    let word = |text: &str| text.len() <= LONGEST;
    let name = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-[]".contains(&byte));
    params.len() <= MOST_PARAMS && params.iter().all(|(key, value)| word(key) && word(value) && name(key))
}

#[cfg(test)]
mod tests;
