//! Repeats section 9 of the contract: the numbers, each taken from the code that uses it.

use portico_core::{account, modal, rpc, send};

#[test]
fn spec_9_2_after_a_failure_tokens_are_not_asked_for_within_30_s() {
    assert_eq!(account::RETRY_GUARD, 30_000);
}

/// The host's server resolves names as part of an identity, so the five minutes for ENS are those of the identity.
#[test]
fn spec_9_5_portfolio_and_native_balance_30_s_identity_5_min() {
    assert_eq!((account::PORTFOLIO_CACHE, account::BALANCE_CACHE, account::IDENTITY_CACHE), (30_000, 30_000, 300_000));
}

#[test]
fn spec_9_3_shake_500_ms_debounce_500_ms_preload_2_s() {
    assert_eq!((modal::SHAKE, send::DEBOUNCE, account::PRELOAD), (500, 500, 2_000));
}

#[test]
fn spec_9_4_animations_120_150_150_ms() {
    assert_eq!(modal::ANIMATION, [120, 150, 150]);
}

/// The host's server batches contract calls and holds to the size limit of a multicall.
#[test]
fn spec_9_16_chain_rpc_timeout_and_batch() {
    assert_eq!((rpc::TIMEOUT, rpc::BATCH_SIZE), (10_000, 1_000));
}

#[test]
fn spec_9_17_receipts() {
    assert_eq!((rpc::RECEIPT_TIMEOUT, rpc::RECEIPT_RETRIES), (180_000, 6));
    assert_eq!([0, 1, 2, 3].map(rpc::receipt_retry_delay), [200, 400, 800, 1_600]);
}

#[test]
fn spec_9_18_polling_and_ranking() {
    assert_eq!((rpc::POLLING_INTERVAL, rpc::RANK_SAMPLES), (4_000, 10));
}

#[test]
fn spec_9_19_the_base_fee_multiplier_is_1_2() {
    assert_eq!(send::BASE_FEE_MULTIPLIER, 1_200_000);
}
