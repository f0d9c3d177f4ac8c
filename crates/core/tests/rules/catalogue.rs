//! Repeats section 8 of the contract: every message has its exact text.

use portico_core::notice::{AlertKey, Message};

#[test]
fn spec_8_1_to_8_10_the_snack_messages_are_those_of_the_contract() {
    for (message, text) in [
        (Message::TokenBalanceUnavailable, "Token Balance Unavailable"),
        (Message::TransactionStarted, "Transaction started"),
        (Message::SomethingWentWrong, "Something went wrong"),
        (Message::EnterValidAmountAndReceiver, "Please enter a valid amount and receiver address"),
        (Message::FailedToSendTransaction, "Failed to send transaction. Please try again."),
        (Message::FailedToFetchTransactions, "Failed to fetch transactions"),
        (Message::AuthenticationProblem, "A problem occurred while trying initialize authentication"),
        (Message::SignatureDeclined, "Signature declined"),
        (Message::SmartAccountsUnsupported, "This application might not support Smart Accounts"),
        (Message::Authenticating, "Authenticating..."),
    ] {
        assert_eq!(message.text(), text);
    }
}

#[test]
fn spec_8_6_the_message_for_transactions_that_cannot_be_fetched_exists() {
    assert_eq!(Message::FailedToFetchTransactions.text(), "Failed to fetch transactions");
}

#[test]
fn spec_8_7_the_message_for_an_authentication_that_cannot_begin_exists() {
    assert_eq!(Message::AuthenticationProblem.text(), "A problem occurred while trying initialize authentication");
}

#[test]
fn spec_8_8_the_message_for_a_declined_signature_is_there_for_what_signs() {
    assert_eq!(Message::declined(false), Message::SignatureDeclined);
}

#[test]
fn spec_8_9_the_message_for_a_signature_that_a_smart_account_declined_is_there_for_what_signs() {
    assert_eq!(Message::declined(true), Message::SmartAccountsUnsupported);
}

#[test]
fn spec_8_42_the_alert_for_an_unknown_network_says_network_not_found() {
    assert_eq!(AlertKey::SwitchNetworkNotFound.short(), "Network Not Found");
}

#[test]
fn spec_8_43_a_refused_origin_and_a_late_embedded_wallet_say_invalid_app_configuration() {
    assert_eq!(AlertKey::OriginNotAllowed.short(), "Invalid App Configuration");
    assert_eq!(AlertKey::SocialsTimeout.short(), "Invalid App Configuration");
}

#[test]
fn spec_8_44_an_invalid_session_says_session_expired_and_to_check_the_time() {
    assert_eq!(AlertKey::JwtTokenNotValid.short(), "Session Expired");
    assert!(AlertKey::JwtTokenNotValid.long().contains("time"));
}

#[test]
fn spec_8_45_and_8_46_a_project_id_is_invalid_or_not_configured() {
    assert_eq!(AlertKey::InvalidProjectId.short(), "Invalid Project ID");
    assert!(AlertKey::InvalidProjectId.long().contains("portico project add"));
    assert_eq!(AlertKey::ProjectIdNotConfigured.short(), "Project ID Not Configured");
}

#[test]
fn spec_8_47_switch_network_not_found_and_socials_timeout_are_alerts() {
    assert_eq!(AlertKey::from_word("switchNetworkNotFound"), Some(AlertKey::SwitchNetworkNotFound));
    assert_eq!(AlertKey::from_word("socialsTimeout"), Some(AlertKey::SocialsTimeout));
}
