//! A method of JSON-RPC that a chain passes on beside those it always does, or that a project may call.

use std::fmt;

/// One name, or the beginning of names.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Method {
    name: String,
    /// Whether names may go on after it.
    open: bool,
}

impl Method {
    /// Reads a name such as `linea_estimateGas`, or with a star at its end all that begin with it, such as `anvil_*`.
    pub(crate) fn parse(text: &str) -> Result<Method, String> {
        let (name, open) = text.strip_suffix('*').map_or((text, false), |start| (start, true));
        let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte));
        if is_name {
            Ok(Method { name: name.into(), open })
        } else {
            Err(format!(
                "`{text}` is neither the name of a method, such as linea_estimateGas, nor a beginning of names, such as anvil_*"
            ))
        }
    }

    /// Whether it is this method.
    pub fn covers(&self, method: &str) -> bool {
        if self.open { method.starts_with(&self.name) } else { method == self.name }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}", self.name, if self.open { "*" } else { "" })
    }
}
