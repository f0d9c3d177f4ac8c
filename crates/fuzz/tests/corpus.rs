//! Runs every initial text of each target, and every text that once made one fail.

use portico_fuzz::TARGETS;
use std::fs;
use std::path::{Path, PathBuf};

fn folder(target: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    if target == "replay" { here.join("../../fixtures/replays") } else { here.join("corpus").join(target) }
}

/// Runs a target on its corpus and returns the number of texts.
fn play(name: &str) -> usize {
    let (_, take) = TARGETS.iter().find(|(target, _)| *target == name).unwrap();
    let files = fs::read_dir(folder(name)).unwrap().map(|entry| entry.unwrap().path());
    // The libFuzzer binary passes on only bytes that are text, so no others are stored.
    files.map(|file| take(&fs::read_to_string(file).unwrap())).count()
}

#[test]
fn any_text_is_taken_as_a_run_of_the_core() {
    assert!(play("replay") >= 3);
}

#[test]
fn any_text_is_taken_as_a_value_of_the_field() {
    assert!(play("terms") >= 8);
}

#[test]
fn any_text_is_taken_as_a_pairing_uri() {
    assert!(play("pairing_uri") >= 9);
}

#[test]
fn any_text_is_taken_as_an_envelope() {
    assert!(play("envelope") >= 5);
}

#[test]
fn any_text_is_taken_as_the_token_of_a_relay() {
    assert!(play("relay_jwt") >= 5);
}

#[test]
fn any_text_is_taken_as_a_frame_of_a_relay() {
    assert!(play("relay_frame") >= 22);
}

#[test]
fn any_text_is_taken_as_namespaces() {
    assert!(play("namespaces") >= 6);
}

#[test]
fn any_text_is_taken_as_the_calldata_of_a_swap() {
    assert!(play("calldata") >= 48);
}

#[test]
fn each_target_has_texts_to_begin_with() {
    assert!(TARGETS.iter().all(|(name, _)| folder(name).is_dir()));
}

#[test]
fn any_text_is_taken_as_an_answer_about_a_name() {
    assert!(play("ens") >= 8);
}

#[test]
fn any_text_is_taken_as_the_words_of_a_hostile_relay_and_peer() {
    assert!(play("client") >= 8);
}

#[test]
fn any_text_is_taken_as_the_answers_of_a_node() {
    assert!(play("node") >= 6);
}

#[test]
fn any_text_is_taken_as_the_answers_of_a_server() {
    assert!(play("server") >= 6);
}

#[test]
fn any_text_is_taken_as_a_command_and_a_request_of_the_signer() {
    assert!(play("signer") >= 8);
}
