//! Commands that write nothing, and words that are nearly right.

use crate::first_run::{log, output, portico, serve};
use crate::support::tls::Authority;
use crate::support::{Reply, Upstream, within};
use axum::http::StatusCode;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, BufReader};

#[tokio::test]
async fn the_doctor_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (code, out, error) = output(portico(folder.path(), &["doctor"])).await;
    assert_eq!((code, error.as_str()), (Some(0), ""), "{out}");
    for line in [
        "note   database: portico.sqlite isn't there yet. `portico serve` creates it.\n",
        "ok     off: names (`names.parent`), buying (",
        ", relay (`relay.enabled = true`), logins by email (`wallet.origin` and more: see docs/operations/wallet.md), swap (`[[chains]]`). To turn one on, set what is in its brackets.\n",
        "\n3 notes\n",
    ] {
        assert!(out.contains(line), "{out}");
    }
    // There is no chain yet to add an exchange to.
    assert!(out.contains("set what is in its brackets.\n") && out.contains(", swap (`[[chains]]`)"), "{out}");
    assert!(!out.contains("note   swap"), "{out}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn the_doctor_says_once_that_the_node_of_a_chain_is_silent() {
    let folder = tempfile::tempdir().unwrap();
    let chain = |id| format!("[[chains]]\nid = \"eip155:{id}\"\nupstreams = [\"http://127.0.0.1:1\"]\n");
    std::fs::write(folder.path().join("portico.toml"), chain(1) + &chain(10)).unwrap();
    let (code, out, _) = output(portico(folder.path(), &["doctor"])).await;
    // One line in the place of one for each node.
    let line = "wrong  chains: no node can be used: 127.0.0.1:1 (it refuses connections). Check that they run, their URLs in [[chains]], and this machine's network, firewall and DNS.\n";
    assert!(code == Some(1) && out.contains(line), "{out}");
    assert!(!out.contains("eip155:1)") && !out.contains("swap on "), "{out}");
    // Nodes that answer show that the network works.
    let node = Upstream::says(401, "no such key").await;
    let chain = |id| format!("[[chains]]\nid = \"eip155:{id}\"\nupstreams = [\"{}\"]\n", node.url);
    std::fs::write(folder.path().join("portico.toml"), chain(1) + &chain(10)).unwrap();
    let (_, out, _) = output(portico(folder.path(), &["doctor"])).await;
    let next = "(it answered with status 401). Check the keys in their URLs, and that your plans there include these chains and have requests left.\n";
    assert!(out.contains(next), "{out}");
}

#[tokio::test]
async fn the_doctor_tells_why_a_node_that_responds_cannot_be_used() {
    let key = "Check the key in its URL, and that your plan there includes this chain and has requests left.";
    for (status, next) in [(401, key), (403, key), (429, key), (500, "Try again later, or use another upstream.")] {
        let node = Upstream::says(status, "no such key").await;
        let folder = tempfile::tempdir().unwrap();
        let toml = format!("[[chains]]\nid = \"eip155:1\"\nupstreams = [\"{}\"]\n", node.url);
        std::fs::write(folder.path().join("portico.toml"), toml).unwrap();
        let (code, out, _) = output(portico(folder.path(), &["doctor"])).await;
        let told = format!("can't be used: it answered with status {status}. {next}\n");
        // Exchanges of a chain without a usable node aren't checked.
        assert!(code == Some(1) && out.contains(&told) && !out.contains("swap on "), "{out}");
    }
}

