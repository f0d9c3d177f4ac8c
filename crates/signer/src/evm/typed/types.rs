use super::kind::{Kind, is_free};
use super::value::fields;
use super::{DOMAIN, DOMAIN_FIELDS};
use portico_json::Value;
use portico_terms::address::keccak256;

/// Most structs of one typed data: their dependencies are kept as bits.
const MOST_STRUCTS: usize = 64;
/// Most members of a struct.
const MOST_MEMBERS: usize = 128;
/// Deepest nesting of structs.
const DEEPEST: usize = 16;

/// Struct types of typed data.
pub struct Types(Vec<Struct>);

pub struct Struct {
    name: String,
    pub members: Vec<Member>,
    /// Hash of the encoded type.
    pub hash: [u8; 32],
}

pub struct Member {
    pub name: String,
    pub kind: Kind,
    /// Type as it was written.
    text: String,
}

impl Types {
    /// Reads the types. `None` for an unknown type, a struct that contains itself, a name that is used twice, or too many of something.
    pub fn read(value: &Value) -> Option<Types> {
        let given = value.as_object().filter(|given| given.len() <= MOST_STRUCTS)?;
        let names: Vec<&str> = given.iter().map(|(name, _)| name.as_str()).collect();
        let is_sound = |at: usize| is_free(names[at]) && !names[..at].contains(&names[at]);
        if !(0..names.len()).all(is_sound) {
            return None;
        }
        let find = |name: &str| names.iter().position(|known| *known == name);
        let mut structs = Vec::new();
        for (name, members) in given {
            let members = members.as_list().filter(|members| members.len() <= MOST_MEMBERS)?;
            let members: Vec<Member> =
                members.iter().map(|member| Member::read(member, find)).collect::<Option<_>>()?;
            if (0..members.len()).any(|at| members[..at].iter().any(|before| before.name == members[at].name)) {
                return None;
            }
            structs.push(Struct { name: name.clone(), members, hash: [0; 32] });
        }
        let needed = closures(&structs)?;
        let mut types = Types(structs);
        for (at, needed) in needed.into_iter().enumerate() {
            types.0[at].hash = keccak256(types.encode(at, needed).as_bytes());
        }
        Some(types)
    }

    /// Place of a struct by its name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|known| known.name == name)
    }

    /// Struct at a place.
    pub fn at(&self, index: usize) -> &Struct {
        &self.0[index]
    }

    /// The domain's struct, if its fields are some of those that the standard knows.
    pub fn domain(&self) -> Option<usize> {
        let index = self.find(DOMAIN)?;
        let members = &self.0[index].members;
        let is_known = |member: &Member| DOMAIN_FIELDS.contains(&(member.name.as_str(), member.text.as_str()));
        (!members.is_empty() && members.iter().all(is_known)).then_some(index)
    }

    fn encode(&self, at: usize, needed: u64) -> String {
        let mut others: Vec<&Struct> = (0..self.0.len())
            .filter(|other| *other != at && needed >> other & 1 == 1)
            .map(|other| &self.0[other])
            .collect();
        others.sort_by(|one, other| one.name.cmp(&other.name));
        let mut out = String::new();
        for one in [&self.0[at]].into_iter().chain(others) {
            out.push_str(&one.name);
            out.push('(');
            for (index, member) in one.members.iter().enumerate() {
                out.push_str(if index > 0 { "," } else { "" });
                out.push_str(&member.text);
                out.push(' ');
                out.push_str(&member.name);
            }
            out.push(')');
        }
        out
    }
}

/// Structs that each struct contains, at any depth, as bits. `None` if they nest deeper than [`DEEPEST`], as those that contain themselves do.
fn closures(structs: &[Struct]) -> Option<Vec<u64>> {
    let direct =
        |one: &Struct| one.members.iter().filter_map(|member| member.kind.inner()).fold(0, |all, at| all | 1 << at);
    let direct: Vec<u64> = structs.iter().map(direct).collect();
    let mut needed = direct.clone();
    for at in 0..structs.len() {
        let mut level = direct[at];
        for _ in 0..DEEPEST {
            level =
                (0..structs.len()).filter(|inner| level >> inner & 1 == 1).fold(0, |all, inner| all | direct[inner]);
            needed[at] |= level;
        }
        if level != 0 {
            return None;
        }
    }
    Some(needed)
}

impl Member {
    fn read(value: &Value, find: impl Fn(&str) -> Option<usize>) -> Option<Member> {
        let [name, text] = fields(value, &["name", "type"])?[..] else { return None };
        let (name, text) = (name.as_str().filter(|name| is_name(name))?, text.as_str()?);
        Some(Member { name: name.into(), kind: Kind::read(text, find)?, text: text.into() })
    }
}

/// Whether a text is an identifier of Solidity of at most 64 characters.
pub fn is_name(text: &str) -> bool {
    let is_letter = |letter: u8| letter.is_ascii_alphabetic() || matches!(letter, b'_' | b'$');
    text.len() <= 64
        && text.bytes().next().is_some_and(is_letter)
        && text.bytes().all(|letter| is_letter(letter) || letter.is_ascii_digit())
}
