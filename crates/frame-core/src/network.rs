//! Chains by the ids that hosts use, and the names that visitors know.

use crate::decode::shown;
use crate::message::fault;
use crate::said::{Phrase, Said};
use crate::token::is_symbol;
use portico_api::frame::{FrameFault, NetworkName};
use portico_json::{Json, Value};
use portico_terms::{Amount, ChainId, Namespace};

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

/// Networks of Solana: reference of the id (the beginning of the genesis hash), name, and the word of sign-in texts.
const SOLANA: [(&str, &str, &str); 3] = [
    ("5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "Solana", "mainnet"),
    ("EtWTRABZaYq6iMfeYKouRu166VU2xqa1", "Solana Devnet", "devnet"),
    ("4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z", "Solana Testnet", "testnet"),
];

/// Solana's main network.
pub fn solana() -> Option<ChainId> {
    ["solana:", SOLANA[0].0].concat().parse().ok()
}

/// Whether this is Solana's main network.
pub fn is_solana(chain: &ChainId) -> bool {
    chain.namespace() == Namespace::Solana && chain.reference() == SOLANA[0].0
}

/// Whether a chain of Solana is named by a sign-in text: by its id, the reference of it, or its word.
pub fn is_solana_named(chain: &ChainId, text: &str) -> bool {
    let named = text.strip_prefix("solana:").unwrap_or(text);
    let word = SOLANA.iter().find(|(reference, ..)| *reference == chain.reference()).map(|(.., word)| *word);
    named == chain.reference() || Some(named) == word
}

/// EIP-155 number of a chain, or its CAIP-2 id.
pub fn id_of(chain: &ChainId) -> String {
    match chain.number() {
        Some(number) => Amount::from(number).to_digits(),
        None => [chain.namespace().word(), ":", chain.reference()].concat(),
    }
}

/// Name of a known chain.
fn name_of(chain: &ChainId) -> Option<&'static str> {
    match chain.namespace() {
        Namespace::Solana => {
            SOLANA.iter().find(|(reference, ..)| *reference == chain.reference()).map(|(_, name, _)| *name)
        }
        _ => known(chain.number()?).map(|(_, name, _)| *name),
    }
}

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
        Some(_) => Value::Number(id_of(chain)),
        None => id_of(chain).into(),
    }
}

fn known(chain: u64) -> Option<&'static (u64, &'static str, &'static str)> {
    KNOWN.iter().find(|(number, ..)| *number == chain)
}

/// Symbol of the native coin of a known chain.
pub fn coin(chain: u64) -> Option<&'static str> {
    known(chain).map(|(.., coin)| *coin)
}

/// Maximum number of names of the server that are kept, and their longest in letters.
const MOST_NAMES: usize = 256;
const LONGEST_NAME: usize = 32;

/// Network of a request.
#[derive(Clone, Debug, Json, PartialEq)]
pub struct NetworkView {
    /// Name of a known chain, or that of the server's configuration.
    pub name: Option<String>,
    /// EIP-155 number or CAIP-2 id, unless the name is of a known chain.
    pub id: Option<String>,
}

/// Names of the server's configuration: for chains that are not known here, and never the name of one that is.
#[derive(Debug, Default)]
pub struct Networks(Vec<(ChainId, String, Option<String>)>);

impl Networks {
    /// Takes the names of the server; returns whether they say something else than before.
    pub fn take(&mut self, names: Vec<NetworkName>) -> bool {
        let read = |NetworkName { chain, name, coin }: NetworkName| {
            let chain: ChainId = chain.parse().ok()?;
            let name: String = shown(name.trim()).chars().take(LONGEST_NAME).collect();
            let mut own = KNOWN.iter().map(|(_, known, _)| known).chain(SOLANA.iter().map(|(_, known, _)| known));
            let borrowed = own.any(|known| known.eq_ignore_ascii_case(&name));
            let fits = name_of(&chain).is_none() && !name.is_empty() && !borrowed;
            fits.then(|| (chain, name, coin.filter(|coin| is_symbol(coin))))
        };
        let named: Vec<_> = names.into_iter().take(MOST_NAMES).filter_map(read).collect();
        let differs = named != self.0;
        self.0 = named;
        differs
    }

    fn find(&self, chain: &ChainId) -> Option<&(ChainId, String, Option<String>)> {
        self.0.iter().find(|(known, ..)| known == chain)
    }

    pub fn view(&self, chain: &ChainId) -> NetworkView {
        match name_of(chain) {
            Some(name) => NetworkView { name: Some(name.into()), id: None },
            None => {
                let name = self.find(chain).map(|(_, name, _)| name.clone());
                NetworkView { name, id: Some(id_of(chain)) }
            }
        }
    }

    /// Puts the symbol of the configuration into an amount of coins without one.
    pub fn with_coin(&self, mut text: Said, chain: &ChainId) -> Said {
        if text.phrase == Phrase::Coins
            && let Some((.., Some(coin))) = self.find(chain)
        {
            text.phrase = Phrase::Amount;
            text.values.push(coin.clone());
        }
        text
    }
}
