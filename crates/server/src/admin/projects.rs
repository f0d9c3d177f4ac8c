//! Projects on the admin page: their limits, and how much they use.

use super::page::{count, folded, heading, host, put, wrapped};
use crate::digits::grouped;
use crate::html::{Html, Table};
use crate::project::origin::Pattern;
use crate::project::{Entry, Quota, Used};

/// Project with its use.
pub(super) struct Row {
    pub(super) entry: Entry,
    pub(super) used: Used,
    pub(super) today: u32,
}

/// Section of the projects; `all` is the number of those that there are, `parts` is `limits.client_part`.
pub(super) fn projects(html: &mut Html, rows: &[Row], all: usize, parts: u32) {
    heading(html, "projects");
    if rows.is_empty() {
        html.raw("<p>No projects yet. Add one:</p>\n<pre tabindex=\"0\">portico project add Shop --origin https://shop.example</pre>\n");
        return;
    }
    folded(html, rows, ["Projects", "More projects"], |html, name, rows| project_table(html, name, rows, parts));
    if all > rows.len() {
        html.raw("<p>").text(all - rows.len()).raw(" more: <code>portico project list</code></p>\n");
    }
}

fn project_table(html: &mut Html, name: &'static str, rows: &[Row], parts: u32) {
    let columns = &["Project", "Origins", "Limits", "-Today", "-Since the start", "-Over the limit", "-Wrong origin"];
    let mut table = Table::begin(html, name, columns);
    for Row { entry, used, today } in rows {
        table.row(|html| {
            let id = entry.id.as_str();
            // A project without a name of its own has its id as name.
            let named = entry.name != id;
            if named {
                html.text(&entry.name);
            } else {
                html.raw("<code>").text(id).raw("</code>");
            }
            if entry.disabled_at.is_some() {
                html.raw(" <span class=\"bad\">Off</span>");
            }
            if named {
                html.raw("<br><code>").text(id).raw("</code>");
            }
        });
        table.classed("origins", |html| origins(html, entry));
        table.classed("limits", |html| limits(html, entry.quota, parts));
        table.cell(|html| match entry.quota.per_day {
            Some(most) => put(html, format_args!("{} of {}", count(f64::from(*today)), count(f64::from(most)))),
            None => put(html, count(f64::from(*today))),
        });
        for number in [used.taken, used.over, used.strangers] {
            table.cell(|html| put(html, count(number as f64)));
        }
    }
    table.end();
}

/// Origins of a project, each on a line of its own.
fn origins(html: &mut Html, entry: &Entry) {
    if entry.origins.is_empty() {
        return put(html, "This server only");
    }
    if entry.origins.contains(&Pattern::Any) {
        return put(html, "Any origin");
    }
    for (number, origin) in entry.origins.iter().enumerate() {
        host(html.raw(if number > 0 { "<br>" } else { "" }), &origin.to_string());
    }
}

/// Limits of a project, and the part of one visitor below them.
fn limits(html: &mut Html, quota: Quota, parts: u32) {
    let rate = quota
        .rate()
        .map(|rate| format!("{} per second, {} at once", grouped(rate.per_second as u64), grouped(rate.burst.into())));
    let day = quota.per_day.map(|most| format!("{} per day", count(most.into())));
    let all: Vec<String> = rate.into_iter().chain(day).collect();
    if all.is_empty() {
        return put(html, "None");
    }
    for (number, limit) in all.iter().enumerate() {
        html.raw(if number > 0 { "<br>" } else { "" }).text(limit);
    }
    if let Some(part) = quota.of_visitor(parts) {
        wrapped(html, "<small>One visitor: ", part, "</small>");
    }
}
