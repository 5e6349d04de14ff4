//! Waiting until files change, by looking at them.
//!
//! Looking works on every file system, network and container mounts included, and a few thousand files
//! cost some milliseconds a look.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

/// How long to wait between two looks; longer where a look itself takes long.
const PERIOD: Duration = Duration::from_millis(200);
/// Files must rest this long: an editor may write several, or one in pieces.
const REST: Duration = Duration::from_millis(60);

/// What the files looked like: enough to see a change, a new file, and one that is gone.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Snapshot {
    files: BTreeMap<PathBuf, Option<(SystemTime, u64)>>,
}

impl Snapshot {
    /// Looks at files, those that are not there included.
    pub fn take(files: impl IntoIterator<Item = PathBuf>) -> Self {
        let look = |path: PathBuf| {
            let seen = std::fs::metadata(&path).ok().map(|meta| {
                let time = meta.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                (time, meta.len())
            });
            (path, seen)
        };
        Snapshot {
            files: files.into_iter().map(look).collect(),
        }
    }

    /// This, and what `later` saw of files that were not looked at here.
    pub fn or(mut self, later: Snapshot) -> Snapshot {
        for (path, seen) in later.files {
            self.files.entry(path).or_insert(seen);
        }
        self
    }

    /// The files that `earlier` did not look at.
    pub fn paths_beyond<'a>(&'a self, earlier: &'a Snapshot) -> impl Iterator<Item = &'a PathBuf> {
        self.files
            .keys()
            .filter(|path| !earlier.files.contains_key(*path))
    }

    /// The files that differ, in either direction.
    pub fn changed(&self, newer: &Snapshot) -> Vec<PathBuf> {
        let differs = |path: &&PathBuf| self.files.get(*path) != newer.files.get(*path);
        let gone = self
            .files
            .keys()
            .filter(|path| !newer.files.contains_key(*path));
        let changed = newer.files.keys().filter(differs);
        gone.chain(changed).cloned().collect()
    }
}

/// Waits until `look` sees something other than `before`, and the same twice.
pub fn wait(before: &Snapshot, mut look: impl FnMut() -> Snapshot) -> Snapshot {
    loop {
        let start = Instant::now();
        let mut now = look();
        if now == *before {
            sleep(PERIOD.max(start.elapsed() * 5));
            continue;
        }
        loop {
            sleep(REST);
            let next = look();
            if next == now {
                break;
            }
            now = next;
        }
        if now != *before {
            return now;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_seen() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let all = || ["a", "b", "c"].map(path);
        std::fs::write(path("a"), "1").unwrap();
        std::fs::write(path("b"), "1").unwrap();
        let before = Snapshot::take(all());
        assert!(before.changed(&Snapshot::take(all())).is_empty());

        std::fs::write(path("a"), "22").unwrap();
        std::fs::remove_file(path("b")).unwrap();
        std::fs::write(path("c"), "").unwrap();
        let after = wait(&before, || Snapshot::take(all()));
        assert_eq!(before.changed(&after), all());
        // A file that is no longer looked at is a change as well.
        let fewer = Snapshot::take([path("a")]);
        assert_eq!(after.changed(&fewer), [path("b"), path("c")]);
    }

    #[test]
    fn a_change_that_is_taken_back_is_none() {
        let mut looks = vec![3, 3, 2, 1, 1];
        let snapshot = |size| Snapshot {
            files: [(PathBuf::from("a"), Some((SystemTime::UNIX_EPOCH, size)))].into(),
        };
        // 1 is what was there before; then 2 and 3, of which 3 stays.
        let seen = wait(&snapshot(1), || snapshot(looks.pop().unwrap()));
        assert_eq!(seen, snapshot(3));
    }
}
