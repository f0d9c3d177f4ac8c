//! Kind of a transaction, from its movements and the name of the called method.

use super::SignedCall;

/// Movements, from the account's point of view.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Moves {
    /// The account received something.
    pub(super) came: bool,
    /// All received assets were minted (sent from the zero address).
    pub(super) made: bool,
    /// The account sent something.
    pub(super) went: bool,
    /// All sent assets were burned (sent to the zero address).
    pub(super) ended: bool,
}

/// Prefixes of method names with the kind they stand for; the first match wins.
const NAMES: [(&str, &str); 18] = [
    ("approve", "approve"),
    ("setapprovalforall", "approve"),
    ("increaseallowance", "approve"),
    ("decreaseallowance", "approve"),
    ("permit", "approve"),
    ("deposit", "deposit"),
    ("supply", "deposit"),
    ("stake", "deposit"),
    ("addliquidity", "deposit"),
    ("withdraw", "withdraw"),
    ("redeem", "withdraw"),
    ("unstake", "withdraw"),
    ("removeliquidity", "withdraw"),
    ("borrow", "borrow"),
    ("repay", "repay"),
    ("claim", "claim"),
    ("swap", "trade"),
    ("burn", "burn"),
];

/// Selectors of calls whose method name is unknown, with their kind.
const SELECTORS: [(&str, &str); 5] = [
    ("0x095ea7b3", "approve"),
    ("0xa22cb465", "approve"),
    ("0x39509351", "approve"),
    ("0xd0e30db0", "deposit"),
    ("0x2e1a7d4d", "withdraw"),
];

/// Value of `operationType`.
pub(super) fn kind(call: Option<&SignedCall>, own: bool, moves: Moves) -> &'static str {
    if call.is_some_and(|call| call.to.is_empty()) {
        return "deploy";
    }
    let named = call.filter(|_| own).and_then(|call| named(&call.method));
    match (named, moves) {
        // An approval with a movement in the same transaction is not its purpose.
        (Some("approve"), Moves { came: false, went: false, .. }) => "approve",
        (Some(kind), _) if kind != "approve" => kind,
        (_, Moves { came: true, went: true, .. }) => "trade",
        (_, Moves { came: true, made, .. }) => {
            if made {
                "mint"
            } else {
                "receive"
            }
        }
        (_, Moves { went: true, ended, .. }) => {
            if ended {
                "burn"
            } else {
                "send"
            }
        }
        _ if call.is_none_or(|call| call.method.is_empty()) => {
            if own {
                "send"
            } else {
                "receive"
            }
        }
        _ => "execute",
    }
}

fn named(method: &str) -> Option<&'static str> {
    let method = method.to_ascii_lowercase();
    let found = NAMES.iter().chain(&SELECTORS).find(|(start, _)| method.starts_with(start));
    found.map(|(_, kind)| *kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    const IN: Moves = Moves { came: true, made: false, went: false, ended: false };
    const OUT: Moves = Moves { came: false, made: false, went: true, ended: false };

    fn of(method: &str, moves: Moves) -> &'static str {
        kind(Some(&SignedCall { to: "0x1".into(), method: method.into(), ..SignedCall::default() }), true, moves)
    }

    #[test]
    fn spec_3_15_a_kind_is_told_by_what_moved_and_by_what_was_called() {
        let nothing = Moves::default();
        for (method, moves, expected) in [
            ("", nothing, "send"),
            ("", OUT, "send"),
            ("transfer", OUT, "send"),
            ("transfer", IN, "receive"),
            ("0x12345678", nothing, "execute"),
            ("approve", nothing, "approve"),
            ("0x095ea7b3", nothing, "approve"),
            ("setApprovalForAll", nothing, "approve"),
            ("approveAndCall", OUT, "send"),
            ("swapExactTokensForTokens", Moves { came: true, ..OUT }, "trade"),
            ("execute", Moves { came: true, ..OUT }, "trade"),
            ("mint", Moves { made: true, ..IN }, "mint"),
            ("burn", Moves { ended: true, ..OUT }, "burn"),
            ("anything", Moves { ended: true, ..OUT }, "burn"),
            ("deposit", Moves { came: true, ..OUT }, "deposit"),
            ("withdraw", IN, "withdraw"),
            ("borrow", IN, "borrow"),
            ("repay", OUT, "repay"),
            ("claimRewards", IN, "claim"),
        ] {
            assert_eq!(of(method, moves), expected, "{method} {moves:?}");
        }
        assert_eq!(kind(Some(&SignedCall::default()), true, nothing), "deploy");
    }

    #[test]
    fn what_another_called_is_told_by_what_moved_alone() {
        let call = SignedCall { to: "0x1".into(), method: "approve".into(), ..SignedCall::default() };
        assert_eq!(kind(Some(&call), false, IN), "receive");
        assert_eq!(kind(None, false, Moves { made: true, ..IN }), "mint");
        assert_eq!(kind(None, false, OUT), "send");
        // Sent to itself.
        assert_eq!(kind(None, true, Moves::default()), "send");
        assert_eq!(kind(Some(&SignedCall { method: String::new(), ..call }), false, Moves::default()), "receive");
    }
}
