//! `linnet explain`: what a code means, with an example and the same example put right.

use std::fmt::Write as _;

use linnet_hir::codes::CodeInfo;

use crate::cli::ExplainArgs;
use crate::exit::{self, Exit};
use crate::explain::{find, nearest, wrap};

/// The longest line of running text.
const WIDTH: usize = 80;

pub fn run(args: &ExplainArgs) -> Exit {
    let code = args.code.trim();
    match find(code) {
        Some(info) => exit::print(page(info).as_bytes(), Exit::Ok),
        None => {
            let mut message = format!("there is no code `{}`", code.escape_debug());
            if let Some(near) = nearest(&code.to_ascii_uppercase()) {
                message.push_str(&format!("; did you mean `{}`?", near.code));
            }
            exit::fail(&message, Exit::Usage)
        }
    }
}

fn page(info: &CodeInfo) -> String {
    let mut page = format!(
        "{}: {}\n\n{}\n",
        info.code,
        info.title,
        wrap(info.explanation, WIDTH)
    );
    for (heading, program) in [("Wrong", info.example), ("Right", info.fixed)] {
        if program.is_empty() {
            continue;
        }
        // Writing to a string cannot fail.
        let _ = write!(page, "\n{heading}:\n\n");
        for line in program.trim_end().lines() {
            let indent = if line.is_empty() { "" } else { "    " };
            let _ = writeln!(page, "{indent}{line}");
        }
    }
    page
}
