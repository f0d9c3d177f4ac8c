//! `portico auth`

use super::database::DatabaseArgs;
use super::printed::{Printed, tell};
use super::project::existing;
use crate::siwx::now;
use crate::siwx::table::{self, KeyRow};
use crate::siwx::token::{Key, LIFE, NOTICE};
use clap::{Args, Subcommand};
use jiff::Timestamp;
use portico_terms::AccountId;

pub(super) const EXAMPLES: &str = "\
Examples:
  portico auth keys rotate                                   let a new key start signing in 10 minutes
  portico auth keys rotate --at-once                         after a leak: drop all other keys, which ends every session
  portico auth sessions list                                 show the newest open sessions
  portico auth sessions list --account eip155:1:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266
                                                             show those of one account
  portico auth sessions end 0123456789abcdef0123456789abcdef end one session, by its id
  portico auth sessions end eip155:1:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266
                                                             end all sessions of an account on a chain
  portico auth sessions end --project shop --all             end all sessions of a project

Visitors sign in with their wallets at /auth/v1; your back end verifies their tokens by the keys at /.well-known/jwks.json. It learns of
ended sessions from /auth/v1/revoked/PROJECT or /auth/v1/me; without them it accepts a token until it expires, within an hour.";

#[derive(Subcommand)]
pub(super) enum AuthCommand {
    /// Manage the keys that sign sessions
    #[command(subcommand, after_help = EXAMPLES)]
    Keys(KeysCommand),
    /// Show and end sessions
    #[command(subcommand, after_help = EXAMPLES)]
    Sessions(SessionsCommand),
}

#[derive(Subcommand)]
pub(super) enum KeysCommand {
    /// Replace the key; sessions stay open
    #[command(after_help = EXAMPLES)]
    Rotate(RotateArgs),
}

#[derive(Args)]
pub(super) struct RotateArgs {
    /// Use the new key now, drop all others and end every session
    #[arg(long)]
    at_once: bool,
    #[command(flatten)]
    database: DatabaseArgs,
}

#[derive(Subcommand)]
pub(super) enum SessionsCommand {
    /// List the open sessions, the newest first, up to 1000
    #[command(after_help = EXAMPLES)]
    List(ListArgs),
    /// End a session, or all sessions of an account or a project
    #[command(after_help = EXAMPLES)]
    End(EndArgs),
}

#[derive(Args)]
pub(super) struct ListArgs {
    /// Only those of this account (CAIP-10), such as eip155:1:0xf39F…
    #[arg(long, value_name = "ACCOUNT", value_parser = account)]
    account: Option<AccountId>,
    #[command(flatten)]
    database: DatabaseArgs,
}

/// Parses an account, which no session has otherwise: a mistyped one would look signed out.
fn account(text: &str) -> Result<AccountId, String> {
    text.parse()
        .map_err(|_| format!("use a CAIP-10 account with its whole address, such as eip155:1:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266, not `{text}`"))
}

#[derive(Args)]
pub(super) struct EndArgs {
    /// Id of a session, or an account (CAIP-10) as `sessions list` shows it
    #[arg(value_name = "ID|ACCOUNT", required_unless_present = "project", conflicts_with = "project")]
    which: Option<String>,
    /// Project whose sessions to end; needs --all
    #[arg(long, value_name = "ID", requires = "all")]
    project: Option<String>,
    /// Confirm that everybody who is signed in to the project has to sign in again
    #[arg(long, requires = "project")]
    all: bool,
    #[command(flatten)]
    database: DatabaseArgs,
}

pub(super) async fn run(command: AuthCommand) -> Result<(), Printed> {
    match command {
        AuthCommand::Keys(KeysCommand::Rotate(args)) => rotate(args).await,
        AuthCommand::Sessions(SessionsCommand::List(args)) => list(args).await,
        AuthCommand::Sessions(SessionsCommand::End(args)) => end(args).await,
    }
}

