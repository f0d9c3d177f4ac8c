//! Resolution of a name through the Universal Resolver of ENS, without I/O: the calls to it, its answers, and the lookups at gateways that
//! it asks for (EIP-137, EIP-3668, ENSIP-9, ENSIP-10, ENSIP-11, ENSIP-21).

use crate::{Address, hex};
use portico_terms::address::keccak256;

/// Universal Resolver, which has this address on every chain with ENS.
pub const UNIVERSAL_RESOLVER: &str = "0xeeeeeeee14d718c2b47d9923deab1335e144eeee";

/// SLIP-44 coin type of Ether; an address that is not tied to a chain.
pub const ETHER: u64 = 60;

/// Selector of a function or an error.
type Selector = [u8; 4];

/// Maximum size of an answer of the contract, in bytes.
const LONGEST: usize = 256 * 1024;

/// Maximum number of queries of one lookup, and of gateways for each.
pub const MOST_QUERIES: usize = 4;
pub const MOST_URLS: usize = 4;

/// Maximum length of a name on the wire (RFC 1035, 2.3.4).
const LONGEST_NAME: usize = 255;

/// Gateway that stands for the client itself: it sends each query of a batch to its own gateways (ENSIP-21).
const OURSELVES: &[u8] = b"x-batch-gateway:true";

mod selector {
    use super::Selector;

    /// `resolveWithGateways(bytes name, bytes data, string[] gateways)`
    pub const RESOLVE: Selector = [0xa1, 0x47, 0x28, 0x44];
    /// `addr(bytes32 node)`
    pub const ADDR: Selector = [0x3b, 0x3b, 0x57, 0xde];
    /// `addr(bytes32 node, uint256 coinType)`
    pub const ADDR_OF_COIN: Selector = [0xf1, 0xcb, 0x7e, 0x06];
    /// `OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)`
    pub const OFFCHAIN_LOOKUP: Selector = [0x55, 0x6f, 0x18, 0x30];
    /// `query(Query[])`, with `Query(address sender, string[] urls, bytes data)`
    pub const QUERY: Selector = [0xa7, 0x80, 0xba, 0xb6];
    /// `HttpError(uint16 status, string message)`
    pub const HTTP_ERROR: Selector = [0x01, 0x80, 0x01, 0x52];
}

/// Normal form of a name of ASCII characters (ENSIP-15): lower case; letters, digits, hyphens, `$`, and underscores at the start of a label.
/// `None` for other names, whose normal form needs tables that are not here.
pub fn normal(text: &str) -> Option<String> {
    let name = text.to_ascii_lowercase();
    let fine = |label: &str| {
        let inner = label.trim_start_matches('_');
        let plain = inner.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'$'));
        plain && !label.is_empty() && label.get(2..4) != Some("--")
    };
    if name.split('.').all(fine) { Some(name) } else { None }
}

/// A name in normal form, as contracts take it.
#[derive(Clone, Debug)]
pub struct Name {
    wire: Vec<u8>,
    node: [u8; 32],
}

impl Name {
    /// `None` if a label is empty or the name is too long.
    pub fn new(normal: &str) -> Option<Name> {
        let mut wire = Vec::with_capacity(normal.len() + 2);
        for label in normal.split('.') {
            let length = u8::try_from(label.len()).ok().filter(|length| *length > 0)?;
            wire.push(length);
            wire.extend_from_slice(label.as_bytes());
        }
        wire.push(0);
        let mut node = [0; 64];
        for label in normal.rsplit('.') {
            node[32..].copy_from_slice(&keccak256(label.as_bytes()));
            let above = keccak256(&node);
            node[..32].copy_from_slice(&above);
        }
        let node = *node.first_chunk()?;
        if wire.len() <= LONGEST_NAME { Some(Name { wire, node }) } else { None }
    }

    /// Calldata that asks the Universal Resolver for the name's address of a coin type.
    pub fn question(&self, coin: u64) -> String {
        let mut record = Writer::default();
        record.out.extend(if coin == ETHER { selector::ADDR } else { selector::ADDR_OF_COIN });
        record.out.extend(self.node);
        if coin != ETHER {
            record.number(coin);
        }
        let mut gateways = Writer::default();
        gateways.number(1).number(32).bytes(OURSELVES);
        let mut call = Writer::default();
        call.out.extend(selector::RESOLVE);
        call.tails(&[Writer::of(&self.wire), Writer::of(&record.out), gateways]);
        hex::of(&call.out)
    }
}

