//! Random facts and goals: some of anything, some that are true or nearly so.

use linnet_dim::Rel;

use super::notation::{Claim, Op, Reader, Term};
use super::oracle::Case;

/// Laws of arithmetic, some of them only under conditions or nearly true; `A`, `B` and `N` stand for
/// any terms, `K` and `L` for numbers.
const LAWS: [(&str, &str); 24] = [
    ("A / N * N", "A"),
    ("B * A % N", "0"),
    ("B * A / N", "B * (A / N)"),
    ("(A + B * N) / N", "A / N + B"),
    ("A / N / B", "A / (N * B)"),
    ("min(A, B) + max(A, B)", "A + B"),
    ("min(A, min(B, N))", "min(min(N, B), A)"),
    ("(A + N - 1) / N * N", "A"),
    ("A % N", "N"),
    ("A / N + B / N", "(A + B) / N"),
    ("N * (A / N) + A % N", "A"),
    ("(A + B) * N", "A * N + B * N"),
    ("max(A, min(A, B))", "A"),
    ("A % (N * B) % N", "A % N"),
    ("A * N", "B * N"),
    ("A * N / (B * N)", "A / B"),
    ("(A / K + L) / N", "(A + K * L) / (K * N)"),
    ("(A / K + B) / L", "(A + K * B) / (K * L)"),
    ("(A % K + B) % L", "(A + B) % L"),
    ("A % K % L", "A % L"),
    ("(K * A + L) / K", "A + L / K"),
    ("(K * A + L * B) / K", "A + L * B / K"),
    ("K * A % L", "K * (A % L)"),
    ("A - A / K", "A / K"),
];

/// A generator of cases; the same seed gives the same cases on every machine.
pub struct Generator {
    state: u64,
    syms: u32,
}

impl Generator {
    pub fn new(seed: u64) -> Generator {
        let state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66_D1CE_5EED;
        Generator {
            state: state | 1,
            syms: 3,
        }
    }

    fn below(&mut self, n: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) % n
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize].clone()
    }

    pub fn case(&mut self) -> Case {
        self.syms = 2 + self.below(3) as u32;
        let all_natural = self.below(4) > 0;
        let natural = (0..self.syms)
            .map(|_| all_natural || self.below(2) > 0)
            .collect();
        let count = self.below(5);
        let facts: Vec<Claim> = (0..count).map(|_| self.fact()).collect();
        let goal = match self.below(3) {
            0 => self.claim(2),
            1 => self.law(),
            _ => self.near(&facts),
        };
        Case {
            natural,
            facts,
            goal,
        }
    }

    fn sym(&mut self) -> Term {
        Term::Sym(self.below(u64::from(self.syms)) as u32)
    }

    /// A small term, often a symbol.
    fn small(&mut self) -> Term {
        match self.below(8) {
            0 => Term::Int(self.below(5) as i64),
            1 => Term::op(Op::Mul, Term::Int(2 + self.below(2) as i64), self.sym()),
            2 => Term::op(Op::Add, self.sym(), Term::Int(self.below(4) as i64)),
            3 => Term::op(Op::Mul, self.sym(), self.sym()),
            _ => self.sym(),
        }
    }

    fn number(&mut self) -> Term {
        self.pick(&[2, 2, 3, 4, 6]).into()
    }

    fn term(&mut self, depth: u32) -> Term {
        use Op::{Add, Div, Max, Min, Mul, Rem, Sub};
        if depth == 0 || self.below(5) == 0 {
            return match self.below(4) {
                0 => Term::Int(self.below(7) as i64 - 2),
                _ => self.sym(),
            };
        }
        let op = self.pick(&[Add, Add, Sub, Sub, Mul, Mul, Div, Div, Rem, Min, Max]);
        let a = self.term(depth - 1);
        let b = match op {
            Div | Rem if self.below(3) > 0 => self.number(),
            _ => self.term(depth - 1),
        };
        Term::op(op, a, b)
    }

    fn claim(&mut self, depth: u32) -> Claim {
        let shallower = depth - self.below(2) as u32;
        let (lhs, rhs) = (self.term(depth), self.term(shallower));
        let rel = self.pick(&[
            Rel::Eq,
            Rel::Eq,
            Rel::Ne,
            Rel::Lt,
            Rel::Le,
            Rel::Gt,
            Rel::Ge,
        ]);
        Claim { lhs, rel, rhs }
    }

    fn fact(&mut self) -> Claim {
        let zero = Term::Int(0);
        let (lhs, rel, rhs) = match self.below(9) {
            0 | 1 => (self.sym(), Rel::Gt, zero),
            2 | 3 => (Term::op(Op::Rem, self.small(), self.small()), Rel::Eq, zero),
            4 => (Term::op(Op::Rem, self.sym(), self.number()), Rel::Eq, zero),
            5 => (self.sym(), Rel::Eq, self.term(1)),
            6 => (
                Term::op(Op::Div, self.small(), self.small()),
                Rel::Eq,
                self.small(),
            ),
            7 => (self.small(), self.pick(&[Rel::Le, Rel::Lt]), self.small()),
            _ => return self.claim(2),
        };
        Claim { lhs, rel, rhs }
    }

    /// A goal made of the facts' own sides, a little changed.
    fn near(&mut self, facts: &[Claim]) -> Claim {
        if facts.is_empty() {
            return self.claim(2);
        }
        let (a, b) = (self.pick(facts), self.pick(facts));
        let (left, right) = (self.pick(&[a.lhs, a.rhs]), self.pick(&[b.lhs, b.rhs]));
        let lhs = match self.below(6) {
            0 => Term::op(Op::Mul, left, self.sym()),
            1 => Term::op(Op::Div, left, self.small()),
            2 => Term::op(Op::Rem, left, self.small()),
            3 => Term::op(Op::Add, left, self.small()),
            _ => left,
        };
        let rel = self.pick(&[Rel::Eq, Rel::Le, Rel::Ge, Rel::Gt, Rel::Ne]);
        Claim {
            lhs,
            rel,
            rhs: right,
        }
    }

    /// Something like a law of arithmetic, true or nearly so.
    fn law(&mut self) -> Claim {
        let (left, right) = self.pick(&LAWS);
        let mut reader = Reader::new();
        reader.names = ["A", "B", "N", "K", "L"].map(str::to_owned).to_vec();
        let terms = [
            self.small(),
            self.small(),
            self.small(),
            self.number(),
            self.number(),
        ];
        let (lhs, rhs) = (
            reader.term(left).with(&terms),
            reader.term(right).with(&terms),
        );
        let rel = self.pick(&[
            Rel::Eq,
            Rel::Eq,
            Rel::Eq,
            Rel::Ge,
            Rel::Le,
            Rel::Lt,
            Rel::Ne,
        ]);
        Claim { lhs, rel, rhs }
    }
}
