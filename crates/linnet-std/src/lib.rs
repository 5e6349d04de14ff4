//! The standard library's sources, written in Linnet and embedded in the binary.
//!
//! `std/` holds one file for each module: `std.nn.linear` is `std/nn/linear.linnet`. This crate only
//! carries their text; it knows nothing of the language. [`source`] answers for one module,
//! [`modules`] and [`sources`] list them all, sorted by module path. A test keeps the table equal to
//! the folder.

/// Declares the table from module paths and the files below `std/` that hold them.
macro_rules! table {
    ($($module:literal: $file:literal,)*) => {
        /// Module path, file relative to the library's root, and text; sorted by module path.
        static SOURCES: &[(&str, &str, &str)] = &[
            $(($module, $file, include_str!(concat!("../std/", $file))),)*
        ];
    };
}

table! {
    "std.linalg": "linalg.linnet",
    "std.nn.activations": "nn/activations.linnet",
    "std.nn.attention": "nn/attention.linnet",
    "std.nn.cache": "nn/cache.linnet",
    "std.nn.conv": "nn/conv.linnet",
    "std.nn.decoding": "nn/decoding.linnet",
    "std.nn.embedding": "nn/embedding.linnet",
    "std.nn.linear": "nn/linear.linnet",
    "std.nn.loss": "nn/loss.linnet",
    "std.nn.mlp": "nn/mlp.linnet",
    "std.nn.moe": "nn/moe.linnet",
    "std.nn.norm": "nn/norm.linnet",
    "std.nn.parallel": "nn/parallel.linnet",
    "std.nn.pool": "nn/pool.linnet",
    "std.nn.resize": "nn/resize.linnet",
    "std.nn.rope": "nn/rope.linnet",
    "std.nn.softmax": "nn/softmax.linnet",
    "std.quant": "quant.linnet",
    "std.random": "random.linnet",
}

/// Every module as (module path, file relative to the library's root, text), sorted by path.
pub fn sources() -> &'static [(&'static str, &'static str, &'static str)] {
    SOURCES
}

/// The paths of all modules, such as `std.nn.linear`, sorted.
pub fn modules() -> impl Iterator<Item = &'static str> {
    SOURCES.iter().map(|&(module, ..)| module)
}

/// The text of a module named by its full path, or `None` where the library has no such module.
pub fn source(module: &str) -> Option<&'static str> {
    let index = SOURCES
        .binary_search_by_key(&module, |&(name, ..)| name)
        .ok()?;
    Some(SOURCES[index].2)
}
