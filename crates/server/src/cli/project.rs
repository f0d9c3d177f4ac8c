//! `portico project`

mod lists;
mod shown;

use super::database::{DatabaseArgs, open, open_or_create};
use super::port::Running;
use super::printed::{Printed, capitalised, tell};
use crate::config::{Config, Method};
use crate::db::Database;
use crate::digits::grouped;
use crate::near::nearest;
use crate::project::origin::Pattern;
use crate::project::snippet::{INSTALL, On, PACK, THEN_INSTALL, WHERE_FROM, server_url, snippet};
use crate::project::table::{self, Kind};
use crate::project::{Entry, ProjectId, Quota, hash, random_secret};
use clap::{Args, Subcommand};
use lists::{ChainCommand, MethodCommand, OriginCommand, known_chain, rules};
use serde_json::Value;
use shown::{as_json, as_lines, limits, origins_of};
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

/// Number of projects among which the one that was meant is looked for.
const MOST_HINTS: usize = 200;

/// Most letters of a project's name.
const LONGEST_NAME: usize = 100;

pub(super) const EXAMPLES: &str = "\
Examples:
  portico project add Shop --origin https://shop.example --origin 'http://localhost:*'
  portico project add --id demo --any-origin              allow every site, and clients without an origin
  portico project origin add demo 'https://*.shop.example'
                                                          allow all subdomains of shop.example too
  portico project origin remove demo '*'                  no longer allow every site: only the origins on the list
  portico project quota demo --per-second 50 --burst 500 --per-day 1000000
  portico project quota demo --per-day none               remove the daily limit
  portico project method add demo eth_call 'eth_get*'     allow these JSON-RPC methods, and no others that aren't on the list
  portico project chain add demo eip155:1                 allow this chain, and no others that aren't on the list
  portico project rotate demo                             replace the secret
  portico project disable demo                            refuse its requests with 401 until `enable`
  portico project list --json

The id (`projectId`) is in your site's code and isn't a secret. Without origins, a project works only on pages that this server serves
(static_dir), and for servers that send its secret in the header x-project-secret. Running servers apply changes within 5 seconds.";

#[derive(Subcommand)]
pub(super) enum ProjectCommand {
    /// Add a project and print its id and its secret
    #[command(after_help = EXAMPLES)]
    Add(AddArgs),
    /// List projects with their rules
    #[command(after_help = EXAMPLES)]
    List(ListArgs),
    /// Set which origins can use a project
    #[command(subcommand, after_help = EXAMPLES)]
    Origin(OriginCommand),
    /// Set which JSON-RPC methods a project can call; all while the list is empty
    #[command(subcommand, after_help = EXAMPLES)]
    Method(MethodCommand),
    /// Set which chains a project can use; all while the list is empty
    #[command(subcommand, after_help = EXAMPLES)]
    Chain(ChainCommand),
    /// Set the limits of a project
    #[command(after_help = EXAMPLES)]
    Quota(QuotaArgs),
    /// Replace the secret of a project, and print the new one
    #[command(after_help = EXAMPLES)]
    Rotate(OneArgs),
    /// Refuse all requests of a project
    #[command(after_help = EXAMPLES)]
    Disable(OneArgs),
    /// Accept requests of a project again
    #[command(after_help = EXAMPLES)]
    Enable(OneArgs),
}

#[derive(Args)]
pub(super) struct AddArgs {
    /// Name to show [default: the id]
    name: Option<String>,
    /// Id of 1 to 64 letters, digits, hyphens or underscores [default: 32 random hex digits]
    #[arg(long)]
    id: Option<String>,
    /// Do nothing if a project with this id exists
    #[arg(long, requires = "id")]
    if_absent: bool,
    /// Allow this origin, such as https://app.example, 'https://*.example.com' or 'http://localhost:*'; can be repeated
    #[arg(long = "origin", value_name = "ORIGIN")]
    origins: Vec<String>,
    /// Allow every site, and clients without an origin or secret
    #[arg(long, conflicts_with = "origins")]
    any_origin: bool,
    /// Allow only this JSON-RPC method, or prefix such as 'eth_get*'; can be repeated
    #[arg(long = "method", value_name = "METHOD")]
    methods: Vec<String>,
    /// Allow only this chain, such as eip155:1; can be repeated
    #[arg(long = "chain", value_name = "CHAIN")]
    chains: Vec<String>,
    #[command(flatten)]
    quota: Quotas,
    #[command(flatten)]
    place: DatabaseArgs,
}

