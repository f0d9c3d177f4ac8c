//! Pictures of wallets: bundled ones, and conversion of those in an operator's list.

use alloy_primitives::{hex, keccak256};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::codecs::webp::WebPEncoder;
use image::{ExtendedColorType, ImageEncoder, ImageReader, Limits};
use rust_embed::Embed;
use std::borrow::Cow;
use std::io::{Cursor, ErrorKind};
use std::path::{Component, Path};

/// Maximum side of a stored picture, in pixels.
const SIDE: u32 = 128;
/// Limits of a picture to decode: bytes of the file, pixels of a side, bytes in memory.
const MOST_BYTES: usize = 1024 * 1024;
const MOST_PIXELS: u32 = 4096;
const MOST_MEMORY: u64 = 128 * 1024 * 1024;

#[derive(Embed)]
#[folder = "directory/images"]
#[allow(missing_docs, reason = "the derive writes them")]
struct Bundled;

/// Picture from an operator's list.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Picture {
    /// Id derived from the bytes, so that the picture under an id never changes.
    pub(crate) id: String,
    /// Encoded as WebP.
    pub(crate) webp: Vec<u8>,
}

/// Reason why a picture is not accepted.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PictureError {
    /// The path leads outside the folder.
    #[error("use a data URI or a file beside the list as image, not `{0}`")]
    Elsewhere(String),
    /// The file is missing or unreadable.
    #[error("{}", unread(.0, .1))]
    File(String, std::io::Error),
    /// The data URI is not base64.
    #[error("use a data URI such as data:image/png;base64,iVBORw0… as image")]
    DataUri,
    /// The file is too large for a logo.
    #[error("use an image of at most 1 MiB")]
    Large,
    /// Unsupported format, too many pixels, or corrupt.
    #[error("use a PNG, JPEG, GIF or WebP of at most 4096 × 4096 pixels as image")]
    Kind,
}

/// Sentence about the file of a picture.
fn unread(named: &str, error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => format!("there is no image `{named}` in the folder of the list. Check its name."),
        ErrorKind::PermissionDenied => format!("this user can't read the image `{named}`. Change its permissions."),
        ErrorKind::IsADirectory => format!("the image `{named}` is a folder. Name the file in it."),
        _ => format!("couldn't read the image `{named}` ({error})"),
    }
}

/// Bundled picture with this id.
pub(super) fn bundled(id: &str) -> Option<Cow<'static, [u8]>> {
    Bundled::get(&format!("{id}.webp")).map(|file| file.data)
}

/// Data URI of a picture, which a page can draw without a request.
pub(super) fn data_uri(webp: &[u8]) -> String {
    format!("data:image/webp;base64,{}", STANDARD.encode(webp))
}

impl Picture {
    /// Reads the picture that a record names: a data URI, or the path of a file in the list's folder.
    pub(super) fn read(named: &str, folder: &Path) -> Result<Picture, PictureError> {
        if let Some(uri) = named.strip_prefix("data:") {
            let (_, text) = uri.split_once(";base64,").ok_or(PictureError::DataUri)?;
            return Picture::of(&STANDARD.decode(text).map_err(|_| PictureError::DataUri)?);
        }
        let short = || named.chars().take(80).collect();
        let path = Path::new(named);
        if named.is_empty() || !path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
            return Err(PictureError::Elsewhere(short()));
        }
        Picture::of(&std::fs::read(folder.join(path)).map_err(|error| PictureError::File(short(), error))?)
    }

    /// Decodes and re-encodes a picture, no larger than it is shown, so that no other data remains in the file.
    fn of(bytes: &[u8]) -> Result<Picture, PictureError> {
        if bytes.len() > MOST_BYTES {
            return Err(PictureError::Large);
        }
        let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|_| PictureError::Kind)?;
        let mut limits = Limits::default();
        limits.max_image_width = Some(MOST_PIXELS);
        limits.max_image_height = Some(MOST_PIXELS);
        limits.max_alloc = Some(MOST_MEMORY);
        reader.limits(limits);
        let mut picture = reader.decode().map_err(|_| PictureError::Kind)?;
        if picture.width().max(picture.height()) > SIDE {
            picture = picture.thumbnail(SIDE, SIDE);
        }
        let pixels = picture.to_rgba8();
        let mut webp = Vec::new();
        let written = WebPEncoder::new_lossless(&mut webp).write_image(
            pixels.as_raw(),
            pixels.width(),
            pixels.height(),
            ExtendedColorType::Rgba8,
        );
        written.map_err(|_| PictureError::Kind)?;
        Ok(Picture { id: hex::encode(&keccak256(&webp)[..8]), webp })
    }
}
