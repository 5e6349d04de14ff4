//! Fourier-Motzkin elimination with integer tightening, bounded by count.

use rustc_hash::FxHashMap;

use super::expr::{Expr, MonoId};
use crate::dim::gcd;

/// More rows than this and the system is given up.
const MAX_ROWS: usize = 160;

/// A row `coefs * x + shift >= 0`.
struct Row {
    coefs: Box<[i128]>,
    shift: i128,
}

/// Rows without duplicates: of two with the same coefficients the stronger stays.
#[derive(Default)]
struct System {
    rows: Vec<Row>,
    index: FxHashMap<Box<[i128]>, usize>,
}

/// What adding a row found out.
enum Added {
    Fine,
    Impossible,
}

impl System {
    fn add(&mut self, mut coefs: Box<[i128]>, mut shift: i128) -> Option<Added> {
        let g = coefs.iter().fold(0, |g, c| gcd(g, *c));
        if g == 0 {
            return Some(if shift < 0 {
                Added::Impossible
            } else {
                Added::Fine
            });
        }
        if g > 1 {
            coefs.iter_mut().for_each(|c| *c /= g);
            shift = shift.div_euclid(g);
        }
        if let Some(&at) = self.index.get(&coefs) {
            let row = &mut self.rows[at];
            if row.shift <= shift {
                return Some(Added::Fine);
            }
            row.shift = shift;
        } else {
            self.index.insert(coefs.clone(), self.rows.len());
            self.rows.push(Row {
                coefs: coefs.clone(),
                shift,
            });
        }
        let mut opposite = coefs;
        for c in opposite.iter_mut() {
            *c = c.checked_neg()?;
        }
        if let Some(&at) = self.index.get(&opposite)
            && self.rows[at].shift.checked_add(shift)? < 0
        {
            return Some(Added::Impossible);
        }
        Some(Added::Fine)
    }
}

/// Whether the rows, each `>= 0`, have no common integer solution. `None`: too large to say.
pub(super) fn infeasible<'a>(
    exprs: impl Iterator<Item = &'a Expr> + Clone,
    fuel: &mut u32,
) -> Option<bool> {
    let mut columns: Vec<MonoId> = exprs.clone().flat_map(|e| e.monos()).map(|t| t.0).collect();
    columns.sort_unstable();
    columns.dedup();
    let width = columns.len();
    let mut system = System::default();
    for expr in exprs {
        let mut coefs = vec![0; width].into_boxed_slice();
        let mut at = 0;
        for &(mono, coef) in expr.monos() {
            while columns[at] != mono {
                at += 1;
            }
            coefs[at] = coef;
        }
        if let Added::Impossible = system.add(coefs, expr.shift())? {
            return Some(true);
        }
    }
    let mut left: Vec<usize> = (0..width).collect();
    while !left.is_empty() {
        // the column whose elimination makes the fewest rows
        let cost = |&col: &usize| {
            let (mut low, mut high) = (0usize, 0usize);
            for row in &system.rows {
                match row.coefs[col].signum() {
                    1 => low += 1,
                    -1 => high += 1,
                    _ => {}
                }
            }
            // a column without one side drops its rows at once
            (low * high).checked_sub(low + high).map_or(0, |n| n + 1)
        };
        let best = (0..left.len()).min_by_key(|&i| cost(&left[i]))?;
        let col = left.remove(best);
        let rows = std::mem::take(&mut system).rows;
        let (mut low, mut high) = (Vec::new(), Vec::new());
        for row in rows {
            match row.coefs[col].signum() {
                1 => low.push(row),
                -1 => high.push(row),
                _ => {
                    system.add(row.coefs, row.shift)?;
                }
            }
        }
        *fuel = fuel.checked_sub(
            u32::try_from((low.len() * high.len() + left.len()) * (width / 4 + 1)).ok()?,
        )?;
        for l in &low {
            for h in &high {
                let (a, b) = (l.coefs[col], h.coefs[col].checked_neg()?);
                let g = gcd(a, b);
                let (a, b) = (a / g, b / g);
                let join = |x: i128, y: i128| x.checked_mul(b)?.checked_add(y.checked_mul(a)?);
                let coefs: Option<Box<[i128]>> = l
                    .coefs
                    .iter()
                    .zip(&*h.coefs)
                    .map(|(x, y)| join(*x, *y))
                    .collect();
                if let Added::Impossible = system.add(coefs?, join(l.shift, h.shift)?)? {
                    return Some(true);
                }
                if system.rows.len() > MAX_ROWS {
                    return None;
                }
            }
        }
    }
    Some(false)
}
