//! Tokens that people know by their symbol. The table is generated from `tokens.toml`.

use crate::Address;
use crate::named::NAMED;

/// Chains with swaps where none of the tokens is at home: the bridges that brought them there have failed, or are many.
const FOREIGN: [u64; 3] = [250, 8217, 1_313_161_554];

/// Symbol of a known token, by chain and contract.
pub fn symbol_of(chain: u64, address: &Address) -> Option<&'static str> {
    let mut here = NAMED.iter().filter(|(_, _, chains)| chains.contains(&chain));
    here.find(|(_, known, _)| known == address).map(|(symbol, ..)| *symbol)
}

/// Whether a list that calls this contract by this symbol contradicts the table: another contract has the symbol on this chain, or none
/// has, or the contract has another one. Bridged forms add something to the symbol, such as "USDC.e".
pub fn contradicts(chain: u64, symbol: &str, address: &Address) -> bool {
    let begins = |known: &str| symbol.get(..known.len()).is_some_and(|start| start.eq_ignore_ascii_case(known));
    let has_two = |known: &str| {
        NAMED.iter().filter(|(symbol, _, chains)| *symbol == known && chains.contains(&chain)).count() > 1
    };
    let mut here = NAMED.iter().filter(|(_, _, chains)| chains.contains(&chain)).peekable();
    if here.peek().is_none() && !FOREIGN.contains(&chain) {
        return false;
    }
    match here.find(|(_, known, _)| known == address) {
        Some((known, ..)) => !begins(known),
        None => NAMED.iter().any(|(known, ..)| {
            symbol.eq_ignore_ascii_case(known)
                // "USDC.e" is a form of before that the table has wherever it has the new one.
                || begins(known) && symbol[known.len()..].eq_ignore_ascii_case(".e") && has_two(known)
        }),
    }
}

/// Whether the table names this contract on this chain.
pub fn is_named(chain: u64, address: &Address) -> bool {
    NAMED.iter().any(|(_, known, chains)| known == address && chains.contains(&chain))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hex::address;

    #[test]
    fn a_known_symbol_on_another_contract_and_a_known_contract_by_another_symbol_contradict_the_table() {
        let usdc = address("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48").unwrap();
        let weth = address("0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2").unwrap();
        let other = [7; 20];
        for (chain, symbol, contract, lies) in [
            (1, "USDC", usdc, false),
            (1, "usdc", usdc, false),
            (1, "USDC.e", usdc, false),
            (1, "USDC", other, true),
            (1, "uSdC", other, true),
            (1, "DAI", weth, true),
            (1, "US", usdc, true),
            (1, "PEPE", other, false),
            (1, "", other, false),
            // No table for this chain, and the same contract on another one.
            (31337, "USDC", other, false),
            (10, "PEPE", usdc, false),
            (10, "USDC", usdc, true),
            // Chains where the symbol belongs to no contract.
            (43114, "WETH", other, true),
            (43114, "WETH.e", other, false),
            // A chain whose table has the form of before.
            (137, "USDC.e", other, true),
            (137, "usdc.E", other, true),
            (1, "USDC.e", other, false),
            (250, "USDC", other, true),
            (250, "PEPE", other, false),
        ] {
            assert_eq!(contradicts(chain, symbol, &contract), lies, "{chain} {symbol}");
        }
        assert!(is_named(1, &usdc) && is_named(1, &weth));
        assert!(!is_named(10, &usdc) && !is_named(1, &other) && !is_named(31337, &usdc));
        // Both the issuer's own and the bridged form of before.
        let forms = ["0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85", "0x7F5c764cBc14f9669B88837ca1490cCa17c31607"];
        assert!(forms.iter().all(|form| !contradicts(10, "USDC", &address(form).unwrap())));
    }
}
