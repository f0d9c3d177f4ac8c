//! Process that holds a port, as far as Linux reveals it to this user.

use crate::config::{Config, folder_mark};
use crate::health::{FOLDER, LISTEN, MARK, SAME, SAME_FOLDER};
use rustix::param::clock_ticks_per_second;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// State of a listening socket in `/proc/net/tcp`.
const LISTENS: &str = "0A";

const LIMIT: Duration = Duration::from_secs(1);

/// Maximum length of an answer that is read, in bytes.
const LONGEST: u64 = 64 * 1024;

/// Process that listens on a port.
#[derive(Debug, Eq, PartialEq)]
pub(super) struct Holder {
    name: String,
    id: u32,
}

impl Holder {
    /// Words of its command line; `None` if this user may not know them.
    pub(super) fn words(&self) -> Option<Vec<String>> {
        self.texts("cmdline")
    }

    /// Variables that it was started with; `None` if this user may not know them.
    pub(super) fn variables(&self) -> Option<Vec<(String, String)>> {
        let split = |text: String| text.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
        Some(self.texts("environ")?.into_iter().filter_map(split).collect())
    }

    /// Time at which it was started, at most a second too early; `None` if Linux doesn't tell.
    pub(super) fn started(&self) -> Option<SystemTime> {
        let ticks = start_of(&fs::read_to_string(Path::new("/proc").join(self.id.to_string()).join("stat")).ok()?)?;
        let system = fs::read_to_string("/proc/stat").ok()?;
        let boot: u64 = system.lines().find_map(|line| line.strip_prefix("btime "))?.trim().parse().ok()?;
        let millis = ticks.checked_mul(1000)?.checked_div(clock_ticks_per_second())?;
        UNIX_EPOCH.checked_add(Duration::from_secs(boot))?.checked_add(Duration::from_millis(millis))
    }

    /// Texts of a file of the process, each of which ends with a zero byte.
    fn texts(&self, file: &str) -> Option<Vec<String>> {
        let bytes = fs::read(Path::new("/proc").join(self.id.to_string()).join(file)).ok()?;
        let texts = bytes.split(|byte| *byte == 0).filter(|text| !text.is_empty());
        Some(texts.map(|text| String::from_utf8_lossy(text).into_owned()).collect())
    }
}

/// Start of a process after that of the system, in clock ticks, as in `/proc/<pid>/stat`. The name in brackets may itself have brackets and spaces.
fn start_of(stat: &str) -> Option<u64> {
    stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}

impl fmt::Display for Holder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} (process {})", self.name, self.id)
    }
}

/// A server as the subject of a sentence, with its process if this user may know it.
pub(super) fn subject(at: SocketAddr, holder: Option<&Holder>) -> String {
    let by = holder.map(|holder| format!(", {holder},")).unwrap_or_default();
    format!("server at {at}{by}")
}

/// Process that listens on this address; `None` if it belongs to another user, or the system is not Linux.
pub(super) fn holder(address: SocketAddr) -> Option<Holder> {
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(|table| fs::read_to_string(table).unwrap_or_default());
    let sockets: Vec<String> =
        tables.iter().flat_map(|table| inodes(table, address)).map(|inode| format!("socket:[{inode}]")).collect();
    let processes = fs::read_dir("/proc").ok()?.flatten();
    processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).find_map(|id: u32| {
        let folder = Path::new("/proc").join(id.to_string());
        let files = fs::read_dir(folder.join("fd")).ok()?.flatten();
        let mut targets = files.filter_map(|file| fs::read_link(file.path()).ok());
        targets.any(|target| sockets.iter().any(|socket| target.as_os_str() == socket.as_str())).then_some(())?;
        // A process chooses its name: only its printable letters are shown.
        let name = fs::read_to_string(folder.join("comm")).unwrap_or_default();
        Some(Holder { name: name.trim().chars().filter(|letter| !letter.is_control()).collect(), id })
    })
}