#[derive(Args)]
pub(super) struct ListArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: DatabaseArgs,
}

#[derive(Args)]
pub(super) struct QuotaArgs {
    /// Id of the project
    id: String,
    #[command(flatten)]
    quota: Quotas,
    #[command(flatten)]
    place: DatabaseArgs,
}

#[derive(Args)]
pub(super) struct OneArgs {
    /// Id of the project
    id: String,
    #[command(flatten)]
    place: DatabaseArgs,
}

/// Quota flags; those left out stay unchanged.
#[derive(Args)]
struct Quotas {
    /// Requests per second on average, or none; each call of a batch counts as one. One visitor uses at most an eighth of each limit (`limits.client_part`)
    #[arg(long, value_name = "N|none", allow_negative_numbers = true)]
    per_second: Option<Count>,
    /// Requests at once [default: ten seconds' worth]
    #[arg(long, value_name = "N|none", allow_negative_numbers = true)]
    burst: Option<Count>,
    /// Requests per day (UTC), or none. One visitor uses at most an eighth, rounded up: 4 of 30
    #[arg(long, value_name = "N|none", allow_negative_numbers = true)]
    per_day: Option<Count>,
}

/// Number, or the word `none`.
#[derive(Clone, Copy)]
struct Count(Option<u32>);

impl FromStr for Count {
    type Err = String;

    fn from_str(text: &str) -> Result<Count, String> {
        if text == "none" {
            return Ok(Count(None));
        }
        let number = text.parse().ok().filter(|number| *number > 0);
        number.map(|number| Count(Some(number))).ok_or_else(|| "use a number from 1 to 4294967295, or none".into())
    }
}

impl Quotas {
    fn over(&self, quota: Quota) -> Quota {
        let over = |given: Option<Count>, old| given.map_or(old, |count| count.0);
        Quota {
            per_second: over(self.per_second, quota.per_second),
            burst: over(self.burst, quota.burst),
            per_day: over(self.per_day, quota.per_day),
        }
    }
}

pub(super) async fn run(command: ProjectCommand) -> Result<(), Printed> {
    match command {
        ProjectCommand::Add(args) => add(args).await,
        ProjectCommand::List(args) => list(args).await,
        ProjectCommand::Origin(command) => rules(Kind::Origin, command.into()).await,
        ProjectCommand::Method(command) => rules(Kind::Method, command.into()).await,
        ProjectCommand::Chain(command) => rules(Kind::Chain, command.into()).await,
        ProjectCommand::Quota(args) => quota(args).await,
        ProjectCommand::Rotate(args) => rotate(args).await,
        ProjectCommand::Disable(args) => set_disabled(args, true).await,
        ProjectCommand::Enable(args) => set_disabled(args, false).await,
    }
}

