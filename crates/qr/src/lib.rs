//! QR codes (ISO/IEC 18004) as paths for SVG.
//!
//! A path follows the outlines of the dark modules: shorter than a rectangle for each run, and without seams between rows where a module is
//! not a whole number of pixels.

use portico_json::Json;
use qrcodegen::{QrCodeEcc, QrSegment};
use std::fmt;

/// A QR code, one unit per module, without its quiet zone of four modules.
#[derive(Clone, Json, PartialEq)]
pub struct QrCode {
    /// Number of modules per side.
    pub size: u32,
    /// Attribute `d` of an SVG path to be filled.
    pub path: String,
}

impl fmt::Debug for QrCode {
    /// Prints only the size: the path reveals the content of the code, which may be a secret.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "QrCode({0}×{0})", self.size)
    }
}

/// Error correction for a quarter of the code: a logo of a fifth of its width in the middle leaves most of that for dirt and glare.
const LEVEL: QrCodeEcc = QrCodeEcc::Quartile;

/// Encodes a text. `None` if it is too long for any code (more than 1663 bytes).
pub fn encode(text: &str) -> Option<QrCode> {
    let segment = QrSegment::make_bytes(text.as_bytes());
    let code = qrcodegen::QrCode::encode_segments(&[segment], LEVEL).ok()?;
    let grid = Grid { size: code.size(), dark: &|x, y| code.get_module(x, y) };
    Some(QrCode { size: code.size().unsigned_abs(), path: grid.outlines() })
}

/// Grid of dark and light squares; everything outside is light.
struct Grid<'a> {
    size: i32,
    dark: &'a dyn Fn(i32, i32) -> bool,
}

/// Direction of an outline from one corner to the next, with the dark squares on its right.
#[derive(Clone, Copy, PartialEq)]
struct Step {
    x: i32,
    y: i32,
}

impl Step {
    const EAST: Step = Step { x: 1, y: 0 };

    fn left(self) -> Step {
        Step { x: self.y, y: -self.x }
    }

    fn right(self) -> Step {
        Step { x: -self.y, y: self.x }
    }
}

impl Grid<'_> {
    /// Path of all outlines. Each has an edge that goes east, the upper edge of a dark square below a light one, so scanning for those
    /// finds all.
    fn outlines(&self) -> String {
        let mut path = String::new();
        let mut seen = vec![false; (self.size * self.size) as usize];
        for y in 0..self.size {
            for x in 0..self.size {
                if self.is_upper_edge(x, y) && !seen[(y * self.size + x) as usize] {
                    self.outline(x, y, &mut seen, &mut path);
                }
            }
        }
        path
    }

    fn is_upper_edge(&self, x: i32, y: i32) -> bool {
        (self.dark)(x, y) && !(self.dark)(x, y - 1)
    }

    /// Appends one outline, from the corner at which it was found until it returns there; `z` draws the last edge.
    fn outline(&self, x: i32, y: i32, seen: &mut [bool], path: &mut String) {
        path.push('M');
        push(x, path);
        path.push(' ');
        push(y, path);
        let (mut at, mut step, mut run) = ((x, y), Step::EAST, 0);
        loop {
            if step == Step::EAST {
                seen[(at.1 * self.size + at.0) as usize] = true;
            }
            at = (at.0 + step.x, at.1 + step.y);
            run += 1;
            let next = self.next(at, step);
            let back = at == (x, y) && next == Step::EAST;
            if back {
                break;
            }
            if next != step {
                path.push(if step.y == 0 { 'h' } else { 'v' });
                push(run * (step.x + step.y), path);
                (step, run) = (next, 0);
            }
        }
        path.push('z');
    }

    /// Direction after a corner. Dark squares that touch only at a corner share one outline.
    fn next(&self, at: (i32, i32), step: Step) -> Step {
        let square = |side: Step| {
            // Square ahead of the corner on that side, one of the four around it.
            let (x, y) = (step.x + side.x, step.y + side.y);
            (self.dark)(at.0 + (x - 1) / 2, at.1 + (y - 1) / 2)
        };
        if square(step.left()) {
            step.left()
        } else if square(step.right()) {
            step
        } else {
            step.right()
        }
    }
}

