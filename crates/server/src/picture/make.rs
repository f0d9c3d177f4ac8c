//! Re-encodes pictures: any input becomes a small still WebP without metadata.

use crate::picture_source::Unshown;
use image::codecs::webp::WebPEncoder;
use image::error::{ImageError, LimitErrorKind};
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};
use std::io::Cursor;

/// Maximum width and height of the result, in pixels.
const SIDE: u32 = 256;

/// Maximum width and height of the input, in pixels.
const LARGEST: u32 = 4096;

/// Memory limit of the pixels, in bytes: four for each of the largest input, and half as much.
const ROOM: u64 = 96 * 1024 * 1024;

/// Memory limit of a header, in bytes: the color profile, texts and further data before the pixels. Decoding may use as much beside them.
const HEADER: u64 = 1024 * 1024;

/// Number of pixels that a picture's header tells, within the limits. Takes some milliseconds.
pub(super) fn pixels(bytes: &[u8]) -> Result<u64, Unshown> {
    let (width, height) = decoder(bytes)?.dimensions();
    Ok(u64::from(width) * u64::from(height))
}

/// Re-encodes a picture; takes up to half a second for the largest.
pub(super) fn make(bytes: &[u8]) -> Result<Vec<u8>, Unshown> {
    let mut decoder = decoder(bytes)?;
    let (width, height) = decoder.dimensions();
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    // A frame of a GIF may be larger than the whole picture.
    decoder.set_limits(limits(decoder.total_bytes() + HEADER)).map_err(why)?;
    // First frame of an animation.
    let picture = DynamicImage::from_decoder(decoder).map_err(why)?;
    let mut picture = if width.max(height) > SIDE { picture.thumbnail(SIDE, SIDE) } else { picture };
    picture.apply_orientation(orientation);
    write(&picture).map_err(why)
}

/// Decoder that has read the header and holds the limits.
fn decoder(bytes: &[u8]) -> Result<impl ImageDecoder + '_, Unshown> {
    let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|_| Unshown::Kind)?;
    // Detected by its first bytes; the declared media type is not trusted.
    if !matches!(reader.format(), Some(ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::Gif | ImageFormat::WebP)) {
        return Err(Unshown::Kind);
    }
    reader.limits(limits(HEADER));
    let decoder = reader.into_decoder().map_err(why)?;
    let (width, height) = decoder.dimensions();
    if width.max(height) > LARGEST || decoder.total_bytes() > ROOM {
        return Err(Unshown::TooLarge);
    }
    if !lossy_frames_fit(bytes, width, height) {
        return Err(Unshown::Memory);
    }
    Ok(decoder)
}

/// Whether the lossy frames of a WebP are no larger than the picture. They tell a size of their own (RFC 6386 9.1), and the decoder decodes
/// them before it compares both.
fn lossy_frames_fit(bytes: &[u8], width: u32, height: u32) -> bool {
    if !bytes.starts_with(b"RIFF") {
        return true;
    }
    // Name and length of the chunk, frame tag, start code, width and height with two bits of scaling each.
    bytes.windows(18).filter(|part| part.starts_with(b"VP8 ") && part[11..14] == [0x9d, 0x01, 0x2a]).all(|part| {
        let side = |low: usize| u32::from(u16::from_le_bytes([part[low], part[low + 1]]) & 0x3fff);
        side(14) <= width && side(16) <= height
    })
}

fn limits(bytes: u64) -> Limits {
    let mut limits = Limits::no_limits();
    limits.max_image_width = Some(LARGEST);
    limits.max_image_height = Some(LARGEST);
    limits.max_alloc = Some(bytes);
    limits
}

fn write(picture: &DynamicImage) -> Result<Vec<u8>, ImageError> {
    let picture = if picture.color().has_alpha() {
        DynamicImage::ImageRgba8(picture.to_rgba8())
    } else {
        DynamicImage::ImageRgb8(picture.to_rgb8())
    };
    let mut webp = Vec::new();
    picture.write_with_encoder(WebPEncoder::new_lossless(&mut webp))?;
    Ok(webp)
}

