use linnet_syntax::*;
fn line_col(t: &str, o: usize) -> (usize, usize) {
    (
        t[..o].matches('\n').count() + 1,
        o - t[..o].rfind('\n').map_or(0, |i| i + 1) + 1,
    )
}
#[test]
fn del() {
    let text = std::fs::read_to_string("tests/data/sources/decoder.linnet").unwrap();
    assert_eq!(parse(&text).errors, []);
    let toks = lex(&text);
    let mut hist = [0usize; 12];
    let mut off = 0usize;
    let show = std::env::var("SHOW").is_ok();
    let mut variants: Vec<(String, String)> = vec![];
    for t in &toks {
        let s = off;
        off += t.len as usize;
        if t.kind.is_trivia() {
            continue;
        }
        variants.push((
            format!("delete {:?} at {:?}", &text[s..off], line_col(&text, s)),
            format!("{}{}", &text[..s], &text[off..]),
        ));
        // truncate the line here
        let eol = text[s..].find('\n').map_or(text.len(), |i| s + i);
        if text[..s].ends_with(|c: char| !c.is_whitespace())
            || !text[..s].trim_end_matches(' ').ends_with('\n')
        {
            variants.push((
                format!("cut line at {:?} {:?}", &text[s..eol], line_col(&text, s)),
                format!("{}{}", &text[..s], &text[eol..]),
            ));
        }
        variants.push((
            format!("double {:?} at {:?}", &text[s..off], line_col(&text, s)),
            format!("{} {}", &text[..off], &text[s..]),
        ));
    }
    let n = variants.len();
    for (name, v) in variants {
        let p = parse(&v);
        hist[p.errors.len().min(11)] += 1;
        if p.errors.len() >= 2 && show {
            println!("{name}");
            for e in &p.errors {
                println!(
                    "     {:?} {} {}",
                    line_col(&v, usize::from(e.range.start())),
                    e.code,
                    e.message
                );
            }
        }
    }
    println!("of {n}: {hist:?}");
}
