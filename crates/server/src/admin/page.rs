//! The admin page: what operators want to know about this node, at a glance.

use super::figures::Figures;
use super::sign_in::POLICY;
use super::{Admin, MEMORY, STARTED};
use crate::Failure;
use crate::guard::limits::spent_today;
use crate::guard::metrics::{IN_FLIGHT, REQUESTS};
use crate::html::Html;
use crate::project::{Entry, Quota, Used, table};
use crate::relay::metrics as relay;
use crate::rpc::metrics as rpc;
use axum::response::Response;
use jiff::Timestamp;
use std::time::{SystemTime, UNIX_EPOCH};

/// Number of projects, and of kinds of errors, that are listed.
const MOST_PROJECTS: usize = 200;
const MOST_ERRORS: usize = 50;

/// Outcomes of requests to a node that failed.
const UNANSWERED: [&str; 3] = ["failed", "limited", "silent"];

/// Project with its use.
struct Row {
    entry: Entry,
    used: Used,
    today: u32,
}

/// The page; its title says whether the server can serve.
pub(super) async fn page(admin: &Admin) -> Result<Response, Failure> {
    let figures = Figures::parse(&admin.text().await);
    let read = table::oldest(admin.state.database(), MOST_PROJECTS).await;
    let (entries, all) = read.map_err(|error| Failure::database(&error))?;
    let spent = spent_today(&admin.state, &entries).await;
    let used = |entry: &Entry| admin.state.projects().used(&entry.id);
    let rows: Vec<Row> =
        entries.into_iter().zip(spent).map(|(entry, today)| Row { used: used(&entry), entry, today }).collect();
    let mut html = Html::page("Portico admin", "/admin/page.css");
    html.raw("</head>\n<body class=\"wide\">\n<header>\n<h1>Portico</h1>\n<a href=\"/admin\">Refresh</a>\n");
    html.raw("<form method=\"post\" action=\"/admin/leave\"><button type=\"submit\">Sign out</button></form>\n</header>\n<main>\n");
    overview(&mut html, admin, &figures);
    projects(&mut html, &rows, all);
    nodes(&mut html, admin, &figures);
    cache(&mut html, admin, &figures);
    relayed(&mut html, admin, &figures);
    errors(&mut html, &figures);
    events(&mut html, admin);
    html.raw("</main>\n</body>\n</html>\n");
    Ok(html.into_response(POLICY))
}

fn overview(html: &mut Html, admin: &Admin, figures: &Figures) {
    let ready = figures.sum(super::READY, &[]) > 0.0;
    html.raw("<h2>This node</h2>\n<dl class=\"card\">\n<dt>State</dt>");
    html.raw(if ready {
        "<dd class=\"good\">Ready</dd>"
    } else {
        "<dd class=\"bad\">Not ready. See /health/ready.</dd>"
    });
    html.raw("\n<dt>Version</dt><dd>").text(env!("CARGO_PKG_VERSION")).raw("</dd>\n<dt>Running for</dt><dd>");
    html.text(duration(now() - figures.sum(STARTED, &[]))).raw("</dd>\n<dt>Memory</dt><dd>");
    html.text(format_args!("{:.0} MiB", figures.sum(MEMORY, &[]) / 1024.0 / 1024.0))
        .raw("</dd>\n<dt>Requests</dt><dd>");
    html.text(count(figures.sum(REQUESTS, &[]))).raw(" since the start, ");
    html.text(count(figures.sum(IN_FLIGHT, &[]))).raw(" now</dd>\n<dt>Room used</dt><dd>");
    for (number, (of, part)) in admin.state.fullness().enumerate() {
        html.raw(if number > 0 { ", " } else { "" }).text(of.replace('_', " ")).raw(" ").text(percent(part));
    }
    html.raw("</dd>\n</dl>\n");
}

fn projects(html: &mut Html, rows: &[Row], all: usize) {
    html.raw("<h2>Projects</h2>\n");
    if rows.is_empty() {
        html.raw("<p>None yet. Add one: <code>portico project add Shop --origin https://shop.example</code></p>\n");
        return;
    }
    head(html, "Projects", &["Project", "Origins", "Limits", "-Today", "-Since start", "-Refused"]);
    for Row { entry, used, today } in rows {
        let origins: Vec<String> = entry.origins.iter().map(ToString::to_string).collect();
        html.raw("<tr><th scope=\"row\">").text(&entry.name);
        html.raw(if entry.disabled_at.is_some() { " <span class=\"bad\">off</span>" } else { "" });
        html.raw("<br><code>").text(entry.id.as_str()).raw("</code></th><td>");
        html.text(if origins.is_empty() { "this server only".into() } else { origins.join(", ") }).raw("</td><td>");
        html.text(limits(entry.quota)).raw("</td><td class=\"number\">");
        match entry.quota.per_day {
            Some(most) => html.text(format_args!("{} of {}", count(f64::from(*today)), count(f64::from(most)))),
            None => html.raw("–"),
        };
        number(html.raw("</td>"), used.taken as f64);
        number(html, used.refused as f64);
        html.raw("</tr>\n");
    }
    html.raw("</tbody>\n</table>\n</div>\n");
    if all > rows.len() {
        html.raw("<p>").text(all - rows.len()).raw(" more: <code>portico project list</code></p>\n");
    }
}