async fn rotate(args: RotateArgs) -> Result<(), Printed> {
    let database = args.database.open().await?;
    let now = now();
    let old = table::keys(&database).await.map_err(tell)?;
    let signs_from = if args.at_once || old.is_empty() { now } else { now + NOTICE };
    let new = Key::generate(signs_from).ok_or_else(|| tell("This machine has no random numbers for a key"))?;
    table::add_key(&database, &new).await.map_err(tell)?;
    if args.at_once {
        let ids: Vec<String> = old.into_iter().map(|(id, ..)| id).collect();
        table::delete_keys(&database, &ids).await.map_err(tell)?;
        let ended = table::end_all(&database, now).await.map_err(tell)?;
        say!("The new key {} signs from now on. All other keys are gone; sessions ended: {ended}.", new.0);
        say!(
            "Back ends may keep the old keys for 5 minutes: restart them, or have them read /.well-known/jwks.json again."
        );
    } else {
        table::delete_keys(&database, &done(&old, now)).await.map_err(tell)?;
        say!(
            "The new key {} {}. Open sessions stay valid.",
            new.0,
            if signs_from > now { "starts signing in 10 minutes" } else { "signs from now on" }
        );
    }
    database.close().await;
    Ok(())
}

/// Keys, the latest first, whose last sessions have ended.
fn done(keys: &[KeyRow], now: i64) -> Vec<String> {
    let pairs = keys.iter().zip(keys.iter().skip(1));
    pairs.filter(|((_, _, next), _)| next + LIFE < now).map(|(_, (id, ..))| id.clone()).collect()
}

async fn list(args: ListArgs) -> Result<(), Printed> {
    let database = args.database.open().await?;
    let account = args.account.map(|account| account.to_string());
    let sessions = table::list(&database, account.as_deref(), now(), 1000).await.map_err(tell)?;
    database.close().await;
    if sessions.is_empty() {
        say!("No open sessions.");
    }
    for session in sessions {
        let end = Timestamp::from_millisecond(session.expires_at).unwrap_or(Timestamp::MAX);
        say!("{}  {}  {}  {}  until {end}", session.id, session.project, session.account, session.origin);
    }
    Ok(())
}

async fn end(args: EndArgs) -> Result<(), Printed> {
    let database = args.database.open().await?;
    let ended = match (&args.project, &args.which) {
        (Some(project), _) => {
            let id = existing(&database, project).await?.id;
            table::end_of_project(&database, id.as_str(), now()).await
        }
        (None, which) => table::end(&database, which.as_deref().unwrap_or_default(), now()).await,
    };
    let ended = ended.map_err(tell)?;
    database.close().await;
    if ended == 0 && args.project.is_none() {
        return Err(tell("No open session has this id or account. `portico auth sessions list` shows them."));
    }
    let sessions = if ended == 1 { "session" } else { "sessions" };
    let place = args.project.map_or_else(String::new, |project| format!(" of the project {project}"));
    say!("Ended {ended} {sessions}{place}.");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_to_list_is_a_whole_one() {
        let whole = "eip155:1:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
        assert_eq!(account(whole).unwrap().to_string(), whole);
        for wrong in ["garbage", "", "eip155:1:0xf39F", "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"] {
            assert!(account(wrong).unwrap_err().ends_with(&format!("not `{wrong}`")), "{wrong}");
        }
    }

    #[test]
    fn a_key_goes_once_the_last_session_that_it_signed_has_ended() {
        let keys = |from: [i64; 3]| from.map(|at| (at.to_string(), String::new(), at));
        assert_eq!(done(&keys([3, 2, 1]), LIFE + 2), [""; 0]);
        assert_eq!(done(&keys([3, 2, 1]), LIFE + 3), ["1"]);
        assert_eq!(done(&keys([3, 2, 1]), LIFE + 4), ["2", "1"]);
    }
}
