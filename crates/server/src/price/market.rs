//! Names of chains and native coins at the price sources.

use portico_calldata::solana::WRAPPED_SOL;
use portico_terms::{AccountId, ChainId, Namespace};

/// Chain whose native coin is traded.
struct Market {
    number: u64,
    defillama: &'static str,
    coingecko: &'static str,
    /// Coin id of CoinGecko, which DefiLlama accepts too.
    coin: &'static str,
}

const fn market(number: u64, defillama: &'static str, coingecko: &'static str, coin: &'static str) -> Market {
    Market { number, defillama, coingecko, coin }
}

const MARKETS: [Market; 16] = [
    market(1, "ethereum", "ethereum", "ethereum"),
    market(10, "optimism", "optimistic-ethereum", "ethereum"),
    market(56, "bsc", "binance-smart-chain", "binancecoin"),
    market(100, "xdai", "xdai", "xdai"),
    market(137, "polygon", "polygon-pos", "polygon-ecosystem-token"),
    market(250, "fantom", "fantom", "fantom"),
    market(324, "era", "zksync", "ethereum"),
    market(1101, "polygon_zkevm", "polygon-zkevm", "ethereum"),
    market(5000, "mantle", "mantle", "mantle"),
    market(8453, "base", "base", "ethereum"),
    market(42161, "arbitrum", "arbitrum-one", "ethereum"),
    market(42220, "celo", "celo", "celo"),
    market(43114, "avax", "avalanche", "avalanche-2"),
    market(59144, "linea", "linea", "ethereum"),
    market(81457, "blast", "blast", "ethereum"),
    market(534_352, "scroll", "scroll", "ethereum"),
];

const SOLANA: &str = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
const BITCOIN: &str = "000000000019d6689c085ae165831e93";

/// Placeholder address of a native coin.
pub(crate) const COIN: &str = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";

fn of(chain: &ChainId) -> Option<&'static Market> {
    let number = chain.number()?;
    MARKETS.iter().find(|market| market.number == number)
}

/// Whether this is Solana's mainnet.
pub(crate) fn is_solana(chain: &ChainId) -> bool {
    chain.namespace() == Namespace::Solana && chain.reference() == SOLANA
}

/// Whether this is Bitcoin's main network.
fn is_bitcoin(chain: &ChainId) -> bool {
    chain.namespace() == Namespace::Bip122 && chain.reference() == BITCOIN
}

/// Whether assets of this chain are traded.
pub(crate) fn traded(chain: &ChainId) -> bool {
    of(chain).is_some() || is_solana(chain) || is_bitcoin(chain)
}

/// Native coin of a chain, in the form of price requests.
pub(crate) fn coin(chain: &ChainId) -> Option<AccountId> {
    let address = match chain.namespace() {
        Namespace::Eip155 | Namespace::Bip122 => COIN,
        Namespace::Solana => WRAPPED_SOL,
        Namespace::Polkadot => return None,
    };
    AccountId::new(chain.clone(), address).ok()
}

/// Whether this is a native coin.
pub(crate) fn is_coin(asked: &AccountId) -> bool {
    asked.address().eq_ignore_ascii_case(COIN) || asked.address() == WRAPPED_SOL
}

/// DefiLlama's id of a coin or token.
pub(crate) fn defillama(asked: &AccountId) -> Option<String> {
    if is_solana(asked.chain()) {
        return Some(format!("solana:{}", asked.address()));
    }
    if is_bitcoin(asked.chain()) {
        return is_coin(asked).then(|| "coingecko:bitcoin".into());
    }
    let market = of(asked.chain())?;
    Some(if is_coin(asked) {
        format!("coingecko:{}", market.coin)
    } else {
        format!("{}:{}", market.defillama, asked.address())
    })
}

/// CoinGecko's id of a native coin.
pub(crate) fn coingecko_coin(asked: &AccountId) -> Option<&'static str> {
    if !is_coin(asked) {
        None
    } else if is_solana(asked.chain()) {
        Some("solana")
    } else if is_bitcoin(asked.chain()) {
        Some("bitcoin")
    } else {
        of(asked.chain()).map(|market| market.coin)
    }
}

/// CoinGecko's id of a chain.
pub(crate) fn coingecko_platform(chain: &ChainId) -> Option<&'static str> {
    if is_solana(chain) { Some("solana") } else { of(chain).map(|market| market.coingecko) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bitcoin_of_the_main_network_has_a_price_and_one_of_a_test_network_has_none() {
        let coin_of = |reference: &str| coin(&format!("bip122:{reference}").parse().unwrap()).unwrap();
        let main = coin_of(BITCOIN);
        assert_eq!((defillama(&main).as_deref(), coingecko_coin(&main)), (Some("coingecko:bitcoin"), Some("bitcoin")));
        assert!(traded(main.chain()));
        let address = AccountId::new(main.chain().clone(), "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa").unwrap();
        assert_eq!((defillama(&address), coingecko_coin(&address)), (None, None));
        let test = coin_of("00000000da84f2bafbbc53dee25a72ae");
        assert_eq!((defillama(&test), coingecko_coin(&test), traded(test.chain())), (None, None, false));
    }
}
