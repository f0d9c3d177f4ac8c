//! Check of Redis, without which each server keeps its own limits.

use super::Report;
use crate::config::Config;
use crate::shared::{Refusal, Shared};
use redis::{ConnectionAddr, ConnectionInfo};
use tokio::net::lookup_host;

const UNTIL: &str = "each server keeps its own limits.";

pub(super) async fn check(config: &Config, report: &mut Report) {
    let Some(place) = &config.redis else { return };
    match Shared::in_redis(place.clone(), &config.redis_prefix) {
        Ok(shared) if shared.whole().await => report.ok("redis", "responds"),
        Ok(shared) => match shared.refusal() {
            Some(refusal) => report.wrong("redis", refused(place, refusal)),
            None => report.wrong("redis", silent(place).await),
        },
        Err(_) => report.wrong("redis", silent(place).await),
    }
}

/// Sentence about a Redis that responds, and refuses.
fn refused(place: &ConnectionInfo, refusal: Refusal) -> String {
    let at = place.addr();
    match refusal {
        Refusal::Login => format!("{at} refuses the name or password. Correct it in `redis`. Until then, {UNTIL}"),
        Refusal::NoDatabase => {
            let number = place.redis_settings().db();
            format!("{at} has no database {number}. Use another number in `redis`. Until then, {UNTIL}")
        }
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

    #[test]
    fn a_redis_without_the_database_of_the_number_is_told_with_what_to_do() {
        let place = "redis://:secret@127.0.0.1:6379/99".into_connection_info().unwrap();
        assert_eq!(
            refused(&place, Refusal::NoDatabase),
            "127.0.0.1:6379 has no database 99. Use another number in `redis`. Until then, each server keeps its own limits."
        );
    }

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
