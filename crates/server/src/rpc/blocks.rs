//! Block range of an `eth_getLogs` call, and its split into parts.

use super::cache::quantity;
use super::refusal::Refusal;
use crate::config::Chain;
use axum::body::Bytes;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

pub(super) const GET_LOGS: &str = "eth_getLogs";

const FROM: &str = "fromBlock";
const TO: &str = "toBlock";

/// Default for the number of parts into which one call may be split.
const PARTS: u64 = 100;

/// Limits for the number of blocks in a log range.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Limits {
    /// For one request to a node.
    pub(super) at_once: Option<u64>,
    /// For one call of a client.
    pub(super) in_all: u64,
}

impl Limits {
    /// `None` if nothing is limited.
    pub(super) fn of(chain: &Chain) -> Option<Limits> {
        let at_once = chain.log_range();
        let usual = at_once.map_or(u64::MAX, |blocks| blocks.saturating_mul(PARTS));
        let in_all = chain.max_logs_range.unwrap_or(usual);
        (at_once.is_some() || in_all < u64::MAX).then_some(Limits { at_once, in_all })
    }

    fn narrow(self) -> u64 {
        self.at_once.unwrap_or(u64::MAX).min(self.in_all)
    }
}

/// A log filter that starts at a numbered block.
#[derive(Debug)]
pub(super) struct Blocks<'a> {
    from: u64,
    /// As the client wrote it; `None` if missing or null.
    to: Option<String>,
    fields: BTreeMap<String, &'a RawValue>,
}

/// A client may know this many blocks beyond our head, which comes from a node that has not seen them.
const AHEAD: u64 = 32;

/// Block tag for the newest block.
const LATEST: &str = "latest";

