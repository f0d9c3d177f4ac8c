//! The files of the embedded wallet: units of systemd, compose.wallet.yaml, kubernetes-wallet.yaml, and their part of the Caddyfile.

use super::{keys, settings, texts, yaml};
use portico_server::config::{DatabasePlace, MailWay, Wallet};
use std::path::Path;
use yaml_rust2::Yaml;

const VAULT: &str = include_str!("../../../../../packaging/portico-vault.service");
const SERVER: &str = include_str!("../../../../../packaging/portico.service");
const DROP_IN: &str = include_str!("../../../../../packaging/portico-wallet.conf");
const COMPOSE: &str = include_str!("../../../../../packaging/compose.wallet.yaml");
const DOCKERFILE: &str = include_str!("../../../../../packaging/Dockerfile");
const CADDYFILE: &str = include_str!("../../../../../packaging/Caddyfile");
const GUIDE: &str = include_str!("../../../../../docs/operations/wallet.md");
const KUBERNETES: &str = include_str!("../../../../../packaging/kubernetes-wallet.yaml");

const SMTP: &str = "smtps://name:password@mail.example.com";

/// Values of a directive of a unit, in order.
fn values<'a>(unit: &'a str, directive: &str) -> Vec<&'a str> {
    unit.lines().filter_map(|line| line.strip_prefix(directive)?.strip_prefix('=')).collect()
}

fn variables(unit: &str, credentials: &Path) -> Vec<(String, String)> {
    let pairs = values(unit, "Environment").into_iter().map(|pair| pair.split_once('=').unwrap());
    pairs.map(|(name, value)| (name.into(), value.replace("%d", credentials.to_str().unwrap()))).collect()
}

