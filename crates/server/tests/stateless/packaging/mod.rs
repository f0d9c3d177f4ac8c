//! The files in `packaging/`: each is parsed, and agrees with what the server reads and serves.

mod compose;
mod dockerfile;
mod kubernetes;
mod nginx;
mod release;
mod wallet;

use portico_server::config::{Config, Flags};
use std::path::Path;
use yaml_rust2::{Yaml, YamlLoader};

/// Documents of a YAML text.
fn yaml(text: &str) -> Vec<Yaml> {
    YamlLoader::load_from_str(text).unwrap()
}

/// Keys of a mapping, in order.
fn keys(mapping: &Yaml) -> Vec<&str> {
    mapping.as_hash().into_iter().flat_map(|hash| hash.keys()).map(|key| key.as_str().unwrap()).collect()
}

/// Texts of a list.
fn texts(list: &Yaml) -> Vec<&str> {
    list.as_vec().into_iter().flatten().map(|text| text.as_str().unwrap()).collect()
}

/// The settings of a file and of an environment, as the server reads them.
fn settings(toml: &str, environment: &[(String, String)]) -> Config {
    Config::parse(Path::new("portico.toml"), toml, environment.to_vec(), &Flags::default()).unwrap_or_else(|mistakes| {
        panic!("{}", mistakes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
    })
}

#[test]
fn each_file_is_named_in_the_guide_of_operators() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let guide = std::fs::read_to_string(root.join("docs/operations/server.md")).unwrap();
    let files = std::fs::read_dir(root.join("packaging")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    // The folder's own page leads to the guide.
    let names: Vec<String> = names.filter(|name| name != "README.md").collect();
    assert!(names.len() > 10, "{names:?}");
    for name in names {
        assert!(guide.contains(&format!("[{name}](../../packaging/{name})")), "{name}");
    }
}