/// Reads what the Universal Resolver returned for the address of a coin type. The outer `None` is an unreadable answer, the inner one a name
/// without such an address.
pub fn address(answer: &str, coin: u64) -> Option<Option<Address>> {
    let data = limited(answer)?;
    let record = Tuple(&data).bytes(0)?;
    let found: Address = if coin == ETHER {
        Tuple(record).address(0).filter(|_| record.len() == 32)?
    } else {
        match Tuple(record).bytes(0)? {
            [] => return Some(None),
            bytes => bytes.try_into().ok()?,
        }
    };
    Some(Some(found).filter(|found| *found != [0; 20]))
}

/// Query to a gateway.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Query {
    /// Contract that asks.
    pub sender: Address,
    /// URL templates of its gateways, in order.
    pub urls: Vec<String>,
    /// Calldata for the gateway.
    pub data: Vec<u8>,
}

impl Query {
    /// URL and body of the request to the gateway of this number; the body is absent for GET. `None` if there is no such gateway, or its
    /// address is not https; http is for this machine only.
    pub fn request(&self, number: usize) -> Option<(String, Option<String>)> {
        let template = self.urls.get(number)?;
        let own = ["http://127.0.0.1:", "http://localhost:"].iter().any(|start| template.starts_with(start));
        if number >= MOST_URLS || template.contains('@') || !(own || template.starts_with("https://")) {
            return None;
        }
        let (sender, data) = (hex::text(&self.sender), hex::of(&self.data));
        let url = template.replace("{sender}", &sender).replace("{data}", &data);
        let body = [r#"{"data":""#, &data, r#"","sender":""#, &sender, r#""}"#].concat();
        Some((url, (!template.contains("{data}")).then_some(body)))
    }
}

/// Answer of a gateway, or the status of its refusal.
pub type Answer = Result<Vec<u8>, u16>;

/// Lookups that the contract asks for before it answers (EIP-3668).
#[derive(Clone, Debug)]
pub struct Lookup {
    /// Queries to send, each to its own gateways.
    pub queries: Vec<Query>,
    /// Whether they are a batch, whose failures are part of the answer.
    batch: bool,
    callback: Selector,
    extra: Vec<u8>,
}

impl Lookup {
    /// Reads the revert data of a call to `contract`. `None` if it is no lookup, or one that the contract did not ask for itself: its answer
    /// would reach the wrong one.
    pub fn read(revert: &str, contract: &str) -> Option<Lookup> {
        let data = limited(revert)?;
        let error = Tuple(data.strip_prefix(&selector::OFFCHAIN_LOOKUP)?);
        let sender = error.address(0)?;
        let urls = error.part(1)?.list(MOST_URLS)?;
        let question = error.bytes(2)?;
        let callback = *error.word(3)?.first_chunk()?;
        let extra = error.bytes(4)?.to_vec();
        if Some(sender) != hex::address(contract) {
            return None;
        }
        let batch = urls.contains(&OURSELVES);
        let queries = if batch {
            queries(question)?
        } else {
            vec![Query { sender, urls: texts(&urls)?, data: question.to_vec() }]
        };
        if queries.is_empty() || queries.len() > MOST_QUERIES {
            None
        } else {
            Some(Lookup { queries, batch, callback, extra })
        }
    }

