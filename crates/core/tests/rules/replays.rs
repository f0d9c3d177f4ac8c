//! Plays every recorded run to its end, so that fixed bugs stay fixed.

use portico_testkit::replay;
use std::fs;
use std::path::Path;

#[test]
fn every_recorded_run_plays_to_its_end() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/replays");
    let mut played = 0;
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let text = fs::read_to_string(&path).unwrap();
        let (_, read) = replay::play(&text);
        assert_eq!(read, text.lines().count(), "{}", path.display());
        played += 1;
    }
    assert!(played >= 3);
}

#[test]
fn a_run_played_twice_ends_in_the_same_snapshot() {
    let text =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/replays/journey.jsonl")).unwrap();
    assert_eq!(replay::play(&text).0.snapshot(), replay::play(&text).0.snapshot());
}
