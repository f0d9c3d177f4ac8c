//! Fuzz target: any text as a chain, account, amount, address or network. A value that can be read is written the same.

use portico_terms::{AccountId, Amount, ChainId, Network, address};

/// Panics if a value changes when written and read again.
pub fn take(text: &str) {
    if let Ok(chain) = text.parse::<ChainId>() {
        assert_eq!(chain.to_string(), text);
    }
    if let Ok(account) = text.parse::<AccountId>() {
        assert_eq!(account.to_string(), text);
    }
    if let Ok(amount) = Amount::from_hex(text) {
        assert_eq!(Amount::from_hex(&amount.to_hex()), Ok(amount));
    }
    for decimals in [0, 6, 18, 255] {
        if let Ok(amount) = Amount::from_units(text, decimals) {
            assert_eq!(Amount::from_units(&amount.to_units(decimals), decimals), Ok(amount));
        }
    }
    let _ = address::with_checksum(text);
    let _ = address::shorten(text);
    if let Ok(value) = portico_json::parse(text) {
        let written = portico_json::to_text(&value);
        assert_eq!(portico_json::parse(&written).as_ref(), Ok(&value));
        let _ = Network::from_host(&value);
    }
}
