//! `portico analytics`

use super::database::DatabaseArgs;
use super::printed::{Printed, no_folder, tell};
use crate::analytics::Wanted;
use crate::analytics::export::{ExportError, Format, export};
use crate::cli::project::existing;
use clap::{Args, Subcommand};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use std::fs::File;
use std::io::{BufWriter, ErrorKind, IsTerminal, Write, stdout};
use std::path::{Path, PathBuf};

pub(super) const EXAMPLES: &str = "\
Examples:
  portico analytics export > events.csv
  portico analytics export --project demo --from 2026-11-01 --until 2026-12-01 --format parquet --output november.parquet

Times are in UTC. Each row has what a page sent and when, but no IP address.";

#[derive(Subcommand)]
pub(super) enum AnalyticsCommand {
    /// Write the stored events as CSV or Parquet
    #[command(after_help = EXAMPLES)]
    Export(ExportArgs),
}

#[derive(Args)]
pub(super) struct ExportArgs {
    #[command(flatten)]
    place: DatabaseArgs,
    /// File format [default: that of the file's name, otherwise csv]
    // Without the list of values, whose lines would give this help another layout than all others have.
    #[arg(long, value_enum, value_name = "csv|parquet", hide_possible_values = true)]
    format: Option<Format>,
    /// File to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Only events of this project
    #[arg(long, value_name = "ID")]
    project: Option<String>,
    /// Only events received on this day or later
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = day)]
    from: Option<i64>,
    /// Only events received before this day
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = day)]
    until: Option<i64>,
}

pub(super) async fn run(AnalyticsCommand::Export(args): AnalyticsCommand) -> Result<(), Printed> {
    let format = format(args.format, args.output.as_deref()).map_err(tell)?;
    if matches!(format, Format::Parquet) && args.output.is_none() && stdout().is_terminal() {
        return Err(tell("Parquet isn't text. Name a file for it: --output events.parquet"));
    }
    if args.from.zip(args.until).is_some_and(|(from, until)| from >= until) {
        return Err(tell("--until is the first day that isn't exported. Set it to a day after --from."));
    }
    let database = args.place.open().await?;
    if let Some(id) = &args.project {
        existing(&database, id).await?;
    }
    let wanted = Wanted {
        project: args.project.unwrap_or_default(),
        from: args.from.unwrap_or(0),
        until: args.until.unwrap_or(i64::MAX),
    };
    let out: Box<dyn Write + Send> = match &args.output {
        Some(path) => {
            let file = File::create(path).map_err(|error| match error.kind() {
                ErrorKind::NotFound => tell(no_folder(path)),
                _ => tell(format!("Couldn't write {}: {error}", path.display())),
            })?;
            Box::new(BufWriter::new(file))
        }
        None => Box::new(stdout()),
    };
    let written = export(&database, &wanted, format, out).await;
    database.close().await;
    let count = match written {
        // The reader closed the pipe, as `head` does after its lines: not an error.
        Err(ExportError::Closed) => return Ok(()),
        written => written.map_err(tell)?,
    };
    let plural = if count == 1 { "" } else { "s" };
    remark!("Wrote {count} event{plural}.");
    Ok(())
}

/// Format of the file; an error if its name says another.
fn format(given: Option<Format>, output: Option<&Path>) -> Result<Format, String> {
    let named = output.and_then(|path| match path.extension()?.to_str()? {
        "parquet" => Some(Format::Parquet),
        "csv" => Some(Format::Csv),
        _ => None,
    });
    match (given, named) {
        (Some(given), Some(named)) if given != named => {
            Err("The name of the file says another format. Change --format or --output.".into())
        }
        (given, named) => Ok(given.or(named).unwrap_or(Format::Csv)),
    }
}

/// First millisecond of a day, UTC.
fn day(text: &str) -> Result<i64, String> {
    let start = text.parse::<Date>().and_then(|date| date.to_zoned(TimeZone::UTC));
    start
        .map(|start| start.timestamp().as_millisecond())
        .map_err(|_| format!("use a day such as 2026-11-21, not `{text}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_is_that_of_the_name_of_the_file() {
        let of = |given, name: Option<&str>| format(given, name.map(Path::new));
        assert_eq!(of(None, None), Ok(Format::Csv));
        assert_eq!(of(None, Some("a.parquet")), Ok(Format::Parquet));
        assert_eq!(of(Some(Format::Parquet), Some("a.bin")), Ok(Format::Parquet));
        assert!(of(Some(Format::Csv), Some("a.parquet")).is_err());
    }

    #[test]
    fn a_day_is_its_first_millisecond_in_utc() {
        for (text, seconds) in [
            ("1970-01-01", 0),
            ("2000-02-29", 951_782_400),
            ("2024-12-31", 1_735_603_200),
            ("2026-11-21", 1_795_219_200),
        ] {
            assert_eq!(day(text), Ok(seconds * 1000), "{text}");
        }
        for text in ["", "2026", "2026-13-01", "2026-02-29", "2026-04-31", "x-1-1"] {
            assert!(day(text).is_err(), "{text}");
        }
    }
}
