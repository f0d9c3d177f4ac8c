//! Location of a name's picture (ENSIP-12): a URL, an IPFS file, inline data, or an NFT that the name's owner holds.

use super::LookupFailed;
use super::abi::{balanceOfCall, ownerOfCall, returned, tokenURICall, uriCall};
use super::lookup::{self, CallOutcome};
use crate::AppState;
use crate::picture_source::{Inline, PictureAddress};
use alloy_primitives::{Address, U256};
use alloy_sol_types::SolCall;
use portico_terms::ChainId;
use serde::Deserialize;

/// Picture of a name.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Avatar {
    /// At an http or https URL.
    At(String),
    /// In the record itself.
    Inline(Inline),
}

/// Maximum size of NFT metadata, in bytes.
const LONGEST_DESCRIPTION: usize = 256 * 1024;

/// NFT in an avatar record: `eip155:1/erc721:0x…/7` (CAIP-22, CAIP-29).
#[derive(Debug, Eq, PartialEq)]
struct Token {
    chain: ChainId,
    contract: Address,
    id: U256,
    several: bool,
}

/// Fields of NFT metadata that may contain the picture.
#[derive(Deserialize)]
struct Description {
    image: Option<String>,
    image_url: Option<String>,
}

/// Picture of an `avatar` record; `None` if it leads to none. The name's owner is queried only for an NFT, which must be theirs.
pub(super) async fn read(
    state: &AppState,
    record: &str,
    owner: impl AsyncFnOnce() -> Result<Option<Address>, LookupFailed>,
) -> Result<Option<Avatar>, LookupFailed> {
    let record = record.trim();
    if !record.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("eip155:")) {
        return Ok(place(state, record));
    }
    let Some(token) = Token::parse(record) else { return Ok(None) };
    let Some(owner) = owner().await? else { return Ok(None) };
    let Some(description) = token.description_for(state, owner).await? else { return Ok(None) };
    Ok(described(state, &description).await?.and_then(|picture| place(state, &picture)))
}

fn place(state: &AppState, text: &str) -> Option<Avatar> {
    match PictureAddress::parse(text, state.pictures().ipfs_gateway())? {
        PictureAddress::At(url) => Some(Avatar::At(url)),
        PictureAddress::Inline(inline) => Some(Avatar::Inline(inline)),
    }
}

/// Picture that NFT metadata names.
async fn described(state: &AppState, text: &str) -> Result<Option<String>, LookupFailed> {
    let body = match PictureAddress::parse(text, state.pictures().ipfs_gateway()) {
        Some(PictureAddress::At(url)) => crate::picture_source::get(state, &url, LONGEST_DESCRIPTION).await,
        Some(PictureAddress::Inline(Inline { bytes, .. })) => Ok(bytes),
        None => return Ok(None),
    };
    let body = match body {
        Ok(body) => body,
        Err(unshown) if unshown.is_ours() => return Err(LookupFailed::Busy),
        Err(unshown) if unshown.may_pass() => return Err(LookupFailed::Metadata),
        Err(_) => return Ok(None),
    };
    let found = serde_json::from_slice(&body).ok();
    Ok(found.and_then(|Description { image, image_url }| image.or(image_url)))
}

impl Token {
    fn parse(record: &str) -> Option<Token> {
        let mut parts = record.split('/');
        let (chain, kind, id) = (parts.next()?, parts.next()?, parts.next()?);
        if parts.next().is_some() {
            return None;
        }
        let (kind, contract) = kind.split_once(':')?;
        let several = match kind.to_ascii_lowercase().as_str() {
            "erc721" => false,
            "erc1155" => true,
            _ => return None,
        };
        let (digits, radix) = id.strip_prefix("0x").map_or((id, 10), |digits| (digits, 16));
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) || digits.is_empty() {
            return None;
        }
        let id = U256::from_str_radix(digits, radix).ok()?;
        Some(Token { chain: chain.to_ascii_lowercase().parse().ok()?, contract: contract.parse().ok()?, id, several })
    }

    /// Metadata URL of the NFT, if this account holds it.
    async fn description_for(&self, state: &AppState, owner: Address) -> Result<Option<String>, LookupFailed> {
        if state.chain(&self.chain).is_none() {
            return Ok(None);
        }
        if self.several {
            let held: Option<U256> = self.ask(state, balanceOfCall { owner, tokenId: self.id }).await?;
            if held.is_none_or(|held| held.is_zero()) {
                return Ok(None);
            }
            let uri: Option<String> = self.ask(state, uriCall { tokenId: self.id }).await?;
            // ERC-1155: the id as 64 lower-case hex digits.
            return Ok(uri.map(|uri| uri.replace("{id}", &format!("{:064x}", self.id))));
        }
        let holder = self.ask(state, ownerOfCall { tokenId: self.id }).await?;
        if holder != Some(owner) {
            return Ok(None);
        }
        self.ask(state, tokenURICall { tokenId: self.id }).await
    }

    async fn ask<C: SolCall>(&self, state: &AppState, question: C) -> Result<Option<C::Return>, LookupFailed> {
        match lookup::ask(state, &self.chain, self.contract, &question.abi_encode()).await? {
            CallOutcome::Returned(said) => Ok(returned::<C>(&said)),
            CallOutcome::Reverted(_) => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_as_records_write_it() {
        let contract = "0xb7F7F6C52F2e2fdb1963Eab30438024864c313F6";
        let token = |several, id: u64| Token {
            chain: "eip155:1".parse().unwrap(),
            contract: contract.parse().unwrap(),
            id: U256::from(id),
            several,
        };
        let parse = |kind: &str, id: &str| Token::parse(&format!("eip155:1/{kind}:{contract}/{id}"));
        assert_eq!(parse("erc721", "2430"), Some(token(false, 2430)));
        assert_eq!(parse("ERC1155", "0x0a"), Some(token(true, 10)));
        for (kind, id) in [("erc20", "1"), ("erc721", ""), ("erc721", "-1"), ("erc721", "1/2"), ("erc721", "1x")] {
            assert_eq!(parse(kind, id), None, "{kind} {id}");
        }
        assert_eq!(parse("erc721", &"9".repeat(79)), None);
        for record in ["eip155:1", "eip155:1/erc721", "eip155:1/erc721:0x12/1", "eip155:/erc721:0x12/1"] {
            assert_eq!(Token::parse(record), None, "{record}");
        }
    }
}
