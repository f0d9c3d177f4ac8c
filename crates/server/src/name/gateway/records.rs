//! Records of a name, in the form of resolver results.

use super::abi::Arguments;
use crate::Failure;
use crate::name::{coin, table::Row};
use alloy_primitives::{Address, Bytes};
use alloy_sol_types::SolValue;
use axum::http::StatusCode;
use portico_terms::EnsName;

const ADDR: [u8; 4] = [0x3b, 0x3b, 0x57, 0xde];
const ADDR_OF_COIN: [u8; 4] = [0xf1, 0xcb, 0x7e, 0x06];
const TEXT: [u8; 4] = [0x59, 0xd1, 0xd4, 0x3c];
const CONTENT: [u8; 4] = [0xbc, 0x1c, 0x58, 0xd1];
const MULTICALL: [u8; 4] = [0xac, 0x96, 0x50, 0xd8];

/// Name of a request, in relation to our parent name.
#[derive(Debug, Eq, PartialEq)]
pub(super) enum Zone {
    /// Name that can be registered.
    Name(EnsName),
    /// Below our parent but never registered: the parent itself, or a name more than one level below.
    Nothing,
}

/// Reason why a request is about none of our names.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Refused {
    Malformed,
    Elsewhere,
}

impl Refused {
    pub(super) fn failure(self, parent: &str) -> Failure {
        match self {
            Refused::Malformed => Failure::parameter("data", "Encode the name in the data as DNS does"),
            Refused::Elsewhere => {
                Failure::new(StatusCode::NOT_FOUND, "data", format!("This gateway only has names below {parent}"))
            }
        }
    }
}

impl Zone {
    /// Reads a name in DNS encoding (RFC 1035, 3.1): each label after its length, an empty one last.
    pub(super) fn read(wire: &[u8], parent: &str) -> Result<Zone, Refused> {
        let mut name = String::new();
        let mut rest = wire;
        loop {
            let (length, after) = rest.split_first().ok_or(Refused::Malformed)?;
            if *length == 0 {
                if after.is_empty() && !name.is_empty() {
                    break;
                }
                return Err(Refused::Malformed);
            }
            let (part, after) = after.split_at_checked(usize::from(*length)).ok_or(Refused::Malformed)?;
            let part = str::from_utf8(part).ok().filter(|part| !part.contains('.')).ok_or(Refused::Malformed)?;
            if !name.is_empty() {
                name.push('.');
            }
            name.push_str(part);
            rest = after;
        }
        let below = name.strip_suffix(parent).ok_or(Refused::Elsewhere)?;
        match EnsName::parse(&name, parent) {
            Ok(found) => Ok(Zone::Name(found)),
            Err(_) if below.is_empty() || below.ends_with('.') => Ok(Zone::Nothing),
            Err(_) => Err(Refused::Elsewhere),
        }
    }
}

/// Number of records that a resolver call asks for; at least one, as the name is looked up and the answer signed in any case.
pub(super) fn count(data: &[u8]) -> usize {
    match data.split_first_chunk() {
        Some((&MULTICALL, arguments)) => Arguments(arguments).list(0).map_or(1, |(_, count)| count.max(1)),
        _ => 1,
    }
}

/// Result of a resolver call; unknown records are empty, as from a resolver on chain. `None` if the call is malformed.
pub(super) fn answer(row: Option<&Row>, data: &[u8]) -> Option<Vec<u8>> {
    let (selector, arguments) = data.split_first_chunk()?;
    if *selector != MULTICALL {
        return one(row, *selector, Arguments(arguments));
    }
    let (calls, count) = Arguments(arguments).list(0)?;
    let mut answers = Vec::with_capacity(count);
    for place in 0..count {
        let (selector, arguments) = calls.bytes(place)?.split_first_chunk()?;
        answers.push(Bytes::from(one(row, *selector, Arguments(arguments))?));
    }
    Some((answers,).abi_encode_params())
}

fn one(row: Option<&Row>, selector: [u8; 4], arguments: Arguments<'_>) -> Option<Vec<u8>> {
    // The namehash argument is ignored, as the name is known, but it must be present.
    arguments.word(0)?;
    Some(match selector {
        ADDR => {
            let bytes = address(row, coin::ETHER);
            (Address::try_from(bytes.as_slice()).unwrap_or_default(),).abi_encode_params()
        }
        ADDR_OF_COIN => {
            let (high, low) = arguments.word(1)?.split_last_chunk::<4>()?;
            let known = high.iter().all(|byte| *byte == 0);
            let bytes = if known { address(row, u32::from_be_bytes(*low)) } else { Vec::new() };
            (Bytes::from(bytes),).abi_encode_params()
        }
        TEXT => {
            let key = str::from_utf8(arguments.bytes(1)?).ok()?;
            (text(row, key).to_owned(),).abi_encode_params()
        }
        CONTENT => (Bytes::new(),).abi_encode_params(),
        // Empty, like the result of a contract without that function.
        _ => Vec::new(),
    })
}

fn address(row: Option<&Row>, coin_type: u32) -> Vec<u8> {
    let kept = |coin_type: u32| {
        let (address, _) = row?.addresses.get(&coin_type)?;
        coin::bytes(coin_type, address)
    };
    let of_any_chain = || kept(coin::EVM).filter(|_| coin::is_evm(coin_type));
    kept(coin_type).or_else(of_any_chain).unwrap_or_default()
}

/// Our attribute `bio` is `description` in ENS (ENSIP-18).
fn text<'a>(row: Option<&'a Row>, key: &str) -> &'a str {
    let attribute = if key == "description" { "bio" } else { key };
    row.and_then(|row| row.attributes.get(attribute)).map_or("", String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_as_dns_writes_it() {
        let parent = "example.eth";
        let alice = Zone::Name(EnsName::parse("alice", parent).unwrap());
        assert_eq!(Zone::read(b"\x05alice\x07example\x03eth\x00", parent), Ok(alice));
        for ours in [
            b"\x07example\x03eth\x00".as_slice(),
            b"\x03ali\x07example\x03eth\x00",
            b"\x01a\x05alice\x07example\x03eth\x00",
        ] {
            assert_eq!(Zone::read(ours, parent), Ok(Zone::Nothing));
        }
        for elsewhere in [b"\x03eth\x00".as_slice(), b"\x0cmeanexample1\x03eth\x00", b"\x0bmeanexample\x03eth\x00"] {
            assert_eq!(Zone::read(elsewhere, parent), Err(Refused::Elsewhere));
        }
        for malformed in [
            b"".as_slice(),
            b"\x00",
            b"\x05alice",
            b"\x05ali",
            b"\x05alice\x07example\x03eth",
            b"\x05alice\x07example\x03eth\x00\x00",
            b"\x0balice.examp\x00",
            b"\x02\xff\xfe\x00",
        ] {
            assert_eq!(Zone::read(malformed, parent), Err(Refused::Malformed));
        }
    }
}
