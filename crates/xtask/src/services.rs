//! `cargo xtask services`: a private PostgreSQL and Redis for the server's tests. Instances of the system are not touched.

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
/// Prefix of the folders for the services' data; the id of the process that started them follows.
const FOLDER: &str = "services-";

/// Addresses of the two services.
#[derive(Clone)]
pub struct Urls {
    /// Maintenance database; each test creates a database of its own beside it.
    pub postgres: String,
    /// Empty database.
    pub redis: String,
}

static STARTED: Mutex<Option<Urls>> = Mutex::new(None);

/// Runs the command: starts both services and waits for Ctrl-C.
pub fn command() -> Result<()> {
    let mut running = ready()?;
    let urls = started().ok_or_else(|| Failure::new("The services did not start."))?;
    process::interrupt_is_an_end();
    println!("\n  PORTICO_TEST_POSTGRES_URL={}\n  PORTICO_TEST_REDIS_URL={}\n", urls.postgres, urls.redis);
    println!("  Ctrl-C stops them.\n");
    process::watch(&mut running)
}

/// Step: installs missing services if run as root, and starts both; they stop when this program exits.
pub fn ready() -> Result<Vec<Running>> {
    progress::step("PostgreSQL and Redis", |note| {
        install()?;
        let folder = folder()?;
        // Both listeners are open at the same time, so that the ports differ.
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

/// Sets the environment variables with the addresses of the services, if they were started.
pub fn set_variables(command: &mut Command) {
    if let Some(urls) = started() {
        command.env("PORTICO_TEST_POSTGRES_URL", urls.postgres).env("PORTICO_TEST_REDIS_URL", urls.redis);
    }
}

/// Addresses of the services, if they were started.
pub fn started() -> Option<Urls> {
    STARTED.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Folder with PostgreSQL's programs; Debian does not add it to `PATH`.
pub fn postgres_found() -> Option<PathBuf> {
    let complete = |folder: &PathBuf| ["initdb", "postgres"].iter().all(|name| folder.join(name).is_file());
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut versions: Vec<_> = versions.map(|entry| entry.path().join("bin")).filter(complete).collect();
    versions.sort();
    versions.pop().or_else(|| place::program("initdb")?.parent().map(Path::to_path_buf).filter(complete))
}

/// Path of `redis-server`.
pub fn redis_found() -> Option<PathBuf> {
    place::program("redis-server")
}

/// Debian packages of the missing services.
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
    // Every test has a database of its own, and the data need not survive a crash.
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

/// User to run PostgreSQL as if we are root, because it refuses to run as root.
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

/// Creates a folder for this run, and removes those of runs that have ended.
fn folder() -> Result<PathBuf> {
    let target = place::root().join("target");
    fs::create_dir_all(&target).or_say(format_args!("make {}", target.display()))?;
    // The user of PostgreSQL must be able to enter the folder.
    let parent = if geteuid().is_root() && !open_to_all(&target) { std::env::temp_dir() } else { target };
    for entry in fs::read_dir(&parent).into_iter().flatten().flatten() {
        if entry.file_name().to_str().and_then(process_in).is_some_and(is_gone) {
            // Removing fails for folders of another user.
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
