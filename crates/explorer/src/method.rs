//! Names of called functions, by the first four bytes of a transaction's input.

use std::sync::LazyLock;

use alloy_primitives::keccak256;

/// Deed of a function in one word, as the widget's history has it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Deed {
    Approved,
    Burned,
    Deposited,
    Minted,
    Sent,
    Swapped,
    Withdrawn,
    /// The name of the function says most.
    Named,
}

use Deed::{Approved, Burned, Deposited, Minted, Named, Sent, Swapped, Withdrawn};

/// Known functions. Those of exchanges are the ones that swaps are decided from, in the crate `calldata`.
const KNOWN: [(&str, Deed); 56] = [
    ("transfer(address,uint256)", Sent),
    ("transferFrom(address,address,uint256)", Sent),
    ("safeTransferFrom(address,address,uint256)", Sent),
    ("safeTransferFrom(address,address,uint256,bytes)", Sent),
    ("safeTransferFrom(address,address,uint256,uint256,bytes)", Sent),
    ("safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)", Sent),
    ("approve(address,uint256)", Approved),
    // Permit2.
    ("approve(address,address,uint160,uint48)", Approved),
    ("increaseAllowance(address,uint256)", Approved),
    ("setApprovalForAll(address,bool)", Approved),
    ("mint(address,uint256)", Minted),
    ("mint(address,uint256,string)", Minted),
    ("mint(address,uint256,uint256)", Minted),
    ("mintBatch(address,uint256[],uint256[])", Minted),
    ("burn(uint256)", Burned),
    // The wrapped coin.
    ("deposit()", Deposited),
    ("withdraw(uint256)", Withdrawn),
    // Test world.
    ("swap(address,uint256,address,uint256)", Swapped),
    ("forward(address)", Named),
    ("fail()", Named),
    // Uniswap V2.
    ("swapExactETHForTokens(uint256,address[],address,uint256)", Swapped),
    ("swapExactETHForTokensSupportingFeeOnTransferTokens(uint256,address[],address,uint256)", Swapped),
    ("swapExactTokensForETH(uint256,uint256,address[],address,uint256)", Swapped),
    ("swapExactTokensForETHSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)", Swapped),
    ("swapExactTokensForTokens(uint256,uint256,address[],address,uint256)", Swapped),
    ("swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)", Swapped),
    ("swapETHForExactTokens(uint256,address[],address,uint256)", Swapped),
    ("swapTokensForExactETH(uint256,uint256,address[],address,uint256)", Swapped),
    ("swapTokensForExactTokens(uint256,uint256,address[],address,uint256)", Swapped),
    // Uniswap V3, SwapRouter and SwapRouter02.
    ("exactInput((bytes,address,uint256,uint256,uint256))", Swapped),
    ("exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))", Swapped),
    ("exactOutput((bytes,address,uint256,uint256,uint256))", Swapped),
    ("exactOutputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))", Swapped),
    ("exactInput((bytes,address,uint256,uint256))", Swapped),
    ("exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))", Swapped),
    ("exactOutput((bytes,address,uint256,uint256))", Swapped),
    ("exactOutputSingle((address,address,uint24,address,uint256,uint256,uint160))", Swapped),
    // Multicalls of SwapRouter02 only.
    ("multicall(uint256,bytes[])", Swapped),
    ("multicall(bytes32,bytes[])", Swapped),
    // Uniswap's Universal Router, 1inch, 0x.
    ("execute(bytes,bytes[],uint256)", Swapped),
    ("swap(address,(address,address,address,address,uint256,uint256,uint256),bytes)", Swapped),
    ("exec(address,address,uint256,address,bytes)", Swapped),
    ("execute((address,address,uint256),bytes[],bytes32)", Swapped),
    // Smart accounts (ERC-4337, ERC-7579) and contracts of all kinds.
    ("execute(address,uint256,bytes)", Named),
    ("execute(bytes32,bytes)", Named),
    ("executeBatch((address,uint256,bytes)[])", Named),
    ("multicall(bytes[])", Named),
    // ENS.
    ("setName(string)", Named),
    ("setText(bytes32,string,string)", Named),
    ("setAddr(bytes32,address)", Named),
    ("setSubnodeOwner(bytes32,bytes32,address)", Named),
    ("setSubnodeRecord(bytes32,bytes32,address,address,uint64)", Named),
    ("setOwner(bytes32,address)", Named),
    ("setResolver(bytes32,address)", Named),
    ("setUrls(string[])", Named),
    ("register(bytes32,string)", Named),
];

