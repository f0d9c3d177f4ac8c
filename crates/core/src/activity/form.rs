//! Texts of the server about transactions, in the form that the namespace of their chain has for them.

use super::Kind;
use portico_api::account::Transfer;
use portico_terms::address::read_address;
use portico_terms::rpc::is_transaction_hash;
use portico_terms::{ChainId, Namespace};

/// Most characters of a Bitcoin amount: all coins that there can be, with all decimals.
const LONGEST_WHOLE: usize = "21000000.00000000".len();

/// Reads an address; `None` if it has another form.
pub fn address(chain: &ChainId, text: &str) -> Option<String> {
    read_address(chain.namespace(), text)
}

/// Whether two addresses are the same. Those of Solana and old ones of Bitcoin (base58) are case-sensitive.
pub fn is_same(chain: &ChainId, one: &str, other: &str) -> bool {
    one == other || chain.namespace() == Namespace::Eip155 && one.eq_ignore_ascii_case(other)
}

/// Reads the id of a transaction: a hash in lower case, or a signature of Solana; `None` if it has another form.
pub fn transaction(chain: &ChainId, text: &str) -> Option<String> {
    let is_base58 = |byte: u8| byte.is_ascii_alphanumeric() && !matches!(byte, b'0' | b'O' | b'I' | b'l');
    let fits = match chain.namespace() {
        Namespace::Eip155 => is_transaction_hash(text),
        Namespace::Bip122 => is_transaction_hash(&["0x", text].concat()),
        // 64 bytes.
        Namespace::Solana => {
            return ((64..=88).contains(&text.len()) && text.bytes().all(is_base58)).then(|| text.into());
        }
        Namespace::Polkadot => false,
    };
    fits.then(|| text.to_ascii_lowercase())
}

/// Kind of a transaction as visitors of the chain know it. Coins of Bitcoin are only sent and received; new ones, too. Nobody creates
/// contracts with a transaction of Solana.
pub fn kind(chain: &ChainId, kind: Kind, transfers: &[Transfer]) -> Kind {
    match (chain.namespace(), kind) {
        (Namespace::Bip122, Kind::Send | Kind::Receive) => kind,
        (Namespace::Bip122, _) if transfers.iter().any(|moved| moved.direction == "in") => Kind::Receive,
        (Namespace::Bip122, _) => Kind::Send,
        (Namespace::Solana, Kind::Deploy) => Kind::Execute,
        _ => kind,
    }
}

/// Amount for a row. Of Bitcoin, whose thousandth is a large sum, it is whole; others have three decimals (spec 2.10).
pub fn amount(chain: &ChainId, cut: String, exact: &str) -> String {
    if chain.namespace() == Namespace::Bip122 && exact.len() <= LONGEST_WHOLE { exact.into() } else { cut }
}
