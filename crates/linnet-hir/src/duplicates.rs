//! What an item's header alone shows to be wrong with its names: one given twice, or one of the prelude.

use rustc_hash::FxHashMap;

use crate::db::{Db, item_data};
use crate::diag::{Diag, Diagnostic};
use crate::scope::check_prelude;
use crate::tree::{Item, ItemDetail, Name, NodeLoc, Part};

/// E1205 and E1207 of an item and of what stands inside it.
pub fn header_diagnostics(db: &dyn Db, item: &Item) -> Vec<Diag> {
    let mut diags = Vec::new();
    for item in item.with_nested() {
        check_item(db, item, &mut diags);
    }
    diags
}

/// Names that must differ from each other.
#[derive(Default)]
struct Names<'a> {
    first: FxHashMap<&'a Name, NodeLoc>,
}

impl<'a> Names<'a> {
    fn add(&mut self, what: &str, name: &'a Name, at: NodeLoc, diags: &mut Vec<Diag>) {
        if name.is_empty() {
            return;
        }
        let Some(first) = self.first.get(name) else {
            self.first.insert(name, at);
            return;
        };
        diags.push(
            Diagnostic::new(
                "E1205",
                at,
                format!("the {what} `{name}` is declared a second time"),
            )
            .label("this name is taken")
            .related(*first, "first here")
            .help("give one of the two another name"),
        );
    }
}

fn check_item(db: &dyn Db, item: &Item, diags: &mut Vec<Diag>) {
    let data = item_data(db, item.def);
    let file = item.def.file(db);
    let at = |loc| NodeLoc {
        file,
        part: Part::Sig(item.def),
        loc,
    };
    let mut generics = Names::default();
    for generic in &data.generics {
        diags.extend(check_prelude(&generic.name, at(generic.loc)));
        generics.add("generic", &generic.name, at(generic.loc), diags);
    }
    let mut names = Names::default();
    match &data.detail {
        ItemDetail::Struct { fields } => {
            for field in fields {
                names.add("field", &field.name, at(field.loc), diags);
            }
        }
        ItemDetail::Enum { variants } => {
            for (name, loc) in variants {
                names.add("variant", name, at(*loc), diags);
            }
        }
        ItemDetail::Fn { params, .. } => {
            // A parameter may shadow items and members, not the generics that stand beside it.
            names = generics;
            for param in params {
                diags.extend(check_prelude(&param.name, at(param.loc)));
                names.add("parameter", &param.name, at(param.loc), diags);
            }
        }
        ItemDetail::Block { members } => {
            for member in members {
                diags.extend(check_prelude(&member.name, at(member.loc)));
                names.add("member", &member.name, at(member.loc), diags);
            }
            // Members and the items inside share their names; which of two stands first is settled where
            // positions are known.
            for child in &item.children {
                let at = NodeLoc {
                    file,
                    part: Part::File,
                    loc: child.name_loc,
                };
                diags.extend(check_prelude(&child.name, at));
                names.add("member", &child.name, at, diags);
            }
        }
        ItemDetail::Const { .. } | ItemDetail::Alias { .. } => {}
    }
}
