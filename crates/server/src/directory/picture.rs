//! The pictures of wallets: those in the binary, and how one of the operator's becomes such a picture.

use alloy_primitives::{hex, keccak256};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::codecs::webp::WebPEncoder;
use image::{ExtendedColorType, ImageEncoder, ImageReader, Limits};
use rust_embed::Embed;
use std::borrow::Cow;
use std::io::Cursor;
use std::path::{Component, Path};

/// The largest side of a picture, in pixels.
const SIDE: u32 = 128;
/// What is decoded at all: bytes of the file, pixels of a side, bytes in memory.
const MOST_BYTES: usize = 1024 * 1024;
const MOST_PIXELS: u32 = 4096;
const MOST_MEMORY: u64 = 128 * 1024 * 1024;

#[derive(Embed)]
#[folder = "directory/images"]
#[allow(missing_docs, reason = "the derive writes them")]
struct Bundled;

/// A picture of the operator.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Picture {
    /// Made from its bytes, so that the picture under an id never changes.
    pub(crate) id: String,
    /// As WebP.
    pub(crate) webp: Vec<u8>,
}

/// Why something is no picture.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PictureError {
    /// A path that leads elsewhere.
    #[error("the image `{0}` is neither a data URI nor a file in the folder of the list or below it")]
    Elsewhere(String),
    /// Not there, or not to be read.
    #[error("the image `{0}` cannot be read: {1}")]
    File(String, std::io::Error),
    /// Not base64.
    #[error("the image is not a data URI such as data:image/png;base64,iVBORw0…")]
    DataUri,
    /// A file as large as no logo.
    #[error("the image is larger than 1 MiB")]
    Large,
    /// Of another kind, too large, or broken.
    #[error("the image is not a PNG, JPEG, GIF or WebP of at most 4096 × 4096 pixels")]
    Kind,
}

/// One of the pictures in the binary.
pub(super) fn bundled(id: &str) -> Option<Cow<'static, [u8]>> {
    Bundled::get(&format!("{id}.webp")).map(|file| file.data)
}

/// A picture as a page can draw it without a request.
pub(super) fn data_uri(webp: &[u8]) -> String {
    format!("data:image/webp;base64,{}", STANDARD.encode(webp))
}

impl Picture {
    /// Reads what a list names: a data URI, or the path of a file beside it.
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

    /// Makes it anew, no larger than it is shown: so nothing but a picture is left of it.
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