/// Appends a number of at most three digits, enough for the largest code.
fn push(number: i32, path: &mut String) {
    if number < 0 {
        path.push('-');
    }
    let number = number.unsigned_abs();
    for unit in [100, 10, 1] {
        if number >= unit || unit == 1 {
            path.push(char::from(b'0' + (number / unit % 10) as u8));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Squares inside a path, by counting the edges to the left of each centre.
    fn filled(path: &str, size: i32) -> Vec<Vec<bool>> {
        let mut inside = vec![vec![false; size as usize]; size as usize];
        for outline in path.split('z').filter(|outline| !outline.is_empty()) {
            let mut at = (0, 0);
            let mut corners = Vec::new();
            for (kind, numbers) in commands(outline) {
                match kind {
                    'M' => at = (numbers[0], numbers[1]),
                    'h' => at.0 += numbers[0],
                    'v' => at.1 += numbers[0],
                    other => panic!("{other}"),
                }
                corners.push(at);
            }
            corners.push(corners[0]);
            for edge in corners.windows(2).filter(|edge| edge[0].0 == edge[1].0) {
                let (x, top, bottom) = (edge[0].0, edge[0].1.min(edge[1].1), edge[0].1.max(edge[1].1));
                for row in &mut inside[top as usize..bottom as usize] {
                    row[x as usize..].iter_mut().for_each(|square| *square = !*square);
                }
            }
        }
        inside
    }

    fn commands(outline: &str) -> Vec<(char, Vec<i32>)> {
        let mut found: Vec<(char, String)> = Vec::new();
        for letter in outline.chars() {
            if letter.is_alphabetic() {
                found.push((letter, String::new()))
            } else {
                found.last_mut().unwrap().1.push(letter)
            }
        }
        found
            .into_iter()
            .map(|(kind, numbers)| (kind, numbers.split(' ').map(|number| number.parse().unwrap()).collect()))
            .collect()
    }

    fn drawn(rows: &[&str]) -> String {
        let dark = |x: i32, y: i32| {
            let row = usize::try_from(y).ok().and_then(|y| rows.get(y));
            row.and_then(|row| row.as_bytes().get(usize::try_from(x).ok()?)) == Some(&b'#')
        };
        Grid { size: rows.len() as i32, dark: &dark }.outlines()
    }

    #[test]
    fn a_block_is_one_outline_and_a_hole_another() {
        assert_eq!(drawn(&["##", "##"]), "M0 0h2v2h-2z");
        assert_eq!(drawn(&["###", "# #", "###"]), "M0 0h3v3h-3zM1 2h1v-1h-1z");
    }

    #[test]
    fn squares_that_touch_at_a_corner_are_both_dark_and_what_lies_between_is_not() {
        for rows in [["# ", " #"], [" #", "# "]] {
            let inside = filled(&drawn(&rows), 2);
            for (y, row) in rows.iter().enumerate() {
                let expected: Vec<_> = row.chars().map(|square| square == '#').collect();
                assert_eq!(inside[y], expected, "{rows:?}");
            }
        }
    }

    #[test]
    fn the_path_is_dark_exactly_where_the_code_is() {
        let text =
            format!("wc:{}@2?relay-protocol=irn&symKey={}&expiryTimestamp=1790000000", "7".repeat(64), "c".repeat(64));
        let code = encode(&text).unwrap();
        let grid = qrcodegen::QrCode::encode_segments(&[QrSegment::make_bytes(text.as_bytes())], LEVEL).unwrap();
        let size = code.size as i32;
        for (y, row) in filled(&code.path, size).iter().enumerate() {
            for (x, inside) in row.iter().enumerate() {
                assert_eq!(*inside, grid.get_module(x as i32, y as i32), "{x} {y}");
            }
        }
    }

    #[test]
    fn the_path_of_a_pairing_is_short() {
        let text =
            format!("wc:{}@2?relay-protocol=irn&symKey={}&expiryTimestamp=1790000000", "7".repeat(64), "c".repeat(64));
        let code = encode(&text).unwrap();
        assert!(code.size <= 65 && code.path.len() < 11_000, "{} modules, {} bytes", code.size, code.path.len());
    }

    #[test]
    fn a_text_too_long_for_a_code_has_none_and_an_empty_one_has() {
        assert_eq!(encode(&"x".repeat(1664)), None);
        assert_eq!(encode(&"x".repeat(1663)).unwrap().size, 177);
        assert_eq!(encode("").unwrap().size, 21);
    }
}
