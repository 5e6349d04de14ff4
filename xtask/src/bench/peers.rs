//! The checkers that are measured beside Linnet.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::lsp::{self, Diagnostics};
use crate::Result;
use crate::install;
use crate::process::{capture, command, shown};
use crate::workspace::{Workspace, files_below};

/// `ty` and `pyright`, installed.
pub struct Peers {
    ty: Peer,
    pyright: Peer,
}

/// A checker of Python.
pub struct Peer {
    pub name_and_version: String,
    /// Whether a run takes a minute.
    pub slow: bool,
    check: Vec<PathBuf>,
    server: Vec<PathBuf>,
    diagnostics: Diagnostics,
}

impl Peers {
    /// From PyPI and npm, in the versions of `xtask/requirements` and `xtask/peers`.
    pub fn install(workspace: &Workspace) -> Result<Peers> {
        let venv = install::python(workspace, "bench/python", "peers.txt")?;
        let node = install::node(workspace, "bench/node", "xtask/peers")?;
        let ty = venv.join("bin/ty");
        let pyright = |script: &str| {
            vec![
                "node".into(),
                node.join("node_modules/pyright").join(script),
            ]
        };
        let words = |words: &[&str]| words.iter().map(PathBuf::from).collect::<Vec<_>>();
        let peer = |program: Vec<PathBuf>, check: &[&str], server: Vec<PathBuf>| -> Result<Peer> {
            let mut version = call(&program);
            let captured = capture(version.arg("--version"))?;
            let version: Vec<&str> = captured.stdout.split_whitespace().take(2).collect();
            Ok(Peer {
                name_and_version: version.join(" "),
                slow: false,
                check: [program, words(check)].concat(),
                server,
                diagnostics: Diagnostics::Pulled,
            })
        };
        let ty_server = vec![ty.clone(), "server".into()];
        let pyright_server = [pyright("langserver.index.js"), words(&["--stdio"])].concat();
        let pyright = peer(pyright("index.js"), &["--project"], pyright_server)?;
        Ok(Peers {
            ty: peer(vec![ty], &["check", "--quiet", "--project"], ty_server)?,
            pyright: Peer {
                slow: true,
                diagnostics: Diagnostics::Published,
                ..pyright
            },
        })
    }

    pub fn all(&self) -> [&Peer; 2] {
        [&self.ty, &self.pyright]
    }
}

impl Peer {
    /// Checks a whole project; it must be clean.
    pub fn check(&self, project: &Path) -> Command {
        let mut check = call(&self.check);
        check.arg(project).current_dir(project);
        check
    }

    /// The median time from an edit of one body to the diagnostics that show it, in its server.
    pub fn edit(&self, project: &Path, rounds: usize) -> Result<Duration> {
        let files = files_below(&project.join("bench"), &["py"])?;
        let layers: Vec<&PathBuf> = files
            .iter()
            .filter(|path| !path.ends_with("__init__.py"))
            .collect();
        let file = layers[layers.len() / 2]
            .strip_prefix(project)
            .map_err(|e| e.to_string())?;
        let mut server = call(&self.server);
        println!("$ {} ({rounds} edits)", shown(&server));
        let file = file.to_string_lossy();
        let times = lsp::edits(&mut server, self.diagnostics, project, &file, rounds)?;
        Ok(times[times.len() / 2])
    }
}

fn call(words: &[PathBuf]) -> Command {
    let mut call = command(&words[0]);
    call.args(&words[1..]);
    call
}
