//! The example of a proxy in front, `packaging/nginx.conf`.

const NGINX: &str = include_str!("../../../../../packaging/nginx.conf");

/// Values of a directive, in order.
fn values(directive: &str) -> impl Iterator<Item = &'static str> {
    let lines = NGINX.lines().map(str::trim);
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
