//! A folder of files and the program to run in it.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// What a run of the program gave.
#[derive(Debug)]
pub struct Run {
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// Asserts the exit status.
    #[track_caller]
    pub fn exits(self, status: i32) -> Run {
        let Run { stdout, stderr, .. } = &self;
        assert_eq!(
            self.status,
            Some(status),
            "stdout:\n{stdout}\nstderr:\n{stderr}"
        );
        assert!(!stderr.contains("panicked"), "{stderr}");
        self
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e}\n{self:#?}"))
    }

    /// The codes in the JSON document, in order.
    #[track_caller]
    pub fn codes(&self) -> Vec<String> {
        let json = self.json();
        let list = json["diagnostics"].as_array().unwrap();
        let code = |d: &Value| d["code"].as_str().unwrap().to_owned();
        list.iter().map(code).collect()
    }

    #[track_caller]
    pub fn stderr_has(self, parts: &[&str]) -> Run {
        for part in parts {
            assert!(
                self.stderr.contains(part),
                "lacks {part:?}:\n{}",
                self.stderr
            );
        }
        self
    }
}

/// A temporary folder.
pub struct Folder {
    dir: tempfile::TempDir,
}

impl Folder {
    /// Makes files from one text: a line `//- path` begins each.
    pub fn new(fixture: &str) -> Folder {
        let folder = Folder {
            dir: tempfile::tempdir().unwrap(),
        };
        for file in fixture.split("//- ").skip(1) {
            let (path, text) = file.split_once('\n').unwrap();
            folder.write(path.trim(), text);
        }
        folder
    }

    pub fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.dir.path().join(path)
    }

    pub fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    pub fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.path(path)).unwrap()
    }

    /// The program, to be run in this folder.
    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_linnet"));
        command
            .current_dir(self.dir.path())
            .env_remove("NO_COLOR")
            .env_remove("LINNET_STD")
            .stdin(Stdio::null());
        command
    }

    /// Runs the program with arguments that have no spaces.
    pub fn run(&self, args: &str) -> Run {
        self.run_args(args.split_whitespace())
    }

    pub fn run_args(&self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Run {
        finish(self.command().args(args))
    }

    pub fn run_with_input(&self, args: &str, input: &[u8]) -> Run {
        let mut child = self
            .command()
            .args(args.split_whitespace())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // A program that ends early may leave input unread.
        let _ = stdin.write_all(input);
        drop(stdin);
        output(child.wait_with_output().unwrap())
    }
}

pub fn finish(command: &mut Command) -> Run {
    output(command.output().unwrap())
}

fn output(output: std::process::Output) -> Run {
    Run {
        status: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A file without a fault.
pub const CLEAN: &str = "module clean

pub fn twice(x: f32) -> f32 {
    return x + x
}
";

/// A file with one error, E1101, in line 4.
pub const BROKEN: &str = "module broken

pub fn twice(x: f32) -> f32 {
    return (x + )
}
";

/// A file with one warning, W1001.
pub const UNUSED: &str = "module unused

use std.nn.softmax::softmax

pub fn twice(x: f32) -> f32 {
    return x + x
}
";
