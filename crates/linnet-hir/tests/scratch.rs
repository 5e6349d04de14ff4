use linnet_hir::{check::*, db::*};
#[test] fn deep() {
    let modules: usize = std::env::var("N").unwrap().parse().unwrap();
    let mut db = RootDatabase::in_memory();
    db.set_file_text("/p/linnet.toml".as_ref(), Some("[package]\nname = 'p'\nversion = '1'\n".to_owned()));
    let path = |i: usize| format!("/p/src/m{i}.linnet");
    for i in 0..modules {
        let text = match i {
            0 => "module m0\npub const N0 = 1\n".to_owned(),
            _ => { let before = i - 1;
                format!("module m{i}\nuse crate.m{before}::{{N{before}}}\npub const N{i} = N{before} + 1\n") }
        };
        db.set_file_text(path(i).as_ref(), Some(text));
    }
    let last = db.file(path(modules - 1).as_ref());
    let t = std::time::Instant::now();
    if std::env::var("BATCH").is_ok() { let c = check_all(&db, &[last], CheckOptions::default()); println!("{} {:?}", c.modules, t.elapsed()); }
    println!("{:?} {:?}", diagnostics(&db, last).len(), t.elapsed());
    db.set_file_text(path(0).as_ref(), Some("module m0\npub const N0 = 2\n".to_owned()));
    let t = std::time::Instant::now();
    println!("after edit {:?} {:?}", diagnostics(&db, last).len(), t.elapsed());
    let first = format!("module m0\nuse crate.m{0}::{{N{0}}}\npub const N0 = N{0}\n", modules - 1);
    db.set_file_text(path(0).as_ref(), Some(first));
    let t = std::time::Instant::now();
    println!("cycle {:?} {:?}", diagnostics(&db, last).len(), t.elapsed());
    let files: Vec<_> = (0..modules).map(|i| db.file(path(i).as_ref())).collect();
    let t = std::time::Instant::now();
    let c = check_all(&db, &files, CheckOptions::default()); println!("cycle all {} {:?}", c.modules, t.elapsed());
}
