//! Check of Redis, without which each server keeps its own limits.

use super::Report;
use crate::config::Config;
use crate::shared::Shared;
use redis::{ConnectionAddr, ConnectionInfo};
use tokio::net::lookup_host;

const UNTIL: &str = "each server keeps its own limits.";

pub(super) async fn check(config: &Config, report: &mut Report) {
    let Some(place) = &config.redis else { return };
    match Shared::in_redis(place.clone(), &config.redis_prefix) {
        Ok(shared) if shared.whole().await => report.ok("redis", "responds"),
        Ok(shared) if shared.is_refused() => report.wrong(
            "redis",
            format!("{} refuses the name or password. Correct it in `redis`. Until then, {UNTIL}", place.addr()),
        ),
        _ => report.wrong("redis", silent(place).await),
    }
}

/// Sentence about a Redis that gives no response.
async fn silent(place: &ConnectionInfo) -> String {
    if let ConnectionAddr::Tcp(host, port) | ConnectionAddr::TcpTls { host, port, .. } = place.addr()
        && lookup_host((host.as_str(), *port)).await.is_err()
    {
        return format!(
            "The name {host} can't be found. Check it in `redis`, and this machine's DNS. Until it is found, {UNTIL}"
        );
    }
    format!(
        "{} isn't responding. Check that it runs and that `redis` is right. Until it responds, {UNTIL}",
        place.addr()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use redis::IntoConnectionInfo;

    #[tokio::test]
    async fn a_host_name_that_is_not_found_is_told() {
        // The part is longer than DNS allows, so no name server is asked.
        let host = format!("{}.invalid", "x".repeat(64));
        let told = silent(&format!("redis://:secret@{host}:6379").into_connection_info().unwrap()).await;
        assert!(told.starts_with(&format!("The name {host} can't be found. Check it in `redis`, ")), "{told}");
        let told = silent(&"redis://127.0.0.1:1".into_connection_info().unwrap()).await;
        assert!(told.starts_with("127.0.0.1:1 isn't responding. Check that it runs "), "{told}");
    }
}
