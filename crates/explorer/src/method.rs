//! Names of called functions, by the first four bytes of a transaction's input.

/// Selectors and the names of their functions.
const KNOWN: [([u8; 4], &str); 32] = [
    ([0xa9, 0x05, 0x9c, 0xbb], "transfer"),
    ([0x09, 0x5e, 0xa7, 0xb3], "approve"),
    ([0x23, 0xb8, 0x72, 0xdd], "transferFrom"),
    ([0x40, 0xc1, 0x0f, 0x19], "mint"),
    ([0xd3, 0xfc, 0x98, 0x64], "mint"),
    ([0x15, 0x6e, 0x29, 0xf6], "mint"),
    ([0xd8, 0x1d, 0x0a, 0x15], "mintBatch"),
    ([0x42, 0x96, 0x6c, 0x68], "burn"),
    ([0x8a, 0x0c, 0xcd, 0x56], "swap"),
    ([0x38, 0xed, 0x17, 0x39], "swapExactTokensForTokens"),
    ([0x88, 0x03, 0xdb, 0xee], "swapTokensForExactTokens"),
    ([0x7f, 0xf3, 0x6a, 0xb5], "swapExactETHForTokens"),
    ([0x4a, 0x25, 0xd9, 0x4a], "swapTokensForExactETH"),
    ([0x18, 0xcb, 0xaf, 0xe5], "swapExactTokensForETH"),
    ([0xfb, 0x3b, 0xdb, 0x41], "swapETHForExactTokens"),
    ([0xd0, 0xe3, 0x0d, 0xb0], "deposit"),
    ([0x2e, 0x1a, 0x7d, 0x4d], "withdraw"),
    ([0x42, 0x84, 0x2e, 0x0e], "safeTransferFrom"),
    ([0xb8, 0x8d, 0x4f, 0xde], "safeTransferFrom"),
    ([0xf2, 0x42, 0x43, 0x2a], "safeTransferFrom"),
    ([0x2e, 0xb2, 0xc2, 0xd6], "safeBatchTransferFrom"),
    ([0xa2, 0x2c, 0xb4, 0x65], "setApprovalForAll"),
    ([0x10, 0x1e, 0x89, 0x52], "forward"),
    ([0xa9, 0xcc, 0x47, 0x18], "fail"),
    ([0xc4, 0x7f, 0x00, 0x27], "setName"),
    ([0x10, 0xf1, 0x3a, 0x8c], "setText"),
    ([0x6c, 0xc8, 0x95, 0xa9], "setUrls"),
    ([0xac, 0x96, 0x50, 0xd8], "multicall"),
    ([0xd5, 0xfa, 0x2b, 0x00], "setAddr"),
    ([0x06, 0xab, 0x59, 0x23], "setSubnodeOwner"),
    ([0x5e, 0xf2, 0xc7, 0xf0], "setSubnodeRecord"),
    ([0x5b, 0x0f, 0xc9, 0xc3], "setOwner"),
];

/// Returns the name of the called function, its selector in hexadecimal if the name is unknown, and `None` for a plain transfer.
pub(crate) fn name(input: &[u8]) -> Option<String> {
    let selector: [u8; 4] = input.get(..4)?.try_into().ok()?;
    let known = KNOWN.iter().find(|(known, _)| *known == selector).map(|(_, name)| (*name).to_owned());
    Some(known.unwrap_or_else(|| alloy_primitives::hex::encode_prefixed(selector)))
}

/// Name of a function in words: "Transfer from".
pub(crate) fn words(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let is_capital = |at: usize| letters.get(at).is_some_and(char::is_ascii_uppercase);
    let mut out = String::new();
    for (at, letter) in letters.iter().enumerate() {
        // A run of capitals is a symbol, as in "swapETHForExactTokens"; its last one begins the next word.
        let ends_run = at + 1 == letters.len() || is_capital(at + 1);
        let in_symbol = is_capital(at) && ends_run && (is_capital(at + 1) || at > 0 && is_capital(at - 1));
        let begins = is_capital(at) && !(at > 0 && is_capital(at - 1) && in_symbol);
        match letter {
            _ if at == 0 => out.extend(letter.to_uppercase()),
            _ if in_symbol => out.extend(begins.then_some(' ').into_iter().chain([*letter])),
            _ if begins => out.extend([' ', letter.to_ascii_lowercase()]),
            _ => out.push(*letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_named_if_it_is_known_and_a_plain_transfer_never() {
        assert_eq!(name(&[]), None);
        assert_eq!(name(&[0xa9, 0x05, 0x9c]), None);
        assert_eq!(name(&[1, 2, 3, 4, 5]).as_deref(), Some("0x01020304"));
        assert_eq!(name(&[0xa9, 0x05, 0x9c, 0xbb]).as_deref(), Some("transfer"));
    }

    #[test]
    fn a_name_becomes_words() {
        for (name, told) in [
            ("mint", "Mint"),
            ("setApprovalForAll", "Set approval for all"),
            ("swapETHForExactTokens", "Swap ETH for exact tokens"),
            ("swapTokensForExactETH", "Swap tokens for exact ETH"),
            ("setTTL", "Set TTL"),
            ("", ""),
        ] {
            assert_eq!(words(name), told);
        }
    }
}
