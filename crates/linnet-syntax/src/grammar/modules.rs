//! Files: the `module` line, imports and what follows them.

use super::{
    ITEM_START, is_word,
    items::{Place, item},
    junk_token,
    lists::{List, list},
    name, name_use, reserved_syntax,
};
use crate::{
    Fix, SyntaxError,
    SyntaxKind::*,
    parser::{Event, Parser},
    syntax_kind::TokenSet,
};

/// `file = module_decl , {use} , {item} .`
///
/// The events of each item go to `replay` as soon as it is read, so that they stay few.
pub(crate) fn source_file(p: &mut Parser<'_>, mut replay: impl FnMut(&mut [Event])) {
    let mut declared = p.at(MODULE_KW);
    if declared {
        module_decl(p);
    } else {
        let help = "a file begins with its name, such as `module models.encoder`";
        let range = if p.at(EOF) {
            p.gap_range()
        } else {
            p.current_range()
        };
        p.report(
            SyntaxError::new(
                "E1102",
                range,
                "a file begins with a `module` line",
                "before this",
            )
            .with_help(help),
        );
    }
    let mut items_begun = false;
    while !p.at(EOF) {
        p.progress(|p| match p.current() {
            USE_KW => {
                if items_begun {
                    p.expected_with("an item", |error, _| {
                        error.with_help("imports stand before the first item")
                    });
                }
                use_decl(p);
            }
            MODULE_KW => {
                if declared {
                    p.expected_with("an item", |error, _| {
                        error.with_help("a file has one `module` line, at its top")
                    });
                }
                declared = true;
                module_decl(p);
            }
            R_CURLY => {
                p.stray_brace("an item");
                if !p.at_line_start() {
                    p.silence();
                }
            }
            kind => {
                items_begun |= ITEM_START.contains(kind);
                item(p, Place::Module);
            }
        });
        replay(p.events());
        p.forget_events();
    }
    replay(p.events());
}

/// `module_decl = "module" path .`
pub(super) fn module_decl(p: &mut Parser<'_>) {
    let m = p.start();
    p.bump();
    p.unit(|p| {
        path(p, "a module");
        end_of_line(p, "the end of the `module` line");
    });
    m.complete(p, MODULE_DECL);
}

/// `path = IDENT {"." IDENT} .`
pub(super) fn path(p: &mut Parser<'_>, what: &str) -> bool {
    let m = p.start();
    if !path_segment(p, what) {
        m.abandon(p);
        return false;
    }
    loop {
        match p.current() {
            DOT if p.nth(1) == L_CURLY && what == "a module" => break,
            DOT => p.bump(),
            COLON2 if what != "a module" => double_colon(p),
            _ => break,
        }
        if !path_segment(p, what) {
            break;
        }
    }
    m.complete(p, PATH);
    true
}

/// `::` where a point joins names.
pub(super) fn double_colon(p: &mut Parser<'_>) {
    // Nothing else is in doubt, so this is a unit of its own.
    p.unit(|p| {
        p.expected_with("`.`", |error, p| {
            error
                .with_help("names are joined by `.`; `::` stands in a `use` before what it imports")
                .with_fix(Fix::new("write `.`", p.current_range(), "."))
        });
    });
    p.bump();
}

fn path_segment(p: &mut Parser<'_>, what: &str) -> bool {
    match p.current() {
        SELF_KW | SUPER_KW => {
            let word = p.current_text();
            reserved_syntax(
                p,
                format!("`{word}` in a path is reserved"),
                "a path begins with `std`, `crate` or a dependency",
            );
            p.bump();
            true
        }
        // Words in a row: the path is missing.
        kind if is_word(kind)
            && matches!(p.nth(1), IDENT | CRATE_KW)
            && !p.line_start_at(p.pos() + 1) =>
        {
            p.expected(&format!("the name of {what}"));
            false
        }
        _ => name_use(p, what),
    }
}

/// `use = "use" ("std" | "crate" | IDENT) {"." IDENT} ["::" ( name | "{" name {"," name} [","] "}" )] .`
pub(super) fn use_decl(p: &mut Parser<'_>) {
    let m = p.start();
    p.bump();
    p.unit(|p| {
        use_path(p);
        use_items(p);
        end_of_line(p, "the end of the import");
    });
    m.complete(p, USE_DECL);
}

/// What follows a module's name or an import on its line and does not belong there.
fn end_of_line(p: &mut Parser<'_>, what: &str) {
    if p.at(EOF) || p.at_line_start() || p.at_any(ITEM_START) {
        return;
    }
    p.expected_with(what, |error, p| match p.current() {
        COLON2 | DOT => {
            error.with_help("modules are joined by `.`, and one `::` stands before the items")
        }
        AS_KW => error.with_help("only imported items are renamed: `use a.b::{c as d}`"),
        _ => error,
    });
    let m = p.start();
    while !(p.at(EOF) || p.at_line_start() || p.at_any(ITEM_START)) {
        p.bump_group();
    }
    m.complete_junk(p);
}

/// `["::" ( name | "{" name {"," name} [","] "}" )]`
fn use_items(p: &mut Parser<'_>) {
    const USE_LIST_END: List = List {
        close: R_CURLY,
        element: "the name of an item",
        end: "`}` to close the import",
        trailing_comma: true,
        declares: false,
        may_be_empty: false,
    };
    if p.at(DOT) {
        p.expected_with("`::`", |error, p| {
            error.with_fix(Fix::new("write `::`", p.current_range(), "::"))
        });
        p.bump();
    } else if !p.eat(COLON2) {
        return;
    }
    if p.at(L_CURLY) {
        let m = p.start();
        list(p, &USE_LIST_END, use_name);
        m.complete(p, USE_LIST);
    } else {
        use_name(p);
    }
}

fn use_path(p: &mut Parser<'_>) {
    if !p.at(CRATE_KW) {
        path(p, "a module");
        return;
    }
    let m = p.start();
    p.bump();
    while p.at(DOT) && p.nth(1) != L_CURLY {
        p.bump();
        if !path_segment(p, "a module") {
            break;
        }
    }
    m.complete(p, PATH);
}

/// `name = IDENT ["as" IDENT] .`
fn use_name(p: &mut Parser<'_>) -> bool {
    let m = p.start();
    if p.at(STAR) {
        p.expected_with("the name of an item", |error, _| {
            error.with_help("name each item, or `use` the module and write `module.item`")
        });
        junk_token(p);
    } else if p.at(AS_KW) {
        p.expected("the name of an item");
        p.bump();
        name(p, "the import", TokenSet::new(&[COMMA, R_CURLY]));
    } else if !name_use(p, "an item") {
        m.abandon(p);
        return false;
    } else if p.eat(AS_KW) {
        name(p, "the import", TokenSet::new(&[COMMA, R_CURLY]));
    }
    m.complete(p, USE_NAME);
    true
}
