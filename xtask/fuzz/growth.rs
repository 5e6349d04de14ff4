//! Texts that grow, and the time they take: twice the text must not take four times as long.

use std::path::Path;
use std::time::{Duration, Instant};

use linnet_hir::check::diagnostics;
use linnet_hir::db::{Db, RootDatabase};

use crate::worker::{State, guarded};

/// From which to which size a text grows.
const GROWTH: usize = 4;

/// Four times the text may take this many times as long; a quadratic one takes sixteen times.
const MOST: f64 = 10.0;

/// Shorter times say nothing.
const LEAST: Duration = Duration::from_millis(60);

/// How often the smaller and the larger text are timed; the best counts.
const TRIES: usize = 3;

/// A text of a given size.
struct Shape {
    name: &'static str,
    /// The size that is small.
    size: usize,
    text: fn(usize) -> String,
}

/// A body around `n` repetitions.
fn body(n: usize, line: impl Fn(usize) -> String) -> String {
    let lines: String = (0..n).map(line).collect();
    format!("module a\n\nfn f(x: f32, y: i64, c: bool) -> f32 {{\n{lines}    return x\n}}\n")
}

/// An expression in a body.
fn expression(text: String) -> String {
    format!("module a\n\nfn f(x: f32, y: i64, c: bool) -> f32 {{\n    return {text}\n}}\n")
}

fn items(n: usize, item: impl Fn(usize) -> String) -> String {
    let items: String = (0..n).map(item).collect();
    format!("module a\n\n{items}")
}

fn joined(n: usize, separator: &str, part: impl Fn(usize) -> String) -> String {
    (0..n).map(part).collect::<Vec<_>>().join(separator)
}

const fn shape(name: &'static str, size: usize, text: fn(usize) -> String) -> Shape {
    Shape { name, size, text }
}

