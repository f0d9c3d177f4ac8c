//! Programs we start, each in a process group of its own, and the promise that none outlives us.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio, exit};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill, killpg};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use crate::failure::{Failure, OrSay, Result};
use crate::{place, progress};

const LOOK_AGAIN: Duration = Duration::from_millis(20);
/// How long a program may take to end politely.
const PATIENCE: Duration = Duration::from_secs(4);
/// How long a program may run. None takes half of it; what waits for ever is stopped and shows what it waited in.
const LONGEST: Duration = Duration::from_secs(25 * 60);
/// How often one that runs long says where it is, to whoever reads a log and sees no clock.
const WORD: Duration = Duration::from_secs(60);
/// How many lines of a failed program are shown; the rest is in its log.
const LAST_LINES: usize = 120;

static GROUPS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());
static STOPPING: AtomicBool = AtomicBool::new(false);
static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// What the shell is told after Ctrl-C.
static CODE_WHEN_INTERRUPTED: AtomicI32 = AtomicI32::new(130);

/// Whether everything is being stopped, so that what fails now fails because of it.
pub fn stopping() -> bool {
    STOPPING.load(Ordering::SeqCst)
}

/// Being interrupted is the ordinary end from here on.
pub fn interrupt_is_an_end() {
    CODE_WHEN_INTERRUPTED.store(0, Ordering::SeqCst);
}

/// Makes sure that Ctrl-C, SIGTERM, a closed terminal and a panic stop all we started.
pub fn watch_for_the_end() -> Result<()> {
    #[cfg(target_os = "linux")]
    // What loses its parent becomes our child, so that we find it. Where this is refused the groups still do.
    let _ = nix::sys::prctl::set_child_subreaper(true);
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        report(panic);
        stop_all();
        exit(1);
    }));
    ctrlc::set_handler(|| {
        INTERRUPTED.store(true, Ordering::SeqCst);
        eprintln!("\nStopping.");
        stop_all();
        exit(CODE_WHEN_INTERRUPTED.load(Ordering::SeqCst));
    })
    .or_say("listen for Ctrl-C")
}

/// The last thing before the end: everything is stopped, and after Ctrl-C it is its watcher who ends us.
pub fn close() {
    if INTERRUPTED.load(Ordering::SeqCst) {
        loop {
            thread::park();
        }
    }
    stop_all();
}

fn groups() -> MutexGuard<'static, BTreeSet<i32>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A program that was started and not yet waited for.
pub struct Running {
    name: String,
    child: Child,
    log: PathBuf,
}

/// Starts a program in a group of its own; what it says goes to a log.
pub fn start(name: &str, command: &mut Command) -> Result<Running> {
    let log = place::scratch("logs").join(format!("{}.log", name.replace([' ', '/', ':'], "-")));
    let what = format!("write {}", log.display());
    fs::create_dir_all(place::scratch("logs")).or_say(&what)?;
    let out = File::create(&log).or_say(&what)?;
    let err = out.try_clone().or_say(&what)?;
    command.stdin(Stdio::null()).stdout(out).stderr(err).process_group(0);
    let mut groups = groups();
    if stopping() {
        return Err(stopped());
    }
    let program = command.get_program().to_string_lossy().into_owned();
    let child = command.spawn().map_err(|error| Failure::new(format!("Could not start {program}: {error}.")))?;
    groups.insert(child.id().cast_signed());
    Ok(Running { name: name.to_owned(), child, log })
}

fn stopped() -> Failure {
    Failure::new("Stopped.")
}

/// A program that came to its end.
pub struct Ended {
    /// All it said, without colours.
    pub said: String,
    /// Why it is not a success, if it is not.
    pub failure: Option<Failure>,
}

/// Runs a program to its end, whatever that is: its own, or ours after [`LONGEST`].
pub fn run_to_end(name: &str, command: &mut Command) -> Result<Ended> {
    run_to_end_within(LONGEST, name, command)
}

