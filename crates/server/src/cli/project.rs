//! `portico project`

use super::{DatabaseArgs, Printed, tell};
use crate::config::Method;
use crate::db::Database;
use crate::project::origin::Pattern;
use crate::project::snippet::{INSTALL, WHERE_FROM, server_url, snippet};
use crate::project::table::{self, Kind};
use crate::project::{Entry, ProjectId, Quota, hash, random_secret};
use clap::{Args, Subcommand};
use portico_terms::ChainId;
use serde_json::{Value, json};
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

pub(super) const EXAMPLES: &str = "\
Examples:
  portico project add Shop --origin https://shop.example --origin http://localhost:*
  portico project add --id demo --any-origin              every page may use it, and what is no page
  portico project origin add demo https://*.shop.example  pages below shop.example as well
  portico project quota demo --per-second 50 --burst 500 --per-day 1000000
  portico project quota demo --per-day none               no limit by day any more
  portico project method add demo eth_call eth_get*       only these methods of JSON-RPC from now on
  portico project chain add demo eip155:1                 only this chain
  portico project rotate demo                             another secret; the old one is refused from now on
  portico project disable demo                            refused with 401 until `enable`
  portico project list --json

The id stands in the page (`projectId`) and is no secret. Without an origin, a project serves only pages that this server serves itself
(static_dir) and servers that send its secret as the header x-project-secret. A change is seen by every running node within 5 seconds.";

#[derive(Subcommand)]
pub(super) enum ProjectCommand {
    /// Add a project and print its id and its secret
    #[command(after_help = EXAMPLES)]
    Add(AddArgs),
    /// List projects with their rules
    #[command(after_help = EXAMPLES)]
    List(ListArgs),
    /// Allow or remove origins of pages that may use a project
    #[command(subcommand, after_help = EXAMPLES)]
    Origin(RuleCommand),
    /// Allow or remove JSON-RPC methods; without any, a project may call all methods that the server passes on
    #[command(subcommand, after_help = EXAMPLES)]
    Method(RuleCommand),
    /// Allow or remove chains; without any, a project may use all chains that the server serves
    #[command(subcommand, after_help = EXAMPLES)]
    Chain(RuleCommand),
    /// Set the quotas of a project
    #[command(after_help = EXAMPLES)]
    Quota(QuotaArgs),
    /// Replace the secret of a project and print the new one; the old one stops working
    #[command(after_help = EXAMPLES)]
    Rotate(OneArgs),
    /// Refuse all requests of a project
    #[command(after_help = EXAMPLES)]
    Disable(OneArgs),
    /// Accept requests of a project again
    #[command(after_help = EXAMPLES)]
    Enable(OneArgs),
}

#[derive(Subcommand)]
pub(super) enum RuleCommand {
    /// Allow more values
    #[command(after_help = EXAMPLES)]
    Add(RuleArgs),
    /// Remove allowed values
    #[command(after_help = EXAMPLES)]
    Remove(RuleArgs),
}

#[derive(Args)]
pub(super) struct AddArgs {
    /// Display name; the id if left out
    name: Option<String>,
    /// 1 to 64 letters, digits, hyphens or underscores, instead of 32 random hex digits
    #[arg(long)]
    id: Option<String>,
    /// Do nothing if a project with this id exists
    #[arg(long, requires = "id")]
    if_absent: bool,
    /// Origin whose pages may use it, such as https://app.example, https://*.example.com or http://localhost:*; may be repeated
    #[arg(long = "origin", value_name = "ORIGIN")]
    origins: Vec<String>,
    /// Allow every page, and clients that are no page and send no secret
    #[arg(long, conflicts_with = "origins")]
    any_origin: bool,
    /// Allow only this method: a name, or a prefix such as eth_get*; may be repeated
    #[arg(long = "method", value_name = "METHOD")]
    methods: Vec<String>,
    /// Allow only this chain, such as eip155:1; may be repeated
    #[arg(long = "chain", value_name = "CHAIN")]
    chains: Vec<String>,
    #[command(flatten)]
    quota: Quotas,
    #[command(flatten)]
    place: DatabaseArgs,
}

#[derive(Args)]
pub(super) struct ListArgs {
    /// Print JSON, for programs
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: DatabaseArgs,
}

