//! The vault as a process that `serve` starts.

use crate::first_run;
use crate::support;
use std::path::Path;
use std::process::{Output, Stdio};
use support::within;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

pub(super) const TOML: &str = "listen = \"127.0.0.1:0\"\n[wallet]\norigin = \"http://localhost:1\"\nlisten = \"127.0.0.1:0\"\n\
    [wallet.mail]\noutbox = true\n";

pub(super) fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("portico.toml"), TOML).unwrap();
    folder
}

fn portico(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portico"));
    command.args(args).current_dir(folder).kill_on_drop(true).stdin(Stdio::null());
    command
}

pub(super) async fn output(folder: &Path, args: &[&str]) -> (bool, String, String) {
    let run = portico(folder, args).output();
    let Output { status, stdout, stderr } = within("the end of a command", run).await.unwrap();
    (status.success(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

pub(super) fn names(folder: &Path) -> std::collections::BTreeSet<std::ffi::OsString> {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect()
}

/// Starts the server, and returns the address of its wallet.
pub(super) async fn serve(folder: &Path) -> (Child, String, tokio::io::Lines<BufReader<tokio::process::ChildStderr>>) {
    let mut serve = portico(folder, &["serve", "--log-format", "text"]);
    let mut child = serve.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let line = within("the line of the wallet", lines.next_line()).await.unwrap().unwrap();
    // The address in the line answers, and so does that of the emails.
    let (address, mails) = line.strip_prefix("wallet on http://").unwrap().split_once(' ').unwrap();
    assert_eq!(mails, format!("(emails: http://{address}/outbox)"));
    assert!(address.starts_with("localhost:"), "{line}");
    let address = address.to_owned();
    let errors = BufReader::new(child.stderr.take().unwrap()).lines();
    within("the line that it listens", lines.next_line()).await.unwrap().unwrap();
    (child, address, errors)
}

async fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: localhost:1\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut response = String::new();
    within("a response", stream.read_to_string(&mut response)).await.unwrap();
    response
}

/// Process that has the socket of the vault open.
fn vault_of(child: &Child) -> String {
    let server = child.id().unwrap();
    let children = std::fs::read_to_string(format!("/proc/{server}/task/{server}/children")).unwrap_or_default();
    let mut all: Vec<String> = children.split_whitespace().map(str::to_owned).collect();
    if all.is_empty() {
        let tasks = std::fs::read_dir(format!("/proc/{server}/task")).unwrap();
        let of = |task: std::fs::DirEntry| std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
        all = tasks
            .flat_map(|task| of(task.unwrap()).split_whitespace().map(str::to_owned).collect::<Vec<_>>())
            .collect();
    }
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

async fn signal(process: &str, name: &str) {
    assert!(Command::new("kill").args([name, process]).status().await.unwrap().success());
}

#[tokio::test]
async fn serve_starts_the_vault_again_when_it_ends_and_takes_it_along() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let (done, out, error) = output(folder.path(), &["vault", "init"]).await;
    assert!(done && out.contains("Wrote the root key to vault.key"), "{out}{error}");
    let (mut child, address, mut errors) = serve(folder.path()).await;
    let socket = folder.path().join("vault.sock");
    assert_eq!(std::fs::metadata(&socket).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(get(&address, "/outbox").await.contains("No emails yet"));
    for thread in std::fs::read_dir(format!("/proc/{}/task", vault_of(&child))).unwrap() {
        let status = std::fs::read_to_string(thread.unwrap().path().join("status")).unwrap();
        assert!(status.contains("Seccomp:\t2\n") && status.contains("NoNewPrivs:\t1\n"), "{status}");
    }
    let (done, out, error) = output(folder.path(), &["vault", "doctor"]).await;
    assert!(done && out.contains("ok     vault: listens at vault.sock"), "{out}{error}");
    signal(&vault_of(&child), "-KILL").await;
    for told in ["the vault was killed (signal 9) and is being restarted", "the vault is back"] {
        within(told, async {
            loop {
                let line = errors.next_line().await.unwrap().unwrap();
                assert!(!line.starts_with('{'), "the vault's lines have the form of the server's: {line}");
                if line.contains(told) {
                    break;
                }
            }
        })
        .await;
    }
    assert!(get(&address, "/outbox").await.contains("No emails yet"));
    signal(&child.id().unwrap().to_string(), "-TERM").await;
    assert!(within("the end", child.wait()).await.unwrap().success());
    assert!(!socket.exists());
    let (done, out, _) = output(folder.path(), &["vault", "audit", "verify"]).await;
    assert!(done && out.contains("The audit log is complete. It has no rows yet."), "{out}");
}

#[tokio::test]
async fn the_vaults_memory_is_never_swapped_where_it_may_lock_memory() {
    let folder = folder();
    assert!(output(folder.path(), &["vault", "init"]).await.0);
    let (child, _, mut errors) = serve(folder.path()).await;
    let read = |file: &str| std::fs::read_to_string(format!("/proc/{}/{file}", vault_of(&child))).unwrap();
    let field = |text: &str, name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.split_whitespace().next().unwrap().to_owned()
    };
    if field(&read("limits"), "Max locked memory") == "unlimited" {
        assert!(field(&read("status"), "VmLck:").parse::<u64>().unwrap() > 0);
        return;
    }
    within("the line about the swap", async {
        while !errors.next_line().await.unwrap().unwrap().contains("the vault's memory can be swapped to disk.") {}
    })
    .await;
}

#[tokio::test]
async fn serve_does_not_start_without_the_root_key_or_with_another_one() {
    let folder = folder();
    let (done, _, error) = output(folder.path(), &["serve"]).await;
    assert!(!done && error.contains("Make one with `portico vault init`"), "{error}");
    assert!(output(folder.path(), &["vault", "init"]).await.0);
    let (done, _, error) = output(folder.path(), &["vault", "init"]).await;
    let told = "vault.key is already there and stays as it is. Start the server with `portico serve`,";
    assert!(!done && error.contains(told), "{error}");
}

#[tokio::test]
async fn a_lost_root_key_is_to_be_restored_and_no_other_is_made_for_its_database() {
    let folder = folder();
    assert!(output(folder.path(), &["vault", "init"]).await.0);
    let (key, copy) = (folder.path().join("vault.key"), folder.path().join("copy"));
    std::fs::rename(&key, &copy).unwrap();
    let before = names(folder.path());
    let lost = "The root key vault.key is missing, but the database vault.sqlite was made with it. Restore your copy of the key.";
    for args in [
        &["vault", "init"][..],
        &["vault", "serve"],
        &["vault", "audit", "verify"],
        &["vault", "freeze", "ada@example.org"],
        &["vault", "rotate"],
        &["serve"],
    ] {
        let (done, _, error) = output(folder.path(), args).await;
        assert!(!done && error.contains(lost) && !error.contains("with `portico vault init`"), "{args:?}: {error}");
        assert!(!key.exists(), "{args:?}");
    }
    let (_, out, _) = output(folder.path(), &["vault", "doctor"]).await;
    assert!(out.contains(&format!("wrong  vault key: the {}\n", lost.trim_start_matches("The "))), "{out}");
    let left: Vec<_> = names(folder.path()).difference(&before).cloned().collect();
    assert!(left.iter().all(|name| name.to_str().unwrap().starts_with("portico.sqlite")), "{left:?}");
    std::fs::rename(&copy, &key).unwrap();
    let (done, out, error) = output(folder.path(), &["vault", "audit", "verify"]).await;
    assert!(done && out.contains("The audit log is complete."), "{out}{error}");
}

#[tokio::test]
async fn no_root_key_is_made_beside_a_database_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("portico.toml"), TOML).unwrap();
    std::fs::write(folder.join("vault.sqlite"), "this is no database, and longer than a header of SQLite".repeat(9))
        .unwrap();
    let (done, out, error) = output(folder, &["vault", "init"]).await;
    assert!(!done && error.contains("Couldn't open the database vault.sqlite: "), "{out}{error}");
    assert!(!folder.join("vault.key").exists());
}

