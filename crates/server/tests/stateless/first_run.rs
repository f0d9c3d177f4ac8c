//! The first hour of an operator: no file, and a port that another program holds.

use crate::started::changed_in_an_hour;
use crate::support;
use crate::support::port::free_port;
use serde_json::Value;
use std::path::Path;
use std::process::{Output, Stdio};
use support::within;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::{Child, Command};

const PUBLIC: &str = include_str!("../../chains/public.toml");
const NETWORKS: &str = include_str!("../../../../packages/widget/src/networks.ts");

pub fn portico(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portico"));
    command.args(args).current_dir(folder).kill_on_drop(true).stdin(Stdio::null());
    // Tests side by side cannot share the port of the built-in settings.
    command.env("PORTICO__ADMIN_LISTEN", "127.0.0.1:0");
    command
}

pub async fn output(mut command: Command) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = within("the end of a command", command.output()).await.unwrap();
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

/// Starts the server and reads the port of its address.
pub async fn serve(folder: &Path, args: &[&str]) -> (Child, u16) {
    let mut command = portico(folder, &["serve"]);
    command.args(args);
    listening(command).await
}

/// Starts a server by its command and reads the port of its address.
pub async fn listening(mut command: Command) -> (Child, u16) {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    loop {
        let line = within("the line that it listens", lines.next_line()).await.unwrap().unwrap();
        if let Some(address) = line.strip_prefix("listening on http://") {
            return (child, address.rsplit(':').next().unwrap().parse().unwrap());
        }
    }
}

/// Ends the server and returns its log.
pub async fn log(mut child: Child) -> String {
    let sent = Command::new("kill").args(["-TERM", &child.id().unwrap().to_string()]).status().await.unwrap();
    assert!(sent.success());
    let mut log = String::new();
    within("the log", child.stderr.take().unwrap().read_to_string(&mut log)).await.unwrap();
    within("the end", child.wait()).await.unwrap();
    log
}

pub async fn get(port: u16, path: &str, headers: &[&str]) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
    stream.write_all(format!("GET {path} HTTP/1.1\r\nconnection: close\r\n{headers}\r\n").as_bytes()).await.unwrap();
    let mut answer = String::new();
    within("an answer", stream.read_to_string(&mut answer)).await.unwrap();
    answer
}

/// Value of `projectId` in the code of a page.
fn project_in(text: &str) -> &str {
    let rest = text.split_once("projectId: ").unwrap().1;
    rest.trim_start_matches("&#39;").trim_start_matches('\'').get(..32).unwrap()
}

#[tokio::test]
async fn a_server_without_a_file_has_a_project_for_this_machine_and_a_page_with_its_code() {
    let folder = tempfile::tempdir().unwrap();
    let (child, port) = serve(folder.path(), &["--listen", "127.0.0.1:0"]).await;
    let host = format!("host: localhost:{port}");
    let page = get(port, "/", &[&host]).await;
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    for piece in [
        "content-security-policy: default-src 'none'; style-src 'self'",
        "Paste this into your page",
        "<pre tabindex=\"0\">cargo xtask demo --once\nnpm pack --workspace packages/widget</pre>",
        &format!("endpoints: &#39;http://localhost:{port}&#39;"),
        &format!("--public-nodes --listen 127.0.0.1:{port}</pre>"),
        "href=\"/docs?projectId=",
    ] {
        assert!(page.contains(piece), "{piece} is not in {page}");
    }
    for path in ["/welcome/page.css", "/welcome/page.js"] {
        assert!(get(port, path, &[&host]).await.starts_with("HTTP/1.1 200"), "{path}");
    }
    let id = project_in(&page).to_owned();
    let config = format!("/v1/project/{id}/config");
    for (origin, allowed) in
        [("http://localhost:5173", true), ("http://127.0.0.1", true), ("https://shop.example", false)]
    {
        let answer = get(port, &config, &[&host, &format!("origin: {origin}")]).await;
        assert_eq!(answer.contains("\"originAllowed\":true"), allowed, "{origin} {answer}");
    }
    let log = log(child).await;
    // The port that was taken: with 0 the server would move away from the code.
    for piece in [
        format!("portico init --listen 127.0.0.1:{port}"),
        format!("portico serve --public-nodes --listen 127.0.0.1:{port}"),
        "made a project for pages on localhost".into(),
    ] {
        assert!(log.contains(&piece), "{piece} is not in {log}");
    }
    assert!(log.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()), "{log}");
    // Another start keeps the project.
    let (_child, port) = serve(folder.path(), &["--listen", "127.0.0.1:0"]).await;
    assert_eq!(project_in(&get(port, "/", &["host: localhost"]).await), id);
}

