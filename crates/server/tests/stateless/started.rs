//! Commands beside a running server that was started with flags.

use crate::first_run::{output, portico};
use crate::support::{port::free_port, redis, within};
use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, Command};

const PUBLIC: &str = include_str!("../../chains/public.toml");

/// Folder with a configuration and the ports that it names.
struct Place {
    folder: TempDir,
    listen: u16,
    admin: u16,
    wallet: u16,
}

impl Place {
    fn new() -> Place {
        let (folder, [listen, admin, wallet]) = (tempfile::tempdir().unwrap(), [(); 3].map(|()| free_port()));
        let toml = format!(
            "listen = \"127.0.0.1:{listen}\"\nadmin_listen = \"127.0.0.1:{admin}\"\n\
             [wallet]\norigin = \"http://localhost:{wallet}\"\nlisten = \"127.0.0.1:{wallet}\"\n[wallet.mail]\noutbox = true\n"
        );
        std::fs::write(folder.path().join("portico.toml"), toml).unwrap();
        Place { folder, listen, admin, wallet }
    }

    fn command(&self, args: &[&str]) -> Command {
        in_folder(self.folder.path(), args)
    }

    async fn run(&self, args: &[&str]) -> (Option<i32>, String, String) {
        output(self.command(args)).await
    }

    /// Starts the server, and reads the address of its public listener.
    async fn serve(&self, args: &[&str]) -> (Child, String) {
        let (code, _, error) = self.run(&["vault", "init"]).await;
        assert_eq!(code, Some(0), "{error}");
        let mut command = self.command(&[&["serve"], args].concat());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        loop {
            let line = within("the line that it listens", lines.next_line()).await.unwrap().unwrap();
            if let Some(address) = line.strip_prefix("listening on http://") {
                return (child, address.to_owned());
            }
        }
    }
}

/// Command whose admin listener is that of the file.
fn in_folder(folder: &Path, args: &[&str]) -> Command {
    let mut command = portico(folder, args);
    command.env_remove("PORTICO__ADMIN_LISTEN");
    command
}

/// Sets the time of a file's last change to one that is after the start of every server.
pub(crate) fn changed_in_an_hour(file: &Path) {
    let file = std::fs::File::options().write(true).open(file).unwrap();
    file.set_modified(SystemTime::now() + Duration::from_secs(3600)).unwrap();
}

#[tokio::test]
async fn commands_know_a_server_that_a_flag_has_moved_to_another_port() {
    let place = Place::new();
    let (child, address) = place.serve(&["--listen", "127.0.0.1:0"]).await;
    assert_ne!(address, format!("127.0.0.1:{}", place.listen));
    let words = ["project", "add", "--id", "shop", "--origin", "https://shop.example"];
    let (code, out, error) = place.run(&words).await;
    assert!(code == Some(0) && out.contains(&format!("    endpoints: 'http://{address}',\n")), "{out} {error}");
    assert!(error.contains(&format!("The code above has the address http://{address}, because")), "{error}");
    let (_, out, _) = place.run(&["doctor"]).await;
    let by = format!("portico (process {})", child.id().unwrap());
    for (what, at) in [
        ("listen", address.clone()),
        ("admin_listen", format!("127.0.0.1:{}", place.admin)),
        ("wallet.listen", format!("127.0.0.1:{}", place.wallet)),
    ] {
        let line = format!("ok     {what}: your server is running on {at}: {by}\n");
        assert!(out.contains(&line), "{line} is not in {out}");
    }
    let note = "note   running server: it was started with other settings than this check has: --listen. Write flags to portico.toml";
    assert!(out.contains(note), "{out}");
    assert!(!out.contains("is used by") && !out.contains(" is free"), "{out}");
    changed_in_an_hour(&place.folder.path().join("portico.toml"));
    let (_, out, _) = place.run(&["doctor"]).await;
    let note = "it was started before portico.toml was last changed, and with other settings than this check has: --listen. Restart it without those";
    assert!(out.contains(note), "{out}");
}

#[tokio::test]
async fn commands_know_the_public_nodes_of_a_running_server() {
    // The other networks have nodes of this machine, so that the check asks one public node only.
    let ids = PUBLIC.lines().filter_map(|line| line.strip_prefix("id = ")).filter(|id| *id != "\"eip155:1\"");
    let chains: String =
        ids.map(|id| format!("[[chains]]\nid = {id}\nupstreams = [\"http://127.0.0.1:1\"]\n")).collect();
    for (flags, on) in
        [(&["--public-nodes"][..], true), (&["--public-nodes", "--listen", "127.0.0.1:0"], true), (&[], false)]
    {
        let place = Place::new();
        let file = place.folder.path().join("portico.toml");
        let toml = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, format!("{toml}{chains}")).unwrap();
        let (_child, _) = place.serve(flags).await;
        let (_, out, _) = place.run(&["project", "add", "--id", "shop", "--origin", "https://shop.example"]).await;
        assert_eq!(out.contains(" mainnet\n"), on, "{out}");
        let (_, out, error) = place.run(&["project", "chain", "add", "shop", "eip155:1"]).await;
        let alone = "eip155:1 is now allowed.\nThis project can now use only eip155:1. ";
        assert!(out.starts_with(alone) && error.is_empty() == on, "{out} {error}");
        let (_, out, _) = place.run(&["doctor"]).await;
        let told = "ok     chains: with public nodes, because the running server was started with --public-nodes\n";
        assert_eq!(out.contains(told), on, "{out}");
        assert!(!out.contains("settings than this check has: --public-nodes"), "{out}");
    }
}

