//! Order: bounds of single atoms first, then linear elimination, then products of facts.

use std::collections::BTreeSet;

use super::expr::{Expr, MonoId};
use super::{AtomId, Engine, fm};

/// More rows than this are not kept.
const MAX_ROWS: usize = 160;
/// The most rows that go into one elimination, products not counted.
const MAX_USED: usize = 48;
/// The most rows that are multiplied with each other.
const MAX_POOL: usize = 18;
/// The most products that are used in the first round, and in each of the others.
const MAX_FIRST_PRODUCTS: usize = 12;
const MAX_PRODUCTS: usize = 36;

impl Engine {
    /// Adds the fact `row >= 0`.
    pub(super) fn push_row(&mut self, row: Expr) {
        let row = self.normal(&row).unwrap_or(row).tightened();
        if let Some(c) = row.as_const() {
            self.refuted |= c < 0;
            return;
        }
        if self.rows.len() >= MAX_ROWS || self.rows.contains(&row) {
            return;
        }
        self.dirty = true;
        if let &[(mono, coef)] = row.monos() {
            self.note_bound(mono, coef, row.shift());
        }
        self.rows.push(row);
    }

    /// Takes `coef * mono + shift >= 0` into the bounds of atoms.
    fn note_bound(&mut self, mono: MonoId, coef: i128, shift: i128) {
        let factors = self.monos[mono as usize].clone();
        if let [atom] = *factors {
            let data = &mut self.atoms[atom as usize];
            match coef {
                1 => data.lo = data.lo.max(shift.checked_neg()),
                -1 => data.hi = Some(data.hi.map_or(shift, |h| h.min(shift))),
                _ => return,
            }
            self.refuted |= data.lo.zip(data.hi).is_some_and(|(lo, hi)| lo > hi);
        } else if let Some(atoms) = self.factors_of_positive(mono, coef, shift) {
            for atom in atoms {
                if let Some(row) = self.atom_expr(atom).and_then(|a| a.shifted(-1)) {
                    self.push_row(row);
                }
            }
        }
    }

    /// Where `coef * mono + shift >= 0` says that a product of what is not negative is positive:
    /// its factors, which are positive then.
    fn factors_of_positive(&self, mono: MonoId, coef: i128, shift: i128) -> Option<Vec<AtomId>> {
        let factors = self.factors(mono);
        let natural = factors.iter().all(|a| self.lo(*a) >= Some(0));
        (coef > 0 && shift < 0 && natural).then(|| {
            factors
                .iter()
                .copied()
                .filter(|a| self.lo(*a) < Some(1))
                .collect()
        })
    }

    /// Adds the rows that the first one implies for the factors of its only product.
    pub(super) fn positive_factors(&mut self, rows: &mut Vec<Expr>) {
        if let Some(first) = rows.first()
            && let &[(mono, coef)] = first.monos()
            && self.factors(mono).len() > 1
            && let Some(atoms) = self.factors_of_positive(mono, coef, first.shift())
        {
            let added: Vec<Option<Expr>> = atoms
                .into_iter()
                .map(|a| self.atom_expr(a)?.shifted(-1))
                .collect();
            rows.extend(added.into_iter().flatten());
        }
    }

    fn lo(&self, atom: AtomId) -> Option<i128> {
        self.atoms[atom as usize].lo
    }

    /// A lower and an upper bound of a monomial, from the bounds of its atoms.
    fn mono_bounds(&self, mono: MonoId) -> (Option<i128>, Option<i128>) {
        let factors = self.factors(mono);
        if let [atom] = factors {
            let data = &self.atoms[*atom as usize];
            return (data.lo, data.hi);
        }
        let (mut low, mut high) = (Some(1i128), Some(1i128));
        for &atom in factors {
            let data = &self.atoms[atom as usize];
            let Some(lo) = data.lo.filter(|lo| *lo >= 0) else {
                let square = factors.chunks(2).all(|c| matches!(c, [a, b] if a == b));
                return (square.then_some(0), None);
            };
            low = low.and_then(|l| l.checked_mul(lo));
            high = high.zip(data.hi).and_then(|(h, hi)| h.checked_mul(hi));
        }
        (low.or(Some(0)), high)
    }

