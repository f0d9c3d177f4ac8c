//! Decoding of the calls that let somebody spend tokens.

use super::Approved;
use alloy_primitives::{Address, hex};
use alloy_sol_types::{SolCall, sol};
use portico_terms::Amount;

sol! {
    function approve(address spender, uint256 amount) external returns (bool);
    function setApprovalForAll(address operator, bool approved) external;
}

/// Length of a selector and two words.
const LENGTH: usize = 4 + 2 * 32;

/// Permission that a call with this input gives: `approve` of ERC-20, or `setApprovalForAll` of ERC-721 and ERC-1155. `None` for any other
/// input, and for one that takes a permission for all NFTs back.
pub(crate) fn approved(input: &str) -> Option<Approved> {
    let bytes = hex::decode(input.get(..2 + 2 * LENGTH)?).ok()?;
    let told = |spender: Address, amount| Some(Approved { spender: spender.to_checksum(None), amount });
    if let Ok(call) = approveCall::abi_decode_validate(&bytes) {
        return told(call.spender, Some(Amount::from_be_bytes(call.amount.to_be_bytes())));
    }
    let call = setApprovalForAllCall::abi_decode_validate(&bytes).ok()?;
    if call.approved { told(call.operator, None) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPENDER: &str = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

    fn input(selector: &str, word: &str) -> String {
        format!("{selector}{:0>64}{word:0>64}", SPENDER[2..].to_lowercase())
    }

    #[test]
    fn the_input_of_an_approval_tells_who_may_spend_and_how_much() {
        let found = approved(&input("0x095ea7b3", "5f5e100")).unwrap();
        assert_eq!(found, Approved { spender: SPENDER.into(), amount: Some(Amount::from(100_000_000u32)) });
        let all = approved(&input("0xa22cb465", "1")).unwrap();
        assert_eq!(all, Approved { spender: SPENDER.into(), amount: None });
        // Some pages add a mark of their own behind the arguments.
        assert!(approved(&(input("0x095ea7b3", "1") + "abcd")).is_some());
    }

    #[test]
    fn an_input_that_gives_no_permission_tells_none() {
        let whole = input("0x095ea7b3", "1");
        for text in ["", "0x", "0x095ea7b3", &whole[..100], &whole.replace('0', "g"), &input("0xa9059cbb", "1")] {
            assert_eq!(approved(text), None, "{text}");
        }
        assert_eq!(approved(&input("0xa22cb465", "0")), None);
        assert_eq!(approved(&input("0xa22cb465", "2")), None);
    }
}