async fn add(args: AddArgs) -> Result<(), Printed> {
    let id = match args.id {
        Some(text) => well_formed(&text)?,
        None => ProjectId::random().map_err(tell)?,
    };
    let name = args.name.map(|text| name_of(&text).map_err(tell)).transpose()?;
    let origins = if args.any_origin { vec!["*".into()] } else { args.origins };
    let secret = random_secret().map_err(tell)?;
    let entry = Entry {
        name: name.unwrap_or_else(|| id.as_str().into()),
        created_at: now(),
        disabled_at: None,
        quota: args.quota.over(Quota::default()),
        origins: parsed(&origins, Pattern::parse)?,
        methods: parsed(&args.methods, Method::parse)?,
        chains: parsed(&args.chains, known_chain)?,
        secret_hash: hash(&secret),
        id,
    };
    let (config, _) = args.place.load_as_running()?;
    let database = open_or_create(&config).await?;
    let namesake = namesake(&database, &entry).await?;
    let added = table::insert(&database, &entry).await.map_err(tell)?;
    database.close().await;
    let id = entry.id.as_str();
    let without_effect = unused(entry.quota).map(|told| {
        format!(
            "{told} Set both: portico project quota {id} --per-second 50 --burst {}",
            entry.quota.burst.unwrap_or(1)
        )
    });
    if !added {
        let there = format!("The project {id} already exists");
        if !args.if_absent {
            return Err(tell(format!("{there}. Choose another with --id, or add --if-absent to leave it as it is.")));
        }
        say!("{there}.");
        return Ok(());
    }
    let origins = origins_of(&entry).unwrap_or_else(|| {
        format!("only this server's own pages. Allow your site: portico project origin add {id} https://shop.example")
    });
    say!("Added the project {id}.\n\n  projectId  {id}\n  secret     {secret}\n  origins    {origins}\n");
    say!("Keep the secret on your own servers (header x-project-secret), never on your site. It isn't shown again.\n");
    say!("{WHERE_FROM}\n\n  {}\n\n{THEN_INSTALL}\n\n  {INSTALL}\n", PACK.replace('\n', "\n  "));
    say!("Paste this into your page:\n");
    let server = running_url(config.clone());
    for line in snippet(id, &server, &On::of(&config, &server).for_project(&entry.chains)).lines() {
        say!("{}", format!("  {line}").trim_end());
    }
    for absent in entry.chains.iter().filter(|id| config.chains.iter().all(|chain| chain.id != **id)) {
        remark!(
            "\nThis server doesn't serve {absent}: add it to portico.toml as [[chains]], or requests for it are refused."
        );
    }
    if let Some(told) = without_effect {
        remark!("\n{told}");
    }
    if let Some(other) = namesake {
        remark!("\nAnother project has the name {} too: {other}. See both: portico project list", entry.name);
    }
    if server.ends_with(":0") {
        remark!(
            "\nThe code above has port 0, because each start of the server takes another port. Set `listen` to a port, such as 127.0.0.1:8080, and restart the server."
        );
    } else if config.public_url.is_none() {
        remark!(
            "\nThe code above has the address {server}, because `public_url` isn't set. For your site, set it in portico.toml: public_url = \"https://portico.example.org\""
        );
    }
    Ok(())
}

/// URL of the server for the code of a page; a running server may listen elsewhere than its configuration says.
fn running_url(config: Config) -> String {
    let running = Running::find(&config).filter(Running::is_own);
    let listen = running.and_then(|running| running.listen).unwrap_or(config.listen);
    server_url(&Config { listen, ..config })
}

/// Id of an older project of the same name.
async fn namesake(database: &Database, entry: &Entry) -> Result<Option<String>, Printed> {
    let (entries, _) = table::oldest(database, MOST_HINTS).await.map_err(tell)?;
    let same = entries.into_iter().find(|other| other.name == entry.name && other.id != entry.id);
    Ok(same.map(|other| other.id.as_str().to_owned()))
}

async fn list(args: ListArgs) -> Result<(), Printed> {
    let config = args.place.load()?;
    let database = open(&config).await?;
    let mut entries = Vec::new();
    for id in table::ids(&database).await.map_err(tell)? {
        // May have been deleted meanwhile.
        let id = well_formed(&id)?;
        entries.extend(table::read(&database, &id).await.map_err(tell)?);
    }
    database.close().await;
    if args.json {
        say!("{}", Value::Array(entries.iter().map(as_json).collect()));
        return Ok(());
    }
    if entries.is_empty() {
        say!("No projects yet. Add one: portico project add Shop --origin https://shop.example");
    }
    for entry in &entries {
        say!("{}", as_lines(entry, config.limits.client_part));
    }
    Ok(())
}

