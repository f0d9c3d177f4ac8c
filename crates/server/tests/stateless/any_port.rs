//! Port 0, which stands for any free port: each start takes another one, so that other commands can't know it.

use crate::first_run::{get, output, portico};
use crate::support::node::ask;
use crate::support::port::free_port;
use crate::support::within;
use portico_server::config::{Config, Flags};
use std::path::Path;
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, BufReader};

const ANY: &str = "127.0.0.1:0";

#[test]
fn port_0_is_warned_of_in_the_file_and_is_for_a_try_elsewhere() {
    let warnings = |toml: &str, variables: &[(&str, &str)], flag: Option<&str>| {
        let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let flags = Flags { listen: flag.map(Into::into), ..Flags::default() };
        let config = Config::parse(Path::new("portico.toml"), toml, variables, &flags).unwrap();
        config.warnings.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let told = |line: usize, name: &str, port: u16| {
        format!(
            "portico.toml, line {line}: with port 0 as `{name}` each start takes another port, which pages and \
             commands don't know. Set a port, such as 127.0.0.1:{port}."
        )
    };
    let toml = format!("listen = {ANY:?}\nadmin_listen = {ANY:?}\n");
    assert_eq!(warnings(&toml, &[], None), [told(1, "listen", 8080), told(2, "admin_listen", 9464)]);
    assert_eq!(warnings("listen = \"127.0.0.1:1\"\n", &[("PORTICO__ADMIN_LISTEN", ANY)], Some(ANY)), [""; 0]);
}

#[tokio::test]
async fn no_code_and_no_link_leads_to_port_0_without_a_word() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("portico.toml");
    std::fs::write(&file, format!("listen = {ANY:?}\nadmin_listen = {ANY:?}\n")).unwrap();
    let run = async |words: &[&str]| {
        let mut command = portico(folder.path(), words);
        command.env_remove("PORTICO__ADMIN_LISTEN");
        output(command).await
    };
    let (code, _, error) = run(&["project", "add", "--id", "shop"]).await;
    let told =
        "The code above has port 0, because each start of the server takes another port. Set `listen` to a port,";
    assert!(code == Some(0) && error.contains(told), "{error}");
    let (code, out, error) = run(&["admin", "link"]).await;
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(error.starts_with("The port of `admin_listen` is 0, ") && error.lines().count() == 1, "{error}");
    let (_, out, _) = run(&["doctor"]).await;
    for what in ["listen", "admin_listen"] {
        assert!(out.contains(&format!("ok     {what}: any free port of 127.0.0.1\n")), "{out}");
        assert!(out.contains(&format!("with port 0 as `{what}` each start takes another port")), "{out}");
    }
    std::fs::remove_file(&file).unwrap();
    let (code, _, error) = run(&["init", "--yes", "--listen", ANY]).await;
    assert!(code == Some(1) && error.starts_with("--listen: with port 0 each start takes another port"), "{error}");
    assert!(error.ends_with("Use a port, such as 127.0.0.1:8080.\n") && !file.exists(), "{error}");
}

#[tokio::test]
async fn the_admin_page_without_networks_has_the_command_of_the_server_as_it_runs() {
    let folder = tempfile::tempdir().unwrap();
    let admin = format!("127.0.0.1:{}", free_port());
    let mut command = portico(folder.path(), &["serve", "--listen", ANY]);
    command.env("PORTICO__ADMIN_LISTEN", &admin);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let port = loop {
        let line = within("the line that it listens", lines.next_line()).await.unwrap().unwrap();
        if let Some(address) = line.strip_prefix("listening on http://") {
            break address.rsplit(':').next().unwrap().to_owned();
        }
    };
    let mut command = portico(folder.path(), &["admin", "link"]);
    command.env("PORTICO__ADMIN_LISTEN", &admin);
    let (_, out, error) = output(command).await;
    let key = out.lines().next().unwrap_or_default().split_once("key=").unwrap_or_else(|| panic!("{error}")).1;
    let (_, entered) = ask(&admin, "POST /admin/enter", &format!("key={key}")).await.unwrap();
    let cookie = entered.lines().find(|line| line.starts_with("set-cookie: ")).unwrap();
    let cookie = cookie.trim_start_matches("set-").split(';').next().unwrap();
    let admin_port = admin.rsplit(':').next().unwrap().parse().unwrap();
    let page = get(admin_port, "/admin", &["host: localhost", cookie]).await;
    assert!(page.contains(&format!("--public-nodes --listen 127.0.0.1:{port}</pre>")), "{page}");
    assert!(page.contains(&format!("PORTICO__ADMIN_LISTEN={admin}")), "{page}");
}
