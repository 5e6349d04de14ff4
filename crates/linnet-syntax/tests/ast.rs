//! The typed view, accessor by accessor, on one file that holds every construct.

use linnet_syntax::{
    ast::{self, AstNode, Expr, Index, Item, Member, Pattern, ShapeElem, Stmt, Type},
    parse,
};

const SOURCE: &str = r#"
/// The module.
module models.all

use std.nn::{Linear, linear as dense}
use crate.a::b
use std.random

/// A number.
pub const N: i64 = 4
type Row<*S: Shape, T: Float = f32> = Tensor[*S, 2 * N; T]
struct Pair<T: DType> {
    /// The first.
    a: T, b: (T, T)?
}
enum Pooling { Mean, First }

/** Doubles
 * its argument. */
op double<N: Dim>(x: Tensor[N; f32], by: f32 = 2.0) -> Tensor[N; f32] where N > 0, N % 2 == 0 {
    let (a, some(_)): f32 = x
    let c[i, *s] = sum<f32>[k] a[i, k, *s, ..., 0::2, :] * b
    var d: f32 = -1.5
    d = if a < b { c } else if d { e } else { f }
    static for i in 0..N { d = i }
    static for layer in layers { d = layer }
    while !d { d = 1 }
    for i in 1..3 { d = i }
    let e = for t in 0..4 { yield (t, [1, *s]) }
    return match p { some(v) => f.g<A, f32, [B]>(v, axis = 1), none => (true) }
} grad(y, dy) { return dy }

block Model<H: Dim> where H > 0 {
    /// A weight.
    param w: f32? = none
    buffer m: f32
    state s: f32
    sub layers: [nn.Linear<H, 2>; 3]
    pub fn f() -> f32 { return some(none) }
    entry run() { return }
}
"#;

fn text(node: impl AstNode) -> String {
    node.syntax().to_string()
}

fn function(file: &ast::SourceFile, name: &str) -> ast::Function {
    file.items()
        .find_map(|item| match item {
            Item::Function(it) if it.name().unwrap().text() == name => Some(it),
            _ => None,
        })
        .unwrap()
}

fn stmts() -> Vec<Stmt> {
    let parse = parse(SOURCE);
    assert_eq!(parse.errors(), []);
    function(&parse.tree(), "double")
        .body()
        .unwrap()
        .stmts()
        .collect()
}

#[test]
fn module_and_imports() {
    let file = parse(SOURCE).tree();
    let module = file.module_decl().unwrap();
    assert_eq!(module.path().unwrap().joined(), "models.all");
    assert_eq!(module.doc_comments().unwrap(), "The module.");
    let uses: Vec<_> = file.uses().collect();
    let names: Vec<_> = uses[0]
        .names()
        .map(|name| {
            (
                name.name().unwrap().to_string(),
                name.local_name().unwrap().to_string(),
            )
        })
        .collect();
    assert_eq!(
        names,
        [
            ("Linear".into(), "Linear".into()),
            ("linear".into(), "dense".into())
        ]
    );
    assert_eq!(uses[1].path().unwrap().joined(), "crate.a");
    assert_eq!(uses[1].names().next().unwrap().name().unwrap().text(), "b");
    assert!(uses[0].imports_items() && uses[1].imports_items() && !uses[2].imports_items());
}

