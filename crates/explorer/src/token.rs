//! Tokens: their own descriptions, read once, and the balances of an account, read each time.

use std::collections::HashMap;

use alloy_primitives::{Address, Bytes, U256};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

use crate::chain::{Chain, ChainError};
use crate::index::{Index, TokenKind};
use crate::transfer::{Standard, word};

const NAME: [u8; 4] = [0x06, 0xfd, 0xde, 0x03];
const SYMBOL: [u8; 4] = [0x95, 0xd8, 0x9b, 0x41];
const DECIMALS: [u8; 4] = [0x31, 0x3c, 0xe5, 0x67];
const TOTAL_SUPPLY: [u8; 4] = [0x18, 0x16, 0x0d, 0xdd];
/// `balanceOf(address)`.
const BALANCE_OF: [u8; 4] = [0x70, 0xa0, 0x82, 0x31];
/// `balanceOf(address,uint256)`.
const BALANCE_OF_ID: [u8; 4] = [0x00, 0xfd, 0xd5, 0x8e];
/// `tokenURI(uint256)` of ERC-721.
const TOKEN_URI: [u8; 4] = [0xc8, 0x7b, 0x56, 0xdd];
/// `uri(uint256)` of ERC-1155.
const URI: [u8; 4] = [0x0e, 0x89, 0x34, 0x1c];

/// Token as it describes itself, which need not be true.
#[derive(Clone)]
pub(crate) struct Token {
    pub address: Address,
    pub standard: Standard,
    pub name: Option<String>,
    pub symbol: Option<String>,
    pub decimals: Option<U256>,
    pub total_supply: Option<U256>,
}

/// Cache of descriptions and metadata.
#[derive(Default)]
pub(crate) struct Tokens {
    tokens: HashMap<Address, Token>,
    metadata: HashMap<(Address, U256), Option<Value>>,
}

/// Balance of an account in one token.
#[derive(Clone)]
pub(crate) struct Balance {
    pub held: TokenKind,
    pub value: U256,
}

impl Tokens {
    /// Returns the descriptions of tokens, by address.
    pub async fn describe(
        &mut self,
        chain: &Chain,
        tokens: impl Iterator<Item = (Address, Standard)>,
    ) -> Result<&HashMap<Address, Token>, ChainError> {
        let mut unknown: Vec<_> = tokens.filter(|(address, _)| !self.tokens.contains_key(address)).collect();
        unknown.sort_by_key(|(address, _)| *address);
        unknown.dedup_by_key(|(address, _)| *address);
        let questions = [NAME, SYMBOL, DECIMALS, TOTAL_SUPPLY].map(Bytes::from);
        let calls: Vec<_> = unknown
            .iter()
            .flat_map(|(address, _)| questions.iter().map(|question| (*address, question.clone())))
            .collect();
        let answers = chain.read(&calls).await?;
        for ((address, standard), said) in unknown.into_iter().zip(answers.chunks(questions.len())) {
            let text = |at: usize| said.get(at)?.as_ref().and_then(|said| text(said));
            let number = |at: usize| said.get(at)?.as_deref().and_then(|said| word(said, 0));
            let decimals = number(2).filter(|_| standard == Standard::Erc20);
            let (name, symbol, total_supply) = (text(0), text(1), number(3));
            self.tokens.insert(address, Token { address, standard, name, symbol, decimals, total_supply });
        }
        Ok(&self.tokens)
    }

    /// Returns the metadata of single tokens, if it is embedded in the token itself.
    pub async fn metadata(&mut self, chain: &Chain, held: &[TokenKind]) -> Result<Vec<Option<Value>>, ChainError> {
        let unknown: Vec<_> = held.iter().filter_map(|one| Some((*one, one.id?))).collect();
        let unknown: Vec<_> =
            unknown.into_iter().filter(|(one, id)| !self.metadata.contains_key(&(one.token, *id))).collect();
        let call = |(one, id): &(TokenKind, U256)| {
            let selector = if one.standard == Standard::Erc721 { TOKEN_URI } else { URI };
            (one.token, call(selector, &[*id]))
        };
        let answers = chain.read(&unknown.iter().map(call).collect::<Vec<_>>()).await?;
        for ((one, id), said) in unknown.into_iter().zip(answers) {
            let found = said.and_then(|said| embedded(&text(&said)?));
            self.metadata.insert((one.token, id), found);
        }
        Ok(held.iter().map(|one| self.metadata.get(&(one.token, one.id?)).cloned().flatten()).collect())
    }
}

