//! `portico init`, which writes the first configuration file.

use crate::first_run::{output, portico};
use crate::support::within;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Output, Stdio};
use tokio::io::AsyncWriteExt;

/// Runs `portico init` with these flags and lines of answers.
async fn init(folder: &Path, flags: &[&str], answers: &str) -> (Option<i32>, String, String) {
    let mut command = portico(folder, &["init"]);
    let mut child =
        command.args(flags).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // It may have ended before it reads.
    let _ = stdin.write_all(answers.as_bytes()).await;
    drop(stdin);
    let Output { status, stdout, stderr } = within("the end of init", child.wait_with_output()).await.unwrap();
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

#[tokio::test]
async fn init_writes_a_file_that_is_right_and_says_what_comes_next() {
    let folder = tempfile::tempdir().unwrap();
    let (code, out, error) = init(folder.path(), &[], "\n\n\n\n\n").await;
    assert_eq!((code, error.as_str()), (Some(0), ""));
    assert_eq!(out.matches("]: ").count(), 5, "{out}");
    for piece in ["Wrote portico.toml.", "portico doctor", "portico project add Shop --origin", "portico serve"] {
        assert!(out.contains(piece), "{piece} is not in {out}");
    }
    let text = std::fs::read_to_string(folder.path().join("portico.toml")).unwrap();
    for line in [
        "listen = \"127.0.0.1:8080\"",
        "public_nodes = false",
        "[relay]",
        "enabled = false",
        "admin_listen = \"127.0.0.1:9464\"",
    ] {
        assert!(text.lines().any(|other| other == line), "{line} is not in {text}");
    }
    let (code, out, _) = output(portico(folder.path(), &["config", "check"])).await;
    assert_eq!((code, out.as_str()), (Some(0), "portico.toml has no mistakes (no chains yet).\n"));
}

#[tokio::test]
async fn init_takes_answers_from_a_pipe_and_from_flags() {
    let folder = tempfile::tempdir().unwrap();
    let answers = "127.0.0.1:9000\nhttps://portico.example.org\n\neip155:1=https://a.example/k, eip155:10=https://b.example\nyes\n";
    let (code, _, error) = init(folder.path(), &["--config", "piped.toml"], answers).await;
    assert_eq!((code, error.as_str()), (Some(0), ""));
    let flags =
        ["--yes", "--listen", "127.0.0.1:9000", "--public-url", "https://portico.example.org", "--relay", "yes"];
    let networks = ["--config", "flags.toml", "--networks", "eip155:1=https://a.example/k,eip155:10=https://b.example"];
    let (code, out, error) = init(folder.path(), &[&flags[..], &networks].concat(), "").await;
    assert_eq!((code, error.as_str()), (Some(0), ""));
    assert!(!out.contains("]: ") && out.contains("portico serve --config flags.toml"), "{out}");
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("piped.toml"), read("flags.toml"));
    let (code, out, _) = output(portico(folder.path(), &["config", "check", "--config", "piped.toml"])).await;
    assert_eq!((code, out.as_str()), (Some(0), "piped.toml has no mistakes (2 chains, relay on).\n"));
}

#[tokio::test]
async fn init_leaves_a_file_alone_that_is_there_unless_it_is_told_to_replace_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("portico.toml");
    std::fs::write(&file, "# mine\n").unwrap();
    let (code, out, error) = init(folder.path(), &["--yes"], "").await;
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(error.starts_with("portico.toml already exists. ") && error.contains("--force"), "{error}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "# mine\n");
    // A link that leads nowhere is there too.
    std::os::unix::fs::symlink("nowhere", folder.path().join("link.toml")).unwrap();
    assert_eq!(init(folder.path(), &["--yes", "--config", "link.toml"], "").await.0, Some(1));
    assert_eq!(init(folder.path(), &["--yes", "--force"], "").await.0, Some(0));
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("# Settings of portico."));
}

#[tokio::test]
async fn init_writes_nothing_after_a_wrong_answer() {
    let folder = tempfile::tempdir().unwrap();
    for (flags, told) in [
        (["--listen", "here"], "--listen: use an address and a port"),
        (["--networks", "eip155:1"], "--networks: answer none, public or a network with its node"),
        (["--networks", "eip155:x=https://a.example"], "--networks: use a number after `eip155:`"),
        (
            ["--networks", "eip155:1=ftp://a.example"],
            "--networks: use a URL that starts with http:// or https:// as upstream, not `ftp://a.example`",
        ),
        (["--relay", "maybe"], "--relay: answer yes or no, not `maybe`"),
        (["--database", "missing/portico.sqlite"], "--database: the database's folder /"),
        (
            ["--database", "postgres://"],
            "--database: use a URL with a host and the name of a database, such as postgres://",
        ),
    ] {
        // Without `--yes`, a mistake in an option is told before the first question.
        for yes in [&[][..], &["--yes"]] {
            let (code, out, error) = init(folder.path(), &[&flags[..], yes].concat(), "").await;
            assert_eq!((code, out.as_str()), (Some(1), ""), "{told}");
            assert!(error.starts_with(told) && error.lines().count() == 1, "{error}");
        }
    }
    // The answers end before the last question, as with Ctrl-D at a terminal.
    for answers in ["", "\n\n", "\n\n\n\n"] {
        let (code, _, error) = init(folder.path(), &[], answers).await;
        let told = "Stopped, because the answers ended. No file was written.\n";
        assert_eq!((code, error.as_str()), (Some(1), told), "{answers:?}");
    }
    let (code, _, error) = init(folder.path(), &[], "\n\n\neip155=foo\n").await;
    let told = "Use the CAIP-2 id of a chain, such as eip155:1, not `eip155`. Did you mean eip155:1 (Ethereum)? Use a URL that starts with http:// or https:// as upstream, not `foo`.\n";
    assert_eq!((code, error.as_str()), (Some(1), told));
    let (code, _, error) = init(folder.path(), &[], "\n\n\n\nmaybe\n").await;
    assert_eq!((code, error.as_str()), (Some(1), "Answer yes or no, not `maybe`.\n"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn only_the_owner_reads_a_file_with_the_url_of_a_postgres_server() {
    let folder = tempfile::tempdir().unwrap();
    let url = "postgres://portico:secret@db.example/portico";
    assert_eq!(init(folder.path(), &["--yes", "--database", url], "").await.0, Some(0));
    let mode = std::fs::metadata(folder.path().join("portico.toml")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}