#[test]
fn items() {
    let file = parse(SOURCE).tree();
    let items: Vec<_> = file.items().collect();
    let names: Vec<_> = items
        .iter()
        .map(|item| item.name().unwrap().to_string())
        .collect();
    assert_eq!(names, ["N", "Row", "Pair", "Pooling", "double", "Model"]);
    let Item::Const(constant) = &items[0] else {
        panic!()
    };
    assert!(constant.is_pub() && items[0].is_pub() && !items[1].is_pub());
    assert_eq!(constant.doc_comments().unwrap(), "A number.");
    assert_eq!(text(constant.ty().unwrap()), "i64");
    assert_eq!(text(constant.value().unwrap()), "4");

    let Item::TypeAlias(alias) = &items[1] else {
        panic!()
    };
    let generics: Vec<_> = alias.generic_params().collect();
    assert!(generics[0].star_token().is_some() && generics[1].star_token().is_none());
    assert_eq!(generics[0].kind_token().unwrap().text(), "Shape");
    assert_eq!(generics[1].name().unwrap().text(), "T");
    assert_eq!(text(generics[1].default().unwrap().ty().unwrap()), "f32");
    let Some(Type::Tensor(tensor)) = alias.ty() else {
        panic!()
    };
    let shape: Vec<_> = tensor.shape().collect();
    assert!(matches!(&shape[0], ShapeElem::Spread(it) if it.name().unwrap().text() == "S"));
    assert!(matches!(&shape[1], ShapeElem::Expr(Expr::Binary(_))));
    assert_eq!(text(tensor.dtype().unwrap()), "T");

    let Item::Struct(pair) = &items[2] else {
        panic!()
    };
    let fields: Vec<_> = pair.fields().collect();
    assert_eq!(fields[0].doc_comments().unwrap(), "The first.");
    assert_eq!(fields[1].name().unwrap().text(), "b");
    let Some(Type::Optional(optional)) = fields[1].ty() else {
        panic!()
    };
    assert!(matches!(optional.inner(), Some(Type::Tuple(it)) if it.types().count() == 2));

    let Item::Enum(pooling) = &items[3] else {
        panic!()
    };
    let variants: Vec<_> = pooling
        .variants()
        .map(|it| it.name().unwrap().to_string())
        .collect();
    assert_eq!(variants, ["Mean", "First"]);
}

#[test]
fn functions() {
    let double = function(&parse(SOURCE).tree(), "double");
    assert_eq!(double.function_kind(), ast::FunctionKind::Op);
    assert_eq!(double.keyword_token().unwrap().text(), "op");
    assert_eq!(double.doc_comments().unwrap(), "Doubles\nits argument.");
    let params: Vec<_> = double.params().collect();
    assert_eq!(params[1].name().unwrap().text(), "by");
    assert_eq!(text(params[1].value().unwrap()), "2.0");
    assert_eq!(text(double.result().unwrap()), "Tensor[N; f32]");
    let constraints: Vec<_> = double.constraints().collect();
    assert_eq!(constraints[1].op(), Some(ast::CompareOp::Eq));
    assert_eq!(text(constraints[1].lhs().unwrap()), "N % 2");
    assert_eq!(text(constraints[1].rhs().unwrap()), "0");
    let grad = double.grad_clause().unwrap();
    let names: Vec<_> = grad.names().map(|name| name.to_string()).collect();
    assert_eq!(names, ["y", "dy"]);
    assert_eq!(grad.body().unwrap().stmts().count(), 1);
}

#[test]
fn members() {
    let file = parse(SOURCE).tree();
    let Some(Item::Block(model)) = file.items().last() else {
        panic!()
    };
    assert_eq!(model.generic_params().count(), 1);
    assert_eq!(text(model.where_clause().unwrap()), "where H > 0");
    let members: Vec<_> = model.members().collect();
    let names: Vec<_> = members
        .iter()
        .map(|it| it.name().unwrap().to_string())
        .collect();
    assert_eq!(names, ["w", "m", "s", "layers", "f", "run"]);
    assert_eq!(members[0].doc_comments().unwrap(), "A weight.");
    let Member::Param(param) = &members[0] else {
        panic!()
    };
    assert!(matches!(param.ty(), Some(Type::Optional(_))));
    assert!(matches!(param.value(), Some(Expr::None(_))));
    assert!(matches!(&members[1], Member::Buffer(it) if it.ty().is_some()));
    assert!(matches!(&members[2], Member::State(it) if it.ty().is_some()));
    let Member::Sub(sub) = &members[3] else {
        panic!()
    };
    let Some(Type::Array(array)) = sub.ty() else {
        panic!()
    };
    assert_eq!(text(array.length().unwrap()), "3");
    let Some(Type::Path(element)) = array.element() else {
        panic!()
    };
    assert_eq!(element.path().unwrap().joined(), "nn.Linear");
    let args: Vec<_> = element.generic_args().collect();
    assert_eq!(args[0].as_path().unwrap()[0].text(), "H");
    assert!(args[1].as_path().is_none());
    assert!(matches!(&members[4], Member::Item(Item::Function(it)) if it.is_pub()));
}

