//! `portico analytics export`: the stored events as CSV or Parquet, read page by page to limit memory.

use super::table::{self, Stored, Wanted};
use crate::db::Database;
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use std::borrow::Cow;
use std::io::{ErrorKind, Write};
use std::sync::Arc;

/// File format of an export.
#[derive(Clone, Copy, Debug, Eq, PartialEq, clap::ValueEnum)]
pub(crate) enum Format {
    /// One line per event, after a header line
    Csv,
    /// Row groups of 10,000 events, compressed with Snappy
    Parquet,
}

/// Error that ended the export early.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ExportError {
    /// The database failed.
    #[error("Couldn't read the events: {0}")]
    Read(#[from] sqlx::Error),
    /// The file or pipe failed.
    #[error("Couldn't write the events: {0}")]
    Write(String),
    /// The reader closed the pipe.
    #[error("The reader closed the pipe")]
    Closed,
}

impl ExportError {
    fn broken(error: &std::io::Error) -> ExportError {
        match error.kind() {
            ErrorKind::BrokenPipe => ExportError::Closed,
            _ => ExportError::Write(error.to_string()),
        }
    }
}

impl From<csv::Error> for ExportError {
    fn from(error: csv::Error) -> ExportError {
        match error.kind() {
            csv::ErrorKind::Io(error) => ExportError::broken(error),
            _ => ExportError::Write(error.to_string()),
        }
    }
}

impl From<ParquetError> for ExportError {
    fn from(error: ParquetError) -> ExportError {
        match &error {
            ParquetError::External(inner) => inner.downcast_ref().map(ExportError::broken),
            _ => None,
        }
        .unwrap_or_else(|| ExportError::Write(error.to_string()))
    }
}

impl From<std::io::Error> for ExportError {
    fn from(error: std::io::Error) -> ExportError {
        ExportError::broken(&error)
    }
}

const PAGE: i64 = 10_000;

/// Times are epoch milliseconds, UTC.
const SCHEMA: &str = "message event {
    required binary project (UTF8);
    required binary event_id (UTF8);
    required int64 received_at (TIMESTAMP_MILLIS);
    required int64 happened_at (TIMESTAMP_MILLIS);
    required binary event (UTF8);
    required binary url (UTF8);
    required binary domain (UTF8);
    optional binary address (UTF8);
    required binary properties (UTF8);
    required binary sdk_type (UTF8);
    required binary sdk_version (UTF8);
}";

const NAMES: [&str; 11] = [
    "project",
    "event_id",
    "received_at",
    "happened_at",
    "event",
    "url",
    "domain",
    "address",
    "properties",
    "sdk_type",
    "sdk_version",
];

/// Writes the events in order of receipt; returns their number.
pub(crate) async fn export(
    database: &Database,
    wanted: &Wanted,
    format: Format,
    out: impl Write + Send,
) -> Result<u64, ExportError> {
    match format {
        Format::Csv => as_csv(database, wanted, out).await,
        Format::Parquet => as_parquet(database, wanted, out).await,
    }
}

async fn as_csv(database: &Database, wanted: &Wanted, out: impl Write + Send) -> Result<u64, ExportError> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(NAMES)?;
    let (mut count, mut after) = (0, 0);
    loop {
        let page = table::page(database, wanted, after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = last.position;
        count += page.len() as u64;
        for event in &page {
            let (received, happened) = (event.received_at.to_string(), event.happened_at.to_string());
            let fields: [&str; 11] = [
                &event.project,
                &event.event_id,
                &received,
                &happened,
                &event.event,
                &event.url,
                &event.domain,
                event.address.as_deref().unwrap_or_default(),
                &event.properties,
                &event.sdk_type,
                &event.sdk_version,
            ];
            writer.write_record(fields.map(|text| harmless(text).into_owned()))?;
        }
    }
    writer.flush()?;
    Ok(count)
}

/// First characters that spreadsheets take for a formula (OWASP, CSV injection).
const FORMULAS: [char; 7] = ['=', '+', '-', '@', '\t', '\r', '\n'];

/// Escapes a cell that begins like a formula: pages choose the content of events.
fn harmless(text: &str) -> Cow<'_, str> {
    if text.starts_with(FORMULAS) { format!("'{text}").into() } else { text.into() }
}

async fn as_parquet(database: &Database, wanted: &Wanted, out: impl Write + Send) -> Result<u64, ExportError> {
    let schema = Arc::new(parse_message_type(SCHEMA)?);
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut writer = SerializedFileWriter::new(out, schema, Arc::new(properties))?;
    let (mut count, mut after) = (0, 0);
    loop {
        let page = table::page(database, wanted, after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = last.position;
        count += page.len() as u64;
        let mut group = writer.next_row_group()?;
        write_group(&mut group, &page)?;
        group.close()?;
    }
    writer.close()?;
    Ok(count)
}

fn write_group<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    page: &[Stored],
) -> Result<(), ParquetError> {
    texts(group, page, |event| &event.project)?;
    texts(group, page, |event| &event.event_id)?;
    times(group, page, |event| event.received_at)?;
    times(group, page, |event| event.happened_at)?;
    texts(group, page, |event| &event.event)?;
    texts(group, page, |event| &event.url)?;
    texts(group, page, |event| &event.domain)?;
    let there: Vec<i16> = page.iter().map(|event| i16::from(event.address.is_some())).collect();
    let addresses: Vec<ByteArray> =
        page.iter().filter_map(|event| event.address.as_deref().map(ByteArray::from)).collect();
    column::<ByteArrayType, W>(group, &addresses, Some(&there))?;
    texts(group, page, |event| &event.properties)?;
    texts(group, page, |event| &event.sdk_type)?;
    texts(group, page, |event| &event.sdk_version)
}

fn texts<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    page: &[Stored],
    of: impl Fn(&Stored) -> &str,
) -> Result<(), ParquetError> {
    let values: Vec<ByteArray> = page.iter().map(|event| ByteArray::from(of(event))).collect();
    column::<ByteArrayType, W>(group, &values, None)
}

fn times<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    page: &[Stored],
    of: impl Fn(&Stored) -> i64,
) -> Result<(), ParquetError> {
    let values: Vec<i64> = page.iter().map(of).collect();
    column::<Int64Type, W>(group, &values, None)
}

fn column<T: parquet::data_type::DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &[T::T],
    there: Option<&[i16]>,
) -> Result<(), ParquetError> {
    let mut column = group.next_column()?.ok_or_else(|| ParquetError::General("a column too many".into()))?;
    column.typed::<T>().write_batch(values, there, None)?;
    column.close()
}
