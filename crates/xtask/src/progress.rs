//! One line for each step: what, how it went, how long it took.

use std::io::{IsTerminal, Write, stderr};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::Result;
use crate::process;

/// How much is shown of the last line that a program said.
const LAST: usize = 120;

struct Board {
    live: bool,
    active: Vec<(String, Instant)>,
}

static BOARD: LazyLock<Mutex<Board>> = LazyLock::new(|| {
    let live = stderr().is_terminal();
    if live {
        thread::spawn(repaint);
    }
    Mutex::new(Board { live, active: Vec::new() })
});

fn board() -> MutexGuard<'static, Board> {
    BOARD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a step between its two lines. `work` may leave a note for the second.
pub fn step<T>(label: &str, work: impl FnOnce(&mut String) -> Result<T>) -> Result<T> {
    let begun = Instant::now();
    begin(label, begun);
    let mut note = String::new();
    let result = work(&mut note);
    if result.is_ok() || !process::stopping() {
        finish(label, result.is_ok(), &note, begun);
    }
    result
}

fn begin(label: &str, begun: Instant) {
    let mut board = board();
    board.active.push((label.to_owned(), begun));
    if !board.live {
        say_line(&format!("  … {label}"));
    }
}

fn finish(label: &str, worked: bool, note: &str, begun: Instant) {
    let mut board = board();
    board.active.retain(|(active, since)| active != label || *since != begun);
    let mark = if worked { '✓' } else { '✗' };
    say_line(&format!("  {mark} {label:<24} {:>9}  {note}", duration(begun.elapsed())));
}

/// Says where a long step is. A terminal shows its clock instead.
pub fn while_it_runs(label: &str, last: &str) {
    let board = board();
    if board.live {
        return;
    }
    let since = board.active.iter().find(|(active, _)| active == label).map(|(_, since)| since.elapsed());
    let last: String = last.trim().chars().take(LAST).collect();
    say_line(&format!("    {} {}: {last}", label, since.map(duration).unwrap_or_default()));
}

/// Says a line among the others.
pub fn say(line: &str) {
    let _board = board();
    say_line(line);
}

fn say_line(line: &str) {
    let clear = if stderr().is_terminal() { "\r\x1b[2K" } else { "" };
    // A closed terminal is no reason to stop.
    let _ = writeln!(stderr(), "{clear}{}", line.trim_end());
}

/// Keeps one line with what is being done and for how long.
fn repaint() {
    loop {
        thread::sleep(Duration::from_millis(100));
        let board = board();
        if board.active.is_empty() || process::stopping() {
            continue;
        }
        let active: Vec<_> =
            board.active.iter().map(|(label, since)| format!("{label} {}", duration(since.elapsed()))).collect();
        let _ = write!(stderr(), "\r\x1b[2K  … {}", active.join(" · "));
        let _ = stderr().flush();
    }
}

/// Seconds with one decimal, minutes from one minute on.
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 60.0 {
        format!("{seconds:.1} s")
    } else {
        format!("{} min {:02} s", time.as_secs() / 60, time.as_secs() % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_told_in_seconds_and_then_in_minutes() {
        assert_eq!(duration(Duration::from_millis(40)), "0.0 s");
        assert_eq!(duration(Duration::from_millis(12_340)), "12.3 s");
        assert_eq!(duration(Duration::from_secs(125)), "2 min 05 s");
    }
}