    /// A lower bound of a polynomial, term by term.
    pub(super) fn lower(&self, expr: &Expr) -> Option<i128> {
        let mut sum = expr.shift();
        for &(mono, coef) in expr.monos() {
            let (low, high) = self.mono_bounds(mono);
            let bound = if coef > 0 { low? } else { high? };
            sum = sum.checked_add(coef.checked_mul(bound)?)?;
        }
        Some(sum)
    }

    /// Whether `expr >= 0`, by bounds and linear elimination.
    pub(super) fn at_least_zero(&mut self, expr: &Expr) -> bool {
        self.try_at_least_zero(expr).unwrap_or(false)
    }

    fn try_at_least_zero(&mut self, expr: &Expr) -> Option<bool> {
        let expr = self.normal(expr)?;
        if let Some(c) = expr.as_const() {
            return Some(c >= 0);
        }
        if self.by_bounds(&expr)? {
            return Some(true);
        }
        let against = expr.refuting()?.tightened();
        let rows = self.relevant(&[against]);
        self.infeasible(&rows)
    }

    /// Whether `expr >= 1`.
    pub(super) fn is_positive(&mut self, expr: &Expr) -> bool {
        expr.shifted(-1).is_some_and(|e| self.at_least_zero(&e))
    }

    /// Whether the bounds of atoms alone say `expr >= 0`.
    fn by_bounds(&mut self, expr: &Expr) -> Option<bool> {
        self.spend(expr.terms().len())?;
        if self.lower(expr).is_some_and(|l| l >= 0) {
            return Some(true);
        }
        let rest = self.without_natural(expr)?;
        Some(rest != *expr && self.lower(&rest).is_some_and(|l| l >= 0))
    }

    /// The polynomial without the atoms that all its terms share and that are never negative.
    pub(super) fn without_natural(&mut self, expr: &Expr) -> Option<Expr> {
        let mut rest = expr.clone();
        if expr.shift() == 0 {
            for atom in self.shared_atoms(expr) {
                if self.lo(atom) >= Some(0) {
                    rest = self.without(&rest, atom)?;
                }
            }
        }
        Some(rest)
    }

    /// The given rows and those that share monomials with them, step by step.
    pub(super) fn relevant(&mut self, seeds: &[Expr]) -> Vec<Expr> {
        let mut rows = seeds.to_vec();
        let mut monos: BTreeSet<MonoId> = BTreeSet::new();
        let mut used = vec![false; self.rows.len()];
        let mut from = 0;
        while from < rows.len() && rows.len() < MAX_USED {
            monos.extend(rows[from..].iter().flat_map(|r| r.monos()).map(|t| t.0));
            from = rows.len();
            for (row, used) in self.rows.iter().zip(&mut used) {
                if !*used && row.monos().iter().any(|t| monos.contains(&t.0)) {
                    *used = true;
                    rows.push(row.clone());
                }
            }
        }
        monos.extend(rows[from..].iter().flat_map(|r| r.monos()).map(|t| t.0));
        self.add_mono_bounds(&monos, &mut rows);
        rows
    }

    /// Rows for the bounds of products.
    fn add_mono_bounds(&self, monos: &BTreeSet<MonoId>, rows: &mut Vec<Expr>) {
        for &mono in monos {
            if self.factors(mono).len() < 2 {
                continue;
            }
            let (low, high) = self.mono_bounds(mono);
            let this = Expr::term(mono, 1);
            rows.extend(low.and_then(|l| this.shifted(l.checked_neg()?)));
            rows.extend(high.and_then(|h| this.negated()?.shifted(h)));
        }
    }

    pub(super) fn infeasible(&mut self, rows: &[Expr]) -> Option<bool> {
        fm::infeasible(rows, &mut self.fuel)
    }