fn nodes(html: &mut Html, admin: &Admin, figures: &Figures) {
    html.raw("<h2>Nodes</h2>\n");
    let chains = admin.state.chains();
    if chains.is_empty() {
        html.raw("<p>No networks are served. Add <code>[[chains]]</code> to portico.toml.</p>\n");
        return;
    }
    head(html, "Nodes", &["Network", "Node", "State", "-Latency", "-Errors", "-Block", "-Answered", "-Failed"]);
    for chain in chains.iter() {
        let id = chain.config().id.to_string();
        for node in chain.reports() {
            let asked = |outcome: &str| {
                figures.sum(rpc::ASKED, &[("chain", &id), ("upstream", &node.host), ("outcome", outcome)])
            };
            html.raw("<tr><th scope=\"row\">").text(&id).raw("</th><td>").text(&node.host).raw("</td>");
            html.raw(match node.resting {
                true => "<td class=\"bad\">Resting</td>",
                false => "<td class=\"good\">In use</td>",
            });
            html.raw("<td class=\"number\">");
            match node.latency {
                Some(millis) => html.text(format_args!("{millis:.0} ms")),
                None => html.raw("–"),
            };
            html.raw("</td><td class=\"number\">").text(percent(node.errors)).raw("</td><td class=\"number\">");
            match node.head {
                0 => html.raw("–"),
                head => html.text(head),
            };
            number(html.raw("</td>"), asked("answered"));
            number(html, UNANSWERED.iter().fold(0.0, |sum, outcome| sum + asked(outcome)));
            html.raw("</tr>\n");
        }
    }
    html.raw("</tbody>\n</table>\n</div>\n");
}

fn cache(html: &mut Html, admin: &Admin, figures: &Figures) {
    html.raw("<h2>Cache</h2>\n");
    let lookups = |id: &str| [rpc::HITS, rpc::MISSES, rpc::STALE].map(|name| figures.sum(name, &[("chain", id)]));
    let chains = admin.state.chains();
    let ids = chains.iter().map(|chain| chain.config().id.to_string());
    let used: Vec<_> = ids.map(|id| (lookups(&id), id)).filter(|(found, _)| *found != [0.0; 3]).collect();
    if used.is_empty() {
        html.raw("<p>No lookups since the start.</p>\n");
        return;
    }
    head(html, "Cache", &["Network", "-Hits", "-Misses", "-Outdated", "-Shared", "-Hit rate"]);
    for (found, id) in used {
        html.raw("<tr><th scope=\"row\">").text(&id).raw("</th>");
        found.into_iter().for_each(|sum| number(html, sum));
        number(html, figures.sum(rpc::MERGED, &[("chain", &id)]));
        let [hits, ..] = found;
        html.raw("<td class=\"number\">").text(percent(hits / found.iter().sum::<f64>())).raw("</td></tr>\n");
    }
    html.raw("</tbody>\n</table>\n</div>\n");
}

fn relayed(html: &mut Html, admin: &Admin, figures: &Figures) {
    html.raw("<h2>Relay</h2>\n");
    if admin.state.relay().is_none() {
        html.raw("<p>Off. Turn it on: <code>relay.enabled = true</code></p>\n");
        return;
    }
    html.raw("<dl class=\"card\">\n<dt>Sockets</dt><dd>").text(count(figures.sum(relay::SOCKETS, &[])));
    html.raw(" open, ").text(count(figures.sum(relay::CLOSED, &[]))).raw(" refused</dd>\n<dt>Messages</dt><dd>");
    for (number, what) in ["published", "pushed", "acknowledged", "expired"].into_iter().enumerate() {
        html.raw(if number > 0 { ", " } else { "" });
        html.text(count(figures.sum(relay::MESSAGES, &[("what", what)]))).raw(" ").raw(what);
    }
    let all = figures.sum(relay::REQUESTS, &[]);
    let failed = all - figures.sum(relay::REQUESTS, &[("outcome", "done")]);
    html.raw("</dd>\n<dt>Requests</dt><dd>").text(count(all)).raw(", of which ").text(count(failed));
    html.raw(" refused</dd>\n</dl>\n");
}

