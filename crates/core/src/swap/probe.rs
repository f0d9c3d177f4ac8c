//! Trial of calls on nodes without `eth_simulateV1`: an `eth_call` in which the account's own code is replaced by a program that reads
//! balances, makes the calls, and reads the balances again.
//!
//! State overrides are a common extension of `eth_call`. A node that does not know them runs nothing, and its answer has another length.

use super::bounds::Bounds;
use super::calls::Call;
use super::quote::Question;
use super::simulation::{self, Verdict};
use portico_calldata::{Address, NATIVE, hex};
use portico_json::Value;
use portico_terms::Amount;

/// Maximum number of held tokens that are watched besides those of the swap.
pub const MOST_WATCHED: usize = 16;

/// Gas for reading one balance; a token that wants more counts as empty.
const READING_GAS: usize = 400_000;

/// Bytes of a word of the EVM.
const WORD: usize = 32;

/// Instructions of the EVM.
mod op {
    pub const STOP: u8 = 0x00;
    pub const EQ: u8 = 0x14;
    pub const ISZERO: u8 = 0x15;
    pub const ADDRESS: u8 = 0x30;
    pub const BALANCE: u8 = 0x31;
    pub const CALLER: u8 = 0x33;
    pub const CODECOPY: u8 = 0x39;
    pub const POP: u8 = 0x50;
    pub const MSTORE: u8 = 0x52;
    pub const JUMPI: u8 = 0x57;
    pub const GAS: u8 = 0x5a;
    pub const JUMPDEST: u8 = 0x5b;
    pub const PUSH1: u8 = 0x60;
    pub const CALL: u8 = 0xf1;
    pub const RETURN: u8 = 0xf3;
    pub const STATICCALL: u8 = 0xfa;
}

/// Tokens whose balances are read, each once: both of the swap, the coin, and others of the account.
pub fn watched(question: &Question, held: &[String]) -> Vec<Address> {
    let pair = [&question.from.address, &question.to.address];
    let all = pair.into_iter().chain(held).filter_map(|address| hex::address(address));
    let mut watched = Vec::new();
    for token in all.chain([NATIVE]) {
        if !watched.contains(&token) {
            watched.push(token);
        }
    }
    watched
}

/// Parameters of the `eth_call`; `None` if an address or calldata is malformed.
pub fn params(account: &str, calls: &[Call], watched: &[Address]) -> Option<Vec<Value>> {
    let object = |fields: Vec<(&str, Value)>| {
        Value::Object(fields.into_iter().map(|(name, value)| (name.into(), value)).collect())
    };
    let text = |text: &str| Value::Text(text.into());
    let code = hex::of(&program(calls, watched)?);
    Some(vec![
        object(vec![("from", text(account)), ("to", text(account)), ("data", text("0x"))]),
        "latest".into(),
        object(vec![(account, object(vec![("code", Value::Text(code))]))]),
    ])
}

/// Reads the program's answer: a word that is 1 if all calls succeeded, and then each balance before, and each after.
pub fn judge(result: &Value, watched: &[Address], question: &Question, promised: Bounds) -> Verdict {
    let Some(bytes) = result.as_str().and_then(hex::bytes) else { return Verdict::Unproven };
    let words: Vec<Amount> =
        bytes.chunks(WORD).filter_map(|word| Some(Amount::from_be_bytes(word.try_into().ok()?))).collect();
    match words.split_first() {
        Some((status, [])) if status.is_zero() => return Verdict::Fails,
        Some(_) if bytes.len() == WORD * (1 + 2 * watched.len()) => {}
        _ => return Verdict::Unproven,
    }
    let (before, after) = words[1..].split_at(watched.len());
    let (from, to) = (hex::address(&question.from.address), hex::address(&question.to.address));
    let (mut left, mut came) = (Amount::ZERO, Amount::ZERO);
    for (token, (before, after)) in watched.iter().zip(before.iter().zip(after)) {
        if Some(*token) == from {
            left = before.minus(*after).unwrap_or(Amount::ZERO);
        } else if Some(*token) == to {
            came = after.minus(*before).unwrap_or(Amount::ZERO);
        } else if after < before {
            return Verdict::TakesMore;
        }
    }
    simulation::verdict(left, came, promised)
}

