//! Chains by the ids that hosts use, and the names that visitors know.

use crate::message::fault;
use portico_api::frame::FrameFault;
use portico_json::Value;
use portico_terms::{ChainId, Namespace};

/// Error for a chain that the wallet cannot use (spec 8.41).
const NOT_SUPPORTED: &str = "Chain is not supported";

/// EIP-155 number, name and native coin of known chains.
const KNOWN: [(u64, &str, &str); 21] = [
    (1, "Ethereum", "ETH"),
    (10, "OP Mainnet", "ETH"),
    (56, "BNB Smart Chain", "BNB"),
    (97, "BNB Smart Chain Testnet", "tBNB"),
    (100, "Gnosis", "xDAI"),
    (130, "Unichain", "ETH"),
    (137, "Polygon", "POL"),
    (324, "ZKsync Era", "ETH"),
    (999, "HyperEVM", "HYPE"),
    (8453, "Base", "ETH"),
    (17000, "Holesky", "ETH"),
    (42161, "Arbitrum One", "ETH"),
    (42220, "Celo", "CELO"),
    (43113, "Avalanche Fuji", "AVAX"),
    (43114, "Avalanche", "AVAX"),
    (59144, "Linea", "ETH"),
    (84532, "Base Sepolia", "ETH"),
    (7_777_777, "Zora", "ETH"),
    (11_155_111, "Sepolia", "ETH"),
    (11_155_420, "OP Sepolia", "ETH"),
    (1_313_161_554, "Aurora", "ETH"),
];

/// Reads a chain: a number of eip155, as number or decimal or hex text, or a CAIP-2 id.
pub fn chain_of(value: &Value) -> Option<ChainId> {
    let number = match value {
        Value::Number(text) => text.parse().ok(),
        Value::Text(text) if text.contains(':') => return text.parse().ok(),
        Value::Text(text) => match text.strip_prefix("0x") {
            Some(digits) if !digits.starts_with('+') => u64::from_str_radix(digits, 16).ok(),
            Some(_) => None,
            None => text.parse().ok(),
        },
        _ => None,
    };
    number.filter(|number| *number > 0).map(ChainId::eip155)
}

/// Reads a chain that a host chose (spec 8.41).
pub fn chosen(value: &Value) -> Result<ChainId, FrameFault> {
    let chain = chain_of(value).filter(|chain| chain.namespace() != Namespace::Eip155 || chain.number().is_some());
    chain.ok_or_else(|| fault(NOT_SUPPORTED))
}

/// Writes a chain as hosts read it (spec 3.25): the number of eip155, or the CAIP-2 id.
pub fn wire(chain: &ChainId) -> Value {
    match chain.number() {
        Some(number) => Value::Number(number.to_string()),
        None => chain.to_string().into(),
    }
}

fn known(chain: u64) -> Option<&'static (u64, &'static str, &'static str)> {
    KNOWN.iter().find(|(number, ..)| *number == chain)
}

/// Name of a chain.
pub fn name(chain: u64) -> String {
    known(chain).map_or_else(|| ["Chain ", &chain.to_string()].concat(), |(_, name, _)| (*name).into())
}

/// Symbol of the chain's native coin; without one it is called just that.
pub fn coin(chain: u64) -> &'static str {
    known(chain).map_or("coins", |(.., coin)| coin)
}
