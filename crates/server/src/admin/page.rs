//! The admin page: what operators want to know about this node, at a glance.

use super::figures::Figures;
use super::projects::{Row, projects};
use super::route;
use super::sign_in::{NoDatabase, POLICY};
use super::{Admin, MEMORY, STARTED};
use crate::config::Chain;
use crate::digits::grouped;
use crate::guard::limits::spent_today;
use crate::guard::metrics::{IN_FLIGHT, REQUESTS};
use crate::health::Readiness;
use crate::html::{Html, Table};
use crate::project::{Entry, table};
use crate::relay::metrics as relay;
use crate::rpc::metrics as rpc;
use axum::response::Response;
use jiff::Timestamp;
use std::fmt::Display;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Number of projects, and of kinds of errors, that are listed.
const MOST_PROJECTS: usize = 200;
const MOST_ERRORS: usize = 50;

/// Number of rows of a list that are shown at once; the others open below them.
const FEW: usize = 10;

/// Sections of the page after the first one, by the ids that links jump to.
const SECTIONS: [(&str, &str); 6] = [
    ("errors", "Errors"),
    ("networks", "Networks"),
    ("projects", "Projects"),
    ("cache", "Cache"),
    ("relay", "Relay"),
    ("events", "Recent events"),
];

/// Outcomes of requests to a node that failed, in words.
const FAILURES: [(&str, &str); 3] = [
    ("failed", "Node failed"),
    ("limited", "Node limited requests"),
    ("silent", "Node can't be reached or didn't respond"),
];

/// The page; its title says whether the server is ready.
pub(super) async fn page(admin: &Admin) -> Result<Response, NoDatabase> {
    let figures = Figures::parse(&admin.text().await);
    let (entries, all) = table::oldest(admin.state.database(), MOST_PROJECTS).await?;
    let spent = spent_today(&admin.state, &entries).await;
    let used = |entry: &Entry| admin.state.projects().used(&entry.id);
    let mut rows: Vec<Row> =
        entries.into_iter().zip(spent).map(|(entry, today)| Row { used: used(&entry), entry, today }).collect();
    // Projects that had to refuse requests come first, where an operator sees them.
    rows.sort_by_key(|row| row.used.over + row.used.strangers == 0);
    let readiness = Readiness::of(&admin.state).await;
    let mut html = Html::page(title(readiness), "/admin/page.css");
    html.raw("</head>\n<body class=\"wide\">\n<header>\n<h1>Portico admin</h1>\n<a href=\"/admin\">Refresh</a>\n");
    html.raw("<form method=\"post\" action=\"/admin/leave\"><button class=\"quiet\" type=\"submit\">Sign out</button></form>\n</header>\n<nav aria-label=\"Sections\">");
    for (id, name) in SECTIONS {
        html.raw("<a href=\"#").raw(id).raw("\">").raw(name).raw("</a>\n");
    }
    html.raw("</nav>\n<main>\n");
    overview(&mut html, admin, &figures, readiness);
    errors(&mut html, &figures);
    networks(&mut html, admin, &figures);
    projects(&mut html, &rows, all, admin.state.limits().client_part);
    cache(&mut html, admin, &figures);
    relayed(&mut html, admin, &figures);
    events(&mut html, admin);
    html.raw("</main>\n</body>\n</html>\n");
    Ok(html.into_response(POLICY))
}

/// Title of the page: whether the server is ready, and the first thing that is wrong.
fn title(readiness: Readiness) -> &'static str {
    match readiness {
        Readiness::Ready => "Ready · Portico admin",
        Readiness::NearlyFull => "Nearly full · Portico admin",
        Readiness::NoRedis => "Redis isn't responding · Portico admin",
        Readiness::RedisRefuses => "Redis refuses the login · Portico admin",
        Readiness::RedisLacksDatabase => "Redis has no such database · Portico admin",
        Readiness::NoDatabase | Readiness::NoRelay | Readiness::Stopping => "Not ready · Portico admin",
    }
}

/// The same in a sentence.
fn status(readiness: Readiness) -> &'static str {
    match readiness {
        Readiness::Ready => "Ready",
        Readiness::NearlyFull => "Ready, but little room is left. See the capacity used below.",
        Readiness::NoRedis => {
            "Ready, but Redis isn't responding. Until it does, this node keeps its own limits and cache."
        }
        Readiness::RedisRefuses => {
            "Ready, but Redis refuses the name or password. Correct it in `redis`. Until then, this node keeps its own limits and cache."
        }
        Readiness::RedisLacksDatabase => {
            "Ready, but Redis has no database of this number. Use another number in `redis`. Until then, this node keeps its own limits and cache."
        }
        Readiness::NoDatabase => "Not ready. The database isn't responding.",
        Readiness::NoRelay => "Not ready. The relay can't store messages.",
        Readiness::Stopping => "Stopping",
    }
}