static SHAPES: &[Shape] = &[
    // Depth.
    shape("parentheses", 30_000, |n| {
        expression(format!("{}x{}", "(".repeat(n), ")".repeat(n)))
    }),
    shape("open parentheses", 30_000, |n| expression("(".repeat(n))),
    shape("open brackets", 30_000, |n| expression("[".repeat(n))),
    shape("open braces", 30_000, |n| expression("if c {".repeat(n))),
    shape("block comments", 30_000, |n| {
        format!("module a\n{}{}\n", "/* ".repeat(n), "*/ ".repeat(n))
    }),
    shape("open comments", 30_000, |n| {
        format!("module a\n{}", "/* ".repeat(n))
    }),
    shape("signs", 30_000, |n| {
        expression(format!("{}x", "- ".repeat(n)))
    }),
    shape("sums", 20_000, |n| {
        expression(joined(n, " + ", |_| "x".into()))
    }),
    shape("products of sums", 5_000, |n| {
        expression(joined(n, " * ", |_| "(x + 1.0)".into()))
    }),
    shape("calls in calls", 10_000, |n| {
        expression(format!("{}x{}", "exp(".repeat(n), ")".repeat(n)))
    }),
    shape("fields", 20_000, |n| {
        expression(format!("x{}", ".a".repeat(n)))
    }),
    shape("indices in indices", 10_000, |n| {
        expression(format!("{}x{}", "x[".repeat(n), "]".repeat(n)))
    }),
    shape("conditions in conditions", 5_000, |n| {
        expression(format!(
            "{}x{}",
            "if c { x } else { ".repeat(n),
            " }".repeat(n)
        ))
    }),
    shape("chains of conditions", 5_000, |n| {
        expression(format!("{}{{ x }}", "if c { x } else ".repeat(n)))
    }),
    shape("matches in matches", 5_000, |n| {
        expression(format!(
            "{}x{}",
            "match x { _ => ".repeat(n),
            " }".repeat(n)
        ))
    }),
    shape("types in types", 10_000, |n| {
        items(1, |_| {
            format!("type T = {}f32{}\n", "A<".repeat(n), ">".repeat(n))
        })
    }),
    shape("less-than signs", 10_000, |n| {
        expression(joined(n, " < ", |_| "x".into()))
    }),
    shape("generic calls in generic calls", 3_000, |n| {
        expression(format!("{}x{}", "f<".repeat(n), ">(x)".repeat(n)))
    }),
    shape("reductions", 3_000, |n| {
        expression(format!("{}x", "sum[i] ".repeat(n)))
    }),
    shape("loops in loops", 3_000, |n| {
        body(1, |_| format!("{}{}", "while c {".repeat(n), "}".repeat(n)))
    }),
    shape("scans in scans", 1_000, |n| {
        body(1, |_| {
            format!(
                "let s = {}{}",
                "for i in 0..2 { let s = ".repeat(n),
                " yield s }".repeat(n)
            )
        })
    }),
    shape("question marks", 20_000, |n| {
        items(1, |_| format!("type T = f32{}\n", "?".repeat(n)))
    }),
    // Length.
    shape("functions", 3_000, |n| {
        items(n, |i| {
            format!("fn f{i}(x: f32) -> f32 {{\n    return x * 2.0\n}}\n")
        })
    }),
    shape("functions that call the one before", 1_500, |n| {
        items(n, |i| {
            let call = if i == 0 {
                "x".to_owned()
            } else {
                format!("f{}(x)", i - 1)
            };
            format!("fn f{i}(x: f32) -> f32 {{\n    return {call}\n}}\n")
        })
    }),
    shape("functions in a circle", 1_500, |n| {
        items(n, |i| {
            format!("fn f{i}(x: f32) -> f32 {{ return f{}(x) }}\n", (i + 1) % n)
        })
    }),
    shape("functions of one name", 2_000, |n| {
        items(n, |_| "fn f(x: f32) -> f32 {\n    return x\n}\n".into())
    }),
    shape("constants from constants", 1_500, |n| {
        items(n, |i| {
            let value = if i == 0 {
                "1".to_owned()
            } else {
                format!("C{} + 1", i - 1)
            };
            format!("const C{i} = {value}\n")
        })
    }),
    shape("constants in a circle", 1_500, |n| {
        items(n, |i| format!("const C{i} = C{} + 1\n", (i + 1) % n))
    }),
    shape("aliases of aliases", 1_500, |n| {
        items(n, |i| {
            let of = if i == 0 {
                "f32".to_owned()
            } else {
                format!("A{}", i - 1)
            };
            format!("type A{i} = {of}\n")
        })
    }),
    shape("blocks in blocks", 1_000, |n| {
        items(n, |i| {
            let sub = if i == 0 {
                "param w: f32".to_owned()
            } else {
                format!("sub b: B{}", i - 1)
            };
            format!("pub block B{i} {{\n    {sub}\n}}\n")
        })
    }),
    shape("blocks with two blocks", 1_000, |n| {
        items(n, |i| {
            let below = i.saturating_sub(1);
            let subs = if i == 0 {
                "param w: f32".to_owned()
            } else {
                format!("sub a: B{below}\n    sub b: B{below}")
            };
            format!("pub block B{i} {{\n    {subs}\n}}\n")
        })
    }),
    shape("imports", 2_000, |n| {
        items(n, |_| "use std.nn.linear::linear\n".into())
    }),
    shape("imports of what is missing", 2_000, |n| {
        items(n, |i| format!("use std.none{i}::x\n"))
    }),
    shape("fields of a struct", 5_000, |n| {
        items(1, |_| {
            format!(
                "struct S {{\n{}}}\n",
                joined(n, "", |i| format!("    f{i}: f32,\n"))
            )
        })
    }),
    shape("variants", 5_000, |n| {
        items(1, |_| {
            format!("enum E {{ {} }}\n", joined(n, ", ", |i| format!("V{i}")))
        })
    }),
    shape("arms", 2_000, |n| {
        format!(
            "module a\n\nenum E {{ {} }}\n\nfn f(e: E) -> i64 {{\n    return match e {{\n{}    }}\n}}\n",
            joined(n, ", ", |i| format!("V{i}")),
            joined(n, "", |i| format!("        V{i} => {i},\n"))
        )
    }),
    shape("members", 3_000, |n| {
        items(1, |_| {
            format!(
                "pub block B {{\n{}}}\n",
                joined(n, "", |i| format!("    param p{i}: f32\n"))
            )
        })
    }),
    shape("items of a block", 1_500, |n| {
        items(1, |_| {
            let functions = joined(n, "", |i| {
                format!("    pub fn f{i}(x: f32) -> f32 {{\n        return x\n    }}\n")
            });
            format!("pub block B {{\n{functions}}}\n")
        })
    }),
    shape("parameters", 2_000, |n| {
        items(1, |_| {
            format!(
                "fn f({}) -> f32 {{\n    return x0\n}}\n",
                joined(n, ", ", |i| format!("x{i}: f32"))
            )
        })
    }),
    shape("arguments", 2_000, |n| {
        format!(
            "module a\n\nfn f({}) -> f32 {{\n    return x0\n}}\n\nfn g(x: f32) -> f32 {{\n    return f({})\n}}\n",
            joined(n, ", ", |i| format!("x{i}: f32")),
            joined(n, ", ", |i| format!("x{i} = x"))
        )
    }),
    shape("generics", 300, |n| {
        items(1, |_| {
            let generics = joined(n, ", ", |i| format!("N{i}: Dim"));
            let parameters = joined(n, ", ", |i| format!("x{i}: Tensor[N{i}; f32]"));
            format!("fn f<{generics}>({parameters}) -> Tensor[N0; f32] {{\n    return x0\n}}\n")
        })
    }),
    shape("dimensions of a tensor", 500, |n| {
        let sizes = joined(n, ", ", |i| format!("{}", 1 + i % 3));
        items(1, |_| {
            format!(
                "fn f(x: Tensor[{sizes}; f32]) -> Tensor[{sizes}; f32] {{\n    return x + x\n}}\n"
            )
        })
    }),
    shape("statements", 5_000, |n| {
        body(n, |i| format!("    let a{i} = x * 2.0\n"))
    }),
    shape("statements that use the one before", 5_000, |n| {
        body(n, |i| {
            let last = if i == 0 {
                "x".to_owned()
            } else {
                format!("a{}", i - 1)
            };
            format!("    let a{i} = {last} * 2.0\n")
        })
    }),
    shape("one name again and again", 3_000, |n| {
        body(n, |_| "    let a = x * 2.0\n".into())
    }),
    shape("assignments", 3_000, |n| {
        body(n, |i| {
            if i == 0 {
                "    var a = x\n".into()
            } else {
                "    a = a * x\n".into()
            }
        })
    }),
    shape("undeclared names", 2_000, |n| {
        body(n, |i| format!("    let a{i} = nowhere{i}\n"))
    }),
    shape("wrong types", 2_000, |n| {
        body(n, |i| format!("    let a{i} = x + y\n"))
    }),
    shape("arguments of concat", 500, |n| {
        let parts = joined(n, ", ", |_| "x".into());
        items(1, |_| {
            format!(
                "fn f(x: Tensor[2; f32]) -> Tensor[{}; f32] {{\n    return concat({parts}, axis = 0)\n}}\n",
                2 * n
            )
        })
    }),
    shape("a long name", 200_000, |n| expression("x".repeat(n))),
    shape("a long number", 200_000, |n| expression("1".repeat(n))),
    shape("a long string", 200_000, |n| {
        expression(format!("\"{}\"", "\\n".repeat(n)))
    }),
    shape("line comments", 30_000, |n| {
        format!("module a\n{}", "// why\n".repeat(n))
    }),
    shape("documentation", 10_000, |n| {
        items(1, |_| format!("{}const C = 1\n", "/// why\n".repeat(n)))
    }),
    shape("empty lines", 200_000, |n| {
        format!("module a\n{}const C = 1\n", "\n".repeat(n))
    }),
    shape("one long line", 5_000, |n| {
        body(n, |_| "let a = x * 2.0 ".into())
    }),
    // Faults.
    shape("odd characters", 20_000, |n| "@".repeat(n)),
    shape("closing braces", 20_000, |n| {
        format!("module a\n{}", "}".repeat(n))
    }),
    shape("keywords", 10_000, |n| {
        format!("module a\n{}", "fn ".repeat(n))
    }),
    shape("half a statement", 5_000, |n| {
        body(n, |_| "    let\n".into())
    }),
    shape("open strings", 10_000, |n| {
        body(n, |_| "    let a = \"x\n".into())
    }),
    shape("module lines", 10_000, |n| "module a\n".repeat(n)),
    // Proofs: these may be bounded rather than linear, and start small.
    shape("a chain of equal dimensions", 40, |n| {
        proof(n, |i| format!("N{i} == N{}", i + 1))
    }),
    shape("a chain of divisors", 40, |n| {
        proof(n, |i| format!("N{} > 0, N{i} % N{} == 0", i + 1, i + 1))
    }),
    shape("a chain of bounds", 40, |n| {
        proof(n, |i| format!("N{i} <= N{}", i + 1))
    }),
    shape("a sum of dimensions", 100, |n| {
        dimension(&joined(n, " + ", |i| format!("N{}", i % 7)))
    }),
    shape("a product of dimensions", 50, |n| {
        dimension(&joined(n, " * ", |i| format!("N{}", i % 7)))
    }),
    shape("a product of sums of dimensions", 6, |n| {
        dimension(&joined(n, " * ", |i| {
            format!("(N{} + N{})", i % 7, (i + 1) % 7)
        }))
    }),
    shape("minima of dimensions", 20, |n| {
        dimension(&format!("{}N0{}", "min(N1 + ".repeat(n), ", N2)".repeat(n)))
    }),
    shape("quotients of dimensions", 20, |n| {
        dimension(&format!("N0{}", " / 2 + N1".repeat(n)))
    }),
    shape("slices", 300, |n| {
        let slices = joined(n, "", |i| format!("    let s{i} = x[{i}:N]\n"));
        format!(
            "module a\n\nfn f<N: Dim>(x: Tensor[N; f32]) -> f32 where N > {n} {{\n{slices}    return x[0]\n}}\n"
        )
    }),
    shape("calls with conditions", 300, |n| {
        let calls = joined(n, "", |i| format!("    let s{i} = half(x)\n"));
        format!(
            "module a\n\nfn half<N: Dim>(x: Tensor[N; f32]) -> Tensor[N / 2; f32] where N % 2 == 0 {{\n    return x[0::2]\n}}\n\nfn f<N: Dim>(x: Tensor[N; f32]) -> f32 where N % 4 == 0, N > 0 {{\n{calls}    return x[0]\n}}\n"
        )
    }),
];

