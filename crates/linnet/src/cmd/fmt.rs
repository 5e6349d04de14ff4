//! `linnet fmt`: files in the one style, written only where they change.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use linnet_hir::db::Contents;
use similar::TextDiff;

use crate::cli::FmtArgs;
use crate::exit::{self, Exit};
use crate::parallel;
use crate::read::{self, Reader};
use crate::render::{self, ColorChoice, Format};
use crate::report::Reports;
use crate::walk::{self, describe};

/// A diff that takes longer is cruder.
const DIFF_TIME: Duration = Duration::from_secs(2);

/// What formatting one text gives.
enum Outcome {
    /// It is formatted already.
    Same,
    Changed(String),
    /// It has syntax errors and stays as it is.
    Broken(Vec<linnet_syntax::SyntaxError>),
    /// The formatter gave up.
    Failed(String),
}

pub fn run(args: &FmtArgs, color: ColorChoice) -> Exit {
    if args.paths.iter().any(|path| path == Path::new("-")) {
        if args.paths.len() > 1 {
            return exit::fail("`-` cannot stand beside other paths", Exit::Usage);
        }
        return run_stdin(args, color);
    }
    let found = walk::find(&args.paths);
    let mut reports = Reports::default();
    for (path, why) in &found.faults {
        reports.add_path_fault(path, "E1202", why.clone());
    }

    let reader = Reader::new();
    let mut texts: Vec<(PathBuf, String)> = Vec::new();
    for path in found.files {
        match reader.file(&path) {
            Contents::Text(text) => texts.push((path, text.to_string())),
            fault => read::add_fault(&mut reports, &path.display().to_string(), &fault),
        }
    }
    let outcomes = parallel::map(&texts, |(_, text)| format_text(text));

    let mut out = Vec::new();
    let (mut changed, mut same) = (0, 0);
    for ((path, text), outcome) in texts.into_iter().zip(outcomes) {
        let name = path.display().to_string();
        match outcome {
            Outcome::Same => same += 1,
            Outcome::Changed(new) => {
                changed += 1;
                if args.diff {
                    out.extend(diff(&name, &text, &new).into_bytes());
                } else if args.check {
                    exit::say(&format!("would format {name}"));
                }
                if !args.diff
                    && !args.check
                    && let Err(error) = replace(&path, &new)
                {
                    let why = format!("this file cannot be written: {}", describe(&error));
                    reports.add_path_fault(&path, "E1202", why);
                    changed -= 1;
                }
            }
            outcome => add_outcome(&mut reports, name, text, outcome),
        }
    }

    reports.sort();
    let failed = !reports.list.is_empty() || (args.check && changed > 0);
    let exit = exit::print(&out, Exit::faults_if(failed));
    let exit = render::show(&reports, Format::Text, color, exit);
    exit::say(&summary(args, changed, same, reports.list.len()));
    exit
}

fn run_stdin(args: &FmtArgs, color: ColorChoice) -> Exit {
    let mut reports = Reports::default();
    let name = "<stdin>".to_owned();
    let text = match read::stdin() {
        Contents::Text(text) => text.to_string(),
        fault => {
            read::add_fault(&mut reports, &name, &fault);
            return render::show(&reports, Format::Text, color, Exit::Faults);
        }
    };
    let new = match format_text(&text) {
        Outcome::Same => text.clone(),
        Outcome::Changed(new) => new,
        outcome => {
            add_outcome(&mut reports, name, text, outcome);
            return render::show(&reports, Format::Text, color, Exit::Faults);
        }
    };
    let failed = args.check && new != text;
    let out = match (args.diff, args.check) {
        (true, _) if new != text => diff(&name, &text, &new),
        (true, _) | (false, true) => String::new(),
        (false, false) => new,
    };
    if failed && !args.diff {
        exit::say("would format <stdin>");
    }
    exit::print(out.as_bytes(), Exit::faults_if(failed))
}

fn format_text(text: &str) -> Outcome {
    match linnet_fmt::format(text) {
        Ok(new) if new == text => Outcome::Same,
        Ok(new) => Outcome::Changed(new),
        Err(error) => {
            let errors = linnet_syntax::parse(text).errors;
            if errors.is_empty() {
                Outcome::Failed(error.to_string())
            } else {
                Outcome::Broken(errors)
            }
        }
    }
}

/// Reports why a text was left alone.
fn add_outcome(reports: &mut Reports, name: String, text: String, outcome: Outcome) {
    match outcome {
        Outcome::Broken(errors) => {
            let source = reports.add_source(name, text);
            read::add_syntax_errors(reports, source, &errors);
        }
        Outcome::Failed(why) => {
            reports.add_path_fault(Path::new(&name), "E1101", format!("cannot format: {why}"));
        }
        Outcome::Same | Outcome::Changed(_) => {}
    }
}

fn diff(name: &str, old: &str, new: &str) -> String {
    let mut config = TextDiff::configure();
    config.timeout(DIFF_TIME);
    config
        .diff_lines(old, new)
        .unified_diff()
        .context_radius(3)
        .header(name, name)
        .to_string()
}

fn summary(args: &FmtArgs, changed: usize, same: usize, faults: usize) -> String {
    let number = |count: usize, noun: &str| match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    };
    let verb = if args.check || args.diff {
        "would format"
    } else {
        "formatted"
    };
    let mut line = format!(
        "{verb} {}, {same} already formatted",
        number(changed, "file")
    );
    if faults > 0 {
        line.push_str(&format!(", {}", number(faults, "fault")));
    }
    line
}

/// Puts `text` in the place of a file: written beside it, then renamed over it, so that no reader ever
/// sees half of it.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    // A link stays a link; what it leads to is replaced.
    let path = path.canonicalize()?;
    let permissions = fs::metadata(&path)?.permissions();
    if permissions.readonly() {
        return Err(io::Error::other("it is read-only"));
    }
    let (beside, mut file) = create_beside(&path)?;
    let written = file
        .write_all(text.as_bytes())
        .and_then(|()| file.set_permissions(permissions))
        .and_then(|()| fs::rename(&beside, &path));
    if written.is_err() {
        // The first fault is the one to tell.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// A new file in the same folder, of a name that nothing else has.
fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let name = path.file_name().unwrap_or_default();
    let mut tries = 0;
    loop {
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}.{tries}.tmp", std::process::id()));
        let beside = path.with_file_name(hidden);
        let mut options = OpenOptions::new();
        match options.write(true).create_new(true).open(&beside) {
            Ok(file) => return Ok((beside, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tries < 100 => tries += 1,
            Err(error) => return Err(error),
        }
    }
}