#[tokio::test]
async fn a_redis_that_refuses_the_password_or_lacks_the_database_is_not_called_silent() {
    let login = ("refuses the name or password", "Correct it in `redis`.");
    let number = ("has no database 99", "Use another number in `redis`.");
    for (name, path, error, (what, next)) in [
        ("", "", "NOAUTH Authentication required.", login),
        (":wrong@", "", "WRONGPASS invalid username-password pair or user is disabled.", login),
        ("", "/99", "ERR DB index is out of range", number),
    ] {
        let host = redis::refusing(error).await;
        let folder = tempfile::tempdir().unwrap();
        let toml = format!("listen = \"127.0.0.1:0\"\nredis = \"redis://{name}{host}{path}\"\n");
        std::fs::write(folder.path().join("portico.toml"), toml).unwrap();
        let (code, out, _) = output(in_folder(folder.path(), &["doctor"])).await;
        let told = format!("wrong  redis: {host} {what}. {next} Until then, each server keeps its own limits.\n");
        assert!(code == Some(1) && out.contains(&told) && !out.contains("wrong@"), "{out}");
        let mut command = in_folder(folder.path(), &["serve", "--log-format", "text"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let told = format!("WARN  Redis {what}. {next} Until then, this node keeps its own limits and cache.");
        loop {
            let line = within("the line about Redis", lines.next_line()).await.unwrap().unwrap();
            assert!(!line.contains("isn't responding"), "{line}");
            if line.ends_with(&told) {
                break;
            }
        }
    }
}

#[tokio::test]
async fn a_server_of_this_folder_on_another_database_is_not_said_to_be_of_another_folder() {
    // The second server is found by its admin listener only.
    for (flags, moved) in [(&[][..], false), (&["--listen", "127.0.0.1:0"], true)] {
        let place = Place::new();
        let (child, _) = place.serve(&[&["--database", "other.sqlite"], flags].concat()).await;
        let admin = format!("127.0.0.1:{}", place.admin);
        let at = if moved { admin.clone() } else { format!("127.0.0.1:{}", place.listen) };
        let next = "Add `--database` with the one it was started with.";
        for words in [&["project", "list"][..], &["project", "add", "Shop"], &["wallets", "list"]] {
            let told = format!("The server at {at} uses another database. {next}\n");
            assert_eq!(place.run(words).await, (Some(1), String::new(), told), "{words:?}");
        }
        let by = format!("portico (process {})", child.id().unwrap());
        let (code, _, error) = place.run(&["admin", "link"]).await;
        let told = format!("The server at {admin}, {by}, uses another database than portico.sqlite. {next}\n");
        assert_eq!((code, error), (Some(1), told));
        let (_, out, _) = place.run(&["doctor"]).await;
        let what = if moved { "admin_listen" } else { "listen" };
        let told =
            format!("wrong  {what}: the server at {at}, {by}, uses another database than portico.sqlite. {next}\n");
        assert!(out.contains(&told) && !out.contains("another folder") && !out.contains("is used by"), "{out}");
        assert!(!place.folder.path().join("portico.sqlite").exists());
        // With the flag they work.
        let named = |words: &[&'static str]| [words, &["--database", "other.sqlite"]].concat();
        let (code, out, _) = place.run(&named(&["admin", "link"])).await;
        assert!(code == Some(0) && out.starts_with(&format!("http://{admin}/admin/enter?key=")), "{out}");
        let (_, out, _) = place.run(&named(&["doctor"])).await;
        assert!(out.contains(&format!("ok     admin_listen: your server is running on {admin}: {by}\n")), "{out}");
        assert_eq!(out.contains("running server: it was started with other settings"), moved, "{out}");
    }
}

#[tokio::test]
async fn a_slow_database_is_told_in_one_sentence_without_sql() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("portico.sqlite");
    let options = || SqliteConnectOptions::new().filename(&file).create_if_missing(true);
    let mut holder = options().connect().await.unwrap();
    sqlx::query("create table other (id integer)").execute(&mut holder).await.unwrap();
    sqlx::query("begin exclusive").execute(&mut holder).await.unwrap();
    let mut command = portico(folder.path(), &["serve", "--listen", "127.0.0.1:0"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let files = format!("/proc/{}/fd", child.id().unwrap());
    let opened = async {
        while !std::fs::read_dir(&files).is_ok_and(|files| {
            files.flatten().any(|entry| std::fs::read_link(entry.path()).is_ok_and(|found| found == file))
        }) {
            tokio::task::yield_now().await;
        }
    };
    within("the server to open the database", opened).await;
    // A third program waits for the lock as long as SQLite lets it, and the server waits too.
    let mut third = options().busy_timeout(Duration::from_millis(2500)).connect().await.unwrap();
    assert!(sqlx::query("begin immediate").execute(&mut third).await.is_err());
    sqlx::query("commit").execute(&mut holder).await.unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    loop {
        let line = within("the line that it listens", lines.next_line()).await.unwrap().unwrap();
        if line.starts_with("listening on ") {
            break;
        }
    }
    assert!(Command::new("kill").args(["-TERM", &child.id().unwrap().to_string()]).status().await.unwrap().success());
    let mut log = String::new();
    within("the log", child.stderr.take().unwrap().read_to_string(&mut log)).await.unwrap();
    assert!(
        log.contains("the database is slow: ") && log.contains(" s. Check its disk, and what else uses it."),
        "{log}"
    );
    assert!(!log.contains("sqlx") && !log.contains("statement") && !log.contains("pragma"), "{log}");
}