#[derive(Args)]
pub(super) struct RuleArgs {
    /// The project's id
    id: String,
    /// Values to allow or remove
    #[arg(required = true)]
    values: Vec<String>,
    #[command(flatten)]
    place: DatabaseArgs,
}

#[derive(Args)]
pub(super) struct QuotaArgs {
    /// The project's id
    id: String,
    #[command(flatten)]
    quota: Quotas,
    #[command(flatten)]
    place: DatabaseArgs,
}

#[derive(Args)]
pub(super) struct OneArgs {
    /// The project's id
    id: String,
    #[command(flatten)]
    place: DatabaseArgs,
}

/// Quota flags; those left out stay unchanged.
#[derive(Args)]
struct Quotas {
    /// Requests per second on average, or none; each call of a batch counts as one
    #[arg(long, value_name = "N|none")]
    per_second: Option<Count>,
    /// Requests in one burst; with none, ten seconds' worth
    #[arg(long, value_name = "N|none")]
    burst: Option<Count>,
    /// Requests per day (UTC), or none
    #[arg(long, value_name = "N|none")]
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
        ProjectCommand::Origin(command) => rules(Kind::Origin, command).await,
        ProjectCommand::Method(command) => rules(Kind::Method, command).await,
        ProjectCommand::Chain(command) => rules(Kind::Chain, command).await,
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
    let origins = if args.any_origin { vec!["*".into()] } else { args.origins };
    let secret = random_secret().map_err(tell)?;
    let entry = Entry {
        name: args.name.unwrap_or_else(|| id.as_str().into()),
        created_at: now(),
        disabled_at: None,
        quota: args.quota.over(Quota::default()),
        origins: parsed(&origins, Pattern::parse)?,
        methods: parsed(&args.methods, Method::parse)?,
        chains: parsed(&args.chains, chain)?,
        secret_hash: hash(&secret),
        id,
    };
    let config = args.place.load()?;
    let database = super::open(&config).await?;
    let added = table::insert(&database, &entry).await.map_err(tell)?;
    database.close().await;
    let id = entry.id.as_str();
    if !added {
        let there = format!("The project {id} already exists");
        if !args.if_absent {
            return Err(tell(there));
        }
        say!("{there}.");
        return Ok(());
    }
    let origins = match &entry.origins[..] {
        [] => format!("only this server's own pages. Allow yours: portico project origin add {id} https://…"),
        origins => words(origins),
    };
    say!("Added the project {id}.\n\n  projectId  {id}\n  secret     {secret}\n  origins    {origins}\n");
    say!("Keep the secret on your own servers (header x-project-secret), never in a page. It is not shown again.\n");
    say!("{WHERE_FROM}\nThen install it in the project of your page:\n\n  {INSTALL}\n");
    say!("Paste this in your page:\n");
    for line in snippet(id, &server_url(&config)).lines() {
        say!("{}", format!("  {line}").trim_end());
    }
    if config.public_url.is_none() {
        remark!(
            "\nOnly this machine reaches the server at {}, because `public_url` is missing. For your site, set it in portico.toml: public_url = \"https://wallets.example.org\"",
            server_url(&config)
        );
    }
    Ok(())
}

async fn list(args: ListArgs) -> Result<(), Printed> {
    let database = args.place.open().await?;
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
        say!("No projects yet. Add one: portico project add NAME --origin https://your.page");
    }
    for entry in &entries {
        say!("{}", as_lines(entry));
    }
    Ok(())
}

async fn rules(kind: Kind, command: RuleCommand) -> Result<(), Printed> {
    let (add, args) = match command {
        RuleCommand::Add(args) => (true, args),
        RuleCommand::Remove(args) => (false, args),
    };
    let values: Vec<String> = match kind {
        Kind::Origin => texts(&parsed(&args.values, Pattern::parse)?),
        Kind::Method => texts(&parsed(&args.values, Method::parse)?),
        Kind::Chain => texts(&parsed(&args.values, chain)?),
    };
    let database = args.place.open().await?;
    let id = existing(&database, &args.id).await?.id;
    for value in &values {
        let change = if add {
            table::allow(&database, &id, kind, value).await
        } else {
            table::forbid(&database, &id, kind, value).await
        };
        let said = match (change.map_err(tell)?, add) {
            (true, true) => "is allowed now",
            (false, true) => "was allowed before",
            (true, false) => "is no longer allowed",
            (false, false) => "was not on the list",
        };
        say!("{value} {said}.");
    }
    let all_again = !add && kind != Kind::Origin && existing(&database, &args.id).await?.allows_all(kind);
    database.close().await;
    if all_again {
        say!("The list is empty now, so this project may use everything that this server allows.");
    }
    Ok(())
}