#[tokio::test]
async fn the_doctor_tells_a_node_of_another_network_of_solana() {
    let node = Upstream::start(|body| {
        let call: Value = serde_json::from_str(body).unwrap();
        let genesis = "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG";
        let result = if call["method"] == "getGenesisHash" { genesis } else { "ok" };
        Reply::Answer(StatusCode::OK, json!({"jsonrpc": "2.0", "id": call["id"], "result": result}).to_string())
    })
    .await;
    let folder = tempfile::tempdir().unwrap();
    for (id, wrong) in [("5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", true), ("EtWTRABZaYq6iMfeYKouRu166VU2xqa1", false)] {
        let toml = format!("[[chains]]\nid = \"solana:{id}\"\nupstreams = [\"{}\"]\n", node.url);
        std::fs::write(folder.path().join("portico.toml"), toml).unwrap();
        let (_, out, _) = output(portico(folder.path(), &["doctor"])).await;
        let told = format!("its node serves solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1, not solana:{id}. Use another");
        assert_eq!(out.contains(&told), wrong, "{out}");
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_doctor_says_that_the_database_cannot_be_created() {
    let folder = tempfile::tempdir().unwrap();
    // Nobody, not even root, makes files there.
    std::fs::write(folder.path().join("portico.toml"), "database = \"/proc/portico.sqlite\"\n").unwrap();
    let (code, out, _) = output(portico(folder.path(), &["doctor"])).await;
    assert!(code == Some(1) && out.contains("wrong  database: this user (") && out.contains(" can't create "), "{out}");
}

#[tokio::test]
async fn the_doctor_tells_a_silent_node_beside_one_that_answers() {
    let node = Upstream::echo().await;
    let folder = tempfile::tempdir().unwrap();
    let toml = format!("[[chains]]\nid = \"eip155:1\"\nupstreams = [\"{}\", \"http://127.0.0.1:1\"]\n", node.url);
    std::fs::write(folder.path().join("portico.toml"), toml).unwrap();
    let (code, out, _) = output(portico(folder.path(), &["doctor"])).await;
    let lines: Vec<&str> = out.lines().filter(|line| line.contains("  Ethereum (eip155:1): ")).collect();
    let host = node.url.trim_start_matches("http://").trim_end_matches('/');
    assert!(code == Some(1) && lines.len() == 2 && lines[0].contains(host), "{out}");
    assert!(!lines[0].contains("can't be used"), "{out}");
    let told =
        "wrong  Ethereum (eip155:1): 127.0.0.1:1 refuses connections. Start it, or check host and port in [[chains]].";
    assert_eq!(lines[1], told);
}

#[tokio::test]
async fn the_doctor_tells_an_untrusted_certificate_an_unknown_name_and_a_closed_port_apart() {
    let (trusted, other) = (Authority::new("Trusted"), Authority::new("Other"));
    let acceptor = other.acceptor("localhost");
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let tls = format!("localhost:{}", listener.local_addr().unwrap().port());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(acceptor.accept(stream));
        }
    });
    let node = Upstream::echo().await;
    // The part is longer than DNS allows, so no name server is asked.
    let unknown = format!("{}.invalid", "x".repeat(64));
    let nodes = format!("{:?}, \"https://{tls}\", \"http://{unknown}\", \"http://127.0.0.1:1\"", node.url);
    let folder = tempfile::tempdir().unwrap();
    let toml = format!("[[chains]]\nid = \"eip155:1\"\nupstreams = [{nodes}]\nexplorer = \"https://{tls}\"\n");
    std::fs::write(folder.path().join("portico.toml"), toml).unwrap();
    std::fs::write(folder.path().join("trusted.pem"), trusted.pem()).unwrap();
    let mut doctor = portico(folder.path(), &["doctor"]);
    doctor.env("SSL_CERT_FILE", folder.path().join("trusted.pem"));
    let (_, out, _) = output(doctor).await;
    let cause = "can't be used: its certificate is from an authority that this machine doesn't trust";
    let next = "Add the authority to the system's certificates, or check the host in";
    for told in [
        format!("wrong  Ethereum (eip155:1): {tls} {cause}. {next} [[chains]].\n"),
        format!(
            "wrong  Ethereum (eip155:1): {unknown} can't be used: its name can't be found. Check the name in [[chains]], and this machine's DNS.\n"
        ),
        "wrong  Ethereum (eip155:1): 127.0.0.1:1 refuses connections. Start it, or check host and port in [[chains]].\n"
            .into(),
        format!("note   explorer of Ethereum (eip155:1): {tls} {cause}, so other sources give "),
    ] {
        assert!(out.contains(&told), "{told}\n{out}");
    }
    assert!(out.contains(&format!("{next} `explorer`.\n")), "{out}");
}