impl<'a> Blocks<'a> {
    /// `None` for a filter whose start is not a numbered block or whose end is neither numbered nor the newest block: only a node
    /// knows its width.
    pub(super) fn read(params: Option<&'a RawValue>) -> Option<Blocks<'a>> {
        let [filter]: [&RawValue; 1] = serde_json::from_str(params?.get()).ok()?;
        // With duplicate names the last one counts, as nodes do.
        let fields: BTreeMap<String, &'a RawValue> = serde_json::from_str(filter.get()).ok()?;
        let is_there = |name: &str| fields.get(name).filter(|value| value.get() != "null");
        if is_there("blockHash").is_some() {
            return None;
        }
        let text = |value: &&RawValue| serde_json::from_str::<String>(value.get()).ok();
        let from = text(is_there(FROM)?)?;
        let from = if from == "earliest" { 0 } else { quantity(&from)? };
        let to = match is_there(TO) {
            Some(to) => Some(text(to)?),
            None => None,
        };
        to.as_deref().is_none_or(|to| to == LATEST || quantity(to).is_some()).then_some(Blocks { from, to, fields })
    }

    /// Whether one request covers the range, wherever the chain ends.
    pub(super) fn are_few(&self, limits: Limits) -> bool {
        self.last().is_some_and(|to| to.saturating_sub(self.from) < limits.narrow())
    }

    /// Parameters of each part, in block order; `None` if no split is needed. `head` is the newest block.
    pub(super) fn parts(&self, limits: Limits, head: Option<u64>) -> Result<Option<Vec<Bytes>>, Refusal> {
        // Future blocks have no logs, but a client may know blocks that the queried node has not seen yet.
        let ahead = |to: &u64| head.is_none_or(|head| *to <= head.saturating_add(AHEAD));
        let exact = self.last().filter(ahead);
        let Some(last) = exact.or(head) else { return Ok(None) };
        let width = last.saturating_sub(self.from).saturating_add(1);
        if width > limits.in_all {
            return Err(Refusal::TooWide(width, limits.in_all));
        }
        // The head may have advanced by the time the last part is requested.
        let end = |to: u64| if to == last && exact.is_none() { LATEST.to_owned() } else { format!("{to:#x}") };
        let Some(at_once) = limits.at_once.filter(|at_once| width > *at_once) else {
            // The range ends far beyond the head, which a node may not accept, so it is shortened.
            let shorter = self.last().is_some() && exact.is_none() && self.from <= last;
            return Ok(shorter.then(|| vec![self.part(self.from, &end(last))]));
        };
        let mut parts = Vec::new();
        let mut next = Some(self.from);
        while let Some(from) = next.filter(|from| *from <= last) {
            let to = from.saturating_add(at_once - 1).min(last);
            parts.push(self.part(from, &end(to)));
            next = to.checked_add(1);
        }
        Ok(Some(parts))
    }

    /// Number of the last block; `None` for the newest.
    fn last(&self) -> Option<u64> {
        self.to.as_deref().and_then(quantity)
    }

    /// The filter narrowed to these blocks.
    fn part(&self, from: u64, to: &str) -> Bytes {
        let mut text = format!(r#"[{{"{FROM}":"{from:#x}","{TO}":"{to}""#);
        for (name, value) in self.fields.iter().filter(|(name, _)| ![FROM, TO].contains(&name.as_str())) {
            let name = serde_json::Value::from(name.as_str());
            text.push_str(&format!(",{name}:{value}"));
        }
        text.push_str("}]");
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.into()).unwrap()
    }

    fn parts(params: &str, at_once: u64, in_all: u64, head: Option<u64>) -> Result<Option<Vec<String>>, Refusal> {
        let params = raw(params);
        let parts = Blocks::read(Some(&params)).unwrap().parts(Limits { at_once: Some(at_once), in_all }, head)?;
        Ok(parts.map(|parts| parts.iter().map(|part| String::from_utf8(part.to_vec()).unwrap()).collect()))
    }

    #[test]
    fn a_wide_range_becomes_narrow_ones_that_neither_overlap_nor_leave_a_block_out() {
        let range = |from: u64, to: u64| format!(r#"[{{"fromBlock":"{from:#x}","toBlock":"{to:#x}"}}]"#);
        for (from, to, at_once) in [(0, 9, 3), (5, 5, 1), (7, 107, 10), (0, 99, 100), (u64::MAX - 5, u64::MAX, 4)] {
            let parts = parts(&range(from, to), at_once, u64::MAX, None).unwrap();
            let parts = parts.unwrap_or_else(|| vec![range(from, to)]);
            let mut next = Some(from);
            for part in &parts {
                let params = raw(part);
                let part = Blocks::read(Some(&params)).unwrap();
                assert_eq!(Some(part.from), next);
                let last = part.last().unwrap();
                assert!(last - part.from < at_once);
                next = last.checked_add(1);
            }
            assert_eq!(next, to.checked_add(1), "{from} {to} {at_once}");
        }
    }

    #[test]
    fn the_rest_of_the_filter_is_that_of_each_part() {
        let asked = r#"[{"address":"0x1","fromBlock":"earliest","topics":[["0x2"],null],"toBlock":"0x5"}]"#;
        let part = |from: &str, to: &str| {
            format!(r#"[{{"fromBlock":"{from}","toBlock":"{to}","address":"0x1","topics":[["0x2"],null]}}]"#)
        };
        assert_eq!(parts(asked, 3, 100, None), Ok(Some(vec![part("0x0", "0x2"), part("0x3", "0x5")])));
    }

    #[test]
    fn a_range_without_an_end_or_beyond_it_ends_with_the_newest_block() {
        for asked in [
            r#"[{"fromBlock":"0x1"}]"#,
            r#"[{"fromBlock":"0x1","toBlock":"latest"}]"#,
            r#"[{"fromBlock":"0x1","toBlock":null}]"#,
        ] {
            let expected = [r#"[{"fromBlock":"0x1","toBlock":"0x4"}]"#, r#"[{"fromBlock":"0x5","toBlock":"latest"}]"#];
            assert_eq!(parts(asked, 4, 100, Some(6)), Ok(Some(expected.map(String::from).to_vec())), "{asked}");
            assert_eq!(parts(asked, 6, 100, Some(6)), Ok(None));
            assert_eq!(parts(asked, 4, 100, None), Ok(None));
        }
        let beyond = r#"[{"fromBlock":"0x1","toBlock":"0xffffffffffffffff"}]"#;
        assert_eq!(parts(beyond, 9, 10, Some(6)), Ok(Some(vec![r#"[{"fromBlock":"0x1","toBlock":"latest"}]"#.into()])));
    }

    #[test]
    fn a_block_that_the_client_knows_and_we_do_not_yet_is_asked_for() {
        let asked = |to: u64| format!(r#"[{{"fromBlock":"0x1","toBlock":"{to:#x}"}}]"#);
        let last = |to| parts(&asked(to), 5, 100, Some(9)).unwrap().unwrap().pop().unwrap();
        assert_eq!(last(10), r#"[{"fromBlock":"0x6","toBlock":"0xa"}]"#);
        assert_eq!(last(11), r#"[{"fromBlock":"0xb","toBlock":"0xb"}]"#);
        assert_eq!(last(9 + AHEAD), r#"[{"fromBlock":"0x29","toBlock":"0x29"}]"#);
        assert_eq!(last(10 + AHEAD), r#"[{"fromBlock":"0x6","toBlock":"latest"}]"#);
    }

    #[test]
    fn more_blocks_than_may_be_looked_through_are_refused() {
        let asked = r#"[{"fromBlock":"0x0","toBlock":"0x64"}]"#;
        assert_eq!(parts(asked, 10, 100, None), Err(Refusal::TooWide(101, 100)));
        assert_eq!(parts(asked, 10, 100, Some(50)).unwrap().unwrap().len(), 6);
        let all = r#"[{"fromBlock":"0x0","toBlock":"0xffffffffffffffff"}]"#;
        assert_eq!(parts(all, 10, 100, None), Err(Refusal::TooWide(u64::MAX, 100)));
    }

    #[test]
    fn what_only_a_node_can_measure_is_left_to_it() {
        for params in [
            "[]",
            "{}",
            "null",
            "[{}]",
            r#"[{"blockHash":"0x1","fromBlock":"0x1","toBlock":"0x2"}]"#,
            r#"[{"fromBlock":"latest"}]"#,
            r#"[{"fromBlock":"0x1","toBlock":"finalized"}]"#,
            r#"[{"fromBlock":"0x1","toBlock":"pending"}]"#,
            r#"[{"fromBlock":"0x+1","toBlock":"0x2"}]"#,
            r#"[{"fromBlock":1,"toBlock":"0x2"}]"#,
            r#"[{"fromBlock":"0x1","toBlock":2}]"#,
            r#"[{"fromBlock":"0x1"},{}]"#,
        ] {
            assert!(Blocks::read(Some(&raw(params))).is_none(), "{params}");
        }
        assert!(Blocks::read(None).is_none());
    }
}
