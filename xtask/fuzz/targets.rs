//! The targets: what an input is, and what must hold for it.

mod checker;
mod readers;
mod syntax;

use std::path::Path;

use crate::corpus::Corpus;
use crate::mutate;
use crate::rng::Rng;

/// Checks inputs, one after the other.
pub type Check = Box<dyn FnMut(&[u8]) -> Result<(), String>>;

pub struct Target {
    pub name: &'static str,
    /// How many mutated inputs the tests run.
    pub smoke_runs: u64,
    /// Draws an input.
    pub input: fn(&Corpus, &mut Rng) -> Vec<u8>,
    /// Makes the check; what it keeps between inputs is its own.
    pub check: fn() -> Check,
    /// The extensions of the committed files that are inputs.
    pub extensions: &'static [&'static str],
}

pub static TARGETS: &[Target] = &[
    Target {
        name: "lexer",
        smoke_runs: 60_000,
        input: source,
        check: || Box::new(|input| syntax::lexer(text(input))),
        extensions: &["linnet", "toml", "json"],
    },
    Target {
        name: "parser",
        smoke_runs: 40_000,
        input: source,
        check: || Box::new(|input| syntax::parser(text(input))),
        extensions: &["linnet", "toml", "json"],
    },
    Target {
        name: "formatter",
        smoke_runs: 40_000,
        input: source,
        check: || Box::new(|input| syntax::formatter(text(input))),
        extensions: &["linnet"],
    },
    Target {
        name: "checker",
        smoke_runs: 30_000,
        input: source_or_package,
        check: || {
            let mut checker = checker::Checker::new();
            Box::new(move |input| checker.check(text(input)))
        },
        extensions: &["linnet"],
    },
    Target {
        name: "incremental",
        smoke_runs: 3_000,
        input: edit,
        check: || Box::new(|input| checker::incremental(text(input))),
        extensions: &["edit"],
    },
    Target {
        name: "manifest",
        smoke_runs: 4_000,
        input: |corpus, rng| {
            mutate::package(&corpus.packages, &corpus.packages, "linnet.toml", rng).into_bytes()
        },
        check: || {
            let mut checker = checker::Checker::new();
            Box::new(move |input| checker.check(text(input)))
        },
        extensions: &["package"],
    },
    Target {
        name: "weights",
        smoke_runs: 20_000,
        input: |corpus, rng| mutate::bytes(&corpus.weights, rng),
        check: || {
            let mut readers = readers::Readers::default();
            Box::new(move |input| readers.check(input))
        },
        extensions: &["safetensors", "json"],
    },
];

impl Target {
    pub fn named(name: &str) -> Option<&'static Target> {
        TARGETS.iter().find(|target| target.name == name)
    }

    /// Whether a committed file is an input of this target.
    pub fn accepts(&self, path: &Path) -> bool {
        let extension = path.extension().and_then(|e| e.to_str());
        extension.is_some_and(|e| self.extensions.contains(&e))
    }
}

/// Sources are text; what is not UTF-8 never reaches a lexer.
fn text(input: &[u8]) -> String {
    String::from_utf8_lossy(input).into_owned()
}

fn source(corpus: &Corpus, rng: &mut Rng) -> Vec<u8> {
    mutate::text(&corpus.sources, rng).into_bytes()
}

fn source_or_package(corpus: &Corpus, rng: &mut Rng) -> Vec<u8> {
    if rng.below(4) == 0 {
        return mutate::package(&corpus.packages, &corpus.sources, ".linnet", rng).into_bytes();
    }
    source(corpus, rng)
}

/// Two versions of a package or file: `before`, the line [`checker::EDIT`], `after`.
fn edit(corpus: &Corpus, rng: &mut Rng) -> Vec<u8> {
    let (before, after) = if rng.below(2) == 0 {
        let before = rng.pick(&corpus.packages).clone();
        let one = [before.clone()];
        (
            before,
            mutate::package(&one, &corpus.sources, ".linnet", rng),
        )
    } else {
        let before = rng.pick(&corpus.sources).clone();
        // The mutation may take pieces from any file, the base among them.
        let texts = [
            before.clone(),
            before.clone(),
            before.clone(),
            rng.pick(&corpus.sources).clone(),
        ];
        (before, mutate::text(&texts, rng))
    };
    format!("{before}\n{}\n{after}", checker::EDIT).into_bytes()
}
