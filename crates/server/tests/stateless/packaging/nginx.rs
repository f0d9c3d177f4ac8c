//! The examples of a proxy in front: `packaging/nginx.conf`, and `packaging/nginx-wallet.conf` for the embedded wallet's host name.

const NGINX: &str = include_str!("../../../../../packaging/nginx.conf");
const WALLET: &str = include_str!("../../../../../packaging/nginx-wallet.conf");

fn values(directive: &str) -> impl Iterator<Item = &'static str> {
    values_in(NGINX, directive)
}

/// Values of a directive of a file, in order.
fn values_in(file: &'static str, directive: &str) -> impl Iterator<Item = &'static str> {
    let lines = file.lines().map(str::trim);
    lines.filter_map(move |line| line.strip_prefix(directive)?.strip_prefix(' ')?.strip_suffix(';'))
}

#[test]
fn the_log_of_the_proxy_has_no_query_and_no_page() {
    let formats: Vec<&str> = values("log_format").collect();
    assert_eq!(formats.len(), 1);
    for private in ["$request\"", "$request ", "$args", "$query_string", "$request_uri", "$http_referer", "$arg_"] {
        assert!(!formats[0].contains(private), "{private}");
    }
    // Each server has one, as the default format has the query.
    assert_eq!(values("access_log").collect::<Vec<_>>(), ["off", "/var/log/nginx/portico.log portico"]);
    for server in NGINX.split("\nserver {").skip(1) {
        assert_eq!(server.matches(" access_log ").count(), 1, "{server}");
    }
    // Less severe errors come with the request line.
    assert!(values("error_log").all(|log| log.ends_with(" crit")));
}

#[test]
fn no_answer_that_a_visitor_can_cause_switches_a_node_off() {
    assert_eq!(values("proxy_next_upstream").collect::<Vec<_>>(), ["error timeout"]);
    assert_eq!(values("limit_conn_zone").count(), 1);
    assert_eq!(values("limit_conn_status").collect::<Vec<_>>(), ["429"]);
}

#[test]
fn the_wallets_host_name_writes_no_link_of_a_mail_and_waits_for_an_approval() {
    assert_eq!(values_in(WALLET, "access_log").collect::<Vec<_>>(), ["off", "off"]);
    assert_eq!(values_in(WALLET, "error_log").collect::<Vec<_>>(), ["/var/log/nginx/portico-wallet-error.log crit"]);
    assert_eq!(values_in(WALLET, "proxy_read_timeout").collect::<Vec<_>>(), ["40s"]);
    // The vault checks these headers as the browser sent them.
    for kept in ["origin", "sec-fetch-site", "dpop"] {
        assert!(values_in(WALLET, "proxy_set_header").all(|header| !header.starts_with(kept)), "{kept}");
    }
}
