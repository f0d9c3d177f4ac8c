//! `packaging/nginx.conf` and `packaging/nginx-wallet.conf`, parsed by a real nginx.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Whether a real nginx accepts a file, and its messages. The file's ports, logs and certificates are replaced by those of a temporary folder.
fn parsed(text: &str) -> (bool, String) {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path().display();
    let mut file = String::new();
    for (number, line) in text.lines().enumerate() {
        // Ports below 1024 need root.
        let line = match line.trim_start().strip_prefix("listen ") {
            Some(rest) => {
                let more = rest.trim_end_matches(';').split_once(' ').map_or("", |(_, more)| more);
                format!("listen unix:{here}/{number} {more};")
            }
            // Nginx reads a path with a variable at each connection, so the certificate does not have to exist.
            None => line.replace("/live/portico.example.org/", "/live/$ssl_server_name/"),
        };
        let line = line.replace("/live/wallet.example.org/", "/live/$ssl_server_name/");
        file += &(line.replace("/var/log/nginx/", &format!("{here}/")) + "\n");
    }
    fs::write(folder.path().join("site.conf"), file).unwrap();
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|kind| format!("    {kind}_temp_path {here}/{kind};\n"))
        .concat();
    let whole = format!("pid {here}/pid;\nevents {{}}\nhttp {{\n{temporary}    include {here}/site.conf;\n}}\n");
    fs::write(folder.path().join("nginx.conf"), whole).unwrap();
    let mut command = Command::new(std::env::var("PORTICO_TEST_NGINX").expect("PORTICO_TEST_NGINX"));
    command.arg("-t").arg("-e").arg(folder.path().join("error.log")).arg("-c").arg(folder.path().join("nginx.conf"));
    let output = command.output().unwrap();
    (output.status.success(), String::from_utf8(output.stderr).unwrap())
}

fn example(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging").join(name)).unwrap()
}

#[test]
fn nginx_accepts_the_files_for_it() {
    for name in ["nginx.conf", "nginx-wallet.conf"] {
        let (accepted, told) = parsed(&example(name));
        assert!(accepted && told.contains("syntax is ok"), "{name}: {told}");
        assert!(!told.contains("[warn]") && !told.contains("[emerg]"), "{name}: {told}");
    }
}

#[test]
fn nginx_refuses_a_file_with_a_mistake() {
    let (accepted, told) = parsed(&example("nginx.conf").replace("least_conn;", "least_con;"));
    assert!(!accepted && told.contains("unknown directive \"least_con\""), "{told}");
}
