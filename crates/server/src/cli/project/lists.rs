//! Lists of a project: origins, JSON-RPC methods and chains. The help of each names what is on it.

use super::shown::{texts, words};
use super::{EXAMPLES, existing, parsed};
use crate::cli::database::{DatabaseArgs, open};
use crate::cli::printed::{Printed, capitalised, tell};
use crate::config::{Config, Method, checked, meant};
use crate::near::did_you_mean;
use crate::project::Entry;
use crate::project::origin::Pattern;
use crate::project::table::{self, Kind};
use crate::rpc::takes;
use clap::{Args, Subcommand};
use portico_terms::ChainId;

/// Command on one of a project's lists; each list has its own words in the help.
macro_rules! rule_command {
    ($command:ident, $add:ident, $remove:ident, $name:literal, $allow:literal, $forbid:literal, $added:literal, $removed:literal) => {
        #[derive(Subcommand)]
        pub(in crate::cli) enum $command {
            #[doc = $allow]
            #[command(after_help = EXAMPLES)]
            Add($add),
            #[doc = $forbid]
            #[command(after_help = EXAMPLES)]
            Remove($remove),
        }

        #[derive(Args)]
        pub(in crate::cli) struct $add {
            /// Id of the project
            id: String,
            #[doc = $added]
            #[arg(required = true, value_name = $name)]
            values: Vec<String>,
            #[command(flatten)]
            place: DatabaseArgs,
        }

        #[derive(Args)]
        pub(in crate::cli) struct $remove {
            /// Id of the project
            id: String,
            #[doc = $removed]
            #[arg(required = true, value_name = $name)]
            values: Vec<String>,
            #[command(flatten)]
            place: DatabaseArgs,
        }

        impl From<$command> for Rule {
            fn from(command: $command) -> Rule {
                match command {
                    $command::Add($add { id, values, place }) => Rule { add: true, id, values, place },
                    $command::Remove($remove { id, values, place }) => Rule { add: false, id, values, place },
                }
            }
        }
    };
}

/// Change of a list of a project.
pub(super) struct Rule {
    /// Whether the values are added, or removed.
    pub(super) add: bool,
    /// Id of the project.
    pub(super) id: String,
    pub(super) values: Vec<String>,
    pub(super) place: DatabaseArgs,
}

/// Changes a list of a project.
pub(super) async fn rules(kind: Kind, rule: Rule) -> Result<(), Printed> {
    let Rule { add, id: project, values, place } = rule;
    let values: Vec<String> = match kind {
        Kind::Origin => texts(&parsed(&values, Pattern::parse)?),
        Kind::Method => texts(&parsed(&values, Method::parse)?),
        // Ids that an older version accepted can still be removed.
        Kind::Chain => texts(&parsed(&values, if add { known_chain } else { chain })?),
    };
    let (config, _) = place.load_as_running()?;
    let database = open(&config).await?;
    let before = existing(&database, &project).await?;
    for value in &values {
        let change = if add {
            table::allow(&database, &before.id, kind, value).await
        } else {
            table::forbid(&database, &before.id, kind, value).await
        };
        let said = match (change.map_err(tell)?, add) {
            (true, true) => "is now allowed",
            (false, true) => "was already allowed",
            (true, false) => "is no longer allowed",
            (false, false) => "wasn't on the list",
        };
        say!("{value} {said}.");
        match kind {
            Kind::Chain if add => remark_unserved(&config, value),
            Kind::Method if add => remark_refused(&config, value),
            _ => {}
        }
    }
    let after = existing(&database, &project).await?;
    database.close().await;
    if let Some(told) = on_whole(kind, add, &before, &after) {
        say!("{told}");
    }
    Ok(())
}

/// Remarks that this server doesn't serve a chain.
fn remark_unserved(config: &Config, chain: &str) {
    let served: Vec<String> = config.chains.iter().map(|chain| chain.id.to_string()).collect();
    if !served.iter().any(|id| id == chain) {
        let meant = did_you_mean(chain, served.iter().map(String::as_str));
        remark!("This server doesn't serve {chain} yet. Add it to [[chains]] in portico.toml.{meant}");
    }
}

/// Remarks that no chain of this server takes a method.
fn remark_refused(config: &Config, method: &str) {
    let is_refused = !config.chains.is_empty() && !config.chains.iter().any(|chain| takes(chain, method));
    // A pattern with a star covers several methods, some of which the server may take.
    if is_refused && !method.ends_with('*') {
        remark!("This server still refuses {method}. Add it to `methods` of a chain in portico.toml.");
    }
}

/// Sentence about a list with its first entry or without its last one: an empty list allows all, so the change is the reverse of its words.
fn on_whole(kind: Kind, add: bool, before: &Entry, after: &Entry) -> Option<String> {
    let left = match kind {
        Kind::Origin => return any_origin(before, after),
        Kind::Method => words(&after.methods),
        Kind::Chain => words(&after.chains),
    };
    match (add, before.allows_all(kind), after.allows_all(kind)) {
        (true, true, false) => Some(format!(
            "This project can now use only {left}. Its list was empty before, so it could use everything this server offers."
        )),
        (false, was_empty, true) => {
            let now = if was_empty { "" } else { "now " };
            Some(format!("The list is {now}empty, so this project can use everything this server offers."))
        }
        _ => None,
    }
}

/// Sentence about a list of origins that has the star too, beside which other entries change nothing.
fn any_origin(before: &Entry, after: &Entry) -> Option<String> {
    let both = [before, after].iter().all(|entry| entry.origins.contains(&Pattern::Any));
    let id = after.id.as_str();
    both.then(|| format!("Any origin is still allowed. To end that: portico project origin remove {id} '*'"))
}

fn chain(text: &str) -> Result<ChainId, String> {
    text.parse().map_err(|_| format!("Use the CAIP-2 id of a chain, such as eip155:1, not `{text}`{}", meant(text)))
}

/// Id of a chain whose reference has the form that its namespace defines, as in the configuration.
pub(super) fn known_chain(text: &str) -> Result<ChainId, String> {
    chain(text).and_then(|id| checked(id).map_err(|sentence| capitalised(&sentence)))
}

rule_command!(
    OriginCommand,
    AddOrigins,
    RemoveOrigins,
    "ORIGIN",
    "Allow more origins",
    "Remove origins from the list",
    "Origins to allow, such as https://app.example, 'https://*.example.com' or 'http://localhost:*'",
    "Origins to remove, as `portico project list` shows them"
);
rule_command!(
    MethodCommand,
    AddMethods,
    RemoveMethods,
    "METHOD",
    "Add JSON-RPC methods to the list; a project with a list can call only these",
    "Remove JSON-RPC methods from the list; an empty list allows all",
    "Methods to allow, such as eth_call, or prefixes such as 'eth_get*'",
    "Methods to remove, as `portico project list` shows them"
);
rule_command!(
    ChainCommand,
    AddChains,
    RemoveChains,
    "CHAIN",
    "Add chains to the list; a project with a list can use only these",
    "Remove chains from the list; an empty list allows all",
    "CAIP-2 ids of the chains to allow, such as eip155:1",
    "CAIP-2 ids of the chains to remove, as `portico project list` shows them"
);