#[tokio::test]
async fn a_command_does_not_write_to_another_database_than_the_server_of_its_port() {
    let running = tempfile::tempdir().unwrap();
    let (_child, port) = serve(running.path(), &["--listen", "127.0.0.1:0"]).await;
    let other = tempfile::tempdir().unwrap();
    let file = other.path().join("portico.toml");
    std::fs::write(&file, format!("listen = \"127.0.0.1:{port}\"\n")).unwrap();
    for args in [&["project", "add", "Shop", "--any-origin"][..], &["project", "list"], &["wallets", "list"]] {
        let (code, out, error) = output(portico(other.path(), args)).await;
        let told = format!(
            "The server at 127.0.0.1:{port} was started from another folder and uses another database. Run this in its folder, or add `--database portico.sqlite` to use the database of this one.\n"
        );
        assert_eq!((code, out.as_str(), error), (Some(1), "", told), "{args:?}");
    }
    assert!(!other.path().join("portico.sqlite").exists());
    // In the folder of the server, and on a database that was named.
    let named = ["project", "list", "--config", file.to_str().unwrap()];
    assert_eq!(output(portico(running.path(), &named)).await.0, Some(0));
    let named = ["project", "add", "--id", "shop", "--database", "mine.sqlite"];
    assert_eq!(output(portico(other.path(), &named)).await.0, Some(0));
}

#[tokio::test]
async fn a_database_that_others_can_read_is_told_with_the_command_to_paste_and_another_file_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("my shop.sqlite");
    std::fs::write(folder.path().join("portico.toml"), format!("database = {file:?}\n")).unwrap();
    std::fs::write(&file, "").unwrap();
    let open = std::fs::Permissions::from_mode(0o644);
    std::fs::set_permissions(&file, open.clone()).unwrap();
    let (child, _) = serve(folder.path(), &["--listen", "127.0.0.1:0", "--log-format", "text"]).await;
    let told = format!(
        "WARN  other users of this machine can read or write the database. Stop that with `chmod go= '{}'`.\n",
        file.display()
    );
    let log = log(child).await;
    assert!(log.contains(&told), "{log}");
    let other = folder.path().join("notes.txt");
    std::fs::write(&other, "notes, which are longer than the header of a database. ".repeat(99)).unwrap();
    std::fs::set_permissions(&other, open).unwrap();
    let words = ["serve", "--listen", "127.0.0.1:0", "--database", "notes.txt"];
    let (code, _, error) = output(portico(folder.path(), &words)).await;
    assert!(code == Some(1) && !error.contains("chmod"), "{error}");
    assert!(error.ends_with("notes.txt isn't an SQLite database. Name another file in `database`.\n"), "{error}");
}

#[tokio::test]
async fn a_command_before_the_first_start_says_how_to_make_the_database() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("portico.toml"), "").unwrap();
    let told =
        "No database at portico.sqlite yet. `portico serve` creates it. If yours is elsewhere, add --database.\n";
    for words in [&["project", "list"][..], &["admin", "link"], &["auth", "sessions", "list"], &["backup", "copy"]] {
        let (code, out, error) = output(portico(folder.path(), words)).await;
        assert_eq!((code, out.as_str(), error.as_str()), (Some(1), "", told), "{words:?}");
    }
    let (_, _, error) = output(portico(folder.path(), &["project", "list", "--database", "mine.sqlite"])).await;
    assert_eq!(error, "No database at mine.sqlite. Check the path in --database.\n");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[tokio::test]
async fn a_file_that_cannot_be_used_is_told_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("portico.sqlite"), [7; 4096]).unwrap();
    let (code, out, _) = output(portico(folder.path(), &["doctor"])).await;
    let told = "wrong  database: portico.sqlite isn't an SQLite database. Name another file in `database`.\n";
    assert!(code == Some(1) && out.contains(told), "{out}");
    for (args, told) in [
        (&["backup", "absent/copy.sqlite"][..], "The folder absent doesn't exist. Create it first.\n"),
        (&["init", "--yes", "--config", "absent/y.toml"], "The folder absent doesn't exist. Create it first.\n"),
        (&["config", "check", "--config", "."], ".: this is a folder. Name the file in it.\n"),
    ] {
        let (code, _, error) = output(portico(folder.path(), args)).await;
        assert_eq!((code, error.as_str()), (Some(1), told), "{args:?}");
    }
}

