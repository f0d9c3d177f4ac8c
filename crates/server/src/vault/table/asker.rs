//! Who asks for a login or a confirmation, as mails and their pages show it.

use sqlx::{ColumnIndex, Decode, Error, FromRow, Row, Type};

/// Columns of an [`Asker`], in logins and confirmations alike.
macro_rules! asker_columns {
    () => {
        "device, host, browser, place, number, language, ends_at"
    };
}
pub(super) use asker_columns;

/// Where a request began.
pub(in crate::vault) struct Asker {
    pub(in crate::vault) device: String,
    /// Origin of the host page.
    pub(in crate::vault) host: String,
    /// "Firefox on Linux"
    pub(in crate::vault) browser: String,
    /// Address of the visitor without its end; empty where it says nothing.
    pub(in crate::vault) place: String,
    /// Number that the site shows too.
    pub(in crate::vault) number: String,
    /// BCP 47 tag of the mail's language.
    pub(in crate::vault) language: String,
    /// End of the request, in epoch milliseconds.
    pub(in crate::vault) ends_at: i64,
}

impl<'r, R: Row> FromRow<'r, R> for Asker
where
    &'static str: ColumnIndex<R>,
    String: Decode<'r, R::Database> + Type<R::Database>,
    i64: Decode<'r, R::Database> + Type<R::Database>,
{
    fn from_row(row: &'r R) -> Result<Asker, Error> {
        Ok(Asker {
            device: row.try_get("device")?,
            host: row.try_get("host")?,
            browser: row.try_get("browser")?,
            place: row.try_get("place")?,
            number: row.try_get("number")?,
            language: row.try_get("language")?,
            ends_at: row.try_get("ends_at")?,
        })
    }
}