async fn quota(args: QuotaArgs) -> Result<(), Printed> {
    let database = args.place.open().await?;
    let entry = existing(&database, &args.id).await?;
    let quota = args.quota.over(entry.quota);
    table::set_quota(&database, &entry.id, quota).await.map_err(tell)?;
    database.close().await;
    say!("{}: {}.", args.id, limits(quota));
    Ok(())
}

async fn rotate(args: OneArgs) -> Result<(), Printed> {
    let database = args.place.open().await?;
    let id = existing(&database, &args.id).await?.id;
    let secret = random_secret().map_err(tell)?;
    table::set_secret_hash(&database, &id, &hash(&secret)).await.map_err(tell)?;
    database.close().await;
    say!("secret  {secret}\n\nThe old one stops working within 5 seconds. Copy this one now, it isn't shown again.");
    Ok(())
}

async fn set_disabled(args: OneArgs, disabled: bool) -> Result<(), Printed> {
    let database = args.place.open().await?;
    let id = existing(&database, &args.id).await?.id;
    table::set_disabled_at(&database, &id, disabled.then(now)).await.map_err(tell)?;
    database.close().await;
    say!("The project {} is {} within 5 seconds.", args.id, if disabled { "refused" } else { "accepted again" });
    Ok(())
}

pub(super) async fn existing(database: &Database, text: &str) -> Result<Entry, Printed> {
    let id = well_formed(text)?;
    let found = table::read(database, &id).await.map_err(tell)?;
    found.ok_or_else(|| tell(format!("No project {text}. List them with `portico project list`.")))
}

fn well_formed(text: &str) -> Result<ProjectId, Printed> {
    ProjectId::parse(text)
        .ok_or_else(|| tell(format!("Use 1 to 64 letters, digits, hyphens or underscores as project id, not `{text}`")))
}

fn parsed<T>(texts: &[String], parse: impl Fn(&str) -> Result<T, String>) -> Result<Vec<T>, Printed> {
    texts.iter().map(|text| parse(text).map_err(tell)).collect()
}

fn chain(text: &str) -> Result<ChainId, String> {
    text.parse().map_err(|_| format!("Use the CAIP-2 id of a chain, such as eip155:1, not `{text}`"))
}

pub(super) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

fn texts<T: ToString>(values: &[T]) -> Vec<String> {
    values.iter().map(ToString::to_string).collect()
}

fn words<T: ToString>(values: &[T]) -> String {
    texts(values).join(", ")
}

fn as_json(entry: &Entry) -> Value {
    json!({
        "id": entry.id.as_str(),
        "name": entry.name,
        "createdAt": entry.created_at,
        "disabledAt": entry.disabled_at,
        "origins": texts(&entry.origins),
        "methods": texts(&entry.methods),
        "chains": texts(&entry.chains),
        "perSecond": entry.quota.per_second,
        "burst": entry.quota.burst,
        "perDay": entry.quota.per_day,
    })
}

fn as_lines(entry: &Entry) -> String {
    let all_or = |list: String| if list.is_empty() { "all".to_owned() } else { list };
    let origins = if entry.origins.is_empty() { "only this server's own pages".into() } else { words(&entry.origins) };
    let state = if entry.disabled_at.is_some() { " (disabled)" } else { "" };
    format!(
        "{}  {}{state}\n  origins  {origins}\n  methods  {}\n  chains   {}\n  quota    {}\n",
        entry.id.as_str(),
        entry.name,
        all_or(words(&entry.methods)),
        all_or(words(&entry.chains)),
        limits(entry.quota),
    )
}

fn limits(quota: Quota) -> String {
    let rate = match quota.rate() {
        Some(rate) => format!("{} requests per second, {} at once", rate.per_second, rate.burst),
        None => "as many requests per second as come".into(),
    };
    let day = quota.per_day.map_or_else(|| "no limit per day".into(), |most| format!("{most} per day"));
    format!("{rate}, {day}")
}
