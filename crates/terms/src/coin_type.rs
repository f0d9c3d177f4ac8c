//! Coin type of an EVM chain (ENSIP-11), and the chain of a coin type.

/// Error for a chain that has no coin type (spec 5.6, 8.29).
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("Invalid chainId")]
pub struct CoinTypeError;

/// First chain id that uses the top bit and so has no coin type (ENSIP-11).
const FIRST_INVALID: u64 = 0x8000_0000;

/// Returns the coin type of an EVM chain, by which names look up an address: 60 for Ethereum, else the chain id with the top bit set.
pub fn coin_type(chain: u64) -> Result<u64, CoinTypeError> {
    match chain {
        1 => Ok(60),
        FIRST_INVALID.. => Err(CoinTypeError),
        other => Ok(FIRST_INVALID | other),
    }
}

/// EIP-155 id of the chain of a coin type: 1 for Ethereum (60), 0 for all EVM chains (ENSIP-19); `None` if it is of no EVM chain, or if
/// another coin type stands for that chain.
pub fn chain(coin_type: u32) -> Option<u64> {
    match u64::from(coin_type) {
        60 => Some(1),
        0x8000_0001 => None,
        evm @ FIRST_INVALID.. => Some(evm - FIRST_INVALID),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coin_type_of_an_evm_chain_leads_back_to_the_chain() {
        assert_eq!([60, 0x8000_000a, 0x8000_0000].map(chain), [Some(1), Some(10), Some(0)]);
        assert_eq!([501, 0, 0x8000_0001].map(chain), [None; 3]);
    }

    #[test]
    fn spec_5_6_a_chain_id_of_2147483648_or_more_has_no_coin_type() {
        assert_eq!(coin_type(1), Ok(60));
        assert_eq!(coin_type(10), Ok(2_147_483_658));
        assert_eq!(coin_type(2_147_483_647), Ok(4_294_967_295));
        assert_eq!(coin_type(2_147_483_648), Err(CoinTypeError));
    }

    #[test]
    fn spec_8_29_the_error_says_invalid_chain_id() {
        assert_eq!(coin_type(u64::MAX).unwrap_err().to_string(), "Invalid chainId");
    }
}