/// The same after another limit.
pub fn run_to_end_within(limit: Duration, name: &str, command: &mut Command) -> Result<Ended> {
    let mut running = start(name, command)?;
    let begun = Instant::now();
    let mut word = WORD;
    loop {
        let status = running.status();
        // Being stopped, another thread may have buried the program already.
        if stopping() {
            return Err(stopped());
        }
        if let Some(status) = status? {
            return running.ended(status);
        }
        if begun.elapsed() > limit {
            running.stop();
            let sentence = format!("{name} did not end within {}.", progress::duration(limit));
            return Ok(Ended { said: running.said(), failure: Some(running.failure(sentence)) });
        }
        if begun.elapsed() > word {
            word += WORD;
            // What cargo tells in JSON is for programs.
            let said = running.said();
            let last = said.lines().rfind(|line| !line.starts_with('{'));
            progress::while_it_runs(name, last.unwrap_or_default());
        }
        thread::sleep(LOOK_AGAIN);
    }
}

/// Runs a program to its end and hands back all it said, if it was a success.
pub fn run(name: &str, command: &mut Command) -> Result<String> {
    let ended = run_to_end(name, command)?;
    ended.failure.map_or(Ok(ended.said), Err)
}

/// Runs a program that must be a success within `limit`.
pub fn run_within(limit: Duration, name: &str, command: &mut Command) -> Result<()> {
    let mut running = start(name, command)?;
    let end = Instant::now() + limit;
    while Instant::now() < end {
        if let Some(status) = running.status()? {
            return running.ended(status)?.failure.map_or(Ok(()), Err);
        }
        thread::sleep(LOOK_AGAIN);
    }
    running.stop();
    Err(Failure::new(format!("{name} did not end within {} seconds.", limit.as_secs())))
}

impl Running {
    /// What the program has said so far, without colours.
    pub fn said(&self) -> String {
        plain(&String::from_utf8_lossy(&fs::read(&self.log).unwrap_or_default()))
    }

    /// Waits until `found` sees what it wants in the output.
    pub fn wait_until<T>(&mut self, limit: Duration, found: impl Fn(&str) -> Option<T>) -> Result<T> {
        let end = Instant::now() + limit;
        loop {
            if let Some(value) = found(&self.said()) {
                return Ok(value);
            }
            if self.status()?.is_some() {
                return Err(self.failure(format!("{} ended before it was ready.", self.name)));
            }
            if Instant::now() > end {
                return Err(self.failure(format!("{} was not ready in {} seconds.", self.name, limit.as_secs())));
            }
            thread::sleep(LOOK_AGAIN);
        }
    }

    /// How the program ended, if it has.
    pub fn status(&mut self) -> Result<Option<ExitStatus>> {
        self.child.try_wait().or_say(format_args!("ask after {}", self.name))
    }

    /// The failure of a program that was meant to stay.
    pub fn gone(&self) -> Failure {
        self.failure(format!("{} stopped by itself; its last words are above.", self.name))
    }

    fn stop(&mut self) {
        // It may have ended just now.
        let _ = killpg(Pid::from_raw(self.child.id().cast_signed()), Signal::SIGKILL);
        let _ = self.child.wait();
        groups().remove(&self.child.id().cast_signed());
    }

    fn ended(self, status: ExitStatus) -> Result<Ended> {
        let group = self.child.id().cast_signed();
        // What a program leaves behind in its group has no business after it.
        let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
        groups().remove(&group);
        if stopping() {
            return Err(stopped());
        }
        let failed = format!("{} failed; all it said is in {}.", self.name, place::shown(&self.log));
        Ok(Ended { said: self.said(), failure: (!status.success()).then(|| self.failure(failed)) })
    }

    fn failure(&self, sentence: String) -> Failure {
        let said = self.said();
        let mut letters = sentence.chars();
        let sentence: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
        let lines: Vec<_> = said.lines().collect();
        Failure::new(sentence).with_details(lines[lines.len().saturating_sub(LAST_LINES)..].join("\n"))
    }
}

/// Stays until one of those that were meant to stay ends.
pub fn watch(running: &mut [Running]) -> Result<()> {
    loop {
        for part in running.iter_mut() {
            if part.status()?.is_some() && !stopping() {
                return Err(part.gone());
            }
        }
        thread::sleep(Duration::from_millis(200));
    }
}