async fn quota(args: QuotaArgs) -> Result<(), Printed> {
    let config = args.place.load()?;
    let database = open(&config).await?;
    let entry = existing(&database, &args.id).await?;
    let quota = args.quota.over(entry.quota);
    table::set_quota(&database, &entry.id, quota).await.map_err(tell)?;
    database.close().await;
    let visitor = quota.of_visitor(config.limits.client_part).map(|part| format!(" One visitor: {part}."));
    let unused = unused(quota).map(|told| format!(" {told}"));
    say!("{}: {}.{}{}", args.id, limits(quota), visitor.unwrap_or_default(), unused.unwrap_or_default());
    Ok(())
}

/// Sentence about a limit that has no effect.
fn unused(quota: Quota) -> Option<String> {
    let burst = quota.burst.filter(|_| quota.rate().is_none())?;
    Some(format!("Its limit of {} at once has no effect until you set --per-second.", grouped(burst.into())))
}

async fn rotate(args: OneArgs) -> Result<(), Printed> {
    let database = args.place.open().await?;
    let id = existing(&database, &args.id).await?.id;
    let secret = random_secret().map_err(tell)?;
    table::set_secret_hash(&database, &id, &hash(&secret)).await.map_err(tell)?;
    database.close().await;
    say!(
        "secret  {secret}\n\nThe old one stops working within 5 seconds. Copy the new one now, as it isn't shown again."
    );
    Ok(())
}

async fn set_disabled(args: OneArgs, disabled: bool) -> Result<(), Printed> {
    let database = args.place.open().await?;
    let entry = existing(&database, &args.id).await?;
    if entry.disabled_at.is_some() == disabled {
        database.close().await;
        say!("The project {} is already {}.", args.id, if disabled { "off" } else { "on" });
        return Ok(());
    }
    table::set_disabled_at(&database, &entry.id, disabled.then(now)).await.map_err(tell)?;
    database.close().await;
    say!("The project {} will be {} within 5 seconds.", args.id, if disabled { "off" } else { "on again" });
    Ok(())
}

pub(super) async fn existing(database: &Database, text: &str) -> Result<Entry, Printed> {
    let id = well_formed(text)?;
    let found = table::read(database, &id).await.map_err(tell)?;
    match found {
        Some(entry) => Ok(entry),
        None => Err(tell(format!("No project {text}.{}", hint(database, text).await?))),
    }
}

/// Project that was probably meant, or how to list all.
async fn hint(database: &Database, text: &str) -> Result<String, Printed> {
    let (entries, _) = table::oldest(database, MOST_HINTS).await.map_err(tell)?;
    let named = entries.iter().find(|entry| entry.name.eq_ignore_ascii_case(text)).map(|entry| entry.id.as_str());
    let meant = named.or_else(|| nearest(text, entries.iter().map(|entry| entry.id.as_str())));
    Ok(match meant {
        Some(id) => format!(" Did you mean {id}?"),
        None => " List them with `portico project list`.".into(),
    })
}

fn well_formed(text: &str) -> Result<ProjectId, Printed> {
    ProjectId::parse(text)
        .ok_or_else(|| tell(format!("Use 1 to 64 letters, digits, hyphens or underscores as project id, not `{text}`")))
}

fn parsed<T>(texts: &[String], parse: impl Fn(&str) -> Result<T, String>) -> Result<Vec<T>, Printed> {
    texts.iter().map(|text| parse(text).map_err(|sentence| tell(capitalised(&sentence)))).collect()
}

/// Name of a project: one line of text.
fn name_of(text: &str) -> Result<String, String> {
    let name = text.trim();
    match name.chars().count() {
        0 => Err("Give the project a name, or leave it out to show the id".into()),
        ..=LONGEST_NAME if !name.contains(char::is_control) => Ok(name.to_owned()),
        _ => Err(format!("Use one line of at most {LONGEST_NAME} letters as the name")),
    }
}

pub(super) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
