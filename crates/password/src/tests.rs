use super::*;
use crate::server::Kept;
use portico_encoding::base64::{self, Spelling};
use portico_json::{Value, parse, to_text};

const USER: &[u8] = b"user";
const PASSWORD: &str = "correct horse battery";

fn bytes(text: &str) -> Vec<u8> {
    base64::decode(text, Spelling::Url).unwrap()
}

fn ask(client: &mut Client, command: &str) -> Value {
    parse(&client.command(command)).unwrap()
}

/// Begins, and returns the first message.
fn begun(client: &mut Client, what: &str, password: &str, seed: u8) -> Vec<u8> {
    let random = base64::encode(&[seed; 32], Spelling::Url);
    let password = to_text(&password.to_owned());
    let asked = ask(client, &format!(r#"{{"type":"{what}","password":{password},"random":"{random}"}}"#));
    bytes(asked.get("request").as_str().unwrap())
}

fn answered(client: &mut Client, response: &[u8]) -> Value {
    let response = base64::encode(response, Spelling::Url);
    ask(client, &format!(r#"{{"type":"answered","response":"{response}"}}"#))
}

/// Sets a password: what the server keeps, and the key.
fn set(password: &str) -> (Kept, String) {
    let mut client = Client::default();
    let request = begun(&mut client, "choose", password, 1);
    let begun = server::begin(&[2; 32], USER, &request).unwrap();
    let told = answered(&mut client, &begun.response);
    let record = bytes(told.get("record").as_str().unwrap());
    (Kept::new(&begun.setup, &record).unwrap(), told.get("key").as_str().unwrap().into())
}

fn tried(kept: &Kept, password: &str, user: &[u8]) -> Value {
    let mut client = Client::default();
    let request = begun(&mut client, "try", password, 3);
    answered(&mut client, &kept.answer(&[4; 32], user, &request).unwrap())
}

#[test]
fn a_password_opens_what_it_set_and_no_other_does() {
    let (kept, key) = set(PASSWORD);
    assert_eq!(bytes(&key).len(), 64);
    let kept = Kept::read(kept.as_bytes().to_vec().into()).unwrap();
    let opened = tried(&kept, PASSWORD, USER);
    assert_eq!(opened.get("key").as_str(), Some(key.as_str()));
    assert!(opened.get("record").is_null());
    for wrong in ["", "correct horse batterY", "correct horse battery "] {
        assert_eq!(to_text(&tried(&kept, wrong, USER)), r#"{"type":"refused","reason":"wrong"}"#, "{wrong}");
    }
    assert_eq!(tried(&kept, PASSWORD, b"other").get("reason").as_str(), Some("wrong"));
}

#[test]
fn each_setting_has_a_key_of_its_own() {
    let mut client = Client::default();
    let request = begun(&mut client, "choose", PASSWORD, 1);
    let other = server::begin(&[9; 32], USER, &request).unwrap();
    let told = answered(&mut client, &other.response);
    assert_ne!(told.get("key").as_str(), Some(set(PASSWORD).1.as_str()));
}

#[test]
fn a_wallet_without_a_password_answers_like_one_whose_password_is_another() {
    let (kept, _) = set(PASSWORD);
    let mut client = Client::default();
    let request = begun(&mut client, "try", "another", 3);
    let pretended = |seed: u8| server::pretend(&[seed; 32], &[7; 32], USER, &request).unwrap();
    let (one, two) = (pretended(4), pretended(5));
    assert_eq!(one.len(), kept.answer(&[4; 32], USER, &request).unwrap().len());
    // The evaluated element is the same for the same message; the rest is as random as with a password.
    assert_eq!(one[..32], two[..32]);
    assert_ne!(one[32..], two[32..]);
    assert_eq!(to_text(&answered(&mut client, &one)), r#"{"type":"refused","reason":"wrong"}"#);
}

#[test]
fn messages_that_are_none_are_refused_on_both_sides() {
    let (kept, _) = set(PASSWORD);
    for bad in [&[][..], &[0; 32], &[255; 32], &[1; 96], &[255; 200]] {
        assert!(server::begin(&[2; 32], USER, bad).is_none());
        assert!(kept.answer(&[2; 32], USER, bad).is_none());
        assert!(Kept::new(bad, bad).is_none());
        assert!(Kept::new(&kept.as_bytes()[..128], bad).is_none());
        for what in ["choose", "try"] {
            let mut client = Client::default();
            begun(&mut client, what, PASSWORD, 1);
            assert_eq!(answered(&mut client, bad).get("reason").as_str(), Some("response"));
            assert_eq!(answered(&mut client, bad).get("reason").as_str(), Some("command"), "a state is used once");
        }
    }
    for text in ["", "[]", r#"{"type":"try","password":"a","random":"AAAA"}"#, &" ".repeat(20_000)] {
        assert_eq!(ask(&mut Client::default(), text).get("reason").as_str(), Some("command"));
    }
}

#[test]
fn what_was_forgotten_is_not_gone_on_with() {
    let (kept, _) = set(PASSWORD);
    let mut client = Client::default();
    let request = begun(&mut client, "try", PASSWORD, 3);
    assert_eq!(ask(&mut client, r#"{"type":"forget"}"#).get("type").as_str(), Some("forgotten"));
    let answer = kept.answer(&[4; 32], USER, &request).unwrap();
    assert_eq!(answered(&mut client, &answer).get("reason").as_str(), Some("command"));
}

#[test]
fn an_answer_that_was_changed_on_its_way_opens_nothing() {
    let (kept, _) = set(PASSWORD);
    let mut client = Client::default();
    let request = begun(&mut client, "try", PASSWORD, 3);
    let answer = kept.answer(&[4; 32], USER, &request).unwrap();
    for at in [0, 31, 32, 64, 100, answer.len() - 1] {
        begun(&mut client, "try", PASSWORD, 3);
        let mut changed = answer.clone();
        changed[at] ^= 1;
        assert_eq!(answered(&mut client, &changed).get("type").as_str(), Some("refused"), "{at}");
    }
}
