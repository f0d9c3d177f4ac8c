//! `cargo xtask services`: PostgreSQL and Redis of our own, for the tests of the server. Nothing of the system's is touched.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::signal::kill;
use nix::unistd::{Pid, User, geteuid};

use crate::failure::{Failure, OrSay, Result};
use crate::process::Running;
use crate::{apt, place, process, progress};

const START: Duration = Duration::from_secs(30);
/// What the folders of the services begin with; the id of the process that started them follows.
const FOLDER: &str = "services-";

/// Where the tests find the two.
#[derive(Clone)]
pub struct Urls {
    /// A database that no test makes its own in.
    pub postgres: String,
    /// Empty.
    pub redis: String,
}

static STARTED: Mutex<Option<Urls>> = Mutex::new(None);

/// The command: starts both and stays until Ctrl-C.
pub fn command() -> Result<()> {
    let mut running = ready()?;
    let urls = started().ok_or_else(|| Failure::new("The services did not start."))?;
    process::interrupt_is_an_end();
    println!("\n  PORTICO_TEST_POSTGRES_URL={}\n  PORTICO_TEST_REDIS_URL={}\n", urls.postgres, urls.redis);
    println!("  Ctrl-C stops them.\n");
    process::watch(&mut running)
}

/// The step: installs what is missing where we may, and starts both; they end with this program.
pub fn ready() -> Result<Vec<Running>> {
    progress::step("PostgreSQL and Redis", |note| {
        install()?;
        let folder = folder()?;
        // Held together, so that they are not the same.
        let ports = [free_port()?, free_port()?].map(|(_listener, port)| port);
        let running = vec![postgres(&folder, ports[0])?, redis(&folder, ports[1])?];
        let urls = Urls {
            postgres: format!("postgres://postgres@127.0.0.1:{}/postgres", ports[0]),
            redis: format!("redis://127.0.0.1:{}/0", ports[1]),
        };
        *note = format!("ports {} and {}", ports[0], ports[1]);
        *STARTED.lock().unwrap_or_else(PoisonError::into_inner) = Some(urls);
        Ok(running)
    })
}

/// Tells a program where the two are, if they were started.
pub fn set_variables(command: &mut Command) {
    if let Some(urls) = started() {
        command.env("PORTICO_TEST_POSTGRES_URL", urls.postgres).env("PORTICO_TEST_REDIS_URL", urls.redis);
    }
}

/// Where they are, if they were started.
pub fn started() -> Option<Urls> {
    STARTED.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The folder with PostgreSQL's programs, of which Debian puts none on the path.
pub fn postgres_found() -> Option<PathBuf> {
    let complete = |folder: &PathBuf| ["initdb", "postgres"].iter().all(|name| folder.join(name).is_file());
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut versions: Vec<_> = versions.map(|entry| entry.path().join("bin")).filter(complete).collect();
    versions.sort();
    versions.pop().or_else(|| place::program("initdb")?.parent().map(Path::to_path_buf).filter(complete))
}

/// Redis's program.
pub fn redis_found() -> Option<PathBuf> {
    place::program("redis-server")
}

/// The Debian packages of what is not here.
pub fn missing() -> Vec<&'static str> {
    let postgres = postgres_found().is_none().then_some("postgresql");
    let redis = redis_found().is_none().then_some("redis-server");
    postgres.into_iter().chain(redis).collect()
}

fn install() -> Result<()> {
    if !missing().is_empty() && apt::here() {
        let _asleep = apt::without_starting()?;
        apt::install(&missing())?;
    }
    if missing().is_empty() {
        return Ok(());
    }
    Err(Failure::new(
        "The tests of the server need PostgreSQL and Redis: install both, so that `initdb` and `redis-server` are on the path.",
    ))
}

