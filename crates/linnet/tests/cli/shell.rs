//! `linnet completions` and `linnet man`.

use crate::setup::Folder;

const COMMANDS: [&str; 8] = [
    "check",
    "lint",
    "fmt",
    "inspect",
    "init",
    "explain",
    "completions",
    "man",
];

#[test]
fn completions_know_every_command() {
    let folder = Folder::new("");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = folder.run(&format!("completions {shell}")).exits(0);
        for command in COMMANDS {
            assert!(run.stdout.contains(command), "{shell} lacks {command}");
        }
        assert!(run.stdout.contains("strict"), "{shell}");
    }
    folder.run("completions csh").exits(2);
    folder.run("completions").exits(2);
}

#[test]
fn the_manual_page_has_every_command_and_option() {
    let run = Folder::new("").run("man").exits(0);
    assert!(
        run.stdout.contains(".TH linnet 1"),
        "{}",
        &run.stdout[..200]
    );
    for command in COMMANDS {
        let section = format!(".SH \"LINNET {}\"", command.to_uppercase());
        assert!(run.stdout.contains(&section), "lacks {section}");
    }
    for option in [
        "strict", "json", "format", "binding", "weights", "watch", "std", "diff", "tokens", "color",
    ] {
        assert!(
            run.stdout.contains(&format!("\\-\\-{option}")),
            "lacks {option}"
        );
    }
}
