//! `linnet explain`: what a code means, with an example and its fix.

use crate::cli::ExplainArgs;
use crate::exit::{self, Exit};
use crate::explain;

pub fn run(args: &ExplainArgs) -> Exit {
    let code = args.code.trim().to_ascii_uppercase();
    let Some(entry) = explain::find(&code) else {
        let mut message = format!("there is no code `{}`", args.code.escape_debug());
        if let Some(near) = explain::nearest(&code) {
            message.push_str(&format!("; did you mean `{near}`?"));
        }
        return exit::fail(&message, Exit::Usage);
    };
    let text = format!("{}: {}\n\n{}", entry.code, entry.title, entry.text);
    exit::print(text.as_bytes(), Exit::Ok)
}