    /// Calldata that hands the answers to the contract. `None` if the contract has no use for a failure.
    pub fn callback(&self, answers: &[Answer]) -> Option<String> {
        let response = if self.batch {
            let mut failures = Writer::default();
            let mut responses = Vec::new();
            failures.number(answers.len() as u64);
            for answer in answers {
                failures.number(u64::from(answer.is_err()));
                responses.push(match answer {
                    Ok(data) => Writer::of(data),
                    Err(status) => Writer::of(&http_error(*status)),
                });
            }
            let mut list = Writer::default();
            list.number(answers.len() as u64).tails(&responses);
            let mut response = Writer::default();
            response.tails(&[failures, list]);
            response.out
        } else {
            answers.first()?.as_ref().ok()?.clone()
        };
        let mut call = Writer::default();
        call.out.extend(self.callback);
        call.tails(&[Writer::of(&response), Writer::of(&self.extra)]);
        Some(hex::of(&call.out))
    }
}

/// Whether the revert says that a gateway could not answer now, rather than that there is no record.
pub fn gateway_failed(revert: &str) -> bool {
    let status = || Tuple(limited(revert)?.strip_prefix(&selector::HTTP_ERROR)?).small(0);
    status().is_some_and(|status| status >= 500 || status == 0)
}

fn http_error(status: u16) -> Vec<u8> {
    let mut error = Writer::default();
    error.out.extend(selector::HTTP_ERROR);
    error.number(u64::from(status)).number(64).bytes(b"");
    error.out
}

/// Reads `query(Query[])`.
fn queries(data: &[u8]) -> Option<Vec<Query>> {
    let list = Tuple(data.strip_prefix(&selector::QUERY)?).part(0)?;
    let read = |number| {
        let query = Tuple(list.0.get(32..)?).part(number)?;
        let urls = texts(&query.part(1)?.list(MOST_URLS)?)?;
        Some(Query { sender: query.address(0)?, urls, data: query.bytes(2)?.to_vec() })
    };
    (0..list.small(0)?.min(MOST_QUERIES + 1)).map(read).collect()
}

/// A tuple in the contract ABI. Unlike the reader of swaps it takes any order of the parts: nothing is decided from what lies between them,
/// and the smaller code counts in the browser.
#[derive(Clone, Copy)]
struct Tuple<'a>(&'a [u8]);

impl<'a> Tuple<'a> {
    #[inline(never)]
    fn word(self, field: usize) -> Option<&'a [u8; 32]> {
        self.0.get(field.checked_mul(32)?..)?.first_chunk()
    }

    /// Number that is a length or an offset, or another small one.
    fn small(self, field: usize) -> Option<usize> {
        let (high, low) = self.word(field)?.split_at(28);
        high.iter().all(|byte| *byte == 0).then_some(u32::from_be_bytes(low.try_into().ok()?) as usize)
    }

    fn address(self, field: usize) -> Option<Address> {
        let (high, low) = self.word(field)?.split_at(12);
        high.iter().all(|byte| *byte == 0).then_some(low.try_into().ok()?)
    }

    /// Dynamic part to which a field points.
    fn part(self, field: usize) -> Option<Tuple<'a>> {
        self.0.get(self.small(field)?..).map(Tuple)
    }

    /// `bytes` or `string`.
    #[inline(never)]
    fn bytes(self, field: usize) -> Option<&'a [u8]> {
        let part = self.part(field)?;
        part.0.get(32..)?.get(..part.small(0)?)
    }

    /// The first items of a `bytes[]` or `string[]`, which begins here.
    fn list(self, most: usize) -> Option<Vec<&'a [u8]>> {
        let items = Tuple(self.0.get(32..)?);
        (0..self.small(0)?.min(most)).map(|item| items.bytes(item)).collect()
    }
}

fn texts(parts: &[&[u8]]) -> Option<Vec<String>> {
    parts.iter().map(|part| std::str::from_utf8(part).ok().map(String::from)).collect()
}

fn limited(answer: &str) -> Option<Vec<u8>> {
    if answer.len() > 2 * LONGEST { None } else { hex::bytes(answer) }
}

/// Writer of arguments in the contract ABI.
#[derive(Default)]
struct Writer {
    out: Vec<u8>,
}

impl Writer {
    /// `bytes` alone.
    fn of(bytes: &[u8]) -> Writer {
        let mut writer = Writer::default();
        writer.bytes(bytes);
        writer
    }

    fn number(&mut self, number: u64) -> &mut Writer {
        self.out.extend([0; 24]);
        self.out.extend(number.to_be_bytes());
        self
    }

    /// Length and content of `bytes` or `string`, without its offset.
    fn bytes(&mut self, bytes: &[u8]) -> &mut Writer {
        self.number(bytes.len() as u64).out.extend(bytes);
        let end = self.out.len() + bytes.len().next_multiple_of(32) - bytes.len();
        self.out.resize(end, 0);
        self
    }

    /// Dynamic parts: first the offsets of all, then the parts.
    fn tails(&mut self, parts: &[Writer]) {
        let mut offset = 32 * parts.len();
        for part in parts {
            self.number(offset as u64);
            offset += part.out.len();
        }
        for part in parts {
            self.out.extend(&part.out);
        }
    }
}