/// Commands that the page shows, as a browser copies them.
fn commands_in(page: &str) -> Vec<String> {
    let blocks = page.split("<pre tabindex=\"0\">").skip(1).filter_map(|rest| rest.split_once("</pre>"));
    let text = |(block, _): (&str, &str)| block.replace("&#39;", "'").replace("&quot;", "\"").replace("&amp;", "&");
    blocks.map(text).collect()
}

#[tokio::test]
async fn every_command_of_the_page_works_as_it_is_beside_the_server_or_in_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let within_folder = folder.path().join("a shop's");
    std::fs::create_dir(&within_folder).unwrap();
    let admin = format!("127.0.0.1:{}", free_port());
    let mut command = portico(&within_folder, &["serve", "--listen", "127.0.0.1:0", "--database", "my shop.sqlite"]);
    command.env("PORTICO__ADMIN_LISTEN", &admin);
    let (child, port) = listening(command).await;
    let page = get(port, "/", &["host: localhost"]).await;
    let commands = commands_in(&page);
    let at = commands.iter().position(|command| command.starts_with("cd ")).unwrap();
    let (cd, rest) = (&commands[at], &commands[at + 1..]);
    let shell = |line: &str| {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{cd} && exec env {line}")]).kill_on_drop(true).stdin(Stdio::null());
        command
    };
    let (serve, others): (Vec<_>, Vec<_>) = rest.iter().partition(|command| command.contains(" serve "));
    assert_eq!((serve.len(), others.len()), (2, 4), "{commands:?}");
    for line in others {
        let (code, out, error) = output(shell(line)).await;
        if line.contains(" init ") {
            // Its other questions have no answer here.
            assert!(
                !out.contains("listen on [") && error.starts_with("Stopped, because the answers ended."),
                "{out} {error}"
            );
            continue;
        }
        assert_eq!(code, Some(0), "{line}: {out} {error}");
    }
    let files = std::fs::read_dir(&within_folder).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(files.into_iter().all(|name| name.to_string_lossy().starts_with("my shop.sqlite")));
    // These start it again at the same port, so that the code of the page stays right.
    log(child).await;
    for line in serve {
        let (child, again_at) = listening(shell(line)).await;
        let again = get(again_at, "/", &["host: localhost"]).await;
        assert_eq!((project_in(&again), again_at), (project_in(&page), port));
        // The command for the other of both keeps this one.
        let both = commands_in(&again).into_iter().find(|command| command.contains(" serve ")).unwrap();
        for piece in ["PORTICO__RELAY__ENABLED=true", "--database 'my shop.sqlite'", "--public-nodes"] {
            assert!(both.contains(piece), "{piece} is not in {both}");
        }
        log(child).await;
    }
}

#[tokio::test]
async fn the_page_is_for_this_machine_under_its_own_name_and_not_for_a_configured_server() {
    let folder = tempfile::tempdir().unwrap();
    let (_child, port) = serve(folder.path(), &["--listen", "127.0.0.1:0"]).await;
    for headers in [&["host: rebound.example"][..], &["host: localhost", "x-forwarded-for: 192.0.2.7"], &[]] {
        for path in ["/", "/welcome/page.js"] {
            let answer = get(port, path, headers).await;
            assert!(!answer.starts_with("HTTP/1.1 200") && !answer.contains("projectId"), "{answer}");
        }
    }
    let configured = tempfile::tempdir().unwrap();
    std::fs::write(configured.path().join("portico.toml"), "").unwrap();
    let (child, port) = serve(configured.path(), &["--listen", "127.0.0.1:0"]).await;
    assert!(get(port, "/", &["host: localhost"]).await.starts_with("HTTP/1.1 404"));
    let log = log(child).await;
    assert!(log.contains("no projects yet") && !log.contains("made a project"), "{log}");
}

#[tokio::test]
async fn a_server_without_a_file_that_others_can_reach_has_no_project_and_no_page() {
    let folder = tempfile::tempdir().unwrap();
    let (child, port) = serve(folder.path(), &["--listen", "0.0.0.0:0"]).await;
    assert!(get(port, "/", &["host: localhost"]).await.starts_with("HTTP/1.1 404"));
    let log = log(child).await;
    assert!(log.contains("no projects yet") && !log.contains("made a project"), "{log}");
}

