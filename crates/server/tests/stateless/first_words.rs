//! Commands that write nothing, and words that are nearly right.

use crate::first_run::{output, portico};

#[tokio::test]
async fn the_doctor_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (code, out, error) = output(portico(folder.path(), &["doctor"])).await;
    assert_eq!((code, error.as_str()), (Some(0), ""), "{out}");
    for line in [
        "note   database: portico.sqlite isn't there yet. `portico serve` creates it.\n",
        "ok     wallet: off. To let visitors log in",
    ] {
        assert!(out.contains(line), "{out}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn the_doctor_says_once_that_the_node_of_a_chain_is_silent() {
    let folder = tempfile::tempdir().unwrap();
    let chain = |id| format!("[[chains]]\nid = \"eip155:{id}\"\nupstreams = [\"http://127.0.0.1:1\"]\n");
    std::fs::write(folder.path().join("portico.toml"), chain(1) + &chain(10)).unwrap();
    let (code, out, _) = output(portico(folder.path(), &["doctor"])).await;
    for line in [
        "wrong  Ethereum (eip155:1): No node of the chain eip155:1 is responding. Try again. Nodes: 127.0.0.1:1.\n",
        "note   chains: none responds. Check this machine's network, firewall and DNS.\n",
    ] {
        assert!(code == Some(1) && out.contains(line), "{out}");
    }
    assert_eq!(out.lines().filter(|line| line.contains("eip155:1)")).count(), 1, "{out}");
    assert!(!out.contains("swap eip155:1:"), "{out}");
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
        (&["srve"][..], "tip: a similar subcommand exists: 'serve'"),
        (&["start"], "tip: a similar subcommand exists: 'serve'"),
        (&["check"], "tip: a similar subcommand exists: 'config check'"),
        (&["rotate", "shop"], "tip: some similar subcommands exist: 'project rotate', 'vault rotate'"),
        (&["project", "rotate", "shp"], "No project shp. Did you mean shop?"),
        (&["project", "rotate", "SHOP"], "No project SHOP. Did you mean shop?"),
        (&["project", "rotate", "nobody"], "No project nobody. List them with `portico project list`."),
        (&["project", "chain", "add", "shop", "polygon"], "not `polygon`. Did you mean eip155:137 (Polygon)?"),
        (&["project", "chain", "add", "shop", "eip155:1"], "This server doesn't serve eip155:1 yet."),
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
