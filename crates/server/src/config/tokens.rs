//! Tokens of a chain: those of the operator's list, and a built-in list of the best known ones.

use super::file::text_of;
use portico_json::{Value, parse};
use portico_terms::{ChainId, Currency, address};
use std::path::Path;

/// Fungible token.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Token {
    /// Contract address with checksum.
    pub address: String,
    /// Such as "USD Coin".
    pub name: String,
    /// Such as "USDC".
    pub symbol: String,
    /// Such as 6.
    pub decimals: u8,
    /// URL of the picture; empty if there is none.
    pub picture: String,
}

/// Maximum number of tokens, because the balance of each is queried.
const MOST: usize = 2000;

const LONGEST_WORD: usize = 64;

const KNOWN: &str = include_str!("../../tokens/known.json");

/// Built-in tokens of a chain.
pub(super) fn known(chain: &ChainId) -> Vec<Token> {
    tokens_of(KNOWN, chain).unwrap_or_default()
}

/// Reads the tokens of a chain from a file in the format of a token list (<https://tokenlists.org>).
pub(super) fn from_file(path: &Path, chain: &ChainId) -> Result<Vec<Token>, String> {
    let shown = path.display();
    let text = text_of(path, "tokens")?;
    let tokens = tokens_of(&text, chain).map_err(|sentence| format!("the token list {shown} {sentence}"))?;
    if tokens.len() > MOST {
        return Err(format!("the token list {shown} has {} tokens of {chain}. Keep at most {MOST}", tokens.len()));
    }
    Ok(tokens)
}

fn tokens_of(text: &str, chain: &ChainId) -> Result<Vec<Token>, String> {
    let list = parse(text).map_err(|_| "isn't JSON".to_owned())?;
    let items = list.get("tokens").as_list().ok_or("has no list `tokens`")?;
    let mut tokens: Vec<Token> = Vec::new();
    for (place, item) in items.iter().enumerate() {
        if item.get("chainId").as_u64().map(ChainId::eip155).as_ref() != Some(chain) {
            continue;
        }
        let token = token(item).map_err(|wrong| format!("has a token (number {}) without {wrong}", place + 1))?;
        if tokens.iter().all(|other| other.address != token.address) {
            tokens.push(token);
        }
    }
    Ok(tokens)
}

fn token(item: &Value) -> Result<Token, &'static str> {
    let word = |name: &str| item.get(name).as_str().filter(|word| (1..=LONGEST_WORD).contains(&word.chars().count()));
    let address = item.get("address").as_str().and_then(|text| address::with_checksum(text).ok());
    let decimals = item.get("decimals").as_u64().and_then(|decimals| u8::try_from(decimals).ok());
    Ok(Token {
        address: address.ok_or("a valid `address`")?,
        name: word("name").ok_or("a `name` of at most 64 letters")?.into(),
        symbol: word("symbol").ok_or("a `symbol` of at most 64 letters")?.into(),
        decimals: decimals.ok_or("a number of `decimals` from 0 to 255")?,
        picture: item.get("logoURI").as_str().unwrap_or_default().into(),
    })
}

/// Default native coin of a chain.
pub(super) fn coin(chain: &ChainId) -> Currency {
    let (name, symbol, decimals) = match (chain.namespace(), chain.number()) {
        (portico_terms::Namespace::Solana, _) => ("Solana", "SOL", 9),
        (portico_terms::Namespace::Bip122, _) => ("Bitcoin", "BTC", 8),
        (portico_terms::Namespace::Polkadot, _) => ("Polkadot", "DOT", 10),
        (_, Some(56)) => ("BNB", "BNB", 18),
        (_, Some(100)) => ("xDAI", "XDAI", 18),
        (_, Some(137)) => ("POL", "POL", 18),
        (_, Some(43114)) => ("Avalanche", "AVAX", 18),
        (_, Some(42220)) => ("Celo", "CELO", 18),
        (_, Some(250)) => ("Fantom", "FTM", 18),
        (_, Some(5000)) => ("Mantle", "MNT", 18),
        _ => ("Ether", "ETH", 18),
    };
    Currency { name: name.into(), decimals, symbol: symbol.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_token_that_comes_with_the_server_has_a_right_address_and_is_there_once() {
        let list = parse(KNOWN).unwrap();
        let items = list.get("tokens").as_list().unwrap();
        let chains: std::collections::BTreeSet<u64> =
            items.iter().map(|item| item.get("chainId").as_u64().unwrap()).collect();
        let read: usize = chains.iter().map(|chain| known(&ChainId::eip155(*chain)).len()).sum();
        assert_eq!(read, items.len());
        for item in items {
            let address = item.get("address").as_str().unwrap();
            assert_eq!(address::with_checksum(address).as_deref(), Ok(address));
        }
    }

    #[test]
    fn a_list_with_a_fault_is_refused_with_the_token_at_fault() {
        let chain = ChainId::eip155(1);
        let refused = |text: &str| tokens_of(text, &chain).unwrap_err();
        assert_eq!(refused("<html>"), "isn't JSON");
        assert_eq!(refused(r#"{"tokens":{}}"#), "has no list `tokens`");
        let token = r#"{"chainId":1,"address":"0xdac17f958d2ee523a2206206994597c13d831ec7","name":"T","symbol":"T","decimals":6}"#;
        let with =
            |change: &str, to: &str| refused(&format!(r#"{{"tokens":[{token},{}]}}"#, token.replace(change, to)));
        assert_eq!(with("0xdac1", "0xdaC1"), "has a token (number 2) without a valid `address`");
        assert_eq!(
            with("\"name\":\"T\"", "\"name\":7"),
            "has a token (number 2) without a `name` of at most 64 letters"
        );
        assert_eq!(with(":6}", ":256}"), "has a token (number 2) without a number of `decimals` from 0 to 255");
    }

    #[test]
    fn a_token_of_another_chain_and_a_token_named_twice_are_left_out() {
        let token = |chain: u32| {
            format!(
                r#"{{"chainId":{chain},"address":"0xdac17f958d2ee523a2206206994597c13d831ec7","name":"T","symbol":"T","decimals":6}}"#
            )
        };
        let text = format!(r#"{{"tokens":[{},{},{}]}}"#, token(1), token(5), token(1));
        assert_eq!(tokens_of(&text, &ChainId::eip155(1)).unwrap().len(), 1);
        assert_eq!(tokens_of(&text, &ChainId::eip155(7)).unwrap(), []);
    }
}