/// Folder with files of secrets.
fn secrets(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn sends_as(wallet: &Wallet, has_password: bool) {
    let MailWay::Smtp { url, .. } = &wallet.mail else { panic!("{:?}", wallet.mail) };
    let host = if has_password { "mail.example.com" } else { "localhost" };
    assert_eq!(format!("{url:?}"), format!("smtps://{host}"));
}

#[test]
fn the_units_run_vault_and_server_as_users_of_their_own_that_share_a_socket() {
    let credentials = secrets(&[("vault.key", "00"), ("smtp", SMTP)]);
    let toml = "[wallet]\norigin = \"https://wallet.example.org\"\n[wallet.vault]\nsocket = \"/run/portico-vault/vault.sock\"\n\
        [wallet.mail]\nsmtp = \"smtps://localhost\"\nfrom = \"a@example.com\"\n";
    let vault = settings(toml, &variables(VAULT, credentials.path())).wallet.unwrap();
    assert_eq!(vault.vault.root_key_file, credentials.path().join("vault.key"));
    assert_eq!((vault.vault.socket_mode, vault.vault.socket.parent()), (0o660, Some(Path::new("/run/portico-vault"))));
    sends_as(&vault, true);
    let server = settings(toml, &variables(DROP_IN, credentials.path())).wallet.unwrap();
    assert!(!server.vault.start);
    sends_as(&server, false);
    assert_eq!(values(VAULT, "User"), ["portico-vault"]);
    assert_eq!(
        (values(VAULT, "Group"), values(DROP_IN, "SupplementaryGroups")),
        (vec!["portico-vault"], vec!["portico-vault"])
    );
    // The group reaches the socket and nothing else of the vault.
    assert_eq!(
        (values(VAULT, "RuntimeDirectoryMode"), values(VAULT, "StateDirectoryMode")),
        (vec!["0750"], vec!["0700"])
    );
    assert!(values(SERVER, "DynamicUser") == ["yes"] && values(VAULT, "DynamicUser").is_empty());
    for unit in [VAULT, SERVER] {
        // A vault that confines itself would be killed without these, which older versions of @system-service lack.
        let calls = values(unit, "SystemCallFilter").join(" ");
        for call in ["landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self", "seccomp"] {
            assert!(calls.split(' ').any(|one| one == call), "{call}");
        }
        assert!(values(unit, "Type") == ["notify"] && values(unit, "ProtectSystem") == ["strict"]);
    }
}

#[test]
fn the_containers_run_the_vault_as_a_user_of_its_own_and_out_of_reach() {
    let compose = yaml(COMPOSE).remove(0);
    let services = &compose["services"];
    let (vault, server) = (&services["vault"], &services["portico"]);
    let folder = secrets(&[("smtp", SMTP), ("index.html", "")]);
    let read = |service: &Yaml| {
        let shared = compose["x-wallet"].as_hash().unwrap();
        let own = service["environment"].as_hash().unwrap();
        let pairs = shared.iter().chain(own.iter().filter(|(name, _)| name.as_str() != Some("<<")));
        let variables: Vec<(String, String)> = pairs
            .map(|(name, value)| {
                let value = value.as_str().unwrap();
                let value = match value.split_once("${") {
                    Some(("", _)) => "wallet@example.com".into(),
                    Some((before, _)) => format!("{before}wallet.example.org"),
                    None => value.to_owned(),
                };
                let here = folder.path().to_str().unwrap();
                let value = value.replace("/run/secrets", here).replace("/usr/share/portico/frame", here);
                (name.as_str().unwrap().to_owned(), value.replace("/var/lib/portico-vault/", &format!("{here}/")))
            })
            .collect();
        settings("", &variables).wallet.unwrap()
    };
    let (of_vault, of_server) = (read(vault), read(server));
    sends_as(&of_vault, true);
    sends_as(&of_server, false);
    assert_eq!((of_vault.vault.socket_mode, of_server.vault.start), (0o660, false));
    assert_eq!((&of_vault.origin, of_server.listen.port()), (&"https://wallet.example.org".to_owned(), 8081));
    assert_eq!(services["caddy"]["environment"]["PORTICO_WALLET_UPSTREAM"].as_str(), Some("portico:8081"));
    // Only the socket's volume is the server's too, and no network.
    let volumes = |service: &Yaml| -> Vec<String> {
        texts(&service["volumes"]).iter().map(|one| one.split(':').next().unwrap().to_owned()).collect()
    };
    let of_server = volumes(server);
    let shared: Vec<String> = volumes(vault).into_iter().filter(|name| of_server.contains(name)).collect();
    assert_eq!(shared, ["../packages/frame/dist", "vault-run"]);
    assert!(texts(&vault["networks"]) == ["vault"] && vault["ports"].is_badvalue());
    assert!(keys(services).iter().all(|name| *name == "vault" || services[*name]["networks"].is_badvalue()));
    assert_eq!(keys(&compose["volumes"]), ["vault", "vault-key", "vault-run"]);
    // User and folders are those of the image.
    let (user, group) = vault["user"].as_str().unwrap().split_once(':').unwrap();
    assert!(DOCKERFILE.contains(&format!("useradd --uid {user} --gid portico ")));
    assert!(DOCKERFILE.contains(&format!("groupadd --gid {group} portico ")));
    for folder in ["/var/lib/portico-vault", "/var/lib/portico-vault-key", "/run/portico-vault"] {
        assert!(texts(&vault["volumes"]).iter().any(|volume| volume.ends_with(&format!(":{folder}"))), "{folder}");
        assert!(
            DOCKERFILE.contains(&format!(" {folder} ")) || DOCKERFILE.contains(&format!(" {folder}\n")),
            "{folder}"
        );
    }
}

#[test]
fn caddy_serves_the_host_name_of_the_wallet_without_a_log_and_waits_for_approvals() {
    // A name in parentheses makes the block a snippet, which no site imports, where the variable is not set.
    let (_, wallet) = CADDYFILE.split_once("\n{$PORTICO_WALLET_SITE:(wallet)} {\n").unwrap();
    assert!(!CADDYFILE.contains("import "));
    let directives: Vec<&str> = wallet.lines().map(str::trim).filter(|line| !line.starts_with('#')).collect();
    assert!(
        !directives.iter().any(|line| line.starts_with("log") || line.starts_with("header_up -")),
        "{directives:?}"
    );
    let waits = directives.iter().find_map(|line| line.strip_prefix("response_header_timeout ")).unwrap();
    assert!(waits.trim_end_matches('s').parse::<u32>().unwrap() >= 35, "{waits}");
}

/// Code blocks of the section of the guide with this title, in order.
fn steps(title: &str) -> Vec<&'static str> {
    let (_, section) = GUIDE.split_once(&format!("\n## {title}\n")).unwrap();
    let section = section.split("\n## ").next().unwrap();
    section.split("```").skip(1).step_by(2).collect()
}

