//! Simulation of a transaction by `eth_simulateV1`: what would leave the account, what would come, and who could take more afterwards.
//!
//! It is the node's word and only adds to what the bytes say: what they explain is shown whatever the node answers.

use crate::effect::RpcCall;
use crate::message::object;
use crate::text::holds;
use crate::transaction::Draft;
use portico_calldata::{Address, NATIVE, event, hex, known, wrapped};
use portico_json::Value;
use portico_terms::Amount;
use portico_terms::rpc::result_of;

/// Maximum number of tokens, items and permissions of one simulation that is shown.
const MOST: usize = 16;

/// Sums of a token, or the coin.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Move {
    pub token: Address,
    pub left: Amount,
    pub came: Amount,
}

/// Item of a collection that changes its owner.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ItemMove {
    pub contract: Address,
    /// Number of the item; absent if there are several.
    pub item: Option<Amount>,
    pub leaves: bool,
}

/// Permission that somebody gets.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Permission {
    /// Token or collection.
    pub contract: Address,
    pub taker: Address,
    pub kind: PermissionKind,
}

/// Kind of a permission.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum PermissionKind {
    /// ERC-20 allowance of this amount, or approval of the item with this number.
    Amount(Amount),
    /// All items of a collection.
    All,
    /// Allowance of Permit2.
    Permit2,
}

/// Expected effects of a transaction on the account.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Expected {
    pub moves: Vec<Move>,
    pub items: Vec<ItemMove>,
    pub permissions: Vec<Permission>,
}

/// Result of a simulation.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Simulation {
    Runs(Expected),
    Fails,
    /// The call went through when a node tried it; what it changes is not known.
    Tried,
    /// The node cannot simulate, or its answer cannot be read.
    Unknown,
}

/// Call that simulates a transaction.
pub fn call(draft: &Draft, own: &str) -> RpcCall {
    let block = object(&[("calls", Value::List(vec![crate::transaction::call_of(draft, own)]))]);
    let asked = object(&[
        ("blockStateCalls", Value::List(vec![block])),
        ("traceTransfers", Value::Bool(true)),
        ("validation", Value::Bool(false)),
    ]);
    RpcCall::new("eth_simulateV1", vec![asked, "latest".into()])
}

/// Reads the node's answer.
pub fn read(answer: &Value, own: &str, chain: u64) -> Simulation {
    let Ok(result) = result_of(answer) else { return Simulation::Unknown };
    let ([block], Some(own)) = (result.as_list().unwrap_or_default(), hex::address(own)) else {
        return Simulation::Unknown;
    };
    let [call] = block.get("calls").as_list().unwrap_or_default() else { return Simulation::Unknown };
    match call.get("status").as_str() {
        Some("0x1") => {}
        Some("0x0") => return Simulation::Fails,
        _ => return Simulation::Unknown,
    }
    let contracts: Vec<_> = known(chain).collect();
    let mut reader = Reader { own, wrapped: wrapped(&contracts), expected: Expected::default() };
    let logs = call.get("logs").as_list().unwrap_or_default();
    match logs.iter().all(|log| reader.log(log).is_some()) {
        true => Simulation::Runs(reader.expected),
        false => Simulation::Unknown,
    }
}

/// Calls that try a transaction which a node cannot simulate: with a balance that pays for it, and as the chain is, because not every node takes
/// another state.
pub fn trials(draft: &Draft, own: &str) -> Vec<RpcCall> {
    /// Balance for the trial: 2^96, above all that exists of any coin.
    const ENOUGH: &str = "0x1000000000000000000000000";
    let call = || vec![crate::transaction::call_of(draft, own), "latest".into()];
    let state = object(&[(own, object(&[("balance", ENOUGH.into())]))]);
    let rich = call().into_iter().chain([state]).collect();
    vec![RpcCall::new("eth_call", rich), RpcCall::new("eth_call", call())]
}

/// Reads the answers to [`trials`]: the first that is about the transaction counts.
pub fn tried(answers: &[Value]) -> Simulation {
    /// Code of nodes for a call that reverts.
    const REVERTED: i64 = 3;
    for answer in answers {
        match result_of(answer) {
            Ok(_) => return Simulation::Tried,
            Err(error) if error.code == REVERTED || holds(&error.message, "revert") => return Simulation::Fails,
            // The node does not take the call, or cannot answer.
            Err(_) => {}
        }
    }
    Simulation::Unknown
}

struct Reader {
    own: Address,
    wrapped: Option<Address>,
    expected: Expected,
}