#[test]
fn bindings_and_patterns() {
    let stmts = stmts();
    let Stmt::Let(bound) = &stmts[0] else {
        panic!()
    };
    let Some(Pattern::Tuple(tuple)) = bound.pattern() else {
        panic!()
    };
    assert!(tuple.has_comma());
    let patterns: Vec<_> = tuple.patterns().collect();
    assert!(matches!(&patterns[0], Pattern::Ident(it) if it.name().unwrap().text() == "a"));
    let Pattern::Some(some) = &patterns[1] else {
        panic!()
    };
    assert!(matches!(some.pattern(), Some(Pattern::Wildcard(_))));
    assert_eq!(text(bound.ty().unwrap()), "f32");
    assert_eq!(text(bound.value().unwrap()), "x");

    let Stmt::Var(var) = &stmts[2] else { panic!() };
    assert_eq!(var.name().unwrap().text(), "d");
    let Some(Expr::Unary(unary)) = var.value() else {
        panic!()
    };
    assert_eq!(unary.op(), Some(ast::UnaryOp::Neg));
    let Some(Expr::Literal(literal)) = unary.operand() else {
        panic!()
    };
    assert_eq!(literal.literal_kind(), Some(ast::LiteralKind::Float));
    assert_eq!(literal.float_value(), Some(1.5));
}

#[test]
fn index_notation() {
    let stmts = stmts();
    let Stmt::IndexLet(bound) = &stmts[1] else {
        panic!()
    };
    assert_eq!(bound.name().unwrap().text(), "c");
    let indices: Vec<_> = bound.indices().collect();
    assert!(indices[0].star_token().is_none() && indices[1].star_token().is_some());
    assert_eq!(indices[1].name().unwrap().text(), "s");
    let Some(Expr::Reduce(reduce)) = bound.value() else {
        panic!()
    };
    assert_eq!(reduce.reducer(), Some(ast::Reducer::Sum));
    assert_eq!(text(reduce.dtype().unwrap()), "f32");
    assert_eq!(reduce.indices().next().unwrap().name().unwrap().text(), "k");
    let Some(Expr::Binary(product)) = reduce.body() else {
        panic!()
    };
    assert_eq!(product.op(), Some(ast::BinaryOp::Mul));
    assert_eq!(text(product.rhs().unwrap()), "b");
    let Some(Expr::Index(access)) = product.lhs() else {
        panic!()
    };
    assert_eq!(text(access.base().unwrap()), "a");
    let indices: Vec<_> = access.indices().collect();
    assert!(matches!(&indices[0], Index::Expr(Expr::Name(_))));
    assert!(matches!(&indices[2], Index::Spread(it) if it.name().unwrap().text() == "s"));
    assert!(matches!(&indices[3], Index::Rest(_)));
    let Index::Slice(slice) = &indices[4] else {
        panic!()
    };
    assert_eq!(text(slice.start().unwrap()), "0");
    assert!(slice.end().is_none());
    assert_eq!(text(slice.step().unwrap()), "2");
    assert_eq!(slice.colons().count(), 2);
    let Index::Slice(all) = &indices[5] else {
        panic!()
    };
    assert!(all.start().is_none() && all.end().is_none() && all.step().is_none());
}

#[test]
fn control_flow() {
    let stmts = stmts();
    let Stmt::Assign(assign) = &stmts[3] else {
        panic!()
    };
    assert_eq!(assign.name().unwrap().text(), "d");
    let Some(Expr::If(first)) = assign.value() else {
        panic!()
    };
    assert_eq!(text(first.condition().unwrap()), "a < b");
    assert_eq!(text(first.then_branch().unwrap()), "c");
    let Some(Expr::If(second)) = first.else_branch() else {
        panic!()
    };
    assert_eq!(text(second.condition().unwrap()), "d");
    assert_eq!(text(second.else_branch().unwrap()), "f");

    let Stmt::StaticFor(range) = &stmts[4] else {
        panic!()
    };
    assert!(range.range_token().is_some());
    assert_eq!(range.name().unwrap().text(), "i");
    assert_eq!(text(range.start().unwrap()), "0");
    assert_eq!(text(range.end().unwrap()), "N");
    let Stmt::StaticFor(array) = &stmts[5] else {
        panic!()
    };
    assert!(array.range_token().is_none() && array.end().is_none());
    assert_eq!(text(array.start().unwrap()), "layers");
    let Stmt::While(while_) = &stmts[6] else {
        panic!()
    };
    assert_eq!(text(while_.condition().unwrap()), "!d");
    assert_eq!(while_.body().unwrap().stmts().count(), 1);
    let Stmt::For(for_) = &stmts[7] else { panic!() };
    assert_eq!(text(for_.end().unwrap()), "3");
    let Stmt::Let(bound) = &stmts[8] else {
        panic!()
    };
    let Some(Expr::Scan(scan)) = bound.value() else {
        panic!()
    };
    assert_eq!(scan.name().unwrap().text(), "t");
    assert_eq!(text(scan.start().unwrap()), "0");
    let Some(Stmt::Yield(yielded)) = scan.body().unwrap().stmts().next() else {
        panic!()
    };
    let Some(Expr::Tuple(tuple)) = yielded.value() else {
        panic!()
    };
    let Some(Expr::List(list)) = tuple.elements().nth(1) else {
        panic!()
    };
    assert!(matches!(list.elements().nth(1), Some(ShapeElem::Spread(_))));
}