#[test]
fn the_guide_copies_the_frame_and_shows_the_settings_before_it_starts_the_services() {
    let steps = steps("With a user of its own");
    let at = |words: &str| steps.iter().position(|step| step.contains(words)).unwrap_or_else(|| panic!("{words}"));
    let settings_of_guide = steps[at("[wallet]")].strip_prefix("toml\n").unwrap();
    assert!(at("cp -r frame /usr/share/portico/frame") < at("[wallet]"));
    assert!(at("vault.key") < at("[wallet]") && at("[wallet]") < at("systemctl restart portico-vault portico"));
    assert!(!steps[..at("[wallet]")].iter().any(|step| step.contains("systemctl")));
    // The settings are complete, once the frame is where the step before has copied it and the units have made the folders.
    let folder = secrets(&[("index.html", ""), ("vault.key", "00"), ("smtp", SMTP)]);
    let here = folder.path().to_str().unwrap();
    let toml = settings_of_guide.replace("/usr/share/portico/frame", here).replace("/var/lib/portico-vault", here);
    for unit in [VAULT, DROP_IN] {
        let toml = toml.replace("/run/portico-vault", here);
        let wallet = settings(&toml, &variables(unit, folder.path())).wallet.unwrap();
        assert_eq!(wallet.origin, "https://wallet.example.org");
    }
    // So is the frame of the setup without a user of its own.
    let first = self::steps("From nothing to a login");
    let copies = first.iter().position(|step| step.contains("cp -r frame /usr/share/portico/frame")).unwrap();
    assert!(first[copies + 1].contains("frame = \"/usr/share/portico/frame\""), "{}", first[copies + 1]);
}

fn of_kind(kind: &str) -> Yaml {
    let mut found: Vec<Yaml> = yaml(KUBERNETES).into_iter().filter(|one| one["kind"].as_str() == Some(kind)).collect();
    assert_eq!(found.len(), 1, "{kind}");
    found.remove(0)
}

#[test]
fn the_pod_runs_server_and_vault_as_users_of_their_own() {
    let pod = of_kind("Deployment")["spec"]["template"]["spec"].clone();
    let map = of_kind("ConfigMap");
    let toml = map["data"]["portico.toml"].as_str().unwrap();
    let folder = secrets(&[
        ("database", "postgres://portico:secret@db.example/portico"),
        ("redis", "redis://redis.example:6379"),
        ("smtp", SMTP),
        ("index.html", ""),
    ]);
    let here = folder.path().to_str().unwrap();
    let container = |name: &str| {
        let all = pod["containers"].as_vec().unwrap();
        all.iter().find(|one| one["name"].as_str() == Some(name)).unwrap().clone()
    };
    let read = |name: &str| {
        let here_of = |text: &str| {
            let text = text.replace("/run/secret/", &format!("{here}/")).replace("/run/portico/", &format!("{here}/"));
            text.replace("/usr/share/portico/frame", here)
        };
        let of = container(name);
        let variables: Vec<(String, String)> = of["env"]
            .as_vec()
            .unwrap()
            .iter()
            .map(|one| (one["name"].as_str().unwrap().into(), here_of(one["value"].as_str().unwrap())))
            .collect();
        settings(&here_of(toml), &variables)
    };
    let (server, vault) = (read("portico"), read("vault"));
    assert!(
        matches!(server.database, DatabasePlace::Postgres(_)) && matches!(vault.database, DatabasePlace::Sqlite(_))
    );
    let (server, vault) = (server.wallet.unwrap(), vault.wallet.unwrap());
    sends_as(&server, false);
    sends_as(&vault, true);
    assert!(matches!(vault.vault.database, DatabasePlace::Postgres(_)));
    assert_eq!((server.vault.start, vault.vault.socket_mode), (false, 0o660));
    let user = |name: &str| container(name)["securityContext"]["runAsUser"].as_i64();
    assert_eq!(
        (user("vault"), user("portico"), pod["securityContext"]["runAsUser"].as_i64()),
        (Some(10002), None, Some(10001))
    );
    let mounts = |name: &str| -> Vec<String> {
        let of = container(name);
        of["volumeMounts"].as_vec().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    };
    assert!(!mounts("portico").iter().any(|name| name == "vault-secrets" || name == "key"), "{:?}", mounts("portico"));
    assert!(!mounts("vault").contains(&"secrets".to_owned()));
    for all in ["containers", "initContainers"] {
        for one in pod[all].as_vec().unwrap() {
            let own = &one["securityContext"];
            assert_eq!(
                (own["readOnlyRootFilesystem"].as_bool(), own["allowPrivilegeEscalation"].as_bool()),
                (Some(true), Some(false))
            );
            assert_eq!(texts(&own["capabilities"]["drop"]), ["ALL"]);
        }
    }
    assert_eq!(of_kind("Deployment")["spec"]["replicas"].as_i64(), Some(1));
    let (service, ingress) = (of_kind("Service"), of_kind("Ingress"));
    assert_eq!(service["spec"]["ports"][0]["targetPort"].as_str(), Some("wallet"));
    let rule = &ingress["spec"]["rules"][0];
    assert_eq!(format!("https://{}", rule["host"].as_str().unwrap()), server.origin);
    let port = container("portico")["ports"][0].clone();
    assert_eq!(
        (port["name"].as_str(), port["containerPort"].as_i64()),
        (Some("wallet"), Some(i64::from(server.listen.port())))
    );
}