impl Reader {
    /// Takes one log; `None` if it cannot be read, or there are too many.
    fn log(&mut self, log: &Value) -> Option<()> {
        let contract = hex::address(log.get("address").as_str()?)?;
        let listed = log.get("topics").as_list()?;
        let topics: Vec<[u8; 32]> = listed.iter().map(word).collect::<Option<_>>()?;
        let Some(name) = listed.first().and_then(Value::as_str).map(str::to_ascii_lowercase) else { return Some(()) };
        let data = hex::bytes(log.get("data").as_str()?)?;
        let party = |index: usize| topics.get(index).map(address_of);
        let (first, second, third) = (party(1), party(2), party(3));
        let own = Some(self.own);
        let amount = || data.first_chunk::<32>().map(|word| Amount::from_be_bytes(*word));
        match name.as_str() {
            event::TRANSFER if topics.len() == 3 => {
                if first == own {
                    self.moved(contract, amount()?, true)?;
                }
                if second == own {
                    self.moved(contract, amount()?, false)?;
                }
            }
            event::TRANSFER if topics.len() == 4 => {
                let item = Some(Amount::from_be_bytes(topics[3]));
                self.item(contract, item, first == own, second == own)?;
            }
            // The fields are not indexed, as in some early tokens.
            event::TRANSFER if data.len() >= 96 => {
                let field = |at: usize| data.get(at * 32..at * 32 + 32).and_then(|word| word.try_into().ok());
                let (from, to, amount): ([u8; 32], [u8; 32], [u8; 32]) = (field(0)?, field(1)?, field(2)?);
                let amount = Amount::from_be_bytes(amount);
                if address_of(&from) == self.own {
                    self.moved(contract, amount, true)?;
                }
                if address_of(&to) == self.own {
                    self.moved(contract, amount, false)?;
                }
            }
            event::TRANSFER_SINGLE => {
                self.item(contract, amount(), second == own, third == own)?;
            }
            event::TRANSFER_BATCH => self.item(contract, None, second == own, third == own)?,
            event::DEPOSIT if first == own && self.wrapped == Some(contract) => {
                self.moved(contract, amount()?, false)?;
            }
            event::WITHDRAWAL if first == own && self.wrapped == Some(contract) => {
                self.moved(contract, amount()?, true)?;
            }
            event::APPROVAL if first == own && topics.len() >= 3 => {
                let number = if topics.len() == 4 { Amount::from_be_bytes(topics[3]) } else { amount()? };
                // The address zero takes back the approval of an item.
                if second? != [0; 20] {
                    self.permitted(contract, second?, PermissionKind::Amount(number))?;
                }
            }
            event::APPROVAL_FOR_ALL if first == own => {
                let granted = !amount()?.is_zero();
                self.expected.permissions.retain(|one| {
                    one.kind != PermissionKind::All || one.contract != contract || Some(one.taker) != second
                });
                if granted {
                    self.permitted(contract, second?, PermissionKind::All)?;
                }
            }
            event::PERMIT2_APPROVAL | event::PERMIT2_PERMIT if first == own => {
                self.permitted(second?, third?, PermissionKind::Permit2)?;
            }
            _ => {}
        }
        Some(())
    }

    fn moved(&mut self, token: Address, amount: Amount, leaves: bool) -> Option<()> {
        let moves = &mut self.expected.moves;
        let at = moves.iter().position(|one| one.token == token).unwrap_or(moves.len());
        if at == moves.len() {
            moves.push(Move { token, left: Amount::ZERO, came: Amount::ZERO });
        }
        let sum = if leaves { &mut moves[at].left } else { &mut moves[at].came };
        *sum = sum.plus(amount)?;
        (moves.len() <= MOST).then_some(())
    }

    fn item(&mut self, contract: Address, item: Option<Amount>, leaves: bool, comes: bool) -> Option<()> {
        if leaves != comes {
            self.expected.items.push(ItemMove { contract, item, leaves });
        }
        (self.expected.items.len() <= MOST).then_some(())
    }

    /// Records a permission; a later amount for the same taker replaces an earlier one.
    fn permitted(&mut self, contract: Address, taker: Address, kind: PermissionKind) -> Option<()> {
        let permissions = &mut self.expected.permissions;
        let same = |one: &Permission| {
            one.contract == contract
                && one.taker == taker
                && std::mem::discriminant(&one.kind) == std::mem::discriminant(&kind)
        };
        permissions.retain(|one| !same(one));
        permissions.push(Permission { contract, taker, kind });
        (permissions.len() <= MOST).then_some(())
    }
}

impl Expected {
    /// Tokens whose decimals and symbols are needed to show this.
    pub fn tokens(&self) -> Vec<Address> {
        let permitted = self.permissions.iter().filter(|one| one.kind != PermissionKind::All).map(|one| one.contract);
        let mut tokens: Vec<Address> = Vec::new();
        for token in self.moves.iter().map(|one| one.token).chain(permitted) {
            if token != NATIVE && !tokens.contains(&token) {
                tokens.push(token);
            }
        }
        tokens
    }
}

fn address_of(word: &[u8; 32]) -> Address {
    let mut address = [0; 20];
    address.copy_from_slice(&word[12..]);
    address
}

fn word(topic: &Value) -> Option<[u8; 32]> {
    hex::bytes(topic.as_str()?)?.try_into().ok()
}