fn postgres(folder: &Path, port: u16) -> Result<Running> {
    let programs = postgres_found().ok_or_else(|| Failure::new("PostgreSQL is not there."))?;
    let data = folder.join("postgres");
    fs::create_dir(&data).or_say(format_args!("make {}", data.display()))?;
    let user = unprivileged()?;
    if let Some(user) = &user {
        let (user, group) = (user.uid.as_raw(), user.gid.as_raw());
        chown(&data, Some(user), Some(group)).or_say(format_args!("give away {}", data.display()))?;
    }
    let program = |name: &str| {
        let mut command = Command::new(programs.join(name));
        command.current_dir(&data).arg("-D").arg(&data);
        if let Some(user) = &user {
            command.uid(user.uid.as_raw()).gid(user.gid.as_raw());
        }
        command
    };
    let mut initdb = program("initdb");
    initdb.args(["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]);
    process::run("initdb", &mut initdb)?;
    let mut server = program("postgres");
    server.args(["-p", &port.to_string(), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="]);
    // Every test has a database of its own; what is in them need not outlive this machine.
    server.args(["-c", "max_connections=300", "-c", "fsync=off", "-c", "synchronous_commit=off"]);
    let mut running = process::start("postgres", &mut server)?;
    let says = "database system is ready to accept connections";
    running.wait_until(START, |said| said.contains(says).then_some(()))?;
    Ok(running)
}

fn redis(folder: &Path, port: u16) -> Result<Running> {
    let mut server = Command::new("redis-server");
    server.current_dir(folder).args(["--bind", "127.0.0.1", "--port", &port.to_string()]);
    server.args(["--save", "", "--appendonly", "no"]);
    let mut running = process::start("redis", &mut server)?;
    running.wait_until(START, |said| said.contains("Ready to accept connections").then_some(()))?;
    Ok(running)
}

/// Whom PostgreSQL runs as where we are root, which it refuses.
fn unprivileged() -> Result<Option<User>> {
    if !geteuid().is_root() {
        return Ok(None);
    }
    let found = ["postgres", "nobody"].iter().find_map(|name| User::from_name(name).ok().flatten());
    found.map(Some).ok_or_else(|| Failure::new("PostgreSQL does not run as root, and there is no user `nobody`."))
}

fn free_port() -> Result<(TcpListener, u16)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).or_say("find a free port")?;
    let port = listener.local_addr().or_say("find a free port")?.port();
    Ok((listener, port))
}

/// A new folder for this run; those of runs that ended are removed.
fn folder() -> Result<PathBuf> {
    let target = place::root().join("target");
    fs::create_dir_all(&target).or_say(format_args!("make {}", target.display()))?;
    // Another user must be able to get there.
    let parent = if geteuid().is_root() && !open_to_all(&target) { std::env::temp_dir() } else { target };
    for entry in fs::read_dir(&parent).into_iter().flatten().flatten() {
        if entry.file_name().to_str().and_then(process_in).is_some_and(is_gone) {
            // Whoever cannot remove it did not make it.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
    let folder = parent.join(format!("{FOLDER}{}", std::process::id()));
    fs::create_dir(&folder).or_say(format_args!("make {}", folder.display()))?;
    Ok(folder)
}

fn open_to_all(folder: &Path) -> bool {
    folder.ancestors().all(|one| fs::metadata(one).is_ok_and(|found| found.mode() & 0o001 != 0))
}

fn process_in(name: &str) -> Option<i32> {
    name.strip_prefix(FOLDER)?.parse().ok()
}

fn is_gone(process: i32) -> bool {
    kill(Pid::from_raw(process), None) == Err(Errno::ESRCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_folder_of_a_run_that_ended_is_removed() {
        assert_eq!(process_in("services"), None);
        assert_eq!(process_in("services-of-mine"), None);
        assert_eq!(process_in("services-42"), Some(42));
        assert!(!is_gone(std::process::id().cast_signed()));
        assert!(is_gone(i32::MAX));
    }

    #[test]
    fn a_folder_below_a_closed_one_is_not_open_to_all() {
        assert!(!open_to_all(Path::new("/does-not-exist/at-all")));
        assert!(open_to_all(Path::new("/")));
    }
}