#[test]
fn matches_and_calls() {
    let stmts = stmts();
    let Stmt::Return(returned) = &stmts[9] else {
        panic!()
    };
    let Some(Expr::Match(matched)) = returned.value() else {
        panic!()
    };
    assert_eq!(text(matched.scrutinee().unwrap()), "p");
    let arms: Vec<_> = matched.arms().collect();
    assert!(matches!(arms[0].pattern(), Some(Pattern::Some(_))));
    assert!(matches!(arms[1].pattern(), Some(Pattern::None(_))));
    let truth = arms[1].value().unwrap().without_parens();
    assert!(matches!(truth, Some(Expr::Literal(it)) if it.bool_value() == Some(true)));
    let Some(Expr::Call(call)) = arms[0].value() else {
        panic!()
    };
    let callee = call.callee().unwrap();
    let path: Vec<_> = callee
        .as_path()
        .unwrap()
        .iter()
        .map(|name| name.to_string())
        .collect();
    assert_eq!(path, ["f", "g"]);
    assert!(matches!(callee, Expr::Field(it) if it.name().unwrap().text() == "g"));
    let generics: Vec<_> = call.generic_args().collect();
    assert!(matches!(generics[0].expr(), Some(Expr::Name(_))));
    assert!(generics[1].ty().is_some());
    assert!(matches!(generics[2].expr(), Some(Expr::List(_))));
    let args: Vec<_> = call.args().collect();
    assert!(args[0].name().is_none());
    assert_eq!(args[1].name().unwrap().text(), "axis");
    assert_eq!(text(args[1].value().unwrap()), "1");
}

/// Parts that are missing are absent; those after them are still found in their place.
#[test]
fn incomplete_constructs() {
    let value = |source: &str| {
        let parse = parse(&format!("module m\nconst A = {source}\n"));
        match parse.tree().items().next() {
            Some(Item::Const(constant)) => constant.value(),
            _ => None,
        }
    };
    let Some(Expr::Binary(sum)) = value("a +") else {
        panic!()
    };
    assert!(sum.lhs().is_some() && sum.rhs().is_none());
    let Some(Expr::If(no_condition)) = value("if { a } else { b }") else {
        panic!()
    };
    assert!(no_condition.condition().is_none());
    assert_eq!(text(no_condition.then_branch().unwrap()), "a");
    assert_eq!(text(no_condition.else_branch().unwrap()), "b");
    let Some(Expr::If(elif)) = value("if a { b } elif c { d } else { e }") else {
        panic!()
    };
    assert!(matches!(elif.else_branch(), Some(Expr::If(it)) if it.else_branch().is_some()));
    let Some(Expr::Field(field)) = value("a.") else {
        panic!()
    };
    assert!(field.base().is_some() && field.name().is_none());

    let file = parse("module m\nfn f<*: Shape>(x, : f32)\n").tree();
    let f = function(&file, "f");
    let generic = f.generic_params().next().unwrap();
    assert!(generic.name().is_none());
    assert_eq!(generic.kind_token().unwrap().text(), "Shape");
    assert!(f.params().next().unwrap().ty().is_none());
    assert!(f.body().is_none() && f.result().is_none());
}

#[test]
fn integers() {
    let value = |source: &str| {
        let parse = parse(&format!("module m\nconst A = {source}\n"));
        let Some(Item::Const(constant)) = parse.tree().items().next() else {
            panic!()
        };
        let Some(Expr::Literal(literal)) = constant.value() else {
            panic!()
        };
        literal.int_value()
    };
    assert_eq!(value("1_000"), Some(1000));
    assert_eq!(value("0xff"), Some(255));
    assert_eq!(value("0b1010"), Some(10));
    assert_eq!(value("9223372036854775807"), Some(i64::MAX as u64));
    assert_eq!(value("99999999999999999999"), None);
    assert_eq!(value("12ab"), None);
}
