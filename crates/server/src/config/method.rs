//! Pattern of JSON-RPC methods: those that a chain forwards in addition to the safe ones, or that a project may call.

use std::fmt;

/// Name of a method, or prefix of names.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Method {
    name: String,
    /// Whether `name` is a prefix.
    open: bool,
}

impl Method {
    /// Parses a name such as `linea_estimateGas`, or a prefix with a trailing star, such as `anvil_*`.
    pub(crate) fn parse(text: &str) -> Result<Method, String> {
        let (name, open) = text.strip_suffix('*').map_or((text, false), |start| (start, true));
        let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte));
        if is_name {
            Ok(Method { name: name.into(), open })
        } else {
            Err(format!(
                "use a method such as linea_estimateGas, or the beginning of several such as anvil_*, not `{text}`"
            ))
        }
    }

    /// Whether the pattern matches this method.
    pub fn covers(&self, method: &str) -> bool {
        if self.open { method.starts_with(&self.name) } else { method == self.name }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}", self.name, if self.open { "*" } else { "" })
    }
}
