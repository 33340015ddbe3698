#!/bin/bash
# Each rule of tools/words.py and tools/docs finds the fault that it is for, and plain text passes.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_command python3
need_command git

echo "comments, names and subjects"
PYTHONPATH=$source_dir/tools PYTHONDONTWRITEBYTECODE=1 python3 - "$work/tree" <<'PYTHON' || fail "a rule of tools/words.py does not hold"
import contextlib
import io
import pathlib
import subprocess
import sys

import words

LONG = "word " * 20
PLAIN = "breaks a rule of plain language"
NAME = "is no name"
CASES = [
    ("a.cpp", "int width = 4;  // in pixels\n// Of course. A ship like that.\n", ""),
    ("a.cpp", f"// {LONG}\n", "columns, more than 100"),
    ("a.cpp", "// a\n// b\n// c\n// d\n", "more than 3 lines"),
    ("a.toml", "# a\n# b\n# c\n# d\n", ""),
    ("a.cpp", "// Of these cards, one.\n", PLAIN),
    ("a.py", "# The first. Of these, one.\n", PLAIN),
    ("a.sh", "# in one's own time\n", PLAIN),
    ("a.cl", "/* the latter */\n", PLAIN),
    ("CMakeLists.txt", "# The former\n", PLAIN),
    ("a.comp", "// Who waits, gives up.\n", PLAIN),
    ("a.js", "// What is left comes last.\n", PLAIN),
    ("a.hpp", "// Such caches are rare.\n", PLAIN),
    ("a.hpp", "// words such as these\n", ""),
    ("a.glsl", "// each has a line of its own\n", PLAIN),
    ("a.cmake", "# the control is taken off\n", PLAIN),
    ("a.py", "# from the begin to the end\n", PLAIN),
    ("a.py", f'"""{LONG}"""\n', "columns, more than 100"),
    ("a.py", 'def f():\n    """What is left."""\n', PLAIN),
    ("a.cpp", "int what = 0;\n", NAME),
    ("a.py", "mine = 0\n", NAME),
    ("a.hpp", "void f(int of);\n", NAME),
    ("a.js", "for (const a of all) f(a);\n", ""),
    ("a.js", "const told = 0;\n", NAME),
    ("a.cpp", "Point asked;\n", NAME),
    ("a.cpp", "double beside = 0;\n", NAME),
    ("a.cpp", 'auto text = "what";  // a text\n', ""),
    ("a.sh", '#!/bin/bash\nfail "not ' + 'what was asked"\n', "a message without a subject"),
    ("a.sh", "#!/bin/bash\n" + "like" + "=1\n", NAME),
    ("a.cpp", 'TEST_CASE("' + 'of two cards, one") {}\n', "has no subject"),
    ("a.cpp", 'TEST_CASE("' + 'levels: what a curve shows") {}\n', "has no subject"),
    ("a.cpp", 'TEST_CASE("levels: a curve shows its steps") {}\n', ""),
]
bad = 0
for name, text, wanted in CASES:
    path = pathlib.Path(name)
    found = [wrong for _, wrong in (*words.findings(path, text), *words.vague_names(path, text))]
    if (wanted and not any(wanted in wrong for wrong in found)) or (not wanted and found):
        print(f"{name}: {text!r} gives {found} instead of '{wanted}'")
        bad += 1

tree = pathlib.Path(sys.argv[1])
tree.mkdir()
words.ROOT = tree
git = ["git", "-C", tree, "-c", "user.name=a", "-c", "user.email=a@b"]
subprocess.run([*git, "init", "-q"], check=True)
(tree / "a.cpp").write_text("int width = 4;\n")
subprocess.run([*git, "add", "a.cpp"], check=True)
subprocess.run([*git, "commit", "-q", "-m", "s" * 60], check=True)
if words.main() != 0:
    print("a plain tree is refused")
    bad += 1
subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "s" * 61], check=True)
with contextlib.redirect_stderr(io.StringIO()) as complaint:
    status = words.main()
if status != 1 or "a subject of 61 characters" not in complaint.getvalue():
    print(f"a subject of 61 characters ends with {status}: {complaint.getvalue()}")
    bad += 1

# Bad examples. Outside of code: one "what", one clause without a noun, one opening "Of" and two
# vague words; then a comment and a text with one "what" each.
(tree / "README.md").write_text("What ended. Of such runs, its own `what` is [here](what.md).\n\n```sh\nwhat\n```\n\n| what |\n|---|\n")
(tree / "src").mkdir()
(tree / "src/a.cpp").write_text('// What ended\n// early.\nauto text = "print what ended";  // a text\n')
subprocess.run([*git, "add", "."], check=True)
subprocess.run([*git, "commit", "-q", "-m", "s"], check=True)
with contextlib.redirect_stdout(io.StringIO()) as table:
    words.rates(None)
    words.rates("HEAD")
RATES = ["README 10 100.00 100.00 100.00 200.00 0.0", "other pages 0 0.00 0.00 0.00 0.00 0.0",
         "comments 5 200.00 200.00 0.00 0.00 0.0", "texts of src/ 3 333.33 0.00 0.00 0.00 0.0"]
rows = [" ".join(line.split()) for line in table.getvalue().splitlines()]
if rows[2:6] != RATES or rows[8:] != RATES:
    print("--rates gives", *rows, sep="\n")
    bad += 1
sys.exit(bad > 0)
PYTHON

echo "pages"
mkdir -p pages/src/device/sim/models pages/tools pages/results
cp "$source_dir"/{README,CONTRIBUTING}.md pages
cp "$source_dir"/src/device/sim/models/README.md pages/src/device/sim/models
cp "$source_dir"/tools/{docs,words.py} pages/tools
cp -rL "$source_dir/docs" pages
faults=()
# damage PAGE SED_SCRIPT TEXT: changes a page so that tools/docs complains about it with TEXT.
damage() {
  cp "pages/$1" kept
  sed -i "$2" "pages/$1"
  ! cmp -s kept "pages/$1" || fail "$1 has nothing for $2 to change"
  faults+=("^$1: $3")
}
pages/tools/docs --check "$percycle" 2>before || true  # links to files that are not copied
damage README.md "\$s/\$/$(printf '\\n%.0s' {1..100})/" '[0-9]+ lines, more than 250'
damage README.md "/^| NVIDIA H200 /s/\$/ $(printf 'w%.0s' {1..101})/" 'line [0-9]+ has [0-9]+ columns, more than 100'  # a table, too
damage docs/faq.md "1s/\$/ $(printf 'w%.0s' {1..101})/" 'line 1 has [0-9]+ columns, more than 100'
damage docs/faq.md '3s/^/Of these cards, one. /' 'line 3 breaks a rule of plain language'
damage docs/faq.md '4s/^/[a](nowhere.md) /' 'a link leads nowhere: nowhere.md'
damage docs/faq.md '5s/^/[a](methods.md#nowhere) /' 'a link leads to no heading: methods.md#nowhere'
damage docs/simulated-devices.md '/begin models/s/$/\nmodel/' 'a generated block is not what percycle says: run tools/docs'
expect 1 pages/tools/docs --check "$percycle"
for fault in "${faults[@]}"; do
  ! grep -qE -- "$fault" before || fail "'$fault' stands there before the change"
  grep -qE -- "$fault" stderr || fail "no '$fault': $(<stderr)"
done
