//! Contracts that a swap may call: the built-in ones, and those that the host adds by its option `swapContracts`. The host's server adds
//! none.

use crate::cx::Cx;
use crate::facts::Facts;
use crate::notice::AlertKey;
use crate::signal::Signal;
use portico_calldata::{Contract, Protocol, hex, known};
use portico_json::Value;
use portico_terms::ChainId;

/// Contracts of a chain.
pub fn of(chain: &ChainId, facts: &Facts) -> Vec<Contract> {
    let items = named(chain, facts);
    items.iter().filter_map(read).chain(known(chain.number().unwrap_or_default())).collect()
}

/// Tells the developer of an entry of the option that cannot be used.
pub fn warn(chain: &ChainId, facts: &Facts, cx: &mut Cx) {
    let option = facts.options.swap_contracts.get(&chain.to_string());
    let odd = !option.is_null() && option.as_list().is_none();
    if odd || named(chain, facts).iter().any(|item| read(item).is_none()) {
        let words = Protocol::ALL.map(Protocol::word).join(", ");
        let detail =
            ["swapContracts.", &chain.to_string(), ": use a list of { protocol, address }; protocols are ", &words];
        cx.signal(Signal::Warn(AlertKey::InvalidOptions, detail.concat()));
    }
}

fn named<'a>(chain: &ChainId, facts: &'a Facts) -> &'a [Value] {
    facts.options.swap_contracts.get(&chain.to_string()).as_list().unwrap_or_default()
}

fn read(item: &Value) -> Option<Contract> {
    let word = item.get("protocol").as_str()?;
    let protocol = Protocol::ALL.into_iter().find(|protocol| protocol.word() == word)?;
    Some(Contract { protocol, address: hex::address(item.get("address").as_str()?)? })
}
