//! Fourier-Motzkin elimination with integer tightening, bounded by count.

use rustc_hash::FxHashMap;

use super::expr::{Expr, MonoId};
use crate::dim::gcd;

/// More rows than this at a time and the system is given up.
const MAX_ROWS: usize = 160;

/// A row `coefs * x + shift >= 0`.
struct Row {
    coefs: Box<[i128]>,
    shift: i128,
    /// The given rows that it was made of; without meaning where there are more than fit.
    origin: u128,
    alive: bool,
}

/// Rows without duplicates: of two with the same coefficients the stronger stays.
struct System {
    rows: Vec<Row>,
    /// Rows by a hash of their coefficients.
    index: FxHashMap<u64, u32>,
    alive: usize,
}

/// What adding a row found out.
#[derive(PartialEq)]
enum Added {
    Fine,
    Impossible,
}

impl System {
    fn add(&mut self, mut coefs: Box<[i128]>, mut shift: i128, origin: u128) -> Option<Added> {
        let g = coefs
            .iter()
            .fold(0, |g, c| if g == 1 { 1 } else { gcd(g, *c) });
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
        let (mut same, mut opposite) = (0u64, 0u64);
        for c in &coefs {
            // truncation is fine for a hash
            same = (same.rotate_left(5) ^ *c as u64).wrapping_mul(0x517C_C1B7_2722_0A95);
            opposite = (opposite.rotate_left(5) ^ c.wrapping_neg() as u64)
                .wrapping_mul(0x517C_C1B7_2722_0A95);
        }
        if let Some(row) = self
            .index
            .get(&opposite)
            .and_then(|&at| self.rows.get(at as usize))
            && row
                .coefs
                .iter()
                .zip(&coefs)
                .all(|(a, b)| a.checked_add(*b) == Some(0))
            && row.shift.checked_add(shift)? < 0
        {
            return Some(Added::Impossible);
        }
        if let Some(row) = self
            .index
            .get(&same)
            .and_then(|&at| self.rows.get_mut(at as usize))
            && row.coefs == coefs
        {
            if shift < row.shift {
                (row.shift, row.origin) = (shift, origin);
            }
            return Some(Added::Fine);
        }
        self.index.insert(same, self.rows.len() as u32);
        self.rows.push(Row {
            coefs,
            shift,
            origin,
            alive: true,
        });
        self.alive += 1;
        Some(Added::Fine)
    }
}

/// Whether the rows, each `>= 0`, have no common integer solution. `None`: too large to say.
pub(super) fn infeasible(exprs: &[Expr], fuel: &mut u32) -> Option<bool> {
    let mut columns: Vec<MonoId> = exprs.iter().flat_map(|e| e.monos()).map(|t| t.0).collect();
    columns.sort_unstable();
    columns.dedup();
    let width = columns.len();
    let mut spend = |rows: usize| {
        *fuel = fuel.checked_sub(u32::try_from(rows * (width / 4 + 1)).ok()?)?;
        Some(())
    };
    spend(exprs.len())?;
    let mut system = System {
        rows: Vec::new(),
        index: FxHashMap::default(),
        alive: 0,
    };
    for (i, expr) in exprs.iter().enumerate() {
        let mut coefs = vec![0; width].into_boxed_slice();
        let mut at = 0;
        for &(mono, coef) in expr.monos() {
            while columns[at] != mono {
                at += 1;
            }
            coefs[at] = coef;
        }
        let origin = 1u128.checked_shl(i as u32).unwrap_or(0);
        if system.add(coefs, expr.shift(), origin)? == Added::Impossible {
            return Some(true);
        }
    }
    let mut left: Vec<usize> = (0..width).collect();
    let mut eliminated = 0;
    while !left.is_empty() {
        spend(system.alive / 2)?;
        // the column whose elimination makes the fewest rows
        let mut sides = vec![(0usize, 0usize); width];
        for row in system.rows.iter().filter(|r| r.alive) {
            for (side, coef) in sides.iter_mut().zip(&row.coefs) {
                side.0 += usize::from(*coef > 0);
                side.1 += usize::from(*coef < 0);
            }
        }
        let cost = |at: &usize| {
            let (low, high) = sides[left[*at]];
            // a column without one side drops its rows at once
            (low * high).saturating_sub(low + high)
        };
        let col = left.swap_remove((0..left.len()).min_by_key(cost)?);
        eliminated += 1;
        let (mut low, mut high) = (Vec::new(), Vec::new());
        for (at, row) in system.rows.iter_mut().enumerate().filter(|(_, r)| r.alive) {
            match row.coefs[col].signum() {
                1 => low.push(at),
                -1 => high.push(at),
                _ => continue,
            }
            row.alive = false;
        }
        system.alive -= low.len() + high.len();
        spend(low.len() * high.len())?;
        for &l in &low {
            for &h in &high {
                let (l, h) = (&system.rows[l], &system.rows[h]);
                // a row made of more rows than that follows from others
                let origin = l.origin | h.origin;
                if exprs.len() <= 128 && origin.count_ones() > eliminated + 2 {
                    continue;
                }
                let (a, b) = (l.coefs[col], h.coefs[col].checked_neg()?);
                let g = gcd(a, b);
                let (a, b) = (a / g, b / g);
                let join = |x: i128, y: i128| x.checked_mul(b)?.checked_add(y.checked_mul(a)?);
                let coefs: Option<Box<[i128]>> = l
                    .coefs
                    .iter()
                    .zip(&h.coefs)
                    .map(|(x, y)| join(*x, *y))
                    .collect();
                let shift = join(l.shift, h.shift)?;
                if system.add(coefs?, shift, origin)? == Added::Impossible {
                    return Some(true);
                }
                if system.alive > MAX_ROWS {
                    return None;
                }
            }
        }
    }
    Some(false)
}
