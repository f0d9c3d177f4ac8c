//! Numbered cases of the specification (`clients/sign/namespaces.md`), and cases from practice.

use portico_json::{Read, parse};
use portico_walletconnect::namespaces::{
    NamespaceFault, ProposalNamespaces, SessionNamespaces, allows_chain, allows_event, allows_method, check_proposal,
    check_session,
};

fn told(checked: Result<(), NamespaceFault>) -> Option<(i64, &'static str)> {
    checked.err().map(|fault| (fault.code(), fault.text()))
}

fn proposal(text: &str) -> ProposalNamespaces {
    ProposalNamespaces::read(&parse(text).unwrap()).unwrap()
}

fn session(text: &str) -> SessionNamespaces {
    SessionNamespaces::read(&parse(text).unwrap()).unwrap()
}

#[test]
fn case_1_1_an_optional_namespace_is_not_needed() {
    let asked =
        proposal(r#"{"eip155:10": {"methods": ["personal_sign"], "events": ["accountsChanged", "chainChanged"]}}"#);
    assert_eq!(told(check_proposal(&asked)), None);
}

#[test]
fn case_1_2_chains_must_not_be_empty() {
    let asked =
        proposal(r#"{"cosmos": {"chains": [], "methods": ["cosmos_signDirect"], "events": ["someCosmosEvent"]}}"#);
    assert_eq!(told(check_proposal(&asked)), Some((5100, "Chains must not be empty")));
}

#[test]
fn case_1_3_chains_may_be_omitted_where_the_key_is_a_chain() {
    let asked = proposal(
        r#"{"eip155": {"chains": ["eip155:1", "eip155:137"], "methods": ["eth_sendTransaction", "eth_signTransaction", "eth_sign"], "events": ["accountsChanged", "chainChanged"]}, "eip155:10": {"methods": ["personal_sign"], "events": ["accountsChanged", "chainChanged"]}}"#,
    );
    assert_eq!(told(check_proposal(&asked)), None);
}

#[test]
fn case_1_4_chains_must_be_of_caip_2() {
    let asked = proposal(r#"{"eip155": {"chains": ["42"], "methods": ["eth_sign"], "events": ["accountsChanged"]}}"#);
    assert_eq!(told(check_proposal(&asked)), Some((5100, "Chains must be CAIP-2 compliant")));
}

#[test]
fn case_1_5_methods_and_events_may_be_empty() {
    let asked = proposal(r#"{"eip155": {"chains": ["eip155:1"], "methods": [], "events": []}}"#);
    assert_eq!(told(check_proposal(&asked)), None);
}

#[test]
fn case_1_6_chains_must_stand_in_their_namespace() {
    let asked = proposal(
        r#"{"eip155": {"chains": ["eip155:1", "eip155:137", "cosmos:cosmoshub-4"], "methods": ["eth_sendTransaction"], "events": ["accountsChanged", "chainChanged"]}}"#,
    );
    assert_eq!(told(check_proposal(&asked)), Some((5100, "Chains must be defined in matching namespace")));
}

#[test]
fn case_1_7_keys_must_be_of_caip_2() {
    let asked = proposal(
        r#"{"": {"chains": [":1"], "methods": ["personalSign"], "events": []}, "**": {"chains": ["**:1"], "methods": ["personalSign"], "events": []}}"#,
    );
    assert_eq!(told(check_proposal(&asked)), Some((5104, "Namespace formatting must match CAIP-2")));
}

#[test]
fn case_1_8_all_namespaces_must_be_valid() {
    let asked = proposal(
        r#"{"eip155": {"chains": ["eip155:1"], "methods": ["personalSign"], "events": []}, "cosmos": {"chains": [], "methods": [], "events": []}}"#,
    );
    assert_eq!(told(check_proposal(&asked)), Some((5100, "Chains must not be empty")));
}

#[test]
fn case_1_9_a_proposal_may_be_empty() {
    let asked = proposal(r#"{}"#);
    assert_eq!(told(check_proposal(&asked)), None);
}

#[test]
fn case_2_1_accounts_must_not_be_empty() {
    let asked = proposal(
        r#"{"cosmos": {"chains": ["cosmos:cosmoshub-4"], "methods": ["cosmos_signDirect"], "events": ["someCosmosEvent"]}}"#,
    );
    let approved =
        session(r#"{"cosmos": {"accounts": [], "methods": ["cosmos_signDirect"], "events": ["someCosmosEvent"]}}"#);
    assert_eq!(told(check_session(&approved, &asked)), Some((5001, "Accounts must not be empty")));
}

#[test]
fn case_2_2_accounts_must_be_of_caip_10() {
    let asked =
        proposal(r#"{"eip155": {"chains": ["eip155:1"], "methods": ["eth_sign"], "events": ["accountsChanged"]}}"#);
    let approved = session(
        r#"{"eip155": {"accounts": ["eip155:0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb"], "methods": ["eth_sign"], "events": ["accountsChanged"]}}"#,
    );
    assert_eq!(told(check_session(&approved, &asked)), Some((5001, "Accounts must be CAIP-10 compliant")));
}

#[test]
fn case_2_3_all_methods_must_be_approved() {
    let asked = proposal(r#"{"eip155": {"chains": ["eip155:1"], "methods": ["eth_sign"], "events": []}}"#);
    let approved = session(
        r#"{"eip155": {"accounts": ["eip155:1:0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb"], "methods": [], "events": ["accountsChanged"]}}"#,
    );
    assert_eq!(told(check_session(&approved, &asked)), Some((5002, "All methods must be approved")));
}

#[test]
fn case_2_4_every_chain_must_have_an_account() {
    let asked = proposal(
        r#"{"eip155": {"chains": ["eip155:1", "eip155:10"], "methods": ["eth_sign"], "events": ["accountsChanged"]}}"#,
    );
    let approved = session(
        r#"{"eip155": {"accounts": ["eip155:1:0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb"], "methods": ["eth_sign"], "events": ["accountsChanged"]}}"#,
    );
    assert_eq!(told(check_session(&approved, &asked)), Some((5001, "All chains must have at least one account")));
}

#[test]
fn case_2_5_a_chain_may_have_several_accounts() {
    let asked =
        proposal(r#"{"eip155": {"chains": ["eip155:1"], "methods": ["eth_sign"], "events": ["accountsChanged"]}}"#);
    let approved = session(
        r#"{"eip155": {"accounts": ["eip155:1:0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb", "eip155:1:0x25caCa7f7Bf3A77b1738A8c98A666dd9e4C69A0C", "eip155:1:0x2Fe1cC9b1DCe6E8e16C48bc6A7ABbAB3d10DA954"], "methods": ["eth_sign"], "events": ["accountsChanged"]}}"#,
    );
    assert_eq!(told(check_session(&approved, &asked)), None);
}

#[test]
fn case_2_6_methods_and_events_may_be_more_than_asked() {
    let asked =
        proposal(r#"{"eip155": {"chains": ["eip155:1"], "methods": ["eth_sign"], "events": ["accountsChanged"]}}"#);
    let approved = session(
        r#"{"eip155": {"accounts": ["eip155:1:0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb"], "methods": ["eth_sign", "personalSign"], "events": ["accountsChanged", "someEvent"]}}"#,
    );
    assert_eq!(told(check_session(&approved, &asked)), None);
}

#[test]
fn case_2_7_accounts_must_stand_in_their_namespace() {
    let asked =
        proposal(r#"{"eip155": {"chains": ["eip155:1"], "methods": ["eth_sign"], "events": ["accountsChanged"]}}"#);
    let approved = session(
        r#"{"eip155": {"accounts": ["eip155:1:0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb", "cosmos:cosmoshub-4:cosmos1t2uflqwqe0fsj0shcfkrvpukewcw40yjj6hdc0"], "methods": ["eth_sign"], "events": ["accountsChanged"]}}"#,
    );
    assert_eq!(told(check_session(&approved, &asked)), Some((5103, "Accounts must be defined in matching namespace")));
}

#[test]
fn case_2_8_accounts_may_be_on_chains_that_were_not_asked() {
    let asked =
        proposal(r#"{"eip155": {"chains": ["eip155:1"], "methods": ["eth_sign"], "events": ["accountsChanged"]}}"#);
    let approved = session(
        r#"{"eip155": {"accounts": ["eip155:1:0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb", "eip155:42:0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb"], "methods": ["eth_sign"], "events": ["accountsChanged"]}}"#,
    );
    assert_eq!(told(check_session(&approved, &asked)), None);
}

#[test]
fn case_2_9_all_namespaces_must_be_approved() {
    let asked = proposal(
        r#"{"eip155": {"chains": ["eip155:137", "eip155:1"], "methods": ["eth_sign"], "events": ["accountsChanged"]}, "cosmos": {"chains": ["cosmos:cosmoshub-4"], "methods": ["cosmos_signDirect"], "events": ["someCosmosEvent"]}}"#,
    );
    let approved = session(
        r#"{"eip155": {"accounts": ["eip155:1:0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb", "eip155:137:0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb"], "methods": ["eth_sign"], "events": ["accountsChanged"]}}"#,
    );
    assert_eq!(told(check_session(&approved, &asked)), Some((5000, "All namespaces must be approved")));
}

#[test]
fn case_2_10_all_events_must_be_approved() {
    let asked = proposal(r#"{"eip155": {"chains": ["eip155:1"], "methods": [], "events": ["chainChanged"]}}"#);
    let approved = session(
        r#"{"eip155": {"accounts": ["eip155:1:0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb"], "methods": [], "events": []}}"#,
    );
    assert_eq!(told(check_session(&approved, &asked)), Some((5003, "All events must be approved")));
}

#[test]
fn case_2_11_what_is_optional_may_be_met_in_part() {
    let asked = proposal(
        r#"{"eip155": {"chains": ["eip155:1", "eip155:137"], "methods": ["eth_sendTransaction", "eth_signTransaction", "eth_sign"], "events": ["accountsChanged", "chainChanged"]}}"#,
    );
    let approved = session(
        r#"{"eip155": {"chains": ["eip155:1", "eip155:137"], "methods": ["eth_sendTransaction", "eth_signTransaction", "eth_sign"], "events": ["accountsChanged", "chainChanged"], "accounts": ["eip155:1:0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb", "eip155:137:0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb"]}, "eip155:42161": {"methods": ["personal_sign"], "events": ["accountsChanged", "chainChanged"], "accounts": ["eip155:42161:0x0910e12C68d02B561a34569E1367c9AAb42bd810"]}}"#,
    );
    assert_eq!(told(check_session(&approved, &asked)), None);
}

#[test]
fn practice_1_a_required_chain_may_be_approved_under_its_namespace() {
    let asked = proposal(r#"{"eip155:10": {"methods": ["personal_sign"], "events": []}}"#);
    let approved = session(
        r#"{"eip155": {"accounts": ["eip155:10:0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb"], "methods": ["personal_sign"], "events": ["accountsChanged"]}}"#,
    );
    assert_eq!(told(check_session(&approved, &asked)), None);
}

#[test]
fn practice_2_a_session_that_allows_nothing_is_none_even_where_nothing_is_required() {
    let asked = proposal(r#"{}"#);
    let approved = session(r#"{}"#);
    assert_eq!(told(check_session(&approved, &asked)), Some((5000, "All namespaces must be approved")));
}

#[test]
fn a_method_is_allowed_on_the_chains_of_its_namespace_and_nowhere_else() {
    let approved = session(
        r#"{"eip155": {"chains": ["eip155:1"], "accounts": ["eip155:10:0xab"], "methods": ["eth_sign"], "events": ["chainChanged"]},
            "eip155:137": {"accounts": ["eip155:137:0xab"], "methods": ["personal_sign"], "events": []}}"#,
    );
    for chain in ["eip155:1", "eip155:10"] {
        assert!(allows_chain(&approved, chain) && allows_method(&approved, chain, "eth_sign"));
        assert!(allows_event(&approved, chain, "chainChanged") && !allows_method(&approved, chain, "personal_sign"));
    }
    assert!(
        allows_method(&approved, "eip155:137", "personal_sign") && !allows_method(&approved, "eip155:137", "eth_sign")
    );
    for chain in ["eip155:2", "eip155", "solana:1", ""] {
        assert!(!allows_chain(&approved, chain), "{chain}");
    }
}