#[tokio::test]
async fn public_nodes_are_off_until_they_are_asked_for_and_are_those_of_the_widget() {
    let folder = tempfile::tempdir().unwrap();
    let (_without, port) = serve(folder.path(), &["--listen", "127.0.0.1:0"]).await;
    assert!(get(port, "/v1/supported-chains", &["host: x"]).await.ends_with(r#"{"http":[],"ws":[]}"#));
    let (_with, port) = serve(folder.path(), &["--listen", "127.0.0.1:0", "--public-nodes"]).await;
    let chains = get(port, "/v1/supported-chains", &["host: x"]).await;
    let ids: Vec<&str> = PUBLIC.lines().filter_map(|line| line.strip_prefix("id = \"")?.strip_suffix('"')).collect();
    let urls = PUBLIC.lines().filter_map(|line| line.strip_prefix("upstreams = [\"")?.split('"').next());
    assert!(ids.len() > 10 && ids.len() == urls.clone().count());
    for (id, url) in ids.iter().zip(urls) {
        assert!(chains.contains(&format!("\"{id}\"")), "{id} is not in {chains}");
        let network = NETWORKS.split_once(&format!("caipNetworkId: '{id}'")).unwrap().1;
        let first = network.split_once("http: ['").unwrap().1.split_once('\'').unwrap().0;
        assert_eq!(first, url, "{id}");
    }
}

#[tokio::test]
async fn a_network_of_the_file_keeps_its_own_nodes_beside_the_public_ones() {
    let folder = tempfile::tempdir().unwrap();
    let toml = "public_nodes = true\n[[chains]]\nid = \"eip155:1\"\nupstreams = [\"http://127.0.0.1:1\"]\n";
    std::fs::write(folder.path().join("portico.toml"), toml).unwrap();
    let count = PUBLIC.matches("[[chains]]").count();
    let (code, out, error) = output(portico(folder.path(), &["config", "check"])).await;
    assert_eq!((code, out), (Some(0), format!("portico.toml has no mistakes ({count} chains).\n")), "{error}");
}

#[tokio::test]
async fn logs_are_text_for_people_if_asked_for_and_json_in_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let (child, _) = serve(folder.path(), &["--listen", "127.0.0.1:0", "--log-format", "text"]).await;
    let text = log(child).await;
    assert!(text.contains("INFO  no portico.toml in this folder") && !text.contains('{'), "{text}");
    let (code, _, error) = output(portico(folder.path(), &["serve", "--log-format", "loud"])).await;
    assert_eq!(code, Some(1));
    assert_eq!(error, "--log-format: use auto, text or json as log format, not `loud`.\n");
}

#[tokio::test]
async fn commands_without_a_file_use_the_same_database_as_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let (code, out, error) =
        output(portico(folder.path(), &["project", "add", "Shop", "--origin", "https://shop.example"])).await;
    let warned = "\nThe code above has the address http://127.0.0.1:8080, because `public_url` isn't set.";
    assert!(code == Some(0) && error.starts_with(warned), "{error}");
    assert!(out.contains("Paste this into your page:") && out.contains("endpoints: 'http://127.0.0.1:8080'"), "{out}");
    assert!(
        out.contains("npm install ./portico-widget-0.1.0.tgz react react-dom") && out.contains("npm pack"),
        "{out}"
    );
    let id = project_in(&out);
    assert!(out.starts_with(&format!("Added the project {id}.\n")), "{out}");
    let (_child, port) = serve(folder.path(), &["--listen", "127.0.0.1:0"]).await;
    assert_eq!(project_in(&get(port, "/", &["host: localhost"]).await), id);
    let (code, _, error) = output(portico(folder.path(), &["config", "check"])).await;
    assert_eq!((code, error.starts_with("portico.toml: no such file. ")), (Some(1), true), "{error}");
    let link = std::os::unix::fs::symlink("nowhere", folder.path().join("portico.toml"));
    assert!(link.is_ok());
    let (code, _, error) = output(portico(folder.path(), &["project", "list"])).await;
    assert_eq!((code, error.starts_with("portico.toml: no such file. ")), (Some(1), true), "{error}");
}

fn folder_that_listens(port: u16) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("portico.toml"), format!("listen = \"127.0.0.1:{port}\"\n")).unwrap();
    folder
}

