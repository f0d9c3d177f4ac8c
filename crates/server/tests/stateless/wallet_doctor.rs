//! What `portico doctor` and `portico vault doctor` say about the embedded wallet.

use super::wallet_process::{TOML, folder, names, output, serve};
use crate::support::port::free_port;
use crate::support::within;
use k256::sha2::{Digest, Sha256};
use std::path::Path;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;

/// Server that answers as one without TLS does.
async fn without_tls(host: &str) -> u16 {
    let listener = TcpListener::bind((host, 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
        }
    });
    port
}

/// Lines of the doctor about the wallet.
async fn doctor(folder: &Path) -> String {
    let (_, out, _) = output(folder, &["doctor"]).await;
    out.lines().filter(|line| line.contains("wallet") || line.contains("vault")).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn the_doctor_says_what_the_wallet_lacks_and_makes_none_of_it() {
    let folder = folder();
    let before = names(folder.path());
    let told = doctor(folder.path()).await;
    for line in [
        "wrong  wallet.frame: missing, so no page can open the wallet. Set it to the folder of the built frame",
        "wrong  vault key: vault.key isn't there. Make it: portico vault init",
        "note   vault: isn't running. `portico serve` starts it.",
        "note   wallet.mail: emails stay at http://localhost:1/outbox. For visitors, set `wallet.mail.smtp` and `wallet.mail.from`.",
        "ok     wallet.social: no other services.",
    ] {
        assert!(told.contains(line), "{line} is not in\n{told}");
    }
    assert_eq!(names(folder.path()), before);
    let toml = TOML.replace("[wallet]", "public_url = \"http://localhost:1\"\n[wallet]").replace(
        "[wallet.mail]\noutbox = true\n",
        "[wallet.vault]\nstart = false\n[wallet.mail]\nsmtp = \"smtp://127.0.0.1:1\"\nfrom = \"a@example.org\"\n\
         [wallet.social.google]\nclient_id = \"a\"\nclient_secret = \"b\"\n\
         [wallet.social.openid]\nissuer = \"http://127.0.0.1:1\"\nclient_id = \"a\"\nclient_secret = \"b\"\n\
         [wallet.social.farcaster]\nnode = \"http://127.0.0.1:1\"\n\
         [[wallet.jwt]]\nissuer = \"https://shop.example\"\naudience = \"portico\"\n\
         jwks_url = \"http://127.0.0.1:1/keys\"\nproject = \"nope\"\n",
    );
    std::fs::write(folder.path().join("portico.toml"), toml).unwrap();
    assert!(output(folder.path(), &["vault", "init"]).await.0);
    assert!(output(folder.path(), &["migrate"]).await.0);
    std::fs::write(folder.path().join("vault.key"), format!("{}\n", "ab".repeat(32))).unwrap();
    let told = doctor(folder.path()).await;
    for line in [
        "wrong  wallet.origin: http://localhost:1 is the address of the server too. Give the wallet a host name of its own.",
        "ok     vault key: vault.key can be read by its owner only",
        "wrong  vault database: vault.sqlite belongs to another key.",
        "wrong  vault: isn't running at vault.sock. Start it: portico vault serve",
        "wrong  wallet.mail: 127.0.0.1:1 refuses connections. Check host and port in `wallet.mail.smtp`",
        "ok     wallet.social.google: set up. Register http://localhost:1/wallet/callback/google there as redirect address.",
        "wrong  wallet.social.openid: couldn't read the configuration of http://127.0.0.1:1/: it refuses connections. Start it, or check host and port in `wallet.social.openid.issuer`.",
        "wrong  wallet.jwt https://shop.example: couldn't read its keys at `jwks_url`: it refuses connections. Start it, or check host and port in `jwks_url`.",
        "wrong  wallet.jwt https://shop.example: there is no project nope, so these logins don't work. Set `project` to the id of one (portico project list), or add it: portico project add --id nope --origin https://shop.example",
        "wrong  wallet.social.farcaster: the node isn't responding. Check `wallet.social.farcaster.node`.",
    ] {
        assert!(told.contains(line), "{line} is not in\n{told}");
    }
    let (done, out, _) = output(folder.path(), &["vault", "doctor"]).await;
    assert!(!done && out.contains("wrong  vault database: vault.sqlite belongs to another key."), "{out}");
}

#[tokio::test]
async fn the_doctors_note_a_vault_for_visitors_that_runs_as_the_servers_user() {
    let note = "note   vault: runs as the server's user, so whoever takes over the server can read root key and database. Give it a user of its own";
    let folder = folder();
    let public = "[wallet]\norigin = \"https://wallet.example.org\"\n\
        [wallet.mail]\nsmtp = \"smtp://127.0.0.1:1\"\nfrom = \"a@example.org\"\n[wallet.vault]\n";
    for (toml, noted) in [(public.into(), true), (format!("{public}start = false\n"), false), (TOML.into(), false)] {
        std::fs::write(folder.path().join("portico.toml"), &toml).unwrap();
        for command in [&["doctor"] as &[&str], &["vault", "doctor"]] {
            let (_, out, _) = output(folder.path(), command).await;
            assert_eq!(out.contains(note), noted, "{toml}\n{out}");
        }
    }
}

#[tokio::test]
async fn the_doctor_advises_an_address_without_tls_only_where_the_configuration_takes_it() {
    let folder = folder();
    // The second address is this machine's too, but not one of those that may begin with http.
    for (host, takes_http) in [("127.0.0.1", true), ("127.0.0.2", false)] {
        let port = without_tls(host).await;
        let jwt = |scheme: &str| {
            format!(
                "{TOML}[[wallet.jwt]]\nissuer = \"https://shop.example\"\naudience = \"portico\"\n\
                 jwks_url = \"{scheme}://{host}:{port}/keys\"\n"
            )
        };
        let openid = format!(
            "[wallet.social.openid]\nissuer = \"https://{host}:{port}\"\nclient_id = \"a\"\nclient_secret = \"b\"\n"
        );
        std::fs::write(folder.path().join("portico.toml"), jwt("https") + &openid).unwrap();
        let told = doctor(folder.path()).await;
        let next = |setting: &str| match takes_http {
            true => format!("Use the address without TLS, or another port, in {setting}."),
            false => format!("Check address and port in {setting}."),
        };
        for line in [
            format!(
                "wallet.jwt https://shop.example: couldn't read its keys at `jwks_url`: it doesn't begin with TLS. {}",
                next("`jwks_url`")
            ),
            format!(
                "wallet.social.openid: couldn't read the configuration of https://{host}:{port}/: it doesn't begin with TLS. {}",
                next("`wallet.social.openid.issuer`")
            ),
        ] {
            assert!(told.contains(&line), "{line} is not in\n{told}");
        }
        std::fs::write(folder.path().join("portico.toml"), jwt("http")).unwrap();
        let (_, _, error) = output(folder.path(), &["doctor"]).await;
        assert_eq!(!error.contains("use the https address"), takes_http, "{error}");
    }
}

#[tokio::test]
async fn the_check_and_the_doctors_tell_that_the_folder_of_the_vaults_socket_is_missing() {
    let folder = folder();
    assert!(output(folder.path(), &["vault", "init"]).await.0);
    std::fs::write(
        folder.path().join("portico.toml"),
        format!("{TOML}[wallet.vault]\nsocket = \"/nope/vault.sock\"\n"),
    )
    .unwrap();
    let sentence = "the folder /nope of the vault's socket doesn't exist. Create it first.";
    let (done, out, error) = output(folder.path(), &["config", "check"]).await;
    assert_eq!((done, out.as_str(), error), (false, "", format!("portico.toml, line 8: {sentence}\n")));
    for words in [&["doctor"][..], &["vault", "doctor"]] {
        let (done, out, _) = output(folder.path(), words).await;
        assert!(!done && out.contains(&format!("wrong  wallet.vault.socket: {sentence}\n")), "{out}");
        assert!(!out.contains("isn't running"), "{out}");
    }
}

/// Folder of a frame as the build writes it; the files hold their names.
fn built_frame(folder: &Path) {
    std::fs::create_dir(folder).unwrap();
    let put = |name: &str, ending: &str| {
        let bytes = format!("{name}.{ending}");
        let file = format!("{name}-{}.{ending}", &format!("{:x}", Sha256::digest(&bytes))[..16]);
        std::fs::write(folder.join(&file), bytes).unwrap();
        format!("<link href=\"./{file}\">")
    };
    let page = [("page", "js"), ("frame", "css"), ("frame", "wasm")].map(|(name, ending)| put(name, ending));
    for (name, ending) in [("keeper", "js"), ("signer", "wasm"), ("password", "wasm")] {
        put(name, ending);
    }
    std::fs::write(folder.join("index.html"), page.concat()).unwrap();
}

#[tokio::test]
async fn the_doctor_asks_the_origin_for_the_frame_while_the_server_runs() {
    let folder = tempfile::tempdir().unwrap();
    let frame = folder.path().join("frame");
    built_frame(&frame);
    let (server, wallet) = (free_port(), free_port());
    let toml = |origin: u16| {
        format!(
            "listen = \"127.0.0.1:{server}\"\n[wallet]\norigin = \"http://localhost:{origin}\"\n\
             listen = \"127.0.0.1:{wallet}\"\nframe = \"frame\"\n[wallet.mail]\noutbox = true\n"
        )
    };
    let write = |origin: u16| std::fs::write(folder.path().join("portico.toml"), toml(origin)).unwrap();
    write(wallet);
    assert!(output(folder.path(), &["vault", "init"]).await.0);
    let told = doctor(folder.path()).await;
    assert!(
        told.contains(&format!(
            "ok     wallet.frame: complete. http://localhost:{wallet} is checked while the server runs. Its `frameIntegrity`: "
        )),
        "{told}"
    );
    let pin = |told: &str| told.split_once("Its `frameIntegrity`: ").unwrap().1[..64].to_owned();
    let complete = pin(&told);
    assert!(output(folder.path(), &["project", "add", "--id", "shop"]).await.0);
    let (_child, _, _errors) = serve(folder.path()).await;
    let told = doctor(folder.path()).await;
    for line in [
        format!("ok     wallet.listen: your server is running on 127.0.0.1:{wallet}: "),
        format!("ok     wallet.frame: http://localhost:{wallet} serves it. Its `frameIntegrity`: {complete}"),
        "note   wallet.origin: no page of the project shop can open the wallet, because it has no origins.".into(),
        "ok     vault database: vault.sqlite belongs to the key".into(),
        "ok     vault: listens at vault.sock".into(),
    ] {
        assert!(told.contains(&line), "{line} is not in\n{told}");
    }
    let page = std::fs::read_to_string(frame.join("index.html")).unwrap();
    std::fs::write(frame.join("index.html"), format!("{page}\n")).unwrap();
    let told = doctor(folder.path()).await;
    assert!(told.contains("serves another version. Restart the server."), "{told}");
    std::fs::write(frame.join("index.html"), "<h1>shop</h1>").unwrap();
    let told = doctor(folder.path()).await;
    assert!(told.contains("wrong  wallet.frame: the index.html in frame (relative to "), "{told}");
    assert!(told.contains(" isn't the built frame's, so no login works. Build the frame as "), "{told}");
    std::fs::write(frame.join("index.html"), page).unwrap();
    write(server);
    let told = doctor(folder.path()).await;
    assert!(told.contains(&format!("wrong  wallet.frame: http://localhost:{server} is another server's.")), "{told}");
    write(free_port());
    let told = doctor(folder.path()).await;
    assert!(told.contains("wrong  wallet.frame: couldn't reach http://localhost:"), "{told}");
}

#[tokio::test]
async fn the_server_warns_at_the_start_of_an_issuer_for_a_project_that_is_not_there() {
    let folder = folder();
    let toml = format!(
        "{TOML}[[wallet.jwt]]\nissuer = \"https://shop.example\"\naudience = \"portico\"\n\
         jwks_url = \"https://shop.example/keys\"\nproject = \"nope\"\n"
    );
    std::fs::write(folder.path().join("portico.toml"), toml).unwrap();
    assert!(output(folder.path(), &["vault", "init"]).await.0);
    let (_child, _, mut lines) = serve(folder.path()).await;
    let told = "[[wallet.jwt]] https://shop.example: there is no project nope, so these logins don't work.";
    within("the warning", async { while !lines.next_line().await.unwrap().unwrap().contains(told) {} }).await;
}