/// Inodes of the listening sockets that take connections to this address.
fn inodes(table: &str, address: SocketAddr) -> impl Iterator<Item = &str> {
    table.lines().skip(1).filter_map(move |line| {
        let mut words = line.split_whitespace();
        let (local, state, inode) = (words.nth(1)?, words.nth(1)?, words.nth(5)?);
        let (ip, port) = local.split_once(':')?;
        let ip = address_of(ip)?.to_canonical();
        let fits = ip.is_unspecified() || address.ip().is_unspecified() || ip == address.ip().to_canonical();
        (state == LISTENS && u16::from_str_radix(port, 16) == Ok(address.port()) && fits).then_some(inode)
    })
}

/// Address as in `/proc/net/tcp`: hexadecimal, in words of 32 bits of the machine's byte order.
fn address_of(text: &str) -> Option<IpAddr> {
    let word = |at: usize| u32::from_str_radix(text.get(8 * at..8 * at + 8)?, 16).ok().map(u32::to_ne_bytes);
    match text.len() {
        8 => Some(Ipv4Addr::from(word(0)?).into()),
        32 => {
            let bytes: Vec<u8> = (0..4).map(word).collect::<Option<Vec<_>>>()?.concat();
            Some(Ipv6Addr::from(<[u8; 16]>::try_from(bytes).ok()?).into())
        }
        _ => None,
    }
}

/// Server of this kind that answers at an address.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Server {
    /// It works on the database of the mark.
    Own,
    /// It works on another one, or is too old to say.
    Other,
}

/// Running server of a configuration.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Running {
    /// Listener at which it was found.
    pub(super) at: SocketAddr,
    pub(super) server: Server,
    /// Its public listener, if it says so.
    pub(super) listen: Option<SocketAddr>,
}

impl Running {
    /// Looks at `listen`, then at `admin_listen`: a server that was started with another `--listen` has that in common with its configuration. A
    /// server on another database counts there only if it was started in this folder.
    pub(super) fn find(config: &Config) -> Option<Running> {
        let mark = config.database.mark();
        let public = server(config.listen, &mark);
        let public = public.map(|server| Running { at: config.listen, server, listen: Some(config.listen) });
        if public.is_some_and(|running| running.is_own()) {
            return public;
        }
        let admin = config.admin_listen.and_then(|at| {
            let head = head(at, MARK, &mark)?;
            let listen = field(&head, LISTEN).and_then(|text| text.parse().ok());
            Some(Running { at, server: of(&head), listen })
        });
        let own = admin.filter(Running::is_own).or(public);
        own.or_else(|| admin.filter(|running| same_folder(running.at) == Some(true)))
    }

    /// Whether it works on the database of the configuration.
    pub(super) fn is_own(&self) -> bool {
        self.server == Server::Own
    }

    /// Ids of the chains that it serves, CAIP-2; `None` if it doesn't say.
    pub(super) fn chains(&self) -> Option<BTreeSet<String>> {
        let answer = get(here(self.listen?), "/v1/supported-chains", "accept: application/json")?;
        let (head, body) = answer.split_once("\r\n\r\n")?;
        let Supported { http } = serde_json::from_str(body).ok().filter(|_| head.starts_with("HTTP/1.1 200"))?;
        Some(http)
    }

    /// Its process, if this user may know it.
    pub(super) fn holder(&self) -> Option<Holder> {
        holder(self.at)
    }
}

/// Chains that a server answers with, CAIP-2.
#[derive(Deserialize)]
struct Supported {
    http: BTreeSet<String>,
}

/// Server of this kind that answers there; `mark` is that of the expected database.
pub(super) fn server(address: SocketAddr, mark: &str) -> Option<Server> {
    Some(of(&head(address, MARK, mark)?))
}

/// Server whose answer has this head.
fn of(head: &str) -> Server {
    if says(head, SAME) == Some(true) { Server::Own } else { Server::Other }
}

/// Whether the server of this kind that answers there was started in this folder; `None` if there is none, or it is too old to say.
pub(super) fn same_folder(address: SocketAddr) -> Option<bool> {
    says(&head(address, FOLDER, &folder_mark()?)?, SAME_FOLDER)
}

/// Value of a header that is `yes` or `no`.
fn says(head: &str, name: &str) -> Option<bool> {
    Some(field(head, name)? == "yes")
}