/// Returns all balances of an account, each ERC-721 token separately; tokens that cannot be read are left out.
pub(crate) async fn balances(chain: &Chain, index: &Index, account: Address) -> Result<Vec<Balance>, ChainError> {
    let held = index.tokens_of(account);
    let who = U256::from_be_bytes(account.into_word().0);
    let (owned, asked): (Vec<TokenKind>, Vec<TokenKind>) =
        held.into_iter().partition(|one| one.standard == Standard::Erc721);
    let question = |one: &TokenKind| match one.id {
        Some(id) => (one.token, call(BALANCE_OF_ID, &[who, id])),
        None => (one.token, call(BALANCE_OF, &[who])),
    };
    let answers = chain.read(&asked.iter().map(question).collect::<Vec<_>>()).await?;
    let told = asked.into_iter().zip(answers).filter_map(|(held, said)| {
        let value = word(said.as_deref()?, 0)?;
        (!value.is_zero()).then_some(Balance { held, value })
    });
    let owned = owned.into_iter().filter(|one| one.id.and_then(|id| index.owner(one.token, id)) == Some(account));
    Ok(told.chain(owned.map(|held| Balance { held, value: U256::from(1) })).collect())
}

fn call(selector: [u8; 4], arguments: &[U256]) -> Bytes {
    let words = arguments.iter().flat_map(|word| word.to_be_bytes::<32>());
    selector.into_iter().chain(words).collect()
}

/// Decodes a text returned by a contract: a `string`, or the `bytes32` of old tokens.
fn text(said: &[u8]) -> Option<String> {
    let bytes = if said.len() == 32 {
        said
    } else {
        let begin = usize::try_from(word(said, 0)?).ok()?;
        let from = said.get(begin..)?;
        let length = usize::try_from(word(from, 0)?).ok()?;
        from.get(32..length.checked_add(32)?)?
    };
    let text = String::from_utf8_lossy(bytes).replace('\0', "");
    (!text.is_empty()).then_some(text)
}

/// Parses the object in a `data:` URI; other URIs are not fetched.
fn embedded(uri: &str) -> Option<Value> {
    let (kind, data) = uri.strip_prefix("data:application/json")?.split_once(',')?;
    let bytes = if kind.ends_with(";base64") { BASE64_STANDARD.decode(data).ok()? } else { data.into() };
    serde_json::from_slice(&bytes).ok().filter(Value::is_object)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(words: &[u64], tail: &[u8]) -> Vec<u8> {
        words.iter().flat_map(|word| U256::from(*word).to_be_bytes::<32>()).chain(tail.iter().copied()).collect()
    }

    #[test]
    fn a_text_that_is_none_is_nothing() {
        for broken in [
            said(&[], b"abc"),
            said(&[0], b""),
            said(&[32, 5], b"abc"),
            said(&[9_999, 1], b"a"),
            said(&[u64::MAX, 1], b"a"),
        ] {
            assert_eq!(text(&broken), None);
        }
        assert_eq!(text(&said(&[32, u64::MAX], b"abc")), None);
    }

    #[test]
    fn a_text_is_read_in_its_new_and_in_its_old_form() {
        assert_eq!(text(&said(&[32, 3], b"DAI")).as_deref(), Some("DAI"));
        let mut old = *b"MKR.............................";
        old[3..].fill(0);
        assert_eq!(text(&old).as_deref(), Some("MKR"));
    }

    #[test]
    fn only_metadata_that_comes_with_the_token_is_read() {
        assert_eq!(embedded("https://evil.example/1.json"), None);
        assert_eq!(embedded("data:application/json;base64,@@"), None);
        assert_eq!(embedded("data:application/json,[1]"), None);
        assert_eq!(embedded("data:application/json,{\"name\":\"a\"}").unwrap()["name"], "a");
        assert_eq!(embedded("data:application/json;base64,eyJuYW1lIjoiYSJ9").unwrap()["name"], "a");
    }
}
