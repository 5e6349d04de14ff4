//! `linnet check --watch`.

#![cfg(unix)]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::setup::{BROKEN, CLEAN, Folder};

/// A running watcher and the lines that it prints.
struct Watcher {
    child: Child,
    lines: Receiver<String>,
}

impl Watcher {
    fn start(folder: &Folder, args: &str) -> Watcher {
        let mut child = folder
            .command()
            .args(["check", "--watch"])
            .args(args.split_whitespace())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, lines) = channel();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        std::thread::spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Watcher { child, lines }
    }

    /// Everything up to the next summary.
    fn answer(&self) -> String {
        let mut text = String::new();
        loop {
            let line = self
                .lines
                .recv_timeout(Duration::from_secs(30))
                .expect("an answer in time");
            text.push_str(&line);
            text.push('\n');
            if line.starts_with("checked ") {
                return text;
            }
        }
    }

    fn interrupt(&mut self) -> Option<i32> {
        let id = self.child.id().to_string();
        Command::new("kill").args(["-INT", &id]).status().unwrap();
        self.child.wait().unwrap().code()
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn changes_are_checked_until_ctrl_c() {
    let folder = Folder::new(
        "//- linnet.toml
[package]
name = \"p\"
version = \"0.1.0\"
//- src/lib.linnet
module p

use crate.clean::twice

pub fn four_times(x: f32) -> f32 {
    return twice(twice(x))
}
",
    );
    folder.write("src/clean.linnet", CLEAN);
    let mut watcher = Watcher::start(&folder, "src/lib.linnet");
    assert!(watcher.answer().contains(": no faults"));
    // An imported file breaks, is mended, goes and comes back.
    folder.write("src/clean.linnet", BROKEN);
    let answer = watcher.answer();
    assert!(
        answer.contains("[E1101]") && answer.contains("src/clean.linnet"),
        "{answer}"
    );
    folder.write("src/clean.linnet", CLEAN);
    assert!(watcher.answer().contains(": no faults"));
    std::fs::remove_file(folder.path("src/clean.linnet")).unwrap();
    assert!(watcher.answer().contains("[E1202]"));
    folder.write("src/clean.linnet", CLEAN);
    assert!(watcher.answer().contains(": no faults"));
    // The manifest counts as well.
    folder.write("linnet.toml", "[package]\n");
    assert!(watcher.answer().contains("[E5001]"));
    assert_eq!(watcher.interrupt(), Some(0));
}

#[test]
fn new_files_of_a_folder_are_found() {
    let folder = Folder::new("");
    folder.write("d/clean.linnet", CLEAN);
    let watcher = Watcher::start(&folder, "d");
    assert!(watcher.answer().contains("checked 1 module"));
    folder.write("d/sub/broken.linnet", BROKEN);
    let answer = watcher.answer();
    assert!(answer.contains("d/sub/broken.linnet:4:"), "{answer}");
    std::fs::remove_dir_all(folder.path("d/sub")).unwrap();
    let answer = watcher.answer();
    assert!(
        answer.contains("checked 1 module") && answer.contains(": no faults"),
        "{answer}"
    );
}

#[test]
fn a_path_that_is_not_there_yet() {
    let folder = Folder::new("");
    let watcher = Watcher::start(&folder, "a.linnet");
    assert!(watcher.answer().contains("a.linnet"));
    folder.write("a.linnet", CLEAN);
    let answer = watcher.answer();
    assert!(answer.contains(": no faults"), "{answer}");
}