#[tokio::test]
async fn a_command_on_another_configuration_names_it_in_what_comes_next() {
    let folder = folder();
    std::fs::rename(folder.path().join("portico.toml"), folder.path().join("other.toml")).unwrap();
    let (_, out, _) = output(folder.path(), &["vault", "doctor", "--config", "other.toml"]).await;
    assert!(out.contains("vault.key isn't there. Make it: portico vault init --config other.toml\n"), "{out}");
    let (_, _, error) = output(folder.path(), &["vault", "audit", "verify", "--config", "other.toml"]).await;
    assert!(error.contains("Make one with `portico vault init --config other.toml`."), "{error}");
    let (done, out, error) = output(folder.path(), &["vault", "init", "--config", "other.toml"]).await;
    assert!(done && out.ends_with("\nNext: portico serve --config other.toml\n"), "{out}{error}");
    let (_, _, error) = output(folder.path(), &["vault", "init", "--config", "other.toml"]).await;
    assert!(error.contains("`portico serve --config other.toml`"), "{error}");
}

#[tokio::test]
async fn a_command_on_the_vault_refuses_another_folder_than_that_of_the_running_server() {
    let running = folder();
    assert!(output(running.path(), &["vault", "init"]).await.0);
    let mut serve = portico(running.path(), &["serve"]);
    let mut child = serve.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let address = loop {
        let line = within("the line that it listens", lines.next_line()).await.unwrap().unwrap();
        if let Some(address) = line.strip_prefix("listening on http://") {
            break address.to_owned();
        }
    };
    // The server's database has a full path, as `portico init` writes it. Only the vault's paths are relative.
    let database = running.path().join("portico.sqlite");
    let elsewhere = tempfile::tempdir().unwrap();
    let file = elsewhere.path().join("portico.toml");
    let toml = TOML.replacen("127.0.0.1:0", &address, 1);
    std::fs::write(&file, format!("database = {database:?}\n{toml}")).unwrap();
    let here = tempfile::tempdir().unwrap();
    let run = async |folder: &Path, args: &[&str]| {
        let run = portico(folder, args).env("PORTICO_CONFIG", &file).output();
        let Output { status, stdout, stderr } = within("the end of a command", run).await.unwrap();
        (status.success(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
    };
    let told = format!(
        "The server at {address} was started from another folder and uses another vault. Run this in its folder, or give the vault's database, key and socket full paths in portico.toml.\n"
    );
    for args in [
        &["vault", "freeze", "ada@example.org"][..],
        &["vault", "audit", "verify"],
        &["vault", "doctor"],
        &["vault", "init"],
        &["vault", "rotate"],
        &["vault", "serve"],
    ] {
        assert_eq!(run(here.path(), args).await, (false, String::new(), told.clone()), "{args:?}");
    }
    assert_eq!(names(here.path()).len(), 0);
    let (_, out, _) = run(here.path(), &["doctor"]).await;
    assert!(
        out.contains(&format!("wrong  vault: the {}", told.trim_start_matches("The "))) && !out.contains("vault key:"),
        "{out}"
    );
    // In the folder of the server, they work on its vault.
    let (done, out, error) = run(running.path(), &["vault", "audit", "verify"]).await;
    assert!(done && out.contains("The audit log is complete."), "{out}{error}");
    let (_, out, error) = run(running.path(), &["vault", "doctor"]).await;
    assert!(out.contains("ok     vault: listens at vault.sock"), "{out}{error}");
    let (_, _, error) = run(running.path(), &["vault", "freeze", "ada@example.org"]).await;
    assert!(error.starts_with("No user `ada@example.org`."), "{error}");
}

#[tokio::test]
async fn a_key_that_is_beside_the_configuration_and_not_here_is_told_where_it_is() {
    let folder = folder();
    assert!(output(folder.path(), &["vault", "init"]).await.0);
    let here = tempfile::tempdir().unwrap();
    let file = folder.path().join("portico.toml");
    for command in ["doctor", "init"] {
        let (done, _, error) = output(here.path(), &["vault", command, "--config", file.to_str().unwrap()]).await;
        let told =
            format!("The root key vault.key isn't in this folder, but in {}. Run this there,", folder.path().display());
        assert!(!done && error.starts_with(&told), "{error}");
    }
    assert_eq!(names(here.path()).len(), 0);
}

#[tokio::test]
async fn the_welcome_page_of_a_wallet_by_variables_has_it_in_its_code_and_status() {
    let folder = tempfile::tempdir().unwrap();
    let with_wallet = |args: &[&str]| {
        let mut command = first_run::portico(folder.path(), args);
        command.env("PORTICO__LISTEN", "127.0.0.1:0").env("PORTICO__WALLET__ORIGIN", "http://localhost:18082");
        command.env("PORTICO__WALLET__LISTEN", "127.0.0.1:0").env("PORTICO__WALLET__MAIL__OUTBOX", "true");
        command
    };
    assert_eq!(first_run::output(with_wallet(&["vault", "init"])).await.0, Some(0));
    let (child, port) = first_run::listening(with_wallet(&["serve"])).await;
    let page = first_run::get(port, "/", &[&format!("host: localhost:{port}")]).await;
    for piece in [
        "  embeddedWallet: { url: &#39;http://localhost:18082&#39; }\n",
        "<dt>Embedded wallet</dt><dd>On, at <code>http://localhost:18082</code></dd>",
    ] {
        assert!(page.contains(piece), "{piece} is not in {page}");
    }
    first_run::log(child).await;
}

#[tokio::test]
async fn freezing_a_user_who_is_not_there_is_told() {
    let folder = folder();
    assert!(output(folder.path(), &["vault", "init"]).await.0);
    let (done, _, error) = output(folder.path(), &["vault", "freeze", "ada@example.org"]).await;
    assert!(!done && error.contains("No user `ada@example.org`"), "{error}");
}

#[tokio::test]
async fn a_vault_of_its_own_tells_systemd_that_it_is_ready_and_opens_its_socket_to_its_group() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    assert!(output(folder.path(), &["vault", "init"]).await.0);
    let heard = folder.path().join("notify");
    let systemd = tokio::net::UnixDatagram::bind(&heard).unwrap();
    let mut serve = portico(folder.path(), &["vault", "serve"]);
    serve.env("NOTIFY_SOCKET", &heard).env("PORTICO__WALLET__VAULT__SOCKET_MODE", "0660");
    let _vault = serve.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut told = [0; 256];
    let length = within("the vault to be ready", systemd.recv(&mut told)).await.unwrap();
    assert_eq!(std::str::from_utf8(&told[..length]).unwrap().trim_end(), "READY=1");
    let mode = std::fs::metadata(folder.path().join("vault.sock")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o660);
    let (done, _, error) = {
        let mut check = portico(folder.path(), &["config", "check"]);
        check.env("PORTICO__WALLET__VAULT__SOCKET_MODE", "0666");
        let Output { status, stdout, stderr } = within("the end of a command", check.output()).await.unwrap();
        (status.success(), stdout, String::from_utf8(stderr).unwrap())
    };
    assert!(
        !done && error.contains("use \"0600\", or \"0660\" for a server in the vault's group, not `0666`"),
        "{error}"
    );
}

#[tokio::test]
async fn commands_leave_no_files_of_their_user_beside_the_database() {
    let folder = folder();
    let beside = || {
        let names = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter(|name| name.to_string_lossy().starts_with("vault.sqlite-")).collect::<Vec<_>>()
    };
    for command in [&["vault", "init"][..], &["vault", "audit", "verify"], &["vault", "freeze", "nobody@example.org"]] {
        output(folder.path(), command).await;
        assert!(folder.path().join("vault.sqlite").is_file());
        assert_eq!(beside(), [""; 0], "{command:?}");
    }
}
