//! Chains on which coins can be bought (spec 6.9, 9.9).

use portico_terms::{ChainId, Namespace};

/// CAIP-2 id, Coinbase's network name, native coin. The EVM chains are the list of spec 9.9, in its order.
const CHAINS: [(&str, &str, &str); 9] = [
    ("eip155:1", "ethereum", "ETH"),
    ("eip155:42161", "arbitrum", "ETH"),
    ("eip155:137", "polygon", "POL"),
    ("eip155:80094", "berachain", "BERA"),
    ("eip155:43114", "avalanche-c-chain", "AVAX"),
    ("eip155:10", "optimism", "ETH"),
    ("eip155:42220", "celo", "CELO"),
    ("eip155:8453", "base", "ETH"),
    ("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "solana", "SOL"),
];

/// Chain used for accounts of other EVM chains (spec 9.9).
pub(super) const FALLBACK: &str = "eip155:1";

/// Chain on which coins can be bought.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Sold {
    pub(super) id: &'static str,
    /// Coinbase's network name.
    pub(super) name: &'static str,
    pub(super) coin: &'static str,
}

fn all() -> impl Iterator<Item = Sold> {
    CHAINS.into_iter().map(|(id, name, coin)| Sold { id, name, coin })
}

pub(super) fn ids() -> Vec<String> {
    all().map(|chain| chain.id.into()).collect()
}

/// Chain by CAIP-2 id or by name; [`FALLBACK`] for EVM chains that are not listed.
pub(super) fn find(text: &str) -> Option<Sold> {
    let known = |text: &str| all().find(|chain| chain.id == text || chain.name == text);
    let evm = || text.parse::<ChainId>().is_ok_and(|chain| chain.namespace() == Namespace::Eip155);
    known(text).or_else(|| known(FALLBACK).filter(|_| evm()))
}

impl Sold {
    pub(super) fn is_solana(self) -> bool {
        self.name == "solana"
    }

    /// EVM chain id in decimal; empty for Solana.
    pub(super) fn number(self) -> &'static str {
        self.id.strip_prefix("eip155:").unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spec_9_9_the_pay_chains_of_coinbase_and_their_fallback() {
        let names: Vec<_> = all().filter(|chain| !chain.is_solana()).map(|chain| chain.name).collect();
        let listed = ["ethereum", "arbitrum", "polygon", "berachain", "avalanche-c-chain", "optimism", "celo", "base"];
        assert_eq!(names, listed);
        assert_eq!(find("eip155:8453").map(|chain| chain.name), Some("base"));
        assert_eq!(find("base").map(|chain| chain.id), Some("eip155:8453"));
        for other in ["eip155:31337", "eip155:56"] {
            assert_eq!(find(other).map(|chain| chain.name), Some("ethereum"), "{other}");
        }
    }

    #[test]
    fn spec_6_9_what_is_no_evm_chain_and_not_solana_falls_back_to_none() {
        assert!(find("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp").is_some_and(Sold::is_solana));
        let others = ["solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1", "bip122:000000000019d6689c085ae165831e93", "", "doge"];
        for other in others {
            assert_eq!(find(other), None, "{other}");
        }
    }
}
