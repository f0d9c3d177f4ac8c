//! Location of a picture, and fetching it.

use crate::AppState;
use crate::egress::{Ask, Fetched, Limits, Refused};
use axum::http::StatusCode;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use reqwest::Url;
use std::time::Duration;

/// Maximum size of a picture as fetched, in bytes.
pub(crate) const LONGEST: usize = 8 * 1024 * 1024;

const HEAD_LIMITS: Limits = Limits { bytes: 0, time: Duration::from_secs(4) };
const TIME: Duration = Duration::from_secs(8);

/// Location of a file.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum PictureAddress {
    /// At an http or https URL.
    At(String),
    /// In the text itself.
    Inline(Inline),
}

/// The content of a `data:` URL (RFC 2397).
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Inline {
    /// In lower case, without parameters.
    pub(crate) media_type: String,
    /// Decoded content.
    pub(crate) bytes: Vec<u8>,
}

/// Reason why a picture is not shown. The text is for the client.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub(crate) enum Unshown {
    /// The address is not allowed or cannot be reached.
    #[error("{0}")]
    Refused(Refused),
    /// The server responds with this error status.
    #[error("The address answers with status {0}")]
    Status(u16),
    /// SVG may contain scripts and fetch other files.
    #[error("Can't show SVG pictures")]
    Svg,
    /// Not a supported picture.
    #[error("Use a picture in PNG, JPEG, GIF or WebP")]
    Kind,
    /// Too many bytes.
    #[error("Use a picture of at most 8 MiB")]
    TooLong,
    /// Too many pixels.
    #[error("Use a picture with fewer pixels")]
    TooLarge,
    /// Long data before the pixels, or a frame larger than the picture.
    #[error("Use a picture that needs less memory")]
    Memory,
    /// Too many pictures of the same visitor are being re-encoded.
    #[error("Too many pictures are being made for you. Try again in a few seconds.")]
    Busy,
    /// Too many pictures of all visitors are being re-encoded.
    #[error("The server is making too many pictures. Try again in a few seconds.")]
    Full,
    /// Detected as a picture, but cannot be decoded.
    #[error("Couldn't read the picture")]
    Broken,
}

impl Unshown {
    /// Whether the cause lies here, not in the picture: the result says nothing to other visitors, and is never cached.
    pub(crate) fn is_ours(self) -> bool {
        matches!(self, Unshown::Busy | Unshown::Full) || matches!(self, Unshown::Refused(refused) if refused.is_ours())
    }

    /// Whether a retry a little later may succeed: the result says nothing about the picture.
    pub(crate) fn may_pass(self) -> bool {
        self.is_overload() || matches!(self, Unshown::Refused(refused) if refused.may_pass()) || self.is_ours()
    }

    /// Whether the host has too many requests, or fails. Any visitor may be the cause of that.
    pub(crate) fn is_overload(self) -> bool {
        matches!(self, Unshown::Status(429 | 500..))
    }
}

impl PictureAddress {
    /// Parses `https:`, `http:`, `data:`, `ipfs:` and `ipns:`; the last two need a gateway.
    pub(crate) fn parse(text: &str, gateway: Option<&Url>) -> Option<PictureAddress> {
        let text = text.trim();
        let (scheme, rest) = text.split_once(':').unwrap_or(("", text));
        match scheme.to_ascii_lowercase().as_str() {
            "http" | "https" => Some(PictureAddress::At(text.into())),
            "data" => Inline::parse(rest).map(PictureAddress::Inline),
            "ipfs" => file(gateway?, "ipfs", rest),
            "ipns" => file(gateway?, "ipns", rest),
            "" => match text.strip_prefix("/ipfs/") {
                Some(path) => file(gateway?, "ipfs", path),
                None => file(gateway?, "ipns", text.strip_prefix("/ipns/")?),
            },
            _ => None,
        }
    }
}

/// Gateway URL of `ipfs://CID/path`, also in the common form `ipfs://ipfs/CID/path`.
fn file(gateway: &Url, kind: &str, path: &str) -> Option<PictureAddress> {
    let path = path.trim_start_matches('/');
    let path = path.strip_prefix(kind).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path);
    let root = path.split(['/', '?', '#']).next()?;
    let letters = |byte: u8| byte.is_ascii_alphanumeric() || kind == "ipns" && matches!(byte, b'.' | b'-');
    let fits = (1..=128).contains(&root.len()) && root.bytes().all(letters) && !root.starts_with('.');
    let inside = !path.contains('\\') && path.split('/').all(|part| part != "." && part != "..");
    let place = (fits && inside).then(|| format!("{}{kind}/{path}", gateway.as_str()))?;
    // Encoded dots, or dots split by characters that URL parsers drop, also escape the path.
    let below = Url::parse(&place).is_ok_and(|url| url.path().starts_with(&format!("{}{kind}/{root}", gateway.path())));
    below.then_some(PictureAddress::At(place))
}

impl Inline {
    fn parse(rest: &str) -> Option<Inline> {
        let (head, content) = rest.split_once(',')?;
        let (head, packed) = head.strip_suffix(";base64").map_or((head, false), |head| (head, true));
        let media_type = head.split(';').next()?.trim().to_ascii_lowercase();
        let content: Vec<u8> = percent_encoding::percent_decode_str(content).collect();
        let bytes = if packed { unpack(&content)? } else { content };
        Some(Inline { media_type, bytes })
    }
}

/// Decodes base64, standard or URL-safe, with or without padding.
fn unpack(text: &[u8]) -> Option<Vec<u8>> {
    [&STANDARD, &STANDARD_NO_PAD, &URL_SAFE, &URL_SAFE_NO_PAD].into_iter().find_map(|engine| engine.decode(text).ok())
}