/// A function with a `where` list of `n` constraints over a row of dimensions.
fn proof(n: usize, constraint: impl Fn(usize) -> String) -> String {
    let generics = joined(n + 1, ", ", |i| format!("N{i}: Dim"));
    let constraints = joined(n, ", ", constraint);
    format!(
        "module a\n\nfn f<{generics}>(x: Tensor[N0; f32], y: Tensor[N{n}; f32]) -> Tensor[N0; f32] where {constraints} {{\n    return x + y\n}}\n"
    )
}

/// A function whose tensor has a dimension that is long to write.
fn dimension(text: &str) -> String {
    let generics = joined(7, ", ", |i| format!("N{i}: Dim"));
    format!(
        "module a\n\nfn f<{generics}>(x: Tensor[{text}; f32], y: Tensor[{text}; f32]) -> Tensor[{text}; f32] {{\n    return x + y\n}}\n"
    )
}

/// What is timed.
type Step = (&'static str, fn(&str));

const STEPS: [Step; 3] = [
    ("parse", |text| {
        drop(std::hint::black_box(linnet_syntax::parse(text)))
    }),
    ("format", |text| {
        drop(std::hint::black_box(linnet_fmt::format(text)))
    }),
    ("check", |text| {
        let mut db = RootDatabase::in_memory();
        let path = Path::new("/a.linnet");
        db.set_file_text(path, Some(text.to_owned()));
        std::hint::black_box(diagnostics(&db, db.file(path)));
    }),
];

/// Times all shapes; whether none grows too fast.
pub fn run(state: &mut State) -> Result<bool, String> {
    let (mut runs, mut clean) = (0u64, true);
    for shape in SHAPES {
        let small = (shape.text)(shape.size);
        let large = (shape.text)(shape.size * GROWTH);
        for (step, timed) in STEPS {
            runs += 1;
            state.set(runs, large.as_bytes());
            let outcome = guarded(|| Ok((best(timed, &small), best(timed, &large))));
            match outcome {
                Ok((short, long)) => {
                    let factor = long.as_secs_f64() / short.as_secs_f64().max(1e-9);
                    if long > LEAST && factor > MOST {
                        clean = false;
                        println!(
                            "growth: {step} of {} `{}`: {short:.2?}, and {long:.2?} for {GROWTH} times as many",
                            shape.size, shape.name
                        );
                    }
                }
                Err(fault) => {
                    clean = false;
                    println!("growth: {step} of `{}`: {fault}", shape.name);
                }
            }
        }
    }
    println!("# {runs} runs");
    Ok(clean)
}

/// The best time of some tries; one where it takes long.
fn best(timed: fn(&str), text: &str) -> Duration {
    let mut best = Duration::MAX;
    for _ in 0..TRIES {
        let start = Instant::now();
        timed(text);
        best = best.min(start.elapsed());
        if best > Duration::from_secs(1) {
            break;
        }
    }
    best
}
