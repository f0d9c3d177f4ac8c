//! Checks of what pages and visitors get: the public URL, files, sources of data, names, buying and analytics.

use crate::cli::port::Running;
use crate::cli::report::Report;
use crate::config::{Config, PriceSource, Seller, Vendor};
use crate::health::{MARK, SAME};
use crate::outbound::http_client;
use std::time::Duration;

/// Time limit of a request to the public URL.
const WAIT: Duration = Duration::from_secs(10);

/// Whether the public URL leads to this server.
pub(super) async fn public_url(config: &Config, running: Option<Running>, report: &mut Report) {
    let what = "public_url";
    let Some(url) = &config.public_url else {
        if !config.is_first_run() {
            report.note(what, "not set, so the code for your site has an address that only this machine reaches. Set it to the URL of your proxy, such as https://portico.example.org.");
        }
        return;
    };
    let Some(running) = running.filter(Running::is_own) else {
        return report.ok(what, format!("{url} is checked while the server runs."));
    };
    let listen = running.listen.unwrap_or(config.listen);
    let client = match http_client(url.starts_with("https")) {
        Ok(client) => client,
        Err(error) => return report.wrong(what, error),
    };
    let asked = client.get(format!("{url}/health/live")).header(MARK, config.database.mark()).timeout(WAIT).send();
    match asked.await {
        Ok(response) if response.headers().get(SAME).is_some_and(|same| same == "yes") => {
            report.ok(what, format!("{url} reaches this server"));
        }
        Ok(response) => report.wrong(
            what,
            format!(
                "{url} answers {}, but not from this server. Let your proxy pass all of it to {listen}.",
                response.status().as_u16()
            ),
        ),
        Err(_) => report.wrong(
            what,
            format!("Couldn't reach {url}. Check its DNS entry, its certificate, and that your proxy runs and passes it to {listen}."),
        ),
    }
}

/// A public URL with https has a proxy in front, which has to be trusted.
pub(super) fn proxy(config: &Config, report: &Report) {
    let behind = config.public_url.as_ref().is_some_and(|url| url.starts_with("https://"));
    if behind && config.limits.trusted_proxies.is_empty() {
        report.note(
            "trusted_proxies",
            "empty, so all visitors behind your proxy count as one and share its limit. Set it to the proxy's address, such as [\"127.0.0.1\"].",
        );
    }
}

/// Lines about what is on and off.
pub(super) fn check(config: &Config, report: &Report) {
    files(config, report);
    sources(config, report);
    names(config, report);
    buying(config, report);
    analytics(config, report);
}

fn files(config: &Config, report: &Report) {
    match &config.static_dir {
        None => report.ok("static_dir", "not set, so the server serves no pages of its own"),
        Some(folder) if folder.join("index.html").is_file() => {
            report.ok("static_dir", format!("serves {}", folder.display()));
        }
        Some(folder) => report.note(
            "static_dir",
            format!("{} has no index.html, so there is nothing at /. Put your page there.", folder.display()),
        ),
    }
}

fn sources(config: &Config, report: &Report) {
    let from = |vendors: &[Vendor]| match vendors {
        [] => "no source".into(),
        vendors => vendors.iter().map(|vendor| vendor.word()).collect::<Vec<_>>().join(", "),
    };
    let sources = &config.sources;
    let prices = match &sources.prices {
        PriceSource::None => "no source",
        PriceSource::File(_) => "your file",
        PriceSource::DefiLlama(_) => "DefiLlama",
        PriceSource::CoinGecko { .. } => "CoinGecko",
    };
    let (balances, history, nfts) = (from(&sources.balances), from(&sources.history), from(&sources.nfts));
    report.ok(
        "sources",
        format!("balances from {balances}; history from {history}; NFTs from {nfts}; prices from {prices}"),
    );
}

fn names(config: &Config, report: &Report) {
    match &config.names {
        None => report.off("names", "`names.parent`"),
        Some(names) if names.gateway.is_some() => {
            report.ok("names", format!("on, below {}; other apps find them too", names.parent));
        }
        Some(names) => report.note(
            "names",
            format!(
                "on, below {}, but other apps don't find them. Set `names.signer_key` and `names.resolver`.",
                names.parent
            ),
        ),
    }
}

/// Without an on-ramp provider the widget hides its buy buttons: the operator should know why.
fn buying(config: &Config, report: &Report) {
    let there: Vec<&str> = config.onramp.sellers.iter().map(Seller::word).collect();
    let missing = config.onramp.missing();
    if config.onramp.off {
        return report.off("buying", "`onramp.providers`, an empty list");
    }
    if there.is_empty() {
        let keys = missing.join(", or ");
        return report.off("buying", keys);
    }
    report.ok("buying", format!("on, with {}", there.join(", ")));
    if !missing.is_empty() {
        report.ok("buying", format!("for more providers, set {}", missing.join(", or ")));
    }
}

fn analytics(config: &Config, report: &Report) {
    match (config.analytics, config.analytics_keep_days) {
        (true, Some(1)) => report.ok("analytics", "on; events are deleted after a day"),
        (true, Some(days)) => report.ok("analytics", format!("on; events are deleted after {days} days")),
        _ => report.off("analytics", "`analytics.enabled = true`"),
    }
}