/// Selectors of the known functions.
static SELECTORS: LazyLock<Vec<[u8; 4]>> = LazyLock::new(|| KNOWN.iter().map(|(known, _)| selector(known)).collect());

fn selector(signature: &str) -> [u8; 4] {
    let [a, b, c, d, ..] = keccak256(signature).0;
    [a, b, c, d]
}

/// Signature and deed of the called function; `None` for an unknown one.
fn known(called: [u8; 4]) -> Option<(&'static str, Deed)> {
    let at = SELECTORS.iter().position(|selector| *selector == called)?;
    Some(KNOWN[at])
}

fn called(input: &[u8]) -> Option<[u8; 4]> {
    input.get(..4)?.try_into().ok()
}

fn name_in(signature: &str) -> &str {
    signature.split('(').next().unwrap_or_default()
}

/// Returns the name of the called function, its selector in hexadecimal if the name is unknown, and `None` for a plain transfer.
pub(crate) fn name(input: &[u8]) -> Option<String> {
    let called = called(input)?;
    let known = known(called).map(|(signature, _)| name_in(signature).to_owned());
    Some(known.unwrap_or_else(|| alloy_primitives::hex::encode_prefixed(called)))
}

/// Action of a transaction, as its row shows it.
#[derive(Debug, Eq, PartialEq)]
pub(crate) enum Action {
    /// Words, such as "Sent" and "Swapped".
    Deed(String),
    /// Name of the called function, as its contract has it: `setName`.
    Call(&'static str),
    /// Selector of a function that is not known.
    Unknown(String),
}

/// Action of a transaction with this input.
pub(crate) fn action(input: &[u8]) -> Action {
    let Some(called) = called(input) else { return Action::Deed("Sent".into()) };
    match known(called) {
        Some((signature, Named)) => Action::Call(name_in(signature)),
        Some((_, deed)) => Action::Deed(format!("{deed:?}")),
        None => Action::Unknown(alloy_primitives::hex::encode_prefixed(called)),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use alloy_primitives::hex;

    use super::*;

    #[test]
    fn a_call_is_named_if_it_is_known_and_a_plain_transfer_never() {
        assert_eq!(name(&[]), None);
        assert_eq!(name(&[0xa9, 0x05, 0x9c]), None);
        assert_eq!(name(&[1, 2, 3, 4, 5]).as_deref(), Some("0x01020304"));
        assert_eq!(name(&[0xa9, 0x05, 0x9c, 0xbb]).as_deref(), Some("transfer"));
    }

    #[test]
    fn a_call_is_told_by_its_deed_or_the_name_of_its_function_and_an_unknown_one_by_its_selector() {
        assert_eq!(action(&[]), Action::Deed("Sent".into()));
        for (selector, told) in [
            ("a9059cbb", "Sent"),
            ("095ea7b3", "Approved"),
            ("87517c45", "Approved"),
            ("791ac947", "Swapped"),
            ("fb3bdb41", "Swapped"),
            ("5ae401dc", "Swapped"),
            ("04e45aaf", "Swapped"),
            ("414bf389", "Swapped"),
            ("3593564c", "Swapped"),
            ("07ed2379", "Swapped"),
            ("2213bc0b", "Swapped"),
            ("1fff991f", "Swapped"),
            ("d0e30db0", "Deposited"),
            ("d3fc9864", "Minted"),
            ("8a0ccd56", "Swapped"),
            ("d81d0a15", "Minted"),
        ] {
            let input = [hex::decode(selector).unwrap(), vec![0; 32]].concat();
            assert_eq!(action(&input), Action::Deed(told.into()), "{selector}");
        }
        for (selector, name) in [
            ("101e8952", "forward"),
            ("a9cc4718", "fail"),
            ("ac9650d8", "multicall"),
            ("b61d27f6", "execute"),
            ("c47f0027", "setName"),
            ("6cc895a9", "setUrls"),
        ] {
            let input = [hex::decode(selector).unwrap(), vec![0; 32]].concat();
            assert_eq!(action(&input), Action::Call(name));
        }
        assert_eq!(action(&[1, 2, 3, 4, 5]), Action::Unknown("0x01020304".into()));
        let all: HashSet<_> = SELECTORS.iter().collect();
        assert_eq!(all.len(), KNOWN.len());
    }
}
