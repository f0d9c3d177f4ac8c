//! Commands with which an operator manages projects.

use super::*;

#[tokio::test]
async fn the_command_line_tells_what_it_did_and_what_is_wrong() {
    let server = Server::without_project("").await;
    let run = async |words: &[&str]| {
        let place = ["--database", &server.place.database];
        let words: Vec<&str> = ["project"].iter().chain(words).chain(&place).copied().collect();
        said(server.folder.path(), &words).await
    };
    assert!(run(&["list"]).await.1.starts_with("No projects yet. Add one: "));
    assert_eq!(run(&["list", "--json"]).await.1, "[]\n");
    let (_, out, _) = run(&["add", "Shop", "--origin", "https://Shop.example/"]).await;
    let id = out.strip_prefix("Added the project ").unwrap().split_once('.').unwrap().0.to_owned();
    assert_eq!(id.len(), 32);
    let (added, _, error) = run(&["add", "Shop", "--id", "shop-2"]).await;
    assert!(added && error.contains(&format!("Another project has the name Shop too: {id}.")), "{error}");
    let there = format!("The project {id} already exists. Choose another with --id, or add --if-absent ");
    for (words, wrong) in [
        (&["add", " "][..], "Give the project a name, or leave it out to show the id"),
        (&["add", "Shop\nclosed"], "Use one line of at most 100 letters as the name"),
        (&["add", "--id", "a b"], "Use 1 to 64 letters, digits, hyphens or underscores as project id, not `a b`"),
        (&["add", "--origin", "shop.example"], "Use an origin such as https://app.example.com"),
        (&["add", "--method", "eth call"], "Use a method such as linea_estimateGas"),
        (&["add", "--chain", "1"], "Use the CAIP-2 id of a chain"),
        (&["add", "--chain", "solana:mainnet"], "Use the CAIP-2 id solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp, not"),
        (&["add", "--id", &id], &there),
        (&["origin", "add", "nobody", "*"], "No project nobody. "),
        (&["quota", "nobody", "--per-day", "1"], "No project nobody. "),
        (&["rotate", "nobody"], "No project nobody. "),
        (&["disable", "nobody"], "No project nobody. "),
    ] {
        let (done, out, error) = run(words).await;
        assert!(!done && out.is_empty() && error.starts_with(wrong) && error.lines().count() == 1, "{error}");
    }
    let alone = |left: &str| {
        let before = "Its list was empty before, so it could use everything this server offers.";
        format!("This project can now use only {left}. {before}\n")
    };
    for (words, told) in [
        (&["add", "--id", &id, "--if-absent"][..], format!("The project {id} already exists.\n")),
        (&["origin", "add", &id, "http://localhost:*"], "http://localhost:* is now allowed.\n".into()),
        (&["origin", "add", &id, "http://localhost:*"], "http://localhost:* was already allowed.\n".into()),
        (&["origin", "remove", &id, "https://shop.example"], "https://shop.example is no longer allowed.\n".into()),
        (&["method", "add", &id, "eth_get*", "eth_call"], format!("eth_get* is now allowed.\neth_call is now allowed.\n{}", alone("eth_call, eth_get*"))),
        (&["method", "add", &id, "net_version"], "net_version is now allowed.\n".into()),
        (&["method", "remove", &id, "net_version"], "net_version is no longer allowed.\n".into()),
        (&["chain", "add", &id, "eip155:1"], format!("eip155:1 is now allowed.\n{}", alone("eip155:1"))),
        (
            &["chain", "remove", &id, "eip155:1"],
            "eip155:1 is no longer allowed.\nThe list is now empty, so this project can use everything this server offers.\n"
                .into(),
        ),
        (
            &["quota", &id, "--per-second", "5000", "--per-day", "1000000"],
            format!("{id}: 5,000 requests per second, 50,000 at once, 1,000,000 per day. One visitor: at most 625 per second, 6,250 at once, 125,000 per day.\n"),
        ),
        (
            &["quota", &id, "--per-second", "5", "--per-day", "100"],
            format!("{id}: 5 requests per second, 50 at once, 100 per day. One visitor: at most 0.625 per second, 7 at once, 13 per day.\n"),
        ),
        (
            &["quota", &id, "--per-second", "none"],
            format!("{id}: no limit per second or at once, 100 per day. One visitor: at most 13 per day.\n"),
        ),
        (&["disable", &id], format!("The project {id} will be off within 5 seconds.\n")),
        (&["disable", &id], format!("The project {id} is already off.\n")),
        (&["enable", &id], format!("The project {id} will be on again within 5 seconds.\n")),
        (&["enable", &id], format!("The project {id} is already on.\n")),
        (&["disable", &id], format!("The project {id} will be off within 5 seconds.\n")),
    ] {
        let (done, out, error) = run(words).await;
        // The folder has no configuration, so no chain is served.
        let remark = match words {
            ["chain", "add", ..] => "This server doesn't serve eip155:1 yet. Add it to [[chains]] in portico.toml.\n",
            _ => "",
        };
        assert_eq!((done, out, error.as_str()), (true, told, remark));
    }
    let listed: Value = serde_json::from_str(&run(&["list", "--json"]).await.1).unwrap();
    let listed = &listed[0];
    assert_eq!((&listed["id"], &listed["name"], &listed["perDay"]), (&json!(id), &json!("Shop"), &json!(100)));
    assert_eq!(listed["methods"], json!(["eth_call", "eth_get*"]));
    assert_eq!((&listed["origins"], &listed["perSecond"]), (&json!(["http://localhost:*"]), &Value::Null));
    assert!(listed["disabledAt"].as_i64() >= listed["createdAt"].as_i64());
    let (_, lines, _) = run(&["list"]).await;
    assert!(lines.contains("Shop (disabled)") && lines.contains("origins  http://localhost:*"), "{lines}");
    for (list, change, told) in [
        ("origin", "add", "<ORIGIN>...  Origins to allow"),
        ("origin", "remove", "<ORIGIN>...  Origins to remove"),
        ("method", "add", "<METHOD>...  Methods to allow"),
        ("method", "remove", "<METHOD>...  Methods to remove"),
        ("chain", "add", "<CHAIN>...  CAIP-2 ids of the chains to allow"),
        ("chain", "remove", "<CHAIN>...  CAIP-2 ids of the chains to remove"),
    ] {
        let (_, help, _) = said(server.folder.path(), &["project", list, change, "--help"]).await;
        assert!(help.contains(told), "{help}");
    }
    for list in ["method", "chain"] {
        let (_, help, _) = said(server.folder.path(), &["project", list, "--help"]).await;
        for piece in ["to the list; a project with a list can ", "from the list; an empty list allows all"] {
            assert!(help.contains(piece), "{help}");
        }
    }
    let (_, help, _) = said(server.folder.path(), &["project", "--help"]).await;
    for piece in ["Examples:", "--any-origin", "x-project-secret", "within 5 seconds"] {
        assert!(help.contains(piece), "{piece}");
    }
}