fn why(error: ImageError) -> Unshown {
    match error {
        ImageError::Limits(limit) => match limit.kind() {
            LimitErrorKind::DimensionError => Unshown::TooLarge,
            LimitErrorKind::InsufficientMemory => Unshown::Memory,
            _ => Unshown::Broken,
        },
        ImageError::Unsupported(_) => Unshown::Kind,
        _ => Unshown::Broken,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::codecs::gif::GifEncoder;
    use image::{Frame, Rgba, RgbaImage};

    const RED: Rgba<u8> = Rgba([200, 0, 0, 255]);
    const BLUE: Rgba<u8> = Rgba([0, 0, 200, 255]);

    fn picture(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        let picture = DynamicImage::ImageRgba8(RgbaImage::from_pixel(width, height, RED));
        let picture = if format == ImageFormat::Jpeg { picture.to_rgb8().into() } else { picture };
        picture.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    fn made(bytes: &[u8]) -> DynamicImage {
        let webp = make(bytes).unwrap();
        assert_eq!((&webp[..4], &webp[8..12]), (&b"RIFF"[..], &b"WEBP"[..]));
        image::load_from_memory_with_format(&webp, ImageFormat::WebP).unwrap()
    }

    #[test]
    fn each_kind_of_picture_becomes_a_webp_of_at_most_256_by_256() {
        for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Gif, ImageFormat::WebP] {
            for ((width, height), size) in [((1, 1), (1, 1)), ((256, 10), (256, 10)), ((600, 300), (256, 128))] {
                let made = made(&picture(width, height, format));
                assert_eq!((made.width(), made.height()), size, "{format:?}");
                let Rgba([red, green, blue, alpha]) = made.to_rgba8()[(0, 0)];
                assert!(red.abs_diff(200) < 4 && green < 4 && blue < 4 && alpha == 255, "{format:?}");
            }
        }
    }

    #[test]
    fn of_an_animation_the_first_frame_is_shown() {
        let mut bytes = Vec::new();
        let frames = [RED, BLUE].map(|color| Frame::new(RgbaImage::from_pixel(8, 8, color)));
        GifEncoder::new(&mut bytes).encode_frames(frames).unwrap();
        assert_eq!(made(&bytes).to_rgba8()[(3, 3)], RED);
    }

    #[test]
    fn what_stands_beside_the_pixels_is_gone() {
        let mut bytes = picture(4, 4, ImageFormat::Png);
        bytes.extend_from_slice(b"<script>alert(1)</script>");
        let webp = make(&bytes).unwrap();
        assert!(!webp.windows(7).any(|part| part == b"<script"));
        let mut gif = picture(4, 4, ImageFormat::Gif);
        gif.extend_from_slice(b"*/=1;alert(1)//");
        assert!(!make(&gif).unwrap().windows(5).any(|part| part == b"alert"));
    }

    #[test]
    fn what_is_no_picture_is_refused_whatever_it_says_it_is() {
        for bytes in [
            b"".as_slice(),
            b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>",
            b"<!doctype html>",
            b"BM\x1a\0\0\0\0\0\0\0",
            b"%PDF-1.7",
            b"II*\0\x08\0\0\0",
            b"\0\0\0\x1cftypavif",
        ] {
            assert_eq!(make(bytes), Err(Unshown::Kind));
        }
    }

    #[test]
    fn a_picture_that_breaks_off_or_is_wrong_is_refused() {
        for format in [ImageFormat::Png, ImageFormat::Gif, ImageFormat::WebP] {
            let whole = picture(64, 64, format);
            for length in [8, 12, 20, whole.len() / 2] {
                assert!(make(&whole[..length]).is_err(), "{format:?} {length}");
            }
        }
    }

    #[test]
    fn a_picture_of_too_many_pixels_is_refused_before_they_are_unpacked() {
        assert_eq!(make(&picture(5000, 1, ImageFormat::Png)), Err(Unshown::TooLarge));
        assert_eq!(make(&picture(1, 5000, ImageFormat::Gif)), Err(Unshown::TooLarge));
        // 60000 x 60000 in the first 13 bytes of a GIF.
        let mut bomb = picture(4, 4, ImageFormat::Gif);
        bomb[6..10].copy_from_slice(&[0x60, 0xea, 0x60, 0xea]);
        assert_eq!(make(&bomb), Err(Unshown::TooLarge));
        // 60000 x 60000 in a PNG, whose first chunk has a checksum.
        let mut header = b"IHDR\x00\x00\xea\x60\x00\x00\xea\x60\x08\x06\x00\x00\x00".to_vec();
        let mut png = b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0d".to_vec();
        let checksum = crc(&header);
        png.append(&mut header);
        png.extend_from_slice(&checksum.to_be_bytes());
        png.extend_from_slice(&[0; 64]);
        assert_eq!(make(&png), Err(Unshown::TooLarge));
    }

    #[test]
    fn a_webp_or_a_jpeg_that_says_it_is_huge_is_refused_by_its_first_bytes() {
        // 16383 x 16383, about the most that fits into the 14 bits of a lossless WebP.
        let mut webp = b"RIFF\x20\x00\x00\x00WEBPVP8L\x14\x00\x00\x00\x2f\xfe\xbf\xff\x0f".to_vec();
        webp.extend_from_slice(&[0; 15]);
        assert_eq!(make(&webp), Err(Unshown::TooLarge));
        // 65535 x 65535 in the frame header of a JPEG, after its marker 0xffc0.
        let mut jpeg = picture(8, 8, ImageFormat::Jpeg);
        let frame = jpeg.windows(2).position(|marker| marker == [0xff, 0xc0]).unwrap();
        jpeg[frame + 5..frame + 9].copy_from_slice(&[0xff; 4]);
        assert_eq!(make(&jpeg), Err(Unshown::TooLarge));
    }

    #[test]
    fn pixels_beyond_what_a_png_says_of_its_size_are_not_unpacked() {
        // 64 MiB of pixels in a file of some KiB, whose header declares 4 rows.
        let mut bomb = picture(4096, 4096, ImageFormat::Png);
        assert!(bomb.len() < 512 * 1024, "{}", bomb.len());
        bomb[20..24].copy_from_slice(&4_u32.to_be_bytes());
        let checksum = crc(&bomb[12..29]);
        bomb[29..33].copy_from_slice(&checksum.to_be_bytes());
        let made = made(&bomb);
        assert_eq!((made.width(), made.height()), (256, 1));
    }

    /// PNG of one pixel with this chunk before it.
    fn with_chunk(kind: [u8; 4], content: &[u8]) -> Vec<u8> {
        let png = picture(1, 1, ImageFormat::Png);
        let chunk = [&kind[..], content].concat();
        let length = u32::try_from(content.len()).unwrap().to_be_bytes();
        // Signature and first chunk have 33 bytes.
        [&png[..33], &length, &chunk, &crc(&chunk).to_be_bytes(), &png[33..]].concat()
    }

    #[test]
    fn a_color_profile_that_unpacks_to_tens_of_megabytes_is_not_unpacked() {
        let large = picture(4096, 4096, ImageFormat::Png);
        let mut packed = Vec::new();
        let mut rest = &large[33..];
        while let Some((length, after)) = rest.split_first_chunk() {
            let (chunk, after) = after.split_at(4 + u32::from_be_bytes(*length) as usize);
            packed.extend_from_slice(chunk.strip_prefix(b"IDAT").unwrap_or_default());
            rest = &after[4..];
        }
        let bomb = with_chunk(*b"iCCP", &[b"a\0\0", &packed[..]].concat());
        assert!(bomb.len() < 512 * 1024, "{}", bomb.len());
        let profile = decoder(&bomb).unwrap().icc_profile().unwrap();
        assert_eq!(profile.map(|profile| profile.len()), None);
        assert_eq!((pixels(&bomb), made(&bomb).width()), (Ok(1), 1));
    }

    #[test]
    fn a_picture_that_needs_more_memory_than_its_size_tells_is_refused() {
        assert_eq!(pixels(&with_chunk(*b"tEXt", &[b"a\0".as_slice(), &[b'b'; 256 * 1024]].concat())), Ok(1));
        let long = with_chunk(*b"tEXt", &[b"a\0".as_slice(), &[b'b'; 2 * 1024 * 1024]].concat());
        assert_eq!(pixels(&long), Err(Unshown::Memory));
        // A frame of 4096 x 4096 in a GIF of 1 x 1.
        let mut gif = picture(4096, 4096, ImageFormat::Gif);
        gif[6..10].copy_from_slice(&[1, 0, 1, 0]);
        assert_eq!((pixels(&gif), make(&gif)), (Ok(1), Err(Unshown::Memory)));
    }

    #[test]
    fn a_webp_whose_lossy_frame_is_larger_than_the_picture_is_refused() {
        let webp = |canvas: u8, side: u16| {
            let [low, high] = side.to_le_bytes();
            let extended =
                [b"VP8X\x0a\x00\x00\x00\x00\x00\x00\x00".as_slice(), &[canvas - 1, 0, 0, canvas - 1, 0, 0]].concat();
            let frame =
                [b"VP8 \x10\x00\x00\x00\x10\x00\x00\x9d\x01\x2a".as_slice(), &[low, high, low, high], &[0; 6]].concat();
            [b"RIFF\x32\x00\x00\x00WEBP".as_slice(), &extended, &frame].concat()
        };
        assert_eq!(pixels(&webp(9, 9)), Ok(81));
        assert_eq!(pixels(&webp(9, 10)), Err(Unshown::Memory));
        assert_eq!(pixels(&webp(1, 16_383)), Err(Unshown::Memory));
        // The upper two bits scale what is shown.
        assert_eq!(pixels(&webp(9, 9 | 0xc000)), Ok(81));
    }

    /// ISO 3309, as PNG uses it.
    fn crc(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(u32::MAX, |sum, byte| {
            (0..8).fold(sum ^ u32::from(*byte), |sum, _| if sum & 1 == 1 { (sum >> 1) ^ 0xedb8_8320 } else { sum >> 1 })
        })
    }
}