/// The program. Coins that a contract sends to the account meanwhile are taken without a further instruction, as by an account without code.
fn program(calls: &[Call], watched: &[Address]) -> Option<Vec<u8>> {
    const FAILED: u8 = 7;
    let answer = WORD * (1 + 2 * watched.len());
    // Behind the answer: the question for a balance, and the calldata.
    let (question, calldata) = (answer, answer + 2 * WORD);
    let data: Vec<Vec<u8>> = calls.iter().map(|call| hex::bytes(&call.data)).collect::<Option<_>>()?;
    let mut code = vec![op::CALLER, op::ADDRESS, op::EQ, op::PUSH1, 0x0d, op::JUMPI, op::STOP];
    // FAILED: returns one word, which is zero.
    code.extend([op::JUMPDEST, op::PUSH1, 0x20, op::PUSH1, 0x00, op::RETURN, op::JUMPDEST]);
    // `balanceOf(address)` of the account.
    let mut selector = [0; WORD];
    selector[..4].copy_from_slice(&[0x70, 0xa0, 0x82, 0x31]);
    push(&mut code, &selector);
    number(&mut code, question);
    code.extend([op::MSTORE, op::ADDRESS]);
    number(&mut code, question + 4);
    code.push(op::MSTORE);
    read(&mut code, watched, WORD, question);
    // The calldata follows the program, whose length does not depend on where: each number takes three bytes.
    let mut copies = Vec::new();
    for (call, data) in calls.iter().zip(&data) {
        number(&mut code, data.len());
        copies.push(code.len() + 1);
        number(&mut code, 0);
        number(&mut code, calldata);
        code.push(op::CODECOPY);
        number(&mut code, 0);
        number(&mut code, 0);
        number(&mut code, data.len());
        number(&mut code, calldata);
        push(&mut code, &call.value.to_be_bytes());
        push(&mut code, &hex::address(&call.to)?);
        code.extend([op::GAS, op::CALL, op::ISZERO, op::PUSH1, FAILED, op::JUMPI]);
    }
    read(&mut code, watched, WORD * (1 + watched.len()), question);
    number(&mut code, 1);
    number(&mut code, 0);
    code.push(op::MSTORE);
    number(&mut code, answer);
    number(&mut code, 0);
    code.push(op::RETURN);
    for (at, data) in copies.into_iter().zip(data) {
        let place = place(code.len());
        code[at..at + place.len()].copy_from_slice(&place);
        code.extend(data);
    }
    Some(code)
}

/// Stores the balances of all tokens from this place of the memory on.
fn read(code: &mut Vec<u8>, watched: &[Address], to: usize, question: usize) {
    for (index, token) in watched.iter().enumerate() {
        let out = to + WORD * index;
        if *token == NATIVE {
            code.extend([op::ADDRESS, op::BALANCE]);
            number(code, out);
            code.push(op::MSTORE);
            continue;
        }
        number(code, WORD);
        number(code, out);
        number(code, 4 + WORD);
        number(code, question);
        push(code, token);
        number(code, READING_GAS);
        code.extend([op::STATICCALL, op::POP]);
    }
}

/// Pushes bytes onto the stack, 32 at most.
fn push(code: &mut Vec<u8>, bytes: &[u8]) {
    code.push(op::PUSH1 - 1 + bytes.len() as u8);
    code.extend(bytes);
}

fn number(code: &mut Vec<u8>, number: usize) {
    push(code, &place(number));
}

/// Big-endian number of three bytes: enough for 16 MiB.
fn place(number: usize) -> [u8; 3] {
    let [.., high, middle, low] = (number as u32).to_be_bytes();
    [high, middle, low]
}
