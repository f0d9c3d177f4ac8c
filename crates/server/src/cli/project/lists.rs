//! Lists of a project: origins, JSON-RPC methods and chains. The help of each names what is on it.

use super::EXAMPLES;
use crate::cli::DatabaseArgs;
use clap::{Args, Subcommand};

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
    "Allow more JSON-RPC methods",
    "Remove JSON-RPC methods from the list",
    "Methods to allow, such as eth_call, or prefixes such as 'eth_get*'",
    "Methods to remove, as `portico project list` shows them"
);
rule_command!(
    ChainCommand,
    AddChains,
    RemoveChains,
    "CHAIN",
    "Allow more chains",
    "Remove chains from the list",
    "CAIP-2 ids of the chains to allow, such as eip155:1",
    "CAIP-2 ids of the chains to remove, as `portico project list` shows them"
);
