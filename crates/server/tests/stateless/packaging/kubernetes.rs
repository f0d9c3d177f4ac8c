//! `packaging/kubernetes.yaml`

use super::{keys, settings, texts, yaml};
use crate::support::Server;
use axum::http::StatusCode;
use portico_server::stop::DRAIN_LIMIT;
use yaml_rust2::Yaml;

const KUBERNETES: &str = include_str!("../../../../../packaging/kubernetes.yaml");

fn of_kind(kind: &str) -> Yaml {
    let mut found: Vec<Yaml> = yaml(KUBERNETES).into_iter().filter(|one| one["kind"].as_str() == Some(kind)).collect();
    assert_eq!(found.len(), 1, "{kind}");
    found.remove(0)
}

fn container() -> Yaml {
    let pod = &of_kind("Deployment")["spec"]["template"]["spec"];
    assert_eq!(pod["containers"].as_vec().unwrap().len(), 1);
    pod["containers"][0].clone()
}

#[test]
fn each_object_has_its_version_its_name_and_its_namespace() {
    let known = [
        ("ConfigMap", "v1"),
        ("Deployment", "apps/v1"),
        ("Service", "v1"),
        ("PodDisruptionBudget", "policy/v1"),
        ("Ingress", "networking.k8s.io/v1"),
    ];
    let objects = yaml(KUBERNETES);
    let found: Vec<(&str, &str)> =
        objects.iter().map(|one| (one["kind"].as_str().unwrap(), one["apiVersion"].as_str().unwrap())).collect();
    assert_eq!(found, known);
    for object in &objects {
        assert_eq!(object["metadata"]["name"].as_str(), Some("portico"));
        assert_eq!(object["metadata"]["namespace"].as_str(), Some("portico"));
    }
}

#[test]
fn the_settings_are_what_the_server_reads_and_their_files_are_mounted() {
    let map = of_kind("ConfigMap");
    let toml = map["data"]["portico.toml"].as_str().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let secrets =
        [("database", "postgres://portico:secret@db.example/portico"), ("redis", "redis://redis.example:6379")];
    for (name, secret) in secrets {
        std::fs::write(folder.path().join(name), secret).unwrap();
        assert!(
            KUBERNETES.contains(&format!("--from-literal={name}={}", secret.replace("secret", "PASSWORD"))),
            "{name}"
        );
        assert!(toml.contains(&format!("\"/run/portico/{name}\"")), "{name}");
    }
    let config = settings(&toml.replace("/run/portico", folder.path().to_str().unwrap()), &[]);
    let container = container();
    let ports: Vec<(&str, i64)> = container["ports"]
        .as_vec()
        .unwrap()
        .iter()
        .map(|port| (port["name"].as_str().unwrap(), port["containerPort"].as_i64().unwrap()))
        .collect();
    let admin = config.admin_listen.unwrap();
    assert_eq!(ports, [("http", i64::from(config.listen.port())), ("admin", i64::from(admin.port()))]);
    // Pods have addresses that others reach: there the admin page answers in the pod only.
    assert!(config.admin_from.is_empty());
    let mounts: Vec<(&str, &str)> = container["volumeMounts"]
        .as_vec()
        .unwrap()
        .iter()
        .map(|mount| (mount["name"].as_str().unwrap(), mount["mountPath"].as_str().unwrap()))
        .collect();
    assert_eq!(mounts, [("config", "/etc/portico"), ("secrets", "/run/portico")]);
    assert_eq!(texts(&container["args"]), ["serve", "--config", "/etc/portico/portico.toml"]);
    let volumes = &of_kind("Deployment")["spec"]["template"]["spec"]["volumes"];
    assert_eq!(volumes[0]["configMap"]["name"].as_str(), Some("portico"));
    assert_eq!(volumes[1]["secret"]["secretName"].as_str(), Some("portico"));
    let image = container["image"].as_str().unwrap();
    assert_eq!(image.rsplit(':').next(), Some(env!("CARGO_PKG_VERSION")));
}

#[test]
fn visitors_reach_the_http_port_of_these_pods_alone() {
    let pods = of_kind("Deployment")["spec"]["template"]["metadata"]["labels"].clone();
    for selector in [
        &of_kind("Deployment")["spec"]["selector"]["matchLabels"],
        &of_kind("Service")["spec"]["selector"],
        &of_kind("PodDisruptionBudget")["spec"]["selector"]["matchLabels"],
    ] {
        assert_eq!(selector, &pods);
    }
    let service = of_kind("Service");
    let ports = service["spec"]["ports"].as_vec().unwrap();
    assert_eq!((ports.len(), ports[0]["targetPort"].as_str()), (1, Some("http")));
    let ingress = of_kind("Ingress");
    let rule = &ingress["spec"]["rules"][0];
    let backend = &rule["http"]["paths"][0]["backend"]["service"];
    assert_eq!(backend["name"], service["metadata"]["name"]);
    assert_eq!(backend["port"]["name"], ports[0]["name"]);
    assert_eq!(texts(&ingress["spec"]["tls"][0]["hosts"]), [rule["host"].as_str().unwrap()]);
}

#[tokio::test]
async fn its_probes_are_answered_and_a_pod_has_time_to_drain() {
    let container = container();
    let server = Server::configured("").await;
    for probe in ["livenessProbe", "readinessProbe"] {
        let get = &container[probe]["httpGet"];
        assert_eq!(get["port"].as_str(), Some("admin"), "{probe}");
        assert_eq!(server.get(get["path"].as_str().unwrap()).await.status(), StatusCode::OK, "{probe}");
    }
    let grace = of_kind("Deployment")["spec"]["template"]["spec"]["terminationGracePeriodSeconds"].as_i64().unwrap();
    assert!(grace > i64::try_from(DRAIN_LIMIT.as_secs()).unwrap());
}

#[test]
fn a_pod_may_do_no_more_than_it_needs() {
    let pod = of_kind("Deployment")["spec"]["template"]["spec"].clone();
    assert_eq!(pod["automountServiceAccountToken"].as_bool(), Some(false));
    assert_eq!(pod["securityContext"]["runAsNonRoot"].as_bool(), Some(true));
    assert_ne!(pod["securityContext"]["runAsUser"].as_i64(), Some(0));
    let own = &container()["securityContext"];
    assert_eq!(keys(own), ["allowPrivilegeEscalation", "readOnlyRootFilesystem", "capabilities"]);
    assert_eq!(
        (own["allowPrivilegeEscalation"].as_bool(), own["readOnlyRootFilesystem"].as_bool()),
        (Some(false), Some(true))
    );
    assert_eq!(texts(&own["capabilities"]["drop"]), ["ALL"]);
}
