//! The shape of a generated workspace, the same in every language: modules, imports, exports.

use super::rng::Rng;

/// The name of the generated package.
pub const PACKAGE: &str = "bench";

/// How many modules share a folder.
pub const FOLDER: usize = 25;

/// A module's path in the package.
pub fn path_of(index: usize) -> String {
    format!("part{:02}.layer{index:04}", index / FOLDER)
}

/// What a module offers to others, beside its block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Export {
    /// A generic operation on the last axis.
    Op,
    /// A struct and the function that makes it.
    Struct,
    /// An enum and the function that matches on it.
    Enum,
    /// A reshape into heads, and back.
    Heads,
}

const EXPORTS: [Export; 4] = [Export::Op, Export::Struct, Export::Enum, Export::Heads];

/// One module.
pub struct Module {
    pub index: usize,
    /// Its lines in all.
    pub lines: usize,
    /// Earlier modules whose block it uses, and perhaps one more of their exports.
    pub imports: Vec<Import>,
    pub exports: Vec<Export>,
    /// The root of the package, which the others do not import.
    pub is_root: bool,
}

pub struct Import {
    pub module: usize,
    pub block: bool,
    pub export: Option<Export>,
}

/// `modules` modules of `lines` lines together; the last one is the root.
pub fn plan(lines: usize, modules: usize, seed: u64) -> Vec<Module> {
    let mut plan: Vec<Module> = Vec::with_capacity(modules);
    for index in 0..modules {
        let mut rng = Rng::stream(seed, index as u64);
        let count = 1 + rng.below(2);
        let mut exports: Vec<Export> = Vec::new();
        while exports.len() < count {
            let export = *rng.pick(&EXPORTS);
            if !exports.contains(&export) {
                exports.push(export);
            }
        }
        let imports = imports(&plan, &mut rng);
        plan.push(Module {
            index,
            lines: lines * (index + 1) / modules - lines * index / modules,
            imports,
            exports,
            is_root: index + 1 == modules,
        });
    }
    plan
}

/// One to four modules: half of the time close ones, else any.
fn imports(earlier: &[Module], rng: &mut Rng) -> Vec<Import> {
    let count = (1 + rng.below(4)).min(earlier.len());
    let mut imports: Vec<Import> = Vec::new();
    while imports.len() < count {
        let near = earlier.len().min(40);
        let module = if rng.below(2) == 0 {
            earlier.len() - 1 - rng.below(near)
        } else {
            rng.below(earlier.len())
        };
        if imports.iter().any(|import| import.module == module) {
            continue;
        }
        let export = *rng.pick(&earlier[module].exports);
        // The first import is always of a block, so that blocks hold blocks.
        let block = imports.is_empty() || rng.below(3) == 0;
        let export = (!block || rng.below(2) == 0).then_some(export);
        imports.push(Import {
            module,
            block,
            export,
        });
    }
    imports
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_acyclic_and_lines_add_up() {
        let plan = plan(10_007, 100, 1);
        assert_eq!(plan.iter().map(|m| m.lines).sum::<usize>(), 10_007);
        for module in &plan[1..] {
            assert!((1..=4).contains(&module.imports.len()));
            assert!(
                module
                    .imports
                    .iter()
                    .all(|import| import.module < module.index)
            );
        }
        assert!(plan[99].is_root);
    }
}