fn errors(html: &mut Html, figures: &Figures) {
    html.raw("<h2>Errors</h2>\n");
    let requests =
        figures.by(REQUESTS, ["status", "route"]).into_iter().filter(|([status, _], _)| status.as_str() >= "400");
    let nodes = figures.by(rpc::ASKED, ["outcome", "upstream"]).into_iter();
    let nodes = nodes.filter(|([outcome, _], sum)| UNANSWERED.contains(&outcome.as_str()) && *sum > 0.0);
    let kinds: Vec<_> = requests.take(MOST_ERRORS).chain(nodes.take(MOST_ERRORS)).collect();
    if kinds.is_empty() {
        html.raw("<p>None since the start.</p>\n");
        return;
    }
    head(html, "Errors", &["Kind", "Where", "-Count"]);
    for ([kind, place], sum) in kinds {
        html.raw("<tr><th scope=\"row\"").raw(if kind.as_str() >= "500" { " class=\"bad\">" } else { ">" });
        match meaning(&kind) {
            Some(meaning) => html.text(&kind).raw(" ").raw(meaning),
            None => html.raw("Node ").text(&kind),
        };
        html.raw("</th><td><code>").text(place).raw("</code></td>");
        number(html, sum);
        html.raw("</tr>\n");
    }
    html.raw("</tbody>\n</table>\n</div>\n");
}

fn events(html: &mut Html, admin: &Admin) {
    html.raw("<h2>Last events</h2>\n");
    let events = admin.events.newest_first();
    if events.is_empty() {
        html.raw("<p>None yet.</p>\n");
        return;
    }
    head(html, "Last events", &["Time (UTC)", "Level", "Event"]);
    for event in events {
        let at = Timestamp::try_from(event.at).unwrap_or_default();
        html.raw("<tr><td class=\"when\">").text(at.strftime("%m-%d %H:%M:%S")).raw("</td>");
        html.raw(if event.level <= tracing::Level::WARN { "<td class=\"bad\">" } else { "<td>" });
        html.text(event.level).raw("</td><td>").text(event.text).raw("</td></tr>\n");
    }
    html.raw("</tbody>\n</table>\n</div>\n");
}

/// Beginning of a table that scrolls on its own; a column with a hyphen before its name has numbers.
fn head(html: &mut Html, name: &'static str, columns: &[&'static str]) {
    html.raw("<div class=\"card\" role=\"region\" tabindex=\"0\" aria-label=\"").raw(name).raw("\">\n");
    // On a phone a table of many columns scrolls, rather than to break each word.
    html.raw(if columns.len() > 5 { "<table class=\"broad\">" } else { "<table>" }).raw("\n<thead><tr>");
    for column in columns {
        match column.strip_prefix('-') {
            Some(name) => html.raw("<th scope=\"col\" class=\"number\">").raw(name),
            None => html.raw("<th scope=\"col\">").raw(column),
        };
        html.raw("</th>");
    }
    html.raw("</tr></thead>\n<tbody>\n");
}

fn number(html: &mut Html, value: f64) {
    html.raw("<td class=\"number\">").text(count(value)).raw("</td>");
}

fn limits(quota: Quota) -> String {
    let rate = quota.rate().map(|rate| format!("{} a second, {} at once", rate.per_second, rate.burst));
    let day = quota.per_day.map(|most| format!("{} a day", count(most.into())));
    let all: Vec<String> = rate.into_iter().chain(day).collect();
    if all.is_empty() { "none".into() } else { all.join("; ") }
}

/// Whole number with commas between groups of three digits.
fn count(value: f64) -> String {
    let digits = format!("{:.0}", value.max(0.0));
    let mut text = String::new();
    for (place, digit) in digits.char_indices() {
        if place > 0 && (digits.len() - place) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
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
    fn numbers_are_written_for_people() {
        let counts: Vec<String> = [0.0, 999.0, 1000.0, 1_234_567.0, -1.0].map(count).into();
        assert_eq!(counts, ["0", "999", "1,000", "1,234,567", "0"]);
        assert_eq!([0.0, 0.004, 0.5, 1.0].map(percent), ["0%", "under 1%", "50%", "100%"]);
        assert_eq!([59.0, 3_660.0, 90_000.0].map(duration), ["0 min", "1 h 1 min", "1 d 1 h"]);
    }
}
