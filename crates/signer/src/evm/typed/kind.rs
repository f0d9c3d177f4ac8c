use super::types::is_name;

/// Type of a value.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Kind {
    Address,
    Bool,
    String,
    /// Bytes of any number.
    Bytes,
    /// So many bytes, 1 to 32.
    Fixed(usize),
    /// Unsigned integer of so many bits.
    Uint(usize),
    /// Integer of so many bits in two's complement.
    Int(usize),
    /// Struct, by its place in the list of types.
    Struct(usize),
    /// List, of a fixed length where there is one.
    List(Box<Kind>, Option<usize>),
}

/// Longest text of a type. It also bounds the nesting of its lists.
const LONGEST: usize = 96;

impl Kind {
    /// Reads a type: "uint256", "Person[2][]". Structs are found by their name.
    pub fn read(text: &str, find: impl Fn(&str) -> Option<usize>) -> Option<Kind> {
        if text.len() > LONGEST {
            return None;
        }
        let (base, mut suffix) = text.split_at(text.find('[').unwrap_or(text.len()));
        let mut kind = match find(base) {
            Some(index) => Kind::Struct(index),
            None => Kind::atomic(base)?,
        };
        while !suffix.is_empty() {
            let (length, rest) = suffix.strip_prefix('[')?.split_once(']')?;
            kind = Kind::List(Box::new(kind), if length.is_empty() { None } else { Some(count(length)?) });
            suffix = rest;
        }
        Some(kind)
    }

    /// Reads a type that is neither struct nor list, by its one canonical name.
    pub fn atomic(name: &str) -> Option<Kind> {
        let bits = |text| count(text).filter(|bits| bits % 8 == 0 && *bits <= 256);
        Some(match name {
            "address" => Kind::Address,
            "bool" => Kind::Bool,
            "string" => Kind::String,
            "bytes" => Kind::Bytes,
            _ if name.starts_with("bytes") => Kind::Fixed(count(&name[5..]).filter(|size| *size <= 32)?),
            _ if name.starts_with("uint") => Kind::Uint(bits(&name[4..])?),
            _ if name.starts_with("int") => Kind::Int(bits(&name[3..])?),
            _ => return None,
        })
    }

    /// Struct in this type, through lists.
    pub fn inner(&self) -> Option<usize> {
        match self {
            Kind::Struct(index) => Some(*index),
            Kind::List(kind, _) => kind.inner(),
            _ => None,
        }
    }
}

/// Whether a struct may have this name: those of the other types are taken, also where they are no canonical name, as "uint".
pub fn is_free(name: &str) -> bool {
    let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    is_name(name) && !["address", "bool", "string", "bytes", "uint", "int", "function"].contains(&stem)
}

/// Positive number of few digits, without leading zeros.
fn count(text: &str) -> Option<usize> {
    let is_plain = !text.starts_with('0') && text.len() <= 5 && text.bytes().all(|letter| letter.is_ascii_digit());
    text.parse().ok().filter(|_| is_plain)
}