/// A text without what was meant for a terminal: colours, links, returns to the start of the line.
pub fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\x1b') {
        plain.push_str(before);
        rest = after;
        let end = match rest.as_bytes().first() {
            Some(b'[') => rest.find(|c: char| c.is_ascii_alphabetic()).map(|end| end + 1),
            Some(b']') => {
                rest.find(['\x07', '\x1b']).map(|end| end + if rest[end..].starts_with('\x1b') { 2 } else { 1 })
            }
            _ => rest.chars().next().map(char::len_utf8),
        };
        rest = end.and_then(|end| rest.get(end..)).unwrap_or_default();
    }
    (plain + rest).replace('\r', "")
}

/// Stops every program we started and all they started: politely, then not.
pub fn stop_all() {
    let groups = {
        let groups = groups();
        STOPPING.store(true, Ordering::SeqCst);
        groups.clone()
    };
    for group in &groups {
        // One that is gone is what we want.
        let _ = killpg(Pid::from_raw(*group), Signal::SIGTERM);
    }
    if wait_for_none(&groups) {
        return;
    }
    for group in &groups {
        let _ = killpg(Pid::from_raw(*group), Signal::SIGKILL);
    }
    for process in descendants() {
        let _ = kill(Pid::from_raw(process), Signal::SIGKILL);
    }
    wait_for_none(&groups);
}

fn wait_for_none(groups: &BTreeSet<i32>) -> bool {
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        while matches!(waitpid(None, Some(WaitPidFlag::WNOHANG)), Ok(status) if status != WaitStatus::StillAlive) {}
        let gone = |group: &i32| killpg(Pid::from_raw(*group), None) == Err(Errno::ESRCH);
        if groups.iter().all(gone) && descendants().is_empty() {
            return true;
        }
        thread::sleep(LOOK_AGAIN);
    }
    false
}

/// Every process below this one, also those that left their group. Only Linux tells; elsewhere the groups must do.
fn descendants() -> Vec<i32> {
    let mut parents = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        parents.extend(parent_in(&stat));
    }
    let mut found = vec![std::process::id().cast_signed()];
    let mut next = 0;
    while next < found.len() {
        let parent = found[next];
        found.extend(parents.iter().filter(|(_, of)| *of == parent).map(|(process, _)| *process));
        next += 1;
    }
    found.split_off(1)
}

/// The ids of a process and its parent in a line of `/proc/<id>/stat`; the name in between may hold anything.
fn parent_in(stat: &str) -> Option<(i32, i32)> {
    let process = stat.split_once(' ')?.0.parse().ok()?;
    let mut after_name = stat.rsplit_once(')')?.1.split_ascii_whitespace();
    Some((process, after_name.nth(1)?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_meant_for_a_terminal_is_taken_out_of_a_text() {
        assert_eq!(plain("\x1b[32m ✓\x1b[39m 3 passed\r\n"), " ✓ 3 passed\n");
        assert_eq!(plain("\x1b]8;;file:///a\x1b\\a.json\x1b]8;;\x07 format"), "a.json format");
        assert_eq!(plain("cut \x1b[3"), "cut ");
        assert_eq!(plain("cut \x1b"), "cut ");
    }

    #[test]
    fn a_parent_is_found_behind_a_name_with_brackets_and_spaces() {
        assert_eq!(parent_in("42 (a) b (c) S 7 42 42 0"), Some((42, 7)));
        assert_eq!(parent_in(""), None);
    }

    #[test]
    fn a_program_that_fails_hands_back_its_last_words() {
        let failure = run("a shell", Command::new("sh").args(["-c", "echo no such luck; exit 3"])).unwrap_err();
        assert_eq!(failure.details.as_deref(), Some("no such luck"));
        assert!(failure.sentence.starts_with("A shell failed; all it said is in "));
    }

    #[test]
    fn a_program_that_never_ends_is_stopped_and_fails() {
        let ended = run_to_end_within(Duration::ZERO, "a waiter", Command::new("sleep").arg("600")).unwrap();
        assert_eq!(ended.failure.unwrap().sentence, "A waiter did not end within 0.0 s.");
    }

    #[test]
    fn a_program_that_takes_too_long_is_stopped() {
        let failure = run_within(Duration::ZERO, "a sleeper", Command::new("sleep").arg("600")).unwrap_err();
        assert_eq!(failure.sentence, "a sleeper did not end within 0 seconds.");
    }
}