/// Checks without download whether a file may be a picture, at a URL by a HEAD request (spec 7.8).
pub(crate) async fn look(state: &AppState, place: &PictureAddress) -> Result<(), Unshown> {
    match place {
        PictureAddress::Inline(Inline { media_type, bytes }) => {
            if bytes.len() > LONGEST {
                return Err(Unshown::TooLong);
            }
            kind(media_type)
        }
        PictureAddress::At(url) => {
            let head = state.egress().fetch(url, Ask::Head, HEAD_LIMITS).await.map_err(Unshown::Refused)?;
            // Not every server supports HEAD, or allows it where it allows GET.
            if matches!(
                head.status,
                StatusCode::METHOD_NOT_ALLOWED | StatusCode::NOT_IMPLEMENTED | StatusCode::FORBIDDEN
            ) {
                return Ok(());
            }
            if head.declared_length().is_some_and(|length| length > LONGEST as u64) {
                return Err(Unshown::TooLong);
            }
            successful(&head)?;
            kind(&head.media_type())
        }
    }
}

/// Bytes of a picture, not decoded yet.
pub(super) async fn picture(state: &AppState, place: PictureAddress) -> Result<Vec<u8>, Unshown> {
    look(state, &place).await?;
    let url = match place {
        PictureAddress::Inline(inline) => return Ok(inline.bytes),
        PictureAddress::At(url) => url,
    };
    let limits = Limits { bytes: LONGEST, time: TIME };
    let fetched = state.egress().fetch(&url, Ask::Get, limits).await.map_err(|refused| match refused {
        Refused::TooLong(_) => Unshown::TooLong,
        refused => Unshown::Refused(refused),
    })?;
    successful(&fetched)?;
    kind(&fetched.media_type())?;
    Ok(fetched.body.into())
}

/// Content of a URL, up to a size limit.
pub(crate) async fn get(state: &AppState, url: &str, most: usize) -> Result<Vec<u8>, Unshown> {
    let limits = Limits { bytes: most, time: TIME };
    let fetched = state.egress().fetch(url, Ask::Get, limits).await.map_err(Unshown::Refused)?;
    successful(&fetched)?;
    Ok(fetched.body.into())
}

fn successful(fetched: &Fetched) -> Result<(), Unshown> {
    if fetched.status.is_success() { Ok(()) } else { Err(Unshown::Status(fetched.status.as_u16())) }
}

/// Checks the media type; servers that do not know it send none or a binary one.
fn kind(media_type: &str) -> Result<(), Unshown> {
    match media_type {
        "image/svg+xml" => Err(Unshown::Svg),
        "" | "application/octet-stream" | "binary/octet-stream" => Ok(()),
        other if other.starts_with("image/") => Ok(()),
        _ => Err(Unshown::Kind),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str) -> Option<PictureAddress> {
        PictureAddress::parse(text, Some(&Url::parse("https://gateway.example").unwrap()))
    }

    #[test]
    fn a_file_of_ipfs_is_at_its_gateway_however_it_is_written() {
        let cid = "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG";
        let at = |path: &str| Some(PictureAddress::At(format!("https://gateway.example/{path}")));
        for text in [
            format!("ipfs://{cid}/1.png"),
            format!("ipfs://ipfs/{cid}/1.png"),
            format!("IPFS:{cid}/1.png"),
            format!("/ipfs/{cid}/1.png"),
            format!(" ipfs:///{cid}/1.png "),
        ] {
            assert_eq!(place(&text), at(&format!("ipfs/{cid}/1.png")), "{text}");
            assert_eq!(PictureAddress::parse(&text, None), None);
        }
        assert_eq!(place("ipns://pictures.example.eth/a"), at("ipns/pictures.example.eth/a"));
        for text in [
            "ipfs://",
            "ipfs://../admin",
            "ipfs://a/../../admin",
            "ipfs://a@b",
            "ipfs://a\\..\\b",
            "ipfs://a/%2e%2e/%2E./admin",
            "ipfs://a/.\t./.\n./admin",
            "/ipfs/",
            "ipns://..",
            "QmYw",
            "/etc/passwd",
        ] {
            assert_eq!(place(text), None, "{text}");
        }
    }

    #[test]
    fn a_picture_in_a_text_is_unpacked() {
        let inline = |media_type: &str, bytes: &[u8]| {
            Some(PictureAddress::Inline(Inline { media_type: media_type.into(), bytes: bytes.into() }))
        };
        assert_eq!(place("data:image/PNG;base64,AQID"), inline("image/png", &[1, 2, 3]));
        assert_eq!(place("data:image/png;charset=x;base64,_-8"), inline("image/png", &[255, 239]));
        assert_eq!(place("data:image/png;base64,AQ%3D%3D"), inline("image/png", &[1]));
        assert_eq!(place("data:application/json,%7B%7d"), inline("application/json", b"{}"));
        assert_eq!(place("data:,a,b"), inline("", b"a,b"));
        for text in [
            "data:",
            "data:image/png;base64",
            "data:image/png;base64,***",
            "javascript:alert(1)",
            "blob:https://a/b",
            "file:///a",
            "",
        ] {
            assert_eq!(place(text), None, "{text}");
        }
    }

    #[test]
    fn what_says_that_it_is_no_picture_is_believed() {
        for media_type in ["image/png", "image/x-unknown", "", "application/octet-stream"] {
            assert_eq!(kind(media_type), Ok(()));
        }
        assert_eq!(kind("image/svg+xml"), Err(Unshown::Svg));
        for media_type in ["text/html", "application/json", "video/mp4", "image"] {
            assert_eq!(kind(media_type), Err(Unshown::Kind));
        }
    }
}
