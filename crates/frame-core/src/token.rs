//! Decimals and symbols of tokens, as their contracts tell them.

use crate::effect::RpcCall;
use crate::message::object;
use portico_calldata::{Address, hex};
use portico_json::Value;
use portico_terms::Amount;
use portico_terms::rpc::result_of;

/// Symbols of tokens that are longer are not shown.
const LONGEST_SYMBOL: usize = 12;

/// `decimals()` and `symbol()` of ERC-20.
const QUESTIONS: [&str; 2] = ["0x313ce567", "0x95d89b41"];

/// What a contract says of its token.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Token {
    pub decimals: Option<u8>,
    pub symbol: Option<String>,
}

/// Tokens by contract.
pub type Named = Vec<(Address, Token)>;

/// Calls that ask these contracts, in the order that [`read`] takes.
pub fn calls(tokens: &[Address]) -> impl Iterator<Item = RpcCall> {
    tokens.iter().flat_map(|token| {
        QUESTIONS.map(|selector| {
            let call = object(&[("to", hex::text(token).into()), ("data", selector.into())]);
            RpcCall::new("eth_call", vec![call, "latest".into()])
        })
    })
}

/// Reads the answers.
pub fn read(tokens: &[Address], answers: &[Value]) -> Named {
    let told = |index: usize| answers.get(index).and_then(|answer| hex::bytes(result_of(answer).ok()?.as_str()?));
    let named = tokens.iter().enumerate().map(|(index, token)| {
        let (decimals, symbol) = (told(2 * index), told(2 * index + 1));
        let decimals = decimals.and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
        let decimals =
            decimals.filter(|word| word[..31].iter().all(|byte| *byte == 0) && word[31] <= 36).map(|word| word[31]);
        (*token, Token { decimals, symbol: symbol.and_then(|bytes| symbol_of(&bytes)) })
    });
    named.collect()
}

/// Calls that ask these contracts alone, in the order that [`told`] takes. The first one asks the node for its chain.
pub fn questions(tokens: &[Address]) -> Vec<RpcCall> {
    let mut questions = vec![RpcCall::new("eth_chainId", vec![])];
    questions.extend(calls(tokens));
    questions
}

/// Reads the answers; `None` for a node of another chain.
pub fn told(tokens: &[Address], chain: u64, answers: &[Value]) -> Option<Named> {
    let number = Amount::from_hex(result_of(answers.first()?).ok()?.as_str()?).ok()?;
    (number == Amount::from(chain)).then(|| read(tokens, &answers[1..]))
}

/// Finds a token.
pub fn find<'a>(named: &'a Named, token: &Address) -> Option<&'a Token> {
    named.iter().find(|(known, _)| known == token).map(|(_, token)| token)
}

/// Symbol as ABI text, of letters that cannot imitate others.
fn symbol_of(bytes: &[u8]) -> Option<String> {
    let length = usize::from(*bytes.get(63)?);
    let text = std::str::from_utf8(bytes.get(64..64 + length)?).ok()?;
    let fits =
        bytes[..31].iter().all(|byte| *byte == 0) && bytes[31] == 32 && bytes[32..63].iter().all(|byte| *byte == 0);
    (fits && is_symbol(text)).then(|| text.into())
}

/// Whether a symbol is short and of letters that cannot imitate others.
pub fn is_symbol(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'+' | b'$');
    (1..=LONGEST_SYMBOL).contains(&text.len()) && text.bytes().all(plain)
}
