//! Terms as a person would write them.

use std::cmp::Reverse;
use std::fmt::{self, Display, Formatter};

use super::{Atom, Dim, Op, OpKind, Sym};

/// Where a piece of text stands, from the loosest to the tightest place.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// Anywhere: nothing needs parentheses.
    Free,
    /// A summand: sums need them.
    Summand,
    /// Left of `/` or `%`: divisions need them too, products do not.
    Dividend,
    /// A factor or a divisor: everything that holds an operator needs them.
    Factor,
}

type Names<'a> = &'a dyn Fn(Sym) -> String;

struct Shown<'a>(&'a Dim, Names<'a>);

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text(self.1, Place::Free))
    }
}

impl fmt::Debug for Dim {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(&|s| format!("s{}", s.0), Place::Free))
    }
}

impl Dim {
    /// The term as source text, symbols written by `names`.
    pub fn display<'a>(&'a self, names: &'a dyn Fn(Sym) -> String) -> impl Display + 'a {
        Shown(self, names)
    }

    fn text(&self, names: Names<'_>, place: Place) -> String {
        let terms = self.terms();
        let mut parts: Vec<(&[Atom], i128)> = terms.iter().map(|(m, c)| (&**m, *c)).collect();
        // long products first, and no minus in front where a plus can stand there
        parts.sort_by_key(|(m, c)| (*c < 0, Reverse(m.len())));
        let constant = self.constant();
        if constant != 0 || parts.is_empty() {
            let first = constant > 0 && parts.iter().all(|p| p.1 < 0);
            parts.insert(if first { 0 } else { parts.len() }, (&[], constant));
        }
        if let [(mono, coef)] = parts[..]
            && coef >= 0
        {
            return product(mono, coef.unsigned_abs(), names, place);
        }
        let mut out = String::new();
        for (i, (mono, coef)) in parts.into_iter().enumerate() {
            out.push_str(match (i, coef < 0) {
                (0, true) => "-",
                (0, false) => "",
                (_, true) => " - ",
                (_, false) => " + ",
            });
            // `-A / 2` would be the half of `-A`
            let leading = i == 0 && coef == -1 && mono.len() == 1;
            let place = if leading {
                Place::Factor
            } else {
                Place::Summand
            };
            out.push_str(&product(mono, coef.unsigned_abs(), names, place));
        }
        wrap(out, place > Place::Free)
    }
}

fn product(mono: &[Atom], coef: u128, names: Names<'_>, place: Place) -> String {
    match (mono, coef) {
        ([], _) => coef.to_string(),
        ([Atom::Sym(s)], 1) => names(*s),
        ([Atom::Op(op)], 1) => op.text(names, place),
        _ => {
            let number = (coef != 1).then(|| coef.to_string());
            let factors = mono
                .iter()
                .map(|a| product(std::slice::from_ref(a), 1, names, Place::Factor));
            let text = number
                .into_iter()
                .chain(factors)
                .collect::<Vec<_>>()
                .join(" * ");
            wrap(text, place > Place::Dividend)
        }
    }
}

impl Op {
    fn text(&self, names: Names<'_>, place: Place) -> String {
        let infix = |sign: &str, left: Place, right: Place| {
            let (l, r) = (
                self.args[0].text(names, left),
                self.args[1].text(names, right),
            );
            format!("{l} {sign} {r}")
        };
        let calls = |name: &str| {
            // the language's own functions take two arguments
            let mut args = self.args.iter().rev().map(|a| a.text(names, Place::Free));
            let last = args.next().unwrap_or_default();
            args.fold(last, |rest, arg| format!("{name}({arg}, {rest})"))
        };
        match self.kind {
            OpKind::Div => wrap(
                infix("/", Place::Dividend, Place::Factor),
                place > Place::Summand,
            ),
            OpKind::Rem => wrap(
                infix("%", Place::Dividend, Place::Factor),
                place > Place::Summand,
            ),
            OpKind::Add => wrap(infix("+", Place::Free, Place::Free), place > Place::Free),
            OpKind::Mul => wrap(
                infix("*", Place::Factor, Place::Factor),
                place > Place::Dividend,
            ),
            OpKind::Min => calls("min"),
            OpKind::Max => calls("max"),
            OpKind::Opaque(_) => "(a term too large to show)".to_owned(),
        }
    }
}

fn wrap(text: String, parens: bool) -> String {
    if parens { format!("({text})") } else { text }
}