#[tokio::test]
async fn init_trusts_the_proxy_of_an_https_url_and_names_the_database_from_every_folder() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["init", "--yes", "--public-url", "https://portico.example.org/"];
    let (code, _, error) = output(portico(folder.path(), &args)).await;
    assert_eq!((code, error.as_str()), (Some(0), ""));
    let text = std::fs::read_to_string(folder.path().join("portico.toml")).unwrap();
    let database = folder.path().canonicalize().unwrap().join("portico.sqlite");
    for line in [
        "public_url = \"https://portico.example.org\"",
        "trusted_proxies = [\"127.0.0.1\"]",
        &format!("database = \"{}\"", database.display()),
    ] {
        assert!(text.lines().any(|other| other == line), "{line} is not in {text}");
    }
    // A table of the documentation beside it is told with the line to change.
    std::fs::write(folder.path().join("portico.toml"), text + "\n[relay]\nenabled = true\n").unwrap();
    let (code, _, error) = output(portico(folder.path(), &["config", "check"])).await;
    assert!(code == Some(1) && error.contains(": relay is already set in line "), "{error}");
}

#[tokio::test]
async fn a_word_that_is_nearly_right_is_answered_with_the_right_one() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("portico.toml"),
        "[[chains]]\nid = \"eip155:137\"\nupstreams = [\"http://127.0.0.1:1\"]\n",
    )
    .unwrap();
    let (code, out, error) =
        output(portico(folder.path(), &["project", "add", "Shop", "--id", "shop", "--any-origin"])).await;
    assert_eq!(code, Some(0), "{out} {error}");
    for (words, told) in [
        (&["srve"][..], "A similar subcommand exists: 'serve'."),
        (&["start"], "A similar subcommand exists: 'serve'."),
        (&["project", "remove", "shop"], "A similar subcommand exists: 'project disable'."),
        (&["check"], "A similar subcommand exists: 'config check'."),
        (&["rotate", "shop"], "Some similar subcommands exist: 'project rotate', 'vault rotate'."),
        (&["project", "rotate", "shp"], "No project shp. Did you mean shop?"),
        (&["project", "rotate", "SHOP"], "No project SHOP. Did you mean shop?"),
        (&["project", "rotate", "nobody"], "No project nobody. List them with `portico project list`."),
        (&["project", "chain", "add", "shop", "polygon"], "not `polygon`. Did you mean eip155:137 (Polygon)?"),
        (&["project", "chain", "add", "shop", "eip155:1"], "This server doesn't serve eip155:1 yet."),
        (&["project", "method", "add", "shop", "personal_sign"], "This server still refuses personal_sign."),
        (
            &["wallets", "remove", "io.metamask"],
            "No imported wallet io.metamask. List them with `portico wallets list`.",
        ),
    ] {
        let (_, _, error) = output(portico(folder.path(), words)).await;
        assert!(error.contains(told), "{words:?}: {error}");
    }
    let mut command = portico(folder.path(), &["config", "check"]);
    command.env("PORTICO__LISTNE", "127.0.0.1:1");
    let (_, _, error) = output(command).await;
    assert_eq!(error, "PORTICO__LISTNE: no setting `listne`. Did you mean `listen`?\n");
}

#[tokio::test]
async fn adding_a_project_prints_the_code_for_its_page_on_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["project", "add", "Shop", "--id", "shop", "--origin", "https://shop.example"];
    let (code, out, _) = output(portico(folder.path(), &words)).await;
    assert_eq!(code, Some(0), "{out}");
    for line in ["  createAppKit({\n", "    projectId: 'shop',\n", "    endpoints: 'http://127.0.0.1:8080',\n"] {
        assert!(out.contains(line), "{line} is not in {out}");
    }
}

#[tokio::test]
async fn a_project_of_every_site_says_so_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let (_, out, _) = output(portico(folder.path(), &["project", "add", "--id", "demo", "--any-origin"])).await;
    assert!(out.contains("\n  origins    any origin\n"), "{out}");
    let (_, out, _) = output(portico(folder.path(), &["project", "list"])).await;
    assert!(out.contains("\n  origins  any origin\n"), "{out}");
    // Programs read the list as it is stored.
    let (_, out, _) = output(portico(folder.path(), &["project", "list", "--json"])).await;
    assert!(out.contains("\"origins\":[\"*\"]"), "{out}");
    let origin =
        async |words: &[&str]| output(portico(folder.path(), &[&["project", "origin"], words].concat())).await.1;
    let still = "Any origin is still allowed. To end that: portico project origin remove demo '*'\n";
    let only = "https://only.example";
    assert_eq!(origin(&["add", "demo", only]).await, format!("{only} is now allowed.\n{still}"));
    assert_eq!(origin(&["remove", "demo", only]).await, format!("{only} is no longer allowed.\n{still}"));
    origin(&["add", "demo", only]).await;
    assert_eq!(origin(&["remove", "demo", "*"]).await, "* is no longer allowed.\n");
    let (_, out, _) = output(portico(folder.path(), &["project", "list"])).await;
    assert!(out.contains(&format!("\n  origins  {only}\n")), "{out}");
}

