//! `portico wallets`

use super::database::DatabaseArgs;
use super::printed::{Printed, tell};
use crate::config::ended;
use crate::directory::{Wallet, import, table};
use crate::near::did_you_mean;
use crate::user::this_user;
use clap::{Args, Subcommand};
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

pub(super) const EXAMPLES: &str = "\
Examples:
  portico wallets import wallets.json
  portico wallets list
  portico wallets remove io.example.wallet

A wallets.json to start from; only `id` and `name` are required:
  [
    { \"id\": \"io.example.wallet\", \"name\": \"Example\", \"rdns\": \"io.example.wallet\", \"homepage\": \"https://wallet.example\",
      \"mobile_link\": \"example://\", \"app_store\": \"https://apps.apple.com/app/id1\", \"namespaces\": [\"eip155\"],
      \"image\": \"example.png\" }
  ]

`image` is a data URI, or a PNG, JPEG, GIF or WebP file in the folder of the list. A wallet with the id of a built-in one replaces it, and
keeps its position unless `order` is set. New wallets come first. Running servers apply changes within a few seconds.";

#[derive(Subcommand)]
pub(super) enum WalletsCommand {
    /// Add the wallets of a JSON file to the directory
    #[command(after_help = EXAMPLES)]
    Import(ImportArgs),
    /// List imported wallets
    #[command(after_help = EXAMPLES)]
    List(DatabaseArgs),
    /// Remove imported wallets; a built-in wallet that was replaced comes back
    #[command(after_help = EXAMPLES)]
    Remove(RemoveArgs),
}

#[derive(Args)]
pub(super) struct ImportArgs {
    /// JSON file with the wallets
    #[arg(value_name = "FILE")]
    list: PathBuf,
    #[command(flatten)]
    database: DatabaseArgs,
}

#[derive(Args)]
pub(super) struct RemoveArgs {
    /// Ids of the wallets
    #[arg(value_name = "ID", required = true)]
    ids: Vec<String>,
    #[command(flatten)]
    database: DatabaseArgs,
}

pub(super) async fn run(command: WalletsCommand) -> Result<(), Printed> {
    match command {
        WalletsCommand::Import(args) => import(&args.list, args.database).await,
        WalletsCommand::List(args) => list(args).await,
        WalletsCommand::Remove(args) => remove(&args.ids, args.database).await,
    }
}

async fn import(list: &Path, args: DatabaseArgs) -> Result<(), Printed> {
    let text = std::fs::read_to_string(list).map_err(|error| tell(unread(list, &error)))?;
    let database = args.open().await?;
    let stored = table::pictures(&database).await.map_err(failed)?.into_iter().map(|(id, _)| id).collect();
    let folder = list.parent().unwrap_or(Path::new("."));
    let import = import::read(&text, folder, &stored).map_err(|mistakes| {
        for mistake in mistakes {
            remark!("{}, line {}: {}", list.display(), mistake.line, ended(&mistake.sentence));
        }
        Printed
    })?;
    table::put(&database, &import).await.map_err(failed)?;
    database.close().await;
    let (wallets, pictures) = (import.wallets.len(), import.pictures.len());
    say!("Imported {} and {}.", counted(wallets, "wallet"), counted(pictures, "picture"));
    Ok(())
}

/// Sentence about a list that can't be read.
fn unread(list: &Path, error: &Error) -> String {
    let name = list.display();
    match error.kind() {
        ErrorKind::NotFound => format!("There is no file {name}. Check the path."),
        ErrorKind::InvalidData => format!("Save {name} as UTF-8 text."),
        ErrorKind::IsADirectory => format!("{name} is a folder. Name the file in it."),
        ErrorKind::PermissionDenied => {
            format!("This user ({}) can't read {name}. Change its permissions, or those of its folder.", this_user())
        }
        _ => format!("Couldn't read {name}: {error}"),
    }
}

async fn list(args: DatabaseArgs) -> Result<(), Printed> {
    let database = args.open().await?;
    let wallets = table::wallets(&database).await.map_err(failed)?;
    database.close().await;
    for stored in &wallets {
        let name = serde_json::from_str::<Wallet>(&stored.record).map(|wallet| wallet.name);
        say!("{}\t{}", stored.id, name.as_deref().unwrap_or("(this version can't read it)"));
    }
    match wallets.len() {
        0 => remark!("No wallets of your own yet. Add some: portico wallets import wallets.json"),
        many => remark!("{} of your own.", counted(many, "wallet")),
    }
    Ok(())
}

async fn remove(ids: &[String], args: DatabaseArgs) -> Result<(), Printed> {
    let database = args.open().await?;
    let stored = table::wallets(&database).await.map_err(failed)?;
    let mut missing = false;
    for id in ids {
        if table::remove(&database, &id.to_lowercase()).await.map_err(failed)? {
            say!("Removed {id}.");
        } else {
            missing = true;
            let meant = did_you_mean(id, stored.iter().map(|wallet| wallet.id.as_str()));
            let hint = if meant.is_empty() { " List them with `portico wallets list`.".into() } else { meant };
            tell(format!("No imported wallet {id}.{hint}"));
        }
    }
    database.close().await;
    if missing { Err(Printed) } else { Ok(()) }
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

fn failed(error: sqlx::Error) -> Printed {
    tell(format!("Couldn't use the database: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_this_user_may_not_read_is_told_with_what_to_do() {
        let told = |kind: ErrorKind| unread(Path::new("w.json"), &kind.into());
        let closed =
            format!("This user ({}) can't read w.json. Change its permissions, or those of its folder.", this_user());
        assert_eq!(told(ErrorKind::PermissionDenied), closed);
        assert_eq!(told(ErrorKind::IsADirectory), "w.json is a folder. Name the file in it.");
        assert_eq!(told(ErrorKind::NotFound), "There is no file w.json. Check the path.");
    }
}