    /// Whether the rows contradict the facts, products of two facts included. The first `seeds`
    /// rows of what is tried are the given ones.
    pub(super) fn infeasible_with_products(&mut self, seeds: &[Expr]) -> Option<bool> {
        let mut rows = self.relevant(seeds);
        let pool = self.pool(&rows, seeds.len());
        for row in &pool {
            if !rows.contains(row) {
                rows.push(row.clone());
            }
        }
        let mut monos: BTreeSet<MonoId> =
            rows.iter().flat_map(|r| r.monos()).map(|t| t.0).collect();
        if monos.iter().all(|m| self.factors(*m).len() < 2) {
            return Some(false);
        }
        // first what is to be refuted times each fact, then facts times facts, then what is left
        let mut products: Vec<Expr> = Vec::new();
        for stage in 0..3 {
            for (i, a) in pool.iter().enumerate() {
                for (j, b) in pool[..=i].iter().enumerate() {
                    if stage == 2 || (j < seeds.len()) != (stage == 0) {
                        continue;
                    }
                    let Some(product) = self.product_row(a, b) else {
                        continue;
                    };
                    if product.as_const().is_some_and(|c| c < 0) {
                        return Some(true);
                    }
                    if !product.monos().is_empty() && !products.contains(&product) {
                        products.push(product);
                    }
                }
            }
            let limit = if stage == 0 {
                MAX_FIRST_PRODUCTS
            } else {
                MAX_PRODUCTS
            };
            let (chosen, rest) = self.choose_products(products, &monos, limit);
            products = rest;
            if chosen.is_empty() && stage == 0 {
                continue;
            }
            let before = monos.clone();
            monos.extend(chosen.iter().flat_map(|r| r.monos()).map(|t| t.0));
            rows.extend(chosen);
            let new: BTreeSet<MonoId> = monos.difference(&before).copied().collect();
            self.add_mono_bounds(&new, &mut rows);
            if self.infeasible(&rows) == Some(true) {
                return Some(true);
            }
            if stage == 1 && new.is_empty() {
                break;
            }
        }
        Some(false)
    }

    fn product_row(&mut self, a: &Expr, b: &Expr) -> Option<Expr> {
        if a.terms().len() * b.terms().len() > 24 {
            return None;
        }
        let product = self.times(a, b)?;
        Some(self.normal(&product)?.tightened())
    }

    /// Those products that speak of known monomials and bring the fewest new ones, and the rest.
    fn choose_products(
        &self,
        products: Vec<Expr>,
        known: &BTreeSet<MonoId>,
        limit: usize,
    ) -> (Vec<Expr>, Vec<Expr>) {
        let mut ranked: Vec<(usize, usize)> = Vec::new();
        for (at, product) in products.iter().enumerate() {
            let high = || {
                product
                    .monos()
                    .iter()
                    .filter(|t| self.factors(t.0).len() >= 2)
            };
            let new = high().filter(|t| !known.contains(&t.0)).count();
            if high().count() > new {
                ranked.push((new, at));
            }
        }
        ranked.sort_unstable();
        ranked.truncate(limit);
        let chosen: BTreeSet<usize> = ranked.into_iter().map(|r| r.1).collect();
        let (mut taken, mut rest) = (Vec::new(), Vec::new());
        for (at, product) in products.into_iter().enumerate() {
            if chosen.contains(&at) {
                taken.push(product)
            } else {
                rest.push(product)
            }
        }
        (taken, rest)
    }

    /// The rows worth multiplying: the seeds, then those that share atoms with them.
    fn pool(&self, rows: &[Expr], seeds: usize) -> Vec<Expr> {
        let mut pool: Vec<Expr> = rows[..seeds.min(MAX_POOL)].to_vec();
        let mut atoms: BTreeSet<AtomId> = BTreeSet::new();
        let mut from = 0;
        for _ in 0..3 {
            let new = pool[from..]
                .iter()
                .flat_map(|r| r.monos())
                .flat_map(|t| self.factors(t.0));
            atoms.extend(new);
            from = pool.len();
            for row in self.rows.iter() {
                let near = row
                    .monos()
                    .iter()
                    .any(|t| self.factors(t.0).iter().any(|a| atoms.contains(a)));
                if near && pool.len() < MAX_POOL && !pool.contains(row) {
                    pool.push(row.clone());
                }
            }
        }
        pool
    }
}
