//! Client that offers a pairing, with or without the wallet feature.

use portico_json::parse;
use portico_walletconnect::client::Client;
use portico_walletconnect::crypto::{SymKey, seal};

const NOW: u64 = 1_700_000_000_000;

const CONFIG: &str = r#"{"relays":[{"relayUrl":"wss://relay.example.org"}],"metadata":{"name":"","description":"","url":"","icons":[]}}"#;

#[test]
fn who_offers_a_pairing_is_silent_about_what_only_the_one_who_offers_may_ask() {
    let mut client = Client::start_text(CONFIG, [1; 32], "{}", NOW).unwrap();
    let offered = client.handle_text(r#"{"type":"propose","ticket":1}"#, NOW);
    let outputs = parse(&offered).unwrap();
    let outputs = outputs.get("outputs").as_list().unwrap();
    let word = |of: &str, field: &str| {
        outputs.iter().find(|one| one.get("type").as_str() == Some(of)).unwrap().get(field).clone()
    };
    let (socket, given) = (word("open", "socket").as_u64().unwrap(), word("answered", "value"));
    let topic = given.get("topic").as_str().unwrap().to_owned();
    let key = given.get("uri").as_str().unwrap().split("symKey=").nth(1).unwrap()[..64].to_owned();
    let key = SymKey::from_hex(&key).unwrap();
    client.handle_text(&format!(r#"{{"type":"opened","socket":{socket}}}"#), NOW);
    let mut answers = |id: u8, method: &str| {
        let asked = format!(r#"{{"id":{id},"jsonrpc":"2.0","method":"{method}","params":{{}}}}"#);
        let message = seal(&asked, &key, [id; 12]);
        let frame = format!(
            r#"{{\"id\":{id},\"jsonrpc\":\"2.0\",\"method\":\"irn_subscription\",\"params\":{{\"id\":\"a\",\"data\":{{\"topic\":\"{topic}\",\"message\":\"{message}\",\"publishedAt\":{NOW},\"tag\":1}}}}}}"#
        );
        let said = client.handle_text(&format!(r#"{{"type":"message","socket":{socket},"text":"{frame}"}}"#), NOW);
        assert!(said.contains("result"), "the relay's message was heard: {said}");
        said.contains("irn_publish")
    };
    assert!(!answers(1, "wc_sessionPropose"));
    assert!(!answers(2, "wc_sessionAuthenticate"));
    assert!(answers(3, "wc_anything"));
}