#[tokio::test]
async fn the_doctor_says_who_holds_the_port_and_knows_a_running_server() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    // Answers like a program of another kind.
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nhi").await;
        }
    });
    let folder = folder_that_listens(port);
    let (code, out, _) = output(portico(folder.path(), &["doctor"])).await;
    let line = out.lines().find(|line| line.starts_with("wrong  listen: ")).unwrap();
    let process = format!("(process {}). Stop it, or set `listen` to another port.", std::process::id());
    assert!(
        code == Some(1) && line.contains(&format!("127.0.0.1:{port} is used by ")) && line.ends_with(&process),
        "{out}"
    );
    let running = tempfile::tempdir().unwrap();
    let (child, port) = serve(running.path(), &["--listen", "127.0.0.1:0"]).await;
    let by = format!("portico (process {})", child.id().unwrap());
    // A server of another folder is none of this one's.
    let (code, out, _) = output(portico(folder_that_listens(port).path(), &["doctor"])).await;
    let held = format!(
        "wrong  listen: the server at 127.0.0.1:{port}, {by}, was started from another folder and uses another database. Stop it, or set `listen` to another port."
    );
    assert!(code == Some(1) && out.contains(&held), "{out}");
    // Its settings aren't the operator's to change.
    assert!(!out.contains("running server"), "{out}");
    let file = running.path().join("portico.toml");
    std::fs::write(&file, format!("listen = \"127.0.0.1:{port}\"\n")).unwrap();
    changed_in_an_hour(&file);
    let (_, out, _) = output(portico(running.path(), &["doctor"])).await;
    assert!(out.contains(&format!("ok     listen: your server is running on 127.0.0.1:{port}: {by}")), "{out}");
    let note = "note   running server: it was started before portico.toml was last changed, and with other settings than this check has: --listen. Restart it without those that portico.toml has now.\n";
    assert!(out.contains(note), "{out}");
    // Its mark is asked for, and never told.
    let told = get(port, "/health/live", &["host: localhost", "x-portico-database: guessed"]).await;
    assert!(told.contains("x-portico-same-database: no") && told.ends_with("live\n"), "{told}");
    assert!(!get(port, "/health/live", &["host: localhost"]).await.contains("x-portico-same-database"));
}

#[tokio::test]
async fn a_link_to_the_admin_page_is_not_made_for_the_port_of_another_server_or_program() {
    let link = async |folder: &Path, port: u16| {
        let mut command = portico(folder, &["admin", "link"]);
        command.env("PORTICO__ADMIN_LISTEN", format!("127.0.0.1:{port}"));
        output(command).await
    };
    let own = folder_that_listens(0);
    let running = tempfile::tempdir().unwrap();
    let (child, port) = serve(running.path(), &["--listen", "127.0.0.1:0"]).await;
    let (code, out, error) = link(own.path(), port).await;
    assert_eq!((code, out.as_str()), (Some(1), ""));
    let whose = format!(
        "The server at 127.0.0.1:{port}, portico (process {}), was started from another folder",
        child.id().unwrap()
    );
    assert!(
        error.starts_with(&whose) && error.contains(" and uses another database. Run this in its folder, or "),
        "{error}"
    );
    let (code, out, error) = link(running.path(), port).await;
    assert_eq!((code, error.as_str()), (Some(0), "Open it within 10 minutes. It works once.\n"));
    assert!(out.starts_with(&format!("http://127.0.0.1:{port}/admin/enter?key=")), "{out}");
    let other = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = other.local_addr().unwrap().port();
    let (code, out, error) = link(own.path(), port).await;
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(error.contains("which isn't a Portico server"), "{error}");
}

#[tokio::test]
async fn commands_end_quietly_where_the_reader_of_their_lines_is_gone() {
    let folder = folder_that_listens(0);
    for line in [
        "project add --id shop",
        "project list",
        "project quota shop --per-day 5",
        "project rotate shop",
        "config check",
        "admin link",
        "migrate",
        "doctor",
        "wallets list",
        "--help",
    ] {
        let mut command = portico(folder.path(), &line.split(' ').collect::<Vec<_>>());
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        command.stdout(writer).stderr(Stdio::piped());
        let Output { status, stderr, .. } = within("the end of a command", command.output()).await.unwrap();
        let error = String::from_utf8(stderr).unwrap();
        assert!(status.code().is_some_and(|code| code < 2) && !error.contains("panicked"), "{line} {status} {error}");
    }
}

#[tokio::test]
async fn without_an_admin_listener_there_is_no_link_to_it() {
    let folder = folder_that_listens(0);
    let mut command = portico(folder.path(), &["admin", "link"]);
    command.env_remove("PORTICO__ADMIN_LISTEN");
    let (code, out, error) = output(command).await;
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert_eq!(error, "The admin page is off. Set `admin_listen = \"127.0.0.1:9464\"` and restart the server.\n");
}
