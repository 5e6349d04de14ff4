//! E2119: functions that call themselves, directly or not.
//!
//! Modules never import each other in a circle, so a circle of calls lies within one module.

use rustc_hash::FxHashMap;

use crate::cycles::components;
use crate::db::{Db, SourceFile, item_tree};
use crate::diag::{Diag, Diagnostic};
use crate::infer::calls;
use crate::tree::{DefId, NodeLoc, Part};

/// Every call of the module that stands on a circle of calls.
#[salsa::tracked(returns(ref))]
pub fn recursion(db: &dyn Db, file: SourceFile) -> Vec<Diag> {
    let mut defs: Vec<DefId> = Vec::new();
    for item in &item_tree(db, file).items {
        defs.extend(
            item.with_nested()
                .filter(|i| i.kind.is_callable())
                .map(|i| i.def),
        );
    }
    let number: FxHashMap<DefId, usize> = defs.iter().enumerate().map(|(i, d)| (*d, i)).collect();
    let edges: Vec<Vec<usize>> = defs
        .iter()
        .map(|d| {
            calls(db, *d)
                .iter()
                .filter_map(|(callee, _)| number.get(callee).copied())
                .collect()
        })
        .collect();
    let component = components(&edges);
    let mut out = Vec::new();
    for (from, def) in defs.iter().enumerate() {
        for (callee, loc) in calls(db, *def) {
            let Some(to) = number.get(callee) else {
                continue;
            };
            // A call inside one component lies on a circle; a lone function is one when it calls itself.
            if component[from] == component[*to] {
                let name = callee.name(db);
                let at = NodeLoc {
                    file,
                    part: Part::Body(*def),
                    loc: *loc,
                };
                let message = if from == *to {
                    format!("`{name}` calls itself")
                } else {
                    format!("`{}` and `{name}` call each other", def.name(db))
                };
                out.push(
                    Diagnostic::new("E2119", at, message)
                        .label("this call comes back here")
                        .help("there is no recursion; write a loop, or pass the result in"),
                );
            }
        }
    }
    out
}
