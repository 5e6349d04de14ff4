//! Times typical questions: new facts, a first proof, a repeated one.

use std::hint::black_box;
use std::time::Instant;

use linnet_dim::Facts;

#[allow(dead_code)]
#[path = "../tests/common/notation.rs"]
mod notation;

fn time(mut f: impl FnMut()) -> f64 {
    let count = 300;
    f();
    let start = Instant::now();
    for _ in 0..count {
        f();
    }
    start.elapsed().as_secs_f64() * 1e6 / f64::from(count)
}

fn main() {
    let cases = [
        ("", "A * B == B * A"),
        ("", "H <= 3 * H"),
        ("S > 0", "S - 1 >= 0"),
        ("N > 0", "N * D / N == D"),
        ("H % N == 0, N > 0", "N * (H / N) == H"),
        ("H % N == 0, N > 0", "K * H / N == K * (H / N)"),
        (
            "H % Heads == 0, Heads > 0, (H / Heads) % 2 == 0",
            "H % (2 * Heads) == 0",
        ),
        (
            "H % Q == 0, Q % K == 0, Q > 0, K > 0",
            "H / K == H / Q * (Q / K)",
        ),
        (
            "H % Q == 0, Q % K == 0, Q > 0, K > 0, S <= T, T <= M, V > 0",
            "B * S * H == B * S * Q * (H / Q)",
        ),
        ("A > 0, A % B == 0, B > 0", "A / B > 0"),
        ("C > 0", "(A + C - 1) / C * C >= A"),
        ("A <= B, N > 0", "A / N <= B / N"),
        ("", "min(A, B) + max(A, B) == A + B"),
        ("", "max(min(A, 5), 2) <= 5"),
        ("I < N, J < M", "I * M + J < N * M"),
        ("A == B * C, C == D + 1", "A == B * D + B"),
        // not provable
        ("", "A == 1"),
        ("N > 0", "N * (H / N) == H"),
        ("H % N == 0, N > 0", "H == 1"),
        ("H % N == 0", "N * (H / N) == H"),
        (
            "H % Q == 0, Q % K == 0, Q > 0, K > 0, S <= T, T <= M, V > 0",
            "S == 1",
        ),
        (
            "H % Q == 0, Q % K == 0, Q > 0, K > 0, S <= T, T <= M, V > 0",
            "S / V == S * Q",
        ),
    ];
    println!(
        "{:>9} {:>9} {:>9} {:>9} {:>9}",
        "new", "first", "next", "again", "prove"
    );
    for (facts, goal) in cases {
        let mut reader = notation::Reader::new();
        let claims = reader.claims(facts);
        let goal = reader.claim(goal).constraint();
        let constraints: Vec<_> = claims.iter().map(|c| c.constraint()).collect();
        let natural: Vec<_> = (0..reader.names.len())
            .map(|i| linnet_dim::Sym(i as u32))
            .collect();
        let fresh = || Facts::new(natural.iter().copied(), constraints.iter().cloned());
        let new = time(|| drop(black_box(fresh())));
        let first = time(|| {
            black_box(fresh().holds(&goal));
        });
        let warm = fresh();
        warm.holds(&notation::Reader::new().claim("A > 0 - A * A").constraint());
        warm.holds(
            &notation::Reader::new()
                .claim("A * A * A == A * A")
                .constraint(),
        );
        let mut shift = 0;
        let next = time(|| {
            // another question each time
            shift += 1;
            let mut goal = goal.clone();
            let k = linnet_dim::Dim::sym(linnet_dim::Sym(1000 + shift));
            (goal.lhs, goal.rhs) = (goal.lhs.mul(&k), goal.rhs.mul(&k));
            black_box(warm.clone().holds(&goal));
        });
        let again = time(|| {
            black_box(warm.holds(&goal));
        });
        let prove = time(|| drop(black_box(fresh().prove(&goal))));
        let yes = if warm.holds(&goal) { "" } else { "(not) " };
        println!(
            "{new:9.2} {first:9.2} {next:9.2} {again:9.2} {prove:9.1}  {yes}{facts} |- {}",
            goal.display(&|s| reader.name(s))
        );
    }
}
