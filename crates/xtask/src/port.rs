//! Process that listens on a port of this machine, as far as Linux reveals it to this user.

use std::fs;
use std::path::Path;

/// State of a listening socket in `/proc/net/tcp`.
const LISTENS: &str = "0A";

/// Name and id of the process that listens on this port, such as "anvil (process 42)"; `None` if it belongs to another user, if there is
/// none, or if the system is not Linux.
pub fn holder(port: u16) -> Option<String> {
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(|table| fs::read_to_string(table).unwrap_or_default());
    let sockets: Vec<String> =
        tables.iter().flat_map(|table| inodes(table, port)).map(|inode| format!("socket:[{inode}]")).collect();
    let processes = fs::read_dir("/proc").ok()?.flatten();
    processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).find_map(|id: u32| {
        let folder = Path::new("/proc").join(id.to_string());
        let files = fs::read_dir(folder.join("fd")).ok()?.flatten();
        let mut targets = files.filter_map(|file| fs::read_link(file.path()).ok());
        targets.any(|target| sockets.iter().any(|socket| target.as_os_str() == socket.as_str())).then_some(())?;
        // A process chooses its name: only its printable letters are shown.
        let name = fs::read_to_string(folder.join("comm")).unwrap_or_default();
        let name: String = name.trim().chars().filter(|letter| !letter.is_control()).collect();
        Some(format!("{name} (process {id})"))
    })
}

/// Inodes of the sockets that listen on this port.
fn inodes(table: &str, port: u16) -> impl Iterator<Item = &str> {
    table.lines().skip(1).filter_map(move |line| {
        let mut words = line.split_whitespace();
        let (local, state, inode) = (words.nth(1)?, words.nth(1)?, words.nth(5)?);
        let (_, number) = local.split_once(':')?;
        (state == LISTENS && u16::from_str_radix(number, 16) == Ok(port)).then_some(inode)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_socket_that_listens_is_found_by_its_port_and_a_connection_is_not() {
        let table = "sl local rem st q tr rt uid to inode\n\
                     0: 0100007F:1F90 00000000:0000 0A 0:0 0:0 0 0 0 77 1\n\
                     1: 0100007F:1F91 00000000:0000 01 0:0 0:0 0 0 0 78 1\n";
        assert_eq!(inodes(table, 8080).collect::<Vec<_>>(), ["77"]);
        assert_eq!(inodes(table, 8081).count(), 0);
    }
}
