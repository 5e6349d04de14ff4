//! The checkers that are measured beside Linnet.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;
use crate::install;
use crate::process::{capture, command};
use crate::workspace::Workspace;

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
    command: Vec<PathBuf>,
}

impl Peers {
    /// From PyPI and npm, in the versions of `xtask/requirements` and `xtask/peers`.
    pub fn install(workspace: &Workspace) -> Result<Peers> {
        let venv = install::python(workspace, "bench/python", "peers.txt")?;
        let node = install::node(workspace, "bench/node", "xtask/peers")?;
        let ty = vec![
            venv.join("bin/ty"),
            "check".into(),
            "--quiet".into(),
            "--project".into(),
        ];
        let script = node.join("node_modules/pyright/index.js");
        let pyright = vec!["node".into(), script, "--project".into()];
        let version = |program: &[PathBuf]| -> Result<String> {
            let captured = capture(command(&program[0]).args(&program[1..]).arg("--version"))?;
            let words = captured.stdout.split_whitespace().take(2);
            Ok(words.collect::<Vec<_>>().join(" "))
        };
        Ok(Peers {
            ty: Peer {
                name_and_version: version(&ty[..1])?,
                slow: false,
                command: ty,
            },
            pyright: Peer {
                name_and_version: version(&pyright[..2])?,
                slow: true,
                command: pyright,
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
        let mut check = command(&self.command[0]);
        check
            .args(&self.command[1..])
            .arg(project)
            .current_dir(project);
        check
    }
}
