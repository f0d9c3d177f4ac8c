//! Names of this machine's users, for sentences about permissions.

/// Name of the user that runs this process.
pub(crate) fn this_user() -> String {
    name_of(rustix::process::geteuid().as_raw())
}

/// Name of a user, or the number if this machine knows no name.
pub(crate) fn name_of(id: u32) -> String {
    let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let name = users.lines().find_map(|line| {
        let mut parts = line.split(':');
        let name = parts.next()?;
        (parts.nth(1)?.parse() == Ok(id)).then(|| name.to_owned())
    });
    name.unwrap_or_else(|| id.to_string())
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_user_without_a_name_is_a_number() {
        assert_eq!(super::name_of(0), "root");
        assert_eq!(super::name_of(4_123_456_789), "4123456789");
    }
}
