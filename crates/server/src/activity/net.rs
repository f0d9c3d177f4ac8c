//! Coin that leaves an account and comes back within one transaction: a router refunds what a swap did not need.

use super::Paid;
use portico_api::account::{Transaction, Transfer};
use portico_terms::Amount;

/// Difference of the payments that left the account and those that came back; `None` if all have one direction. The amount is zero if all of
/// it came back. Payments of the account to itself do not count.
pub(super) fn net(paid: &[Paid], is_own: impl Fn(&str) -> bool) -> Option<Paid> {
    let sum = |goes: bool| {
        let mut total = Amount::ZERO;
        let mut first = None;
        for one in paid.iter().filter(|one| is_own(&one.from) == goes && is_own(&one.to) != goes) {
            total = total.plus(one.value)?;
            first = first.or(Some(one));
        }
        Some((first.filter(|_| !total.is_zero())?, total))
    };
    let ((first_out, out), (first_in, back)) = (sum(true)?, sum(false)?);
    Some(match out.minus(back) {
        Some(value) => Paid { value, ..first_out.clone() },
        None => Paid { value: back.minus(out)?, ..first_in.clone() },
    })
}

/// Marks the coin that left for something else as the most that can have left, for a source that does not report what contracts pay. A
/// deposit that gave as much as it took is a wrap, so its amount is known.
pub(crate) fn doubt_coin(row: &mut Transaction) {
    let transfers = row.transfers.as_deref_mut().unwrap_or_default();
    let is_coin = |one: &Transfer| one.fungible_info.as_ref().is_some_and(|token| token.address.is_none());
    let wraps = row.metadata.operation_type == "deposit";
    let amount = |one: &Transfer| (wraps && one.fungible_info.is_some()).then(|| one.quantity.numeric.clone());
    let came: Vec<Option<String>> = transfers.iter().filter(|one| one.direction == "in").map(amount).collect();
    for coin in transfers.iter_mut().filter(|one| one.direction == "out" && is_coin(one)) {
        coin.at_most = came.iter().any(|came| came.as_ref() != Some(&coin.quantity.numeric)).then_some(true);
    }
}