/// Value of a header.
fn field<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines().find_map(|line| {
        let (other, value) = line.split_once(':')?;
        other.eq_ignore_ascii_case(name).then(|| value.trim())
    })
}

/// Head of the answer of a server of this kind to a request with this header.
fn head(address: SocketAddr, name: &str, value: &str) -> Option<String> {
    let answer = get(here(address), "/health/live", &format!("{name}: {value}"))?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let live = head.starts_with("HTTP/1.1 200") && body == "live\n";
    live.then(|| head.to_owned())
}

/// Address of a listener as this machine reaches it.
fn here(address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => SocketAddr::new(Ipv4Addr::LOCALHOST.into(), address.port()),
        IpAddr::V6(ip) if ip.is_unspecified() => SocketAddr::new(Ipv6Addr::LOCALHOST.into(), address.port()),
        _ => address,
    }
}

/// Answer to a request with one header, at most [`LONGEST`] bytes of it.
fn get(address: SocketAddr, path: &str, header: &str) -> Option<String> {
    let mut stream = TcpStream::connect_timeout(&address, LIMIT).ok()?;
    stream.set_read_timeout(Some(LIMIT)).ok()?;
    stream.set_write_timeout(Some(LIMIT)).ok()?;
    let request = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\n{header}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = Vec::new();
    stream.take(LONGEST).read_to_end(&mut answer).ok()?;
    String::from_utf8(answer).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[test]
    fn the_process_that_listens_is_found_by_its_port() {
        for address in ["127.0.0.1:0", "[::1]:0", "0.0.0.0:0"] {
            let Ok(listener) = TcpListener::bind(address) else { continue };
            let address = listener.local_addr().unwrap();
            let found = holder(address).unwrap();
            assert_eq!(found.id, std::process::id(), "{address}");
            assert_eq!(found.words().unwrap(), std::env::args().collect::<Vec<_>>());
            assert!(found.variables().unwrap().iter().any(|(name, _)| name == "PATH"));
            drop(listener);
            assert_eq!(holder(address), None, "{address}");
        }
    }

    #[test]
    fn the_start_of_a_process_is_found_behind_its_name() {
        let stat = |name: &str| format!("7 ({name}) S 1 7 7 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 16 0 51234 99 100");
        for name in ["portico", "a) b (c", "1 2 3"] {
            assert_eq!(start_of(&stat(name)), Some(51234), "{name}");
        }
        assert_eq!(start_of("7 (portico) S 1"), None);
        let holder = |id| Holder { name: "test".into(), id };
        let age = SystemTime::now().duration_since(holder(std::process::id()).started().unwrap()).unwrap();
        assert!(age < Duration::from_secs(3600), "{age:?}");
        assert_eq!(holder(u32::MAX).started(), None);
    }

    #[test]
    fn a_process_that_this_user_may_not_know_is_left_out() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let at = listener.local_addr().unwrap();
        assert_eq!(subject(at, None), format!("server at {at}"));
        let told = subject(at, holder(at).as_ref());
        assert!(told.starts_with(&format!("server at {at}, ")), "{told}");
        assert!(told.ends_with(&format!(" (process {}),", std::process::id())), "{told}");
    }

    #[test]
    fn a_socket_that_only_listens_elsewhere_holds_nothing() {
        let table = "sl local rem st q tr rt uid to inode\n\
                     0: 0100007F:1F90 00000000:0000 0A 0:0 0:0 0 0 0 77 1\n\
                     1: 0100007F:1F91 00000000:0000 01 0:0 0:0 0 0 0 78 1\n\
                     2: 00000000:1F92 00000000:0000 0A 0:0 0:0 0 0 0 79 1\n";
        let found = |address: &str| inodes(table, address.parse().unwrap()).collect::<Vec<_>>();
        assert_eq!(found("127.0.0.1:8080"), ["77"]);
        assert_eq!(found("0.0.0.0:8080"), ["77"]);
        assert_eq!(found("127.0.0.2:8080"), [""; 0]);
        assert_eq!(found("127.0.0.1:8081"), [""; 0]);
        assert_eq!(found("127.0.0.1:8082"), ["79"]);
    }
}
