//! Import of an operator's list of wallets: records in the format of the bundled list or of the server's API, each with an optional
//! picture.

use super::picture::{self, Picture};
use super::table::Stored;
use super::{AppLink, Wallet, WebLink, line_of};
use crate::near::did_you_mean;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::HashSet;
use std::path::Path;

/// Maximum number of wallets in a list.
const MOST: usize = 5_000;

/// Validated list, ready to be stored.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Import {
    pub(crate) wallets: Vec<Stored>,
    pub(crate) pictures: Vec<Picture>,
}

/// Mistake in a list.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Mistake {
    /// Line, counted from 1.
    pub(crate) line: usize,
    pub(crate) sentence: String,
}

/// Fields of a record that are not part of [`Wallet`](super::Wallet).
#[derive(Deserialize)]
struct ImportFields {
    order: Option<u32>,
    image: Option<String>,
}

/// Reads a list whose picture files are in `folder`. `stored` are the ids of pictures imported before.
pub(crate) fn read(text: &str, folder: &Path, stored: &HashSet<String>) -> Result<Import, Vec<Mistake>> {
    let records: Vec<&RawValue> = match serde_json::from_str(text) {
        Ok(records) => records,
        Err(error) => {
            let sentence = match error.is_data() {
                true => "write the wallets as a list in [ ]".into(),
                false => sentence(&error, text),
            };
            return Err(vec![Mistake { line: error.line().max(1), sentence }]);
        }
    };
    if records.len() > MOST {
        return Err(vec![Mistake { line: 1, sentence: format!("keep at most {MOST} wallets in the list") }]);
    }
    let (mut import, mut mistakes, mut ids) = (Import::default(), Vec::new(), HashSet::new());
    for record in records {
        let line = line_of(text, record.get());
        match wallet(record.get(), line, folder, stored) {
            Ok((wallet, _)) if !ids.insert(wallet.id.clone()) => {
                mistakes.push(Mistake { line, sentence: format!("the id `{}` is listed twice", wallet.id) });
            }
            Ok((wallet, picture)) => {
                import.wallets.push(wallet);
                import.pictures.extend(picture);
            }
            Err(mistake) => mistakes.push(mistake),
        }
    }
    if mistakes.is_empty() { Ok(import) } else { Err(mistakes) }
}

/// Sentence about what the parser of JSON refuses in a record: it names its rules, an operator needs the record as it should be.
fn sentence(error: &serde_json::Error, record: &str) -> String {
    let said = super::without_place(error);
    let name = |start: &str| said.strip_prefix(start)?.split('`').next();
    if record.trim().is_empty() {
        return "the file is empty. Write the wallets as a list in [ ].".into();
    }
    if error.is_eof() {
        return "the list ends too early. Close each bracket, brace and quotation mark.".into();
    }
    if error.is_syntax() {
        return "this isn't JSON. Check the quotation marks, commas and brackets here and in the line above.".into();
    }
    if let Some(sentence) = link_of(record, &said) {
        return sentence;
    }
    if let Some(name) = name("missing field `") {
        return format!("add `{name}` to this wallet");
    }
    if let Some(name) = name("unknown field `") {
        let meant = did_you_mean(name, said.split('`').skip(3).step_by(2));
        return format!(
            "wallets have no field `{name}`.{}",
            if meant.is_empty() { " Remove it.".into() } else { meant }
        );
    }
    match said.rsplit_once(", expected ") {
        Some((_, "a string")) => {
            text_of(record, &said).unwrap_or_else(|| "put quotes around each text in the lists of this wallet".into())
        }
        Some((_, "a sequence")) => "write each list of this wallet in [ ]".into(),
        Some((_, "u32")) => "use a whole number as `order`".into(),
        Some((_, wanted)) if wanted.starts_with("struct ") => "write each wallet as an object in { }".into(),
        _ => said,
    }
}

/// Fields with a web link.
const WEB_LINKS: [&str; 6] = ["homepage", "link_mode", "webapp_link", "app_store", "play_store", "chrome_store"];

/// Fields with a link of an app.
const APP_LINKS: [&str; 2] = ["mobile_link", "desktop_link"];

/// Sentence about a link that is refused, with the name of its field; `said` is the refusal.
fn link_of(record: &str, said: &str) -> Option<String> {
    let fields: serde_json::Map<String, serde_json::Value> = serde_json::from_str(record).ok()?;
    let text = |name: &str| fields.get(name)?.as_str().map(str::to_owned);
    let web = |name: &&str| Some(WebLink::try_from(text(name)?).err()?.to_string());
    let app = |name: &&str| Some(AppLink::try_from(text(name)?).err()?.to_string());
    let is_said = |error: Option<String>| error.as_deref() == Some(said);
    let name = WEB_LINKS.iter().find(|name| is_said(web(name)));
    let name = name.or_else(|| APP_LINKS.iter().find(|name| is_said(app(name))))?;
    let (advice, text) = said.split_once(", not `")?;
    Some(format!("{advice} as `{name}`, not `{text}"))
}

/// Sentence about a field of a record that is a number, or true or false, in the place of a text; `said` has the value between backticks.
fn text_of(record: &str, said: &str) -> Option<String> {
    let value = said.split('`').nth(1)?;
    let fields: serde_json::Map<String, serde_json::Value> = serde_json::from_str(record).ok()?;
    let mut written = fields.iter().map(|(name, found)| (name, found.to_string()));
    let (name, _) = written.find(|(_, found)| found == value)?;
    Some(format!("put quotes around the `{name}` of this wallet: \"{value}\""))
}

fn wallet(
    record: &str,
    line: usize,
    folder: &Path,
    stored: &HashSet<String>,
) -> Result<(Stored, Option<Picture>), Mistake> {
    let wrong = |error: serde_json::Error| Mistake {
        line: line + error.line().saturating_sub(1),
        sentence: sentence(&error, record),
    };
    let wallet: Wallet = serde_json::from_str(record).map_err(wrong)?;
    let beside: ImportFields = serde_json::from_str(record).map_err(wrong)?;
    let said = |sentence: String| Mistake { line, sentence: format!("{}: {sentence}", wallet.id) };
    let picture = beside.image.map(|named| Picture::read(&named, folder)).transpose();
    let picture = picture.map_err(|error| said(error.to_string()))?;
    if let (None, Some(id)) = (&picture, &wallet.image_id)
        && !stored.contains(id)
        && picture::bundled(id).is_none()
    {
        return Err(said(format!("no picture `{id}`. Add it as `image`.")));
    }
    let image_id = picture.as_ref().map(|picture| picture.id.clone()).or(wallet.image_id);
    // The picture is stored separately, not in the record.
    let mut record: serde_json::Map<String, serde_json::Value> = serde_json::from_str(record).map_err(wrong)?;
    record.remove("image");
    let record = serde_json::Value::Object(record).to_string();
    Ok((Stored { id: wallet.id.to_lowercase(), place: beside.order, image_id, record }, picture))
}
