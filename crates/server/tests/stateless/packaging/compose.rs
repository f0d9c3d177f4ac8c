//! `packaging/compose.yaml`

use super::{keys, settings, texts, yaml};
use portico_server::config::DatabasePlace;
use std::path::Path;
use yaml_rust2::Yaml;

const COMPOSE: &str = include_str!("../../../../../packaging/compose.yaml");
const WALLET: &str = include_str!("../../../../../packaging/compose.wallet.yaml");
const CADDYFILE: &str = include_str!("../../../../../packaging/Caddyfile");

fn compose() -> Yaml {
    yaml(COMPOSE).remove(0)
}

/// Networks of a service, which are a list or a mapping.
fn networks(service: &Yaml) -> Vec<&str> {
    match &service["networks"] {
        Yaml::Array(_) => texts(&service["networks"]),
        mapping => keys(mapping),
    }
}

#[test]
fn the_environment_of_portico_is_what_the_server_reads() {
    let compose = compose();
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("database");
    std::fs::write(&secret, "postgres://portico:secret@postgres/portico\n").unwrap();
    let given = compose["services"]["portico"]["environment"].as_hash().unwrap();
    let environment: Vec<(String, String)> = given
        .iter()
        .map(|(name, value)| {
            let value = value.as_str().unwrap().replace("${PORTICO_SITE:?}", "portico.example.org");
            (name.as_str().unwrap().to_owned(), value.replace("/run/secrets/database", secret.to_str().unwrap()))
        })
        .collect();
    let config = settings("", &environment);
    assert!(matches!(config.database, DatabasePlace::Postgres(_)) && config.redis.is_some());
    assert_eq!(config.public_url.as_deref(), Some("https://portico.example.org"));
    // The address of a visitor is believed from Caddy alone, and the admin page opened from this machine alone.
    let front = &compose["services"]["caddy"]["networks"]["front"]["ipv4_address"];
    let caddy = format!("{}/32", front.as_str().unwrap());
    assert_eq!(config.limits.trusted_proxies.iter().map(ToString::to_string).collect::<Vec<_>>(), [caddy]);
    let gateway = &compose["networks"]["outside"]["ipam"]["config"][0]["gateway"];
    let gateway = format!("{}/32", gateway.as_str().unwrap());
    assert_eq!(config.admin_from.iter().map(ToString::to_string).collect::<Vec<_>>(), [gateway]);
}

#[test]
fn addresses_lie_in_their_networks() {
    let compose = compose();
    let subnet = |network: &str| -> ipnet::IpNet {
        compose["networks"][network]["ipam"]["config"][0]["subnet"].as_str().unwrap().parse().unwrap()
    };
    let address = |text: &Yaml| -> std::net::IpAddr { text.as_str().unwrap().parse().unwrap() };
    let caddy = address(&compose["services"]["caddy"]["networks"]["front"]["ipv4_address"]);
    let gateway = address(&compose["networks"]["outside"]["ipam"]["config"][0]["gateway"]);
    assert!(subnet("front").contains(&caddy) && subnet("outside").contains(&gateway));
    assert!(!subnet("front").contains(&subnet("outside").addr()));
}

#[test]
fn only_caddy_is_open_to_others() {
    let compose = compose();
    let services = &compose["services"];
    for service in keys(services) {
        let ports = texts(&services[service]["ports"]);
        match service {
            "caddy" => assert_eq!(ports, ["80:80", "443:443"]),
            "portico" => assert!(ports.iter().all(|port| port.starts_with("127.0.0.1:")), "{ports:?}"),
            _ => assert!(ports.is_empty(), "{service} publishes {ports:?}"),
        }
    }
    // The stores have no way out, and Caddy reaches portico by the network of the address that is believed.
    for store in ["postgres", "redis"] {
        assert_eq!(networks(&services[store]), ["back"]);
    }
    for network in ["back", "front"] {
        assert_eq!(compose["networks"][network]["internal"].as_bool(), Some(true), "{network}");
    }
    let portico = networks(&services["portico"]);
    let shared: Vec<&str> = networks(&services["caddy"]).into_iter().filter(|name| portico.contains(name)).collect();
    assert_eq!(shared, ["front"]);
    let open: Vec<&&str> =
        portico.iter().filter(|name| compose["networks"][**name]["internal"].as_bool() != Some(true)).collect();
    assert_eq!(open, [&"outside"], "the port of the admin page is published by another network");
}

#[test]
fn what_a_service_names_is_there_and_all_that_is_there_is_used() {
    let compose = compose();
    let services = &compose["services"];
    let packaging = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging");
    let (mut used_networks, mut used_secrets, mut used_volumes) = (Vec::new(), Vec::new(), Vec::new());
    for name in keys(services) {
        let service = &services[name];
        let image = service["image"].as_str();
        let pinned = image.is_some_and(|image| image.split_once(':').is_some_and(|(_, tag)| tag != "latest"));
        assert!(pinned || !service["build"].is_badvalue(), "{name}");
        assert_eq!(service["restart"].as_str(), Some("unless-stopped"), "{name}");
        used_networks.extend(networks(service));
        used_secrets.extend(texts(&service["secrets"]));
        for volume in texts(&service["volumes"]) {
            let source = volume.split(':').next().unwrap();
            match source.strip_prefix("./") {
                // The operator writes it.
                Some("portico.toml") => {}
                Some(file) => assert!(packaging.join(file).is_file(), "{file}"),
                None => used_volumes.push(source),
            }
        }
        for before in keys(&service["depends_on"]) {
            assert!(!services[before].is_badvalue(), "{before}");
            if service["depends_on"][before]["condition"].as_str() == Some("service_healthy") {
                assert!(services[before]["healthcheck"]["test"].as_vec().is_some(), "{before}");
            }
        }
    }
    for (kind, mut used) in [("networks", used_networks), ("secrets", used_secrets), ("volumes", used_volumes)] {
        let mut declared = keys(&compose[kind]);
        declared.sort_unstable();
        used.sort_unstable();
        used.dedup();
        assert_eq!(used, declared, "{kind}");
    }
    let build = &services["portico"]["build"];
    let context = packaging.join(build["context"].as_str().unwrap());
    assert!(context.join(build["dockerfile"].as_str().unwrap()).is_file());
}

#[test]
fn caddy_gets_the_variables_that_its_file_names_and_logs_no_request() {
    let compose = compose();
    let wallet = yaml(WALLET).remove(0);
    let given: Vec<&str> =
        [&compose, &wallet].iter().flat_map(|file| keys(&file["services"]["caddy"]["environment"])).collect();
    let named: Vec<&str> = CADDYFILE.split("{$").skip(1).map(|rest| rest.split([':', '}']).next().unwrap()).collect();
    assert_eq!(given, named);
    assert!(CADDYFILE.lines().all(|line| !line.trim_start().starts_with("log")));
}