/// Heading of a section that links jump to.
pub(super) fn heading(html: &mut Html, id: &'static str) {
    let name = SECTIONS.iter().find(|(other, _)| *other == id).map_or(id, |(_, name)| name);
    html.raw("<h2 id=\"").raw(id).raw("\">").raw(name).raw("</h2>\n");
}

/// Draws the first rows of a list, and the others where they open. `draw` gets the name of its table: no two have the same.
pub(super) fn folded<T>(
    html: &mut Html,
    rows: &[T],
    names: [&'static str; 2],
    draw: impl Fn(&mut Html, &'static str, &[T]),
) {
    let (first, others) = rows.split_at(rows.len().min(FEW));
    draw(html, names[0], first);
    if !others.is_empty() {
        html.raw("<details>\n<summary>").text(others.len()).raw(" more</summary>\n");
        draw(html, names[1], others);
        html.raw("</details>\n");
    }
}

fn overview(html: &mut Html, admin: &Admin, figures: &Figures, readiness: Readiness) {
    html.raw("<h2>This server</h2>\n<dl class=\"card\">\n<dt>Status</dt>");
    html.raw(if readiness == Readiness::Ready { "<dd class=\"good\">" } else { "<dd class=\"bad\">" });
    html.raw(status(readiness)).raw("</dd>");
    if admin.state.shared().spans_processes() {
        html.raw("\n<dt>Redis</dt>");
        html.raw(match readiness {
            Readiness::NoRedis => "<dd class=\"bad\">Isn't responding</dd>",
            Readiness::RedisRefuses => "<dd class=\"bad\">Refuses the name or password</dd>",
            Readiness::RedisLacksDatabase => "<dd class=\"bad\">Has no database of this number</dd>",
            Readiness::NoDatabase | Readiness::Stopping => "<dd>Not checked</dd>",
            _ => "<dd class=\"good\">Responds</dd>",
        });
    }
    html.raw("\n<dt>Version</dt><dd>").text(env!("CARGO_PKG_VERSION")).raw("</dd>\n<dt>Uptime</dt><dd>");
    html.text(duration(now() - figures.sum(STARTED, &[]))).raw("</dd>\n<dt>Memory</dt><dd>");
    html.text(format_args!("{:.0} MiB", figures.sum(MEMORY, &[]) / 1024.0 / 1024.0))
        .raw("</dd>\n<dt>Requests</dt><dd>");
    html.text(count(figures.sum(REQUESTS, &[]))).raw(" since the start, ");
    html.text(count(figures.sum(IN_FLIGHT, &[]))).raw(" running</dd>\n<dt>Capacity used</dt><dd>");
    for (number, (of, part)) in admin.state.fullness().enumerate() {
        let name = match (of, number) {
            ("bodies", 0) => "Request memory".into(),
            ("bodies", _) => "request memory".into(),
            _ => of.replace('_', " "),
        };
        html.raw(if number > 0 { ", " } else { "" }).text(name).raw(" ").text(percent(part));
    }
    html.raw("</dd>\n</dl>\n");
}

fn networks(html: &mut Html, admin: &Admin, figures: &Figures) {
    heading(html, "networks");
    let chains = admin.state.chains();
    if chains.is_empty() {
        html.raw("<p>No networks yet. Add <code>[[chains]]</code> to portico.toml, or ask public nodes through this server:</p>\n");
        let commands = admin.state.commands();
        let serve = commands.map_or_else(|| "portico serve --public-nodes".into(), |own| own.serve(true, false));
        html.raw("<pre tabindex=\"0\">").text(serve).raw("</pre>\n");
        return;
    }
    let columns =
        &["Network", "Node", "Status", "-Response time", "-Error rate", "-Latest block", "-Answered", "-Failed"];
    let mut table = Table::begin(html, "Networks", columns);
    for chain in chains.iter() {
        let id = chain.config().id.to_string();
        for node in chain.reports() {
            let asked = |outcome: &str| {
                figures.sum(rpc::ASKED, &[("chain", &id), ("upstream", &node.host), ("outcome", outcome)])
            };
            table.row(|html| network(html, &chain.config())).classed("host", |html| host(html, &node.host));
            let (answered, failed) =
                (asked("answered"), FAILURES.iter().fold(0.0, |sum, (outcome, _)| sum + asked(outcome)));
            let unasked = answered + failed == 0.0;
            let (class, status) = match (node.resting, &node.failing) {
                (true, _) => ("bad", "Paused after errors"),
                (false, Some(_)) => ("bad", "Failing"),
                (false, None) if unasked => ("idle", "Not used yet"),
                (false, None) => ("good", "In use"),
            };
            table.classed(class, |html| {
                put(html, status);
                if let Some(cause) = &node.failing {
                    html.raw("<small>: ").text(cause).raw("</small>");
                }
            });
            table.cell(|html| put(html, node.latency.map_or_else(|| "–".into(), latency)));
            table.cell(|html| put(html, if unasked { "–".into() } else { percent(failed / (answered + failed)) }));
            table.cell(|html| match node.head {
                0 => put(html, "–"),
                head => put(html, grouped(head)),
            });
            table.cell(|html| put(html, count(answered))).cell(|html| put(html, count(failed)));
        }
    }
    table.end();
}

fn cache(html: &mut Html, admin: &Admin, figures: &Figures) {
    heading(html, "cache");
    let lookups = |id: &str| [rpc::HITS, rpc::MISSES, rpc::STALE].map(|name| figures.sum(name, &[("chain", id)]));
    let chains = admin.state.chains();
    let all = chains.iter().map(|chain| (lookups(&chain.config().id.to_string()), chain.config()));
    let used: Vec<_> = all.filter(|(found, _)| *found != [0.0; 3]).collect();
    if used.is_empty() {
        html.raw("<p>Not used since the start.</p>\n");
        return;
    }
    let mut table = Table::begin(html, "Cache", &["Network", "-Hits", "-Misses", "-Expired", "-Merged", "-Hit rate"]);
    for (found, chain) in used {
        table.row(|html| network(html, &chain));
        for sum in found {
            table.cell(|html| put(html, count(sum)));
        }
        let [hits, ..] = found;
        let rate = percent(hits / found.iter().sum::<f64>());
        let merged = figures.sum(rpc::MERGED, &[("chain", &chain.id.to_string())]);
        table.cell(|html| put(html, count(merged))).cell(|html| put(html, rate));
    }
    table.end();
}

fn relayed(html: &mut Html, admin: &Admin, figures: &Figures) {
    heading(html, "relay");
    if admin.state.relay().is_none() {
        html.raw("<p>Off. To turn it on, set <code>relay.enabled = true</code>.</p>\n");
        return;
    }
    html.raw("<dl class=\"card\">\n<dt>Connections</dt><dd>").text(count(figures.sum(relay::SOCKETS, &[])));
    html.raw(" open, ").text(count(figures.sum(relay::CLOSED, &[]))).raw(" refused</dd>\n<dt>Messages</dt><dd>");
    let kinds =
        [("published", "published"), ("pushed", "delivered"), ("acknowledged", "confirmed"), ("expired", "expired")];
    for (number, (what, word)) in kinds.into_iter().enumerate() {
        html.raw(if number > 0 { ", " } else { "" });
        html.text(count(figures.sum(relay::MESSAGES, &[("what", what)]))).raw(" ").raw(word);
    }
    let all = figures.sum(relay::REQUESTS, &[]);
    let failed = all - figures.sum(relay::REQUESTS, &[("outcome", "done")]);
    html.raw("</dd>\n<dt>Requests</dt><dd>").text(count(all)).raw(", of which ").text(count(failed));
    html.raw(" refused</dd>\n</dl>\n");
}

fn errors(html: &mut Html, figures: &Figures) {
    heading(html, "errors");
    let requests =
        figures.by(REQUESTS, ["status", "route"]).into_iter().filter(|([status, _], _)| status.as_str() >= "400");
    let nodes = figures.by(rpc::ASKED, ["outcome", "upstream"]).into_iter();
    let nodes = nodes.filter(|([outcome, _], sum)| failure(outcome).is_some() && *sum > 0.0);
    let kinds: Vec<_> = requests.take(MOST_ERRORS).chain(nodes.take(MOST_ERRORS)).collect();
    if kinds.is_empty() {
        html.raw("<p>None since the start.</p>\n");
        return;
    }
    folded(html, &kinds, ["Errors", "More errors"], |html, name, kinds| {
        let mut table = Table::begin(html, name, &["Error", "Path or node", "-Count"]);
        for ([kind, place], sum) in kinds {
            table.row(|html| {
                html.raw(if kind.as_str() >= "500" { "<span class=\"bad\">" } else { "<span>" });
                match (meaning(kind), failure(kind)) {
                    (Some(meaning), _) => html.text(kind).raw(" ").raw(meaning),
                    (None, Some(words)) => html.raw(words),
                    (None, None) => html.text(kind),
                };
                html.raw("</span>");
            });
            table.cell(|html| match failure(kind) {
                Some(_) => wrapped(html, "<code>", place, "</code>"),
                None => route::put(html, place),
            });
            table.cell(|html| put(html, count(*sum)));
        }
        table.end();
    });
}

fn events(html: &mut Html, admin: &Admin) {
    heading(html, "events");
    let events = admin.events.newest_first();
    if events.is_empty() {
        html.raw("<p>None yet.</p>\n");
        return;
    }
    folded(html, &events, ["Recent events", "More events"], |html, name, events| {
        let mut table = Table::begin(html, name, &["Time (UTC)", "Level", "Event"]);
        for event in events {
            let at = Timestamp::try_from(event.at).unwrap_or_default().strftime("%-d %b %H:%M:%S");
            table.row(|html| wrapped(html, "<span class=\"when\">", at, "</span>"));
            let class = if event.level <= tracing::Level::WARN { "bad" } else { "" };
            table.classed(class, |html| put(html, event.level)).cell(|html| put(html, &event.text));
        }
        table.end();
    });
}

/// Name and id of a chain, the id on a line of its own. A long id breaks after its namespace.
fn network(html: &mut Html, chain: &Chain) {
    if let Some(name) = &chain.name {
        html.text(name).raw(" <br>");
    }
    let id = chain.id.to_string();
    let (namespace, reference) = id.split_once(':').unwrap_or(("", &id));
    html.raw("<code>").text(namespace).raw(":<wbr>").text(reference).raw("</code>");
}

/// Name of a node, or origin of a page. A narrow column breaks it after its dots first, within a part only if that is too long.
pub(super) fn host(html: &mut Html, name: &str) {
    for (number, part) in name.split_inclusive('.').enumerate() {
        html.raw(if number > 0 { "<wbr>" } else { "" }).text(part);
    }
}

pub(super) fn put(html: &mut Html, text: impl Display) {
    html.text(text);
}

pub(super) fn wrapped(html: &mut Html, before: &'static str, text: impl Display, after: &'static str) {
    html.raw(before).text(text).raw(after);
}

/// Latency in milliseconds, with its age once that is a minute or more.
fn latency((millis, age): (f64, Duration)) -> String {
    match age.as_secs() {
        0..60 => format!("{millis:.0} ms"),
        seconds => format!("{millis:.0} ms, {} ago", duration(seconds as f64)),
    }
}

/// Words for an outcome of a request to a node that failed.
fn failure(outcome: &str) -> Option<&'static str> {
    FAILURES.iter().find(|(word, _)| *word == outcome).map(|(_, words)| *words)
}

/// Figure of a metric as a whole number, in groups of three digits.
pub(super) fn count(value: f64) -> String {
    grouped(value.max(0.0).round() as u64)
}

fn percent(part: f64) -> String {
    match part * 100.0 {
        small if small > 0.0 && small < 1.0 => "under 1%".into(),
        percent => format!("{percent:.0}%"),
    }
}

fn duration(seconds: f64) -> String {
    let minutes = (seconds.max(0.0) / 60.0).floor();
    let (days, hours) = ((minutes / 1440.0).floor(), (minutes / 60.0 % 24.0).floor());
    let rest = minutes % 60.0;
    match (days, hours) {
        (0.0, 0.0) => format!("{rest:.0} min"),
        (0.0, _) => format!("{hours:.0} h {rest:.0} min"),
        _ => format!("{days:.0} d {hours:.0} h"),
    }
}

/// Words for an HTTP status; `None` if the text is none.
fn meaning(status: &str) -> Option<&'static str> {
    let status = axum::http::StatusCode::from_u16(status.parse().ok()?).ok()?;
    Some(status.canonical_reason().unwrap_or_default())
}

fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_response_time_stays_after_quiet_minutes_with_its_age() {
        let at = |seconds| latency((12.4, Duration::from_secs(seconds)));
        assert_eq!([0, 59, 60, 7_500].map(at), ["12 ms", "12 ms", "12 ms, 1 min ago", "12 ms, 2 h 5 min ago"]);
    }

    #[test]
    fn numbers_are_written_for_people() {
        let counts: Vec<String> = [0.0, 999.0, 1000.0, 1_234_567.0, -1.0].map(count).into();
        assert_eq!(counts, ["0", "999", "1,000", "1,234,567", "0"]);
        assert_eq!([0.0, 0.004, 0.5, 1.0].map(percent), ["0%", "under 1%", "50%", "100%"]);
        assert_eq!([59.0, 3_660.0, 90_000.0].map(duration), ["0 min", "1 h 1 min", "1 d 1 h"]);
    }
}
