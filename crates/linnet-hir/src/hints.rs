//! What somebody who comes from Python and PyTorch likely meant, and how it is written here.

use crate::db::Db;
use crate::scope::module_items;

/// How a tensor's attribute or method of other libraries is written here.
pub(crate) fn tensor_attribute(name: &str) -> Option<&'static str> {
    Some(match name {
        "view" | "reshape" | "flatten" | "unsqueeze" | "squeeze" => {
            "shapes change by a function: `reshape(x, [..])`"
        }
        "shape" | "size" | "ndim" | "dim" => {
            "a shape is part of the type: use the names of its dimensions, such as `N` in `Tensor[N; f32]`"
        }
        "T" | "mT" | "t" | "transpose" | "permute" | "swapaxes" => {
            "axes are reordered by a function: `permute(x, [1, 0])`"
        }
        "sum" | "prod" | "max" | "min" | "any" | "all" => {
            "reductions are index notation: `let y[i] = sum[j] x[i, j]`"
        }
        "mean" => "a mean is a sum and a division: `let y[i] = sum[j] x[i, j] / cast<f32>(N)`",
        "to" | "float" | "half" | "bfloat16" | "type" | "astype" | "int" | "long" => {
            "dtypes change by a function: `cast<f32>(x)`"
        }
        "matmul" | "mm" | "bmm" | "dot" => {
            "matrix products are in `std.linalg`, or index notation: `let c[m, n] = sum[k] a[m, k] * b[k, n]`"
        }
        "expand" | "broadcast_to" | "repeat" => "`broadcast_to(x, [..])` repeats axes",
        "exp" | "log" | "sqrt" | "rsqrt" | "sin" | "cos" | "tanh" | "abs" | "cumsum" => {
            "it is a function: call it with the tensor as its argument"
        }
        "item" => "a tensor of rank 0 is its scalar",
        "dtype" => "a dtype is part of the type; name it by a generic, such as `T: Float`",
        _ => return None,
    })
}

/// How a name of Python or PyTorch is written here.
pub(crate) fn foreign_name(name: &str) -> Option<&'static str> {
    Some(match name {
        "True" => "write `true`",
        "False" => "write `false`",
        "None" => "write `none`",
        "int" => "integers are `i32`, `i64` and the like",
        "float" => "floats are `f32`, `f64`, `f16` and `bf16`",
        "range" => "a range is written `a..b`",
        "len" => "a length is a dimension: use its name, such as `N` in `Tensor[N; f32]`",
        "torch" | "np" | "numpy" | "jnp" | "jax" | "nn" | "F" => {
            "the standard library is imported by module: `use std.nn.linear::{Linear}`"
        }
        "arange" => "write `iota(N)`",
        "zeros" | "ones" | "full" => "write `fill<f32>([..], 0.0)`",
        "where" => "write `select(cond, a, b)`",
        "cat" | "stack" | "concatenate" => "write `concat(a, b, axis = 0)`",
        "einsum" => "write index notation: `let c[m, n] = sum[k] a[m, k] * b[k, n]`",
        "pow" => "write the product, or `exp(y * log(x))`",
        "mean" => "a mean is a sum and a division: `sum[i] x[i] / cast<f32>(N)`",
        "print" | "lambda" | "class" | "def" | "import" => "this is no part of the language",
        "transpose" | "swapaxes" => "write `permute(x, [1, 0])`, or import `std.linalg::transpose`",
        "squeeze" | "unsqueeze" | "view" | "flatten" => "write `reshape(x, [..])`",
        _ => return None,
    })
}

/// The module of the standard library that exports a name. Only asked after a fault: it reads the whole library.
pub(crate) fn std_module_of(db: &dyn Db, name: &str) -> Option<String> {
    db.std_modules()
        .iter()
        .find(|module| {
            db.std_file(module)
                .and_then(|file| module_items(db, file).get(name).map(|item| item.is_pub))
                .unwrap_or(false)
        })
        .cloned()
}