#[tokio::test]
async fn a_list_that_was_always_empty_is_not_said_to_be_so_now() {
    let folder = tempfile::tempdir().unwrap();
    let run = async |words: &[&str]| output(portico(folder.path(), words)).await.1;
    run(&["project", "add", "--id", "shop", "--chain", "eip155:1"]).await;
    let empty = "empty, so this project can use everything this server offers.\n";
    for (was, is) in [("is no longer allowed", "now "), ("wasn't on the list", "")] {
        let told = run(&["project", "chain", "remove", "shop", "eip155:1"]).await;
        assert_eq!(told, format!("eip155:1 {was}.\nThe list is {is}{empty}"));
    }
}

#[tokio::test]
async fn the_part_of_a_quota_that_one_visitor_may_use_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let run = async |words: &[&str]| output(portico(folder.path(), words)).await.1;
    run(&["project", "add", "--id", "shop", "--any-origin", "--per-day", "30"]).await;
    let list = run(&["project", "list"]).await;
    let told = "quota    no limit per second or at once, 30 per day; one visitor at most 4 per day\n";
    assert!(list.contains(told), "{list}");
    let quota = run(&["project", "quota", "shop", "--per-second", "5"]).await;
    assert!(quota.ends_with("30 per day. One visitor: at most 0.625 per second, 7 at once, 4 per day.\n"), "{quota}");
    run(&["project", "quota", "shop", "--burst", "20"]).await;
    let quota = run(&["project", "quota", "shop", "--per-second", "none"]).await;
    let told = "shop: no limit per second or at once, 30 per day. One visitor: at most 4 per day. Its limit of 20 at once has no effect until you set --per-second.\n";
    assert_eq!(quota, told);
    let (_, _, error) = output(portico(folder.path(), &["project", "add", "--id", "other", "--burst", "3"])).await;
    let told = "\nIts limit of 3 at once has no effect until you set --per-second. Set both: portico project quota other --per-second 50 --burst 3\n";
    assert!(error.contains(told), "{error}");
    let help = run(&["project", "add", "--help"]).await;
    assert!(help.contains("One visitor uses at most an eighth, rounded up: 4 of 30"), "{help}");
}

#[tokio::test]
async fn an_export_that_ends_before_it_begins_and_sessions_of_no_account_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for until in ["2026-11-10", "2026-11-20"] {
        let words = ["analytics", "export", "--from", "2026-11-20", "--until", until];
        let (code, out, error) = output(portico(folder.path(), &words)).await;
        let told = "--until is the first day that isn't exported. Set it to a day after --from.\n";
        assert_eq!((code, out.as_str(), error.as_str()), (Some(1), "", told), "{until}");
    }
    let words = ["auth", "sessions", "list", "--account", "garbage"];
    let (code, out, error) = output(portico(folder.path(), &words)).await;
    assert!(code == Some(2) && out.is_empty() && error.contains("not `garbage`"), "{error}");
}

#[tokio::test]
async fn a_port_of_the_admin_page_that_is_taken_is_told_with_its_holder_and_the_variable() {
    let holder = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = holder.local_addr().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut command = portico(folder.path(), &["serve", "--listen", "127.0.0.1:0", "--log-format", "text"]);
    let mut child = command.env("PORTICO__ADMIN_LISTEN", address.to_string()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let line = loop {
        let line = within("the line about the admin page", lines.next_line()).await.unwrap().unwrap();
        if line.contains("the admin page is off") {
            break line;
        }
    };
    let told = format!("the admin page is off. Port {} on 127.0.0.1 is already taken by ", address.port());
    let next = format!(
        "(process {}). Stop it, or choose another with PORTICO__ADMIN_LISTEN, such as 127.0.0.1:{}. Set it for every command.",
        std::process::id(),
        address.port() + 1
    );
    assert!(line.contains(&told) && line.ends_with(&next), "{line}");
}
