"""Writes what the documents take from the sources: all of std.md, and the codes in diagnostics.md.

python3 docs/generate.py           write them
python3 docs/generate.py --check   fail where one is not up to date
"""

import pathlib
import re
import sys

DOCS = pathlib.Path(__file__).resolve().parent
STD = DOCS.parent / "crates" / "linnet-std" / "std"
WEIGHT_CODES = DOCS.parent / "crates" / "linnet" / "src" / "explain.rs"
CODES = DOCS.parent / "crates" / "linnet-hir" / "src" / "codes"
RANGES = {
    "E10": "Text",
    "E11": "Syntax",
    "E12": "Modules and names",
    "E21": "Types and expressions",
    "E22": "Shapes and proofs",
    "E31": "Index notation",
    "E41": "Blocks",
    "E50": "Packages, bindings and weights",
    "W10": "Warnings",
}
BEGIN, END = "<!-- codes:begin -->", "<!-- codes:end -->"

INTRO = """\
# The standard library

<!-- Written by docs/generate.py from crates/linnet-std/std; do not edit by hand. -->

The library is written in Linnet, and its sources are inside the `linnet` command.
Import from it with `use std.nn.linear::{Linear, linear}`. For each public item this page has its signature
and the first sentence of its documentation;
[the sources](../crates/linnet-std/std) say more: shapes, accumulation dtypes, edge cases.

Conventions:

- Softmax, norms, losses and attention compute in `f32`, whatever `T` is.
- Weights of linear layers are `[Out, In]`, images are `[B, C, H, W]`, attention heads are `[B, H, S, D]`.
- A masked score is -1e30 before the softmax, so a row in which all is masked is uniform and never NaN.
- Blocks have `T = bf16` as a default unless they say otherwise, and a public `forward`.
"""


def modules():
    for path in sorted(STD.rglob("*.linnet")):
        parts = path.relative_to(STD).with_suffix("").parts
        yield ".".join(("std", *parts)), path


def first_sentence(doc):
    """The first sentence of a doc comment, on one line."""
    text = " ".join(doc).strip()
    text = re.split(r"(?<=[^0-9.])\.(?:\s|$)", text, maxsplit=1)[0].rstrip(".")
    return text + "." if text else ""


def items(text):
    """The public items: (keyword, name, doc, signature)."""
    lines = text.splitlines()
    doc, at = [], 0
    while at < len(lines):
        line = lines[at]
        if line.startswith("///"):
            doc.append(line[3:].strip())
        elif match := re.match(r"pub (op|fn|block|const|struct|enum|type) (\w+)", line):
            signature, at = take_item(lines, at, match[1])
            yield match[1], match[2], doc, signature
            doc = []
        elif line and not line.startswith("//"):
            doc = []
        at += 1


def take_item(lines, at, keyword):
    """The lines of a signature, and where it ends; of a block its members and public functions too."""
    if keyword == "const":
        return [lines[at]], at
    head, at = take_head(lines, at)
    if keyword not in ("block", "struct", "enum"):
        return head, at
    body = []
    while lines[at] != "}" and at + 1 < len(lines):
        at += 1
        line = lines[at]
        if re.match(r"    (param|buffer|state|sub) ", line) or keyword != "block":
            if line != "}" and not line.strip().startswith("//"):
                body.append(line)
        elif re.match(r"    (pub |entry )", line):
            signature, at = take_head(lines, at)
            body.extend(signature)
    head[-1] += " {" if head[-1].strip() else "{"
    return [*head, *body, "}"], at


def take_head(lines, at):
    """The lines up to the brace that opens a body, without it."""
    head = []
    while True:
        line = lines[at]
        if line.endswith("{"):
            head.append(line[:-1].rstrip())
            return [line for line in head if line.strip()], at
        head.append(line)
        at += 1


def std_page():
    out = [INTRO]
    listed = list(modules())
    out.append("| Module | Holds |\n| --- | --- |")
    sections = []
    for module, path in listed:
        found = list(items(path.read_text(encoding="utf-8")))
        anchor = module.replace(".", "")
        names = ", ".join(f"`{name}`" for _, name, _, _ in found)
        out.append(f"| [`{module}`](#{anchor}) | {names} |")
        sections.append(f"\n## `{module}`\n")
        for _, name, doc, signature in found:
            code = "\n".join(signature)
            sections.append(
                f"### {name}\n\n{first_sentence(doc)}\n\n```linnet,fragment\n{code}\n```\n"
            )
    return "\n".join(out) + "\n" + "\n".join(sections).rstrip() + "\n"


def codes():
    """Every code and its title, from the manual of the checker."""
    found = []
    for path in CODES.glob("*.rs"):
        text = path.read_text(encoding="utf-8")
        for code, title in re.findall(r'code: "(\w+)",\s*title: "((?:[^"\\]|\\.)*)"', text):
            found.append((code, title.replace('\\"', '"')))
    # Those about weights are the command line's.
    text = WEIGHT_CODES.read_text(encoding="utf-8")
    found += re.findall(r'entry\(\s*"(\w+)",\s*"([^"]*)"', text)
    return sorted(found)


def codes_section():
    out = []
    heading = None
    for code, title in codes():
        if (of := RANGES.get(code[:3], "Other")) != heading:
            heading = of
            out.append(f"\n### {heading}\n\n| Code | Reported for |\n| --- | --- |")
        title = title.replace("|", "&#124;").replace("`&#124;&#124;`", "<code>&#124;&#124;</code>")
        out.append(f"| {code} | {title} |")
    return "\n".join(out) + "\n"


def diagnostics_page(old):
    head, rest = old.split(BEGIN, 1)
    tail = rest.split(END, 1)[1]
    return f"{head}{BEGIN}\n{codes_section()}\n{END}{tail}"


def main():
    stale = []
    for name, make in (("std.md", lambda _: std_page()), ("diagnostics.md", diagnostics_page)):
        path = DOCS / name
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        new = make(old)
        if new != old:
            stale.append(name)
            if "--check" not in sys.argv[1:]:
                path.write_text(new, encoding="utf-8")
    if stale and "--check" in sys.argv[1:]:
        sys.exit(f"not up to date: {', '.join(stale)}; run `python3 docs/generate.py`")


if __name__ == "__main__":
    main()
