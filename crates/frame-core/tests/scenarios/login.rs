use crate::world::{OWN, World, json, me};
use portico_frame_core::{FailureKind, Operation};

fn started(action: &str, number: &str) -> String {
    format!(r#"{{"transaction":"tx1","action":"{action}","number":{number}}}"#)
}

fn logged_in() -> String {
    format!(
        r#"{{"user":{{"id":"AA","email":"a@example.org","name":null,"provider":"email"}},"addresses":{{"eip155":"{}"}}}}"#,
        OWN.to_lowercase()
    )
}

#[test]
fn spec_3_29_and_7_14_an_email_login_asks_the_vault_and_answers_with_its_action() {
    let mut world = World::new();
    world.host("CONNECT_EMAIL", r#"{"email":" a@example.org "}"#);
    assert_eq!(
        world.asked(),
        r#"/wallet/v1/login/email {"email":"a@example.org","project":"demo","host":"https://shop.example.org","language":"en"} false"#
    );
    world.answer(&started("VERIFY_DEVICE", "\"42\""));
    assert_eq!(world.take(), [r#"@w3m-frame/CONNECT_EMAIL_SUCCESS 1 {"action":"VERIFY_DEVICE","number":"42"}"#]);
}

#[test]
fn spec_5_26_an_email_without_a_name_or_a_domain_never_reaches_the_vault() {
    for payload in ["null", "{}", r#"{"email":1}"#, r#"{"email":""}"#, r#"{"email":"a@"}"#, r#"{"email":"@b"}"#] {
        let mut world = World::new();
        world.host("CONNECT_EMAIL", payload);
        assert!(world.ordered.is_empty());
        assert!(world.take()[0].starts_with("@w3m-frame/CONNECT_EMAIL_ERROR 1"), "{payload}");
    }
}

#[test]
fn spec_8_35_the_vaults_sentence_about_the_cooldown_reaches_the_host() {
    let mut world = World::new();
    world.host("CONNECT_EMAIL", r#"{"email":"a@example.org"}"#);
    world.fail(FailureKind::Refused, "Please try again after 12 seconds");
    let told = r#"@w3m-frame/CONNECT_EMAIL_ERROR 1 {"message":"Please try again after 12 seconds","code":null}"#;
    assert_eq!(world.take(), [told]);
}

#[test]
fn spec_7_15_the_device_is_waited_for_until_the_visitor_approves_it() {
    let mut world = World::new();
    world.host("CONNECT_EMAIL", r#"{"email":"a@example.org"}"#);
    world.answer(&started("VERIFY_DEVICE", "\"42\""));
    world.take();
    world.host("CONNECT_DEVICE", "null");
    assert_eq!(world.asked(), r#"/wallet/v1/login/device {"transaction":"tx1"} false"#);
    world.answer(r#"{"device":"waiting"}"#);
    assert!(world.take().is_empty());
    world.answer(r#"{"device":"approved"}"#);
    assert_eq!(world.take(), ["@w3m-frame/CONNECT_DEVICE_SUCCESS 2"]);
}

#[test]
fn a_second_wait_takes_the_place_of_the_first_and_the_vault_is_asked_once() {
    let mut world = World::new();
    world.host("CONNECT_EMAIL", r#"{"email":"a@example.org"}"#);
    world.answer(&started("VERIFY_DEVICE", "\"42\""));
    world.host("CONNECT_DEVICE", "null");
    world.take();
    world.host("CONNECT_DEVICE", "null");
    assert_eq!(world.take(), [r#"@w3m-frame/CONNECT_DEVICE_ERROR 2 {"message":"Something went wrong","code":null}"#]);
    world.answer(r#"{"device":"refused"}"#);
    let told = r#"@w3m-frame/CONNECT_DEVICE_ERROR 3 {"message":"This login was declined. Start again.","code":null}"#;
    assert_eq!(world.take(), [told]);
}

#[test]
fn spec_7_15_a_visitor_whose_mail_was_not_sent_is_told_so_and_begins_again() {
    let mut world = World::new();
    world.host("CONNECT_EMAIL", r#"{"email":"a@example.org"}"#);
    world.answer(&started("VERIFY_DEVICE", "\"42\""));
    world.host("CONNECT_DEVICE", "null");
    world.take();
    let sentence = "Couldn't send the email. Check the address, or try again.";
    world.fail(FailureKind::Refused, sentence);
    let told = format!(r#"@w3m-frame/CONNECT_DEVICE_ERROR 2 {{"message":"{sentence}","code":null}}"#);
    assert_eq!(world.take(), [told]);
    world.host("CONNECT_EMAIL", r#"{"email":"b@example.org"}"#);
    world.answer(&started("VERIFY_DEVICE", "\"43\""));
    assert_eq!(world.take(), [r#"@w3m-frame/CONNECT_EMAIL_SUCCESS 3 {"action":"VERIFY_DEVICE","number":"43"}"#]);
}

#[test]
fn a_new_login_ends_the_wait_of_the_one_before_and_its_late_answer_is_ignored() {
    let mut world = World::new();
    world.host("CONNECT_EMAIL", r#"{"email":"a@example.org"}"#);
    world.answer(&started("VERIFY_DEVICE", "\"42\""));
    world.host("CONNECT_DEVICE", "null");
    let wait = world.only();
    world.take();
    world.host("CONNECT_EMAIL", r#"{"email":"b@example.org"}"#);
    assert!(world.take()[0].starts_with("@w3m-frame/CONNECT_DEVICE_ERROR 2"));
    world.answer(r#"{"transaction":"tx2","action":"VERIFY_DEVICE","number":"17"}"#);
    world.host("CONNECT_DEVICE", "null");
    world.take();
    world.resolve(wait.id, portico_frame_core::Outcome::Answered { value: json(r#"{"device":"approved"}"#) });
    assert!(world.take().is_empty(), "the approval was that of the first login");
}

#[test]
fn spec_7_16_the_code_goes_to_the_worker_and_the_visitor_is_logged_in() {
    let mut world = World::new();
    world.host("CONNECT_EMAIL", r#"{"email":"a@example.org"}"#);
    world.answer(&started("VERIFY_OTP", "null"));
    world.take();
    world.host("CONNECT_OTP", r#"{"otp":"123 456"}"#);
    let effect = world.only();
    assert_eq!(effect.operation, Operation::FinishLogin { transaction: "tx1".into(), code: "123456".into() });
    world.resolve(effect.id, portico_frame_core::Outcome::Answered { value: json(&logged_in()) });
    assert_eq!(world.take(), ["@w3m-frame/CONNECT_OTP_SUCCESS 2"]);
    world.rpc("eth_accounts", "[]");
    assert_eq!(world.take(), [format!(r#"@w3m-frame/RPC_REQUEST_SUCCESS 3 ["{OWN}"]"#)]);
}

#[test]
fn spec_5_27_what_is_no_code_of_six_digits_wastes_no_try() {
    for otp in ["null", "123456", "\"12345\"", "\"1234567\"", "\"12345a\"", "\"١٢٣٤٥٦\"", "\"\""] {
        let mut world = World::new();
        world.host("CONNECT_EMAIL", r#"{"email":"a@example.org"}"#);
        world.answer(&started("VERIFY_OTP", "null"));
        world.take();
        world.host("CONNECT_OTP", &format!(r#"{{"otp":{otp}}}"#));
        assert!(world.ordered.is_empty(), "{otp}");
        assert!(world.take()[0].starts_with("@w3m-frame/CONNECT_OTP_ERROR 2"), "{otp}");
    }
}

#[test]
fn a_wrong_code_leaves_the_login_for_the_next_try() {
    let mut world = World::new();
    world.host("CONNECT_EMAIL", r#"{"email":"a@example.org"}"#);
    world.answer(&started("VERIFY_OTP", "null"));
    world.host("CONNECT_OTP", r#"{"otp":"111111"}"#);
    world.fail(FailureKind::Refused, "Wrong code");
    world.host("CONNECT_OTP", r#"{"otp":"222222"}"#);
    world.answer(&logged_in());
    assert_eq!(world.take()[2..], ["@w3m-frame/CONNECT_OTP_SUCCESS 3"]);
    world.host("CONNECT_OTP", r#"{"otp":"222222"}"#);
    assert!(world.take()[0].starts_with("@w3m-frame/CONNECT_OTP_ERROR 4"), "the login ended");
}

#[test]
fn a_device_with_a_live_session_is_connected_after_its_user_was_read() {
    let mut world = World::new();
    world.host("CONNECT_EMAIL", r#"{"email":"a@example.org"}"#);
    world.answer(&started("CONNECT", "null"));
    assert_eq!(world.asked(), "/wallet/v1/me {} true");
    world.answer(&me());
    assert_eq!(world.take(), [r#"@w3m-frame/CONNECT_EMAIL_SUCCESS 1 {"action":"CONNECT","number":null}"#]);
}

#[test]
fn spec_3_25_and_7_21_the_user_has_the_address_with_its_checksum_on_the_chosen_chain() {
    let mut world = World::new();
    world.host("GET_USER", r#"{"chainId":10}"#);
    world.answer(&me());
    let user = format!(
        r#"@w3m-frame/GET_USER_SUCCESS 1 {{"email":"a@example.org","address":"{OWN}","chainId":10,"accounts":[{{"address":"{OWN}","type":"eoa"}}],"userName":null,"provider":null,"smartAccountDeployed":false,"preferredAccountType":null}}"#
    );
    assert_eq!(world.take(), [user]);
}

#[test]
fn spec_7_23_without_a_session_the_visitor_is_not_connected_and_without_a_response_nothing_is_said() {
    let mut world = World::new();
    world.host("IS_CONNECTED", "null");
    world.fail(FailureKind::NoSession, "");
    assert_eq!(world.take(), [r#"@w3m-frame/IS_CONNECTED_SUCCESS 1 {"isConnected":false}"#]);
    world.host("IS_CONNECTED", "null");
    world.fail(FailureKind::Unreachable, "");
    assert_eq!(world.take(), [r#"@w3m-frame/IS_CONNECTED_ERROR 2 {"message":"Something went wrong","code":null}"#]);
}

#[test]
fn spec_7_22_signing_out_ends_the_session_and_what_waits_for_the_visitor() {
    let mut world = World::logged_in();
    world.rpc("personal_sign", &format!(r#"["0x68690a","{OWN}"]"#));
    world.host("SIGN_OUT", "null");
    assert_eq!(world.take(), [r#"@w3m-frame/RPC_REQUEST_ERROR 2 {"message":"Request was aborted","code":4001}"#]);
    assert_eq!(world.only().operation, Operation::EndSession);
    world.rpc("personal_sign", &format!(r#"["0x68690a","{OWN}"]"#));
    assert!(world.take()[0].contains("Log in first"));
}

#[test]
fn spec_3_30_and_7_30_the_address_changes_by_a_code_to_each_of_both() {
    let mut world = World::logged_in();
    world.host("UPDATE_EMAIL", r#"{"email":"b@example.org"}"#);
    assert_eq!(world.asked(), r#"/wallet/v1/email/update {"email":"b@example.org"} true"#);
    world.answer(r#"{"action":"VERIFY_PRIMARY_OTP"}"#);
    world.host("UPDATE_EMAIL_PRIMARY_OTP", r#"{"otp":"111111"}"#);
    assert_eq!(world.asked(), r#"/wallet/v1/email/primary {"code":"111111"} true"#);
    world.answer(r#"{"action":"VERIFY_SECONDARY_OTP"}"#);
    world.host("UPDATE_EMAIL_SECONDARY_OTP", r#"{"otp":"222222"}"#);
    world.answer(&me().replace("a@example.org", "b@example.org"));
    assert_eq!(
        world.take(),
        [
            r#"@w3m-frame/UPDATE_EMAIL_SUCCESS 2 {"action":"VERIFY_PRIMARY_OTP"}"#,
            r#"@w3m-frame/UPDATE_EMAIL_PRIMARY_OTP_SUCCESS 3 {"action":"VERIFY_SECONDARY_OTP"}"#,
            r#"@w3m-frame/UPDATE_EMAIL_SECONDARY_OTP_SUCCESS 4 {"newEmail":"b@example.org"}"#,
        ]
    );
}

#[test]
fn blocked_storage_is_told_with_what_to_do() {
    let mut world = World::new();
    world.host("CONNECT_EMAIL", r#"{"email":"a@example.org"}"#);
    world.fail(FailureKind::NoStorage, "");
    let told = world.take();
    assert!(told[0].contains("Your browser blocks this wallet's storage. Leave private browsing"), "{told:?}");
}
