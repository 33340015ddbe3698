#!/bin/bash
# Each rule of tools/words.py and tools/docs finds the fault that it is for, and plain text passes.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_command python3
need_command git

echo "comments, pages and subjects"
mkdir -p tree/tools
cp "$source_dir/tools/words.py" tree/tools
git() { command git -C tree -c user.name=a -c user.email=a@b "$@"; }
git init -q
faults=()
# text FILE TEXT [FAULT]: a file of the tree and the fault that tools/words.py must find in it.
text() {
  printf '%b' "$2" >"tree/$1"
  [[ ! ${3-} ]] || faults+=("^$1:[0-9]+: .*$3")
}
long=$(printf 'word %.0s' {1..20})
text plain.cpp "int width = 4;  // in pixels\n// Of course. What for?\n// a\n// b\n// c\nauto text = \"// What ends.\";\n"
text plain.md "Plain.\n\n| $long$long |\n"
text long.cpp "// $long\n" 'columns, more than 100'
text long.py "\"\"\"$long\"\"\"\n" 'columns, more than 100'
text long.md "$long$long\n" 'columns, more than 100'
text of.sh "#!/bin/bash\n# The first. Of these, one.\n" 'a sentence begins'
text of.md "Of these cards, one.\n" 'a sentence begins'
text who.comp "/* Who waits, gives up. */\n" 'a sentence begins'
text what.py 'def f():\n    """What is left."""\n' 'a sentence begins'
git add .
git commit -q -m "$(printf 's%.0s' {1..60})"
expect 1 tree/tools/words.py
(($(wc -l <stderr) == ${#faults[@]})) || fail "not one line for each fault: $(<stderr)"
for fault in "${faults[@]}"; do grep -qE -- "$fault" stderr || fail "no '$fault': $(<stderr)"; done
git rm -q --cached {long,of,who,what}.*
git commit -q -m short
expect 0 tree/tools/words.py
git commit -q --allow-empty -m "$(printf 's%.0s' {1..61})"
expect_line 1 'a subject of 61 characters, more than 60' tree/tools/words.py

echo "generated blocks, links and the README"
mkdir -p pages/tools pages/results
cp "$source_dir"/{README,CONTRIBUTING}.md pages
cp "$source_dir/tools/docs" pages/tools
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
damage README.md "\$s/\$/$(printf ' w%.0s' {1..900})/" '[0-9]+ words, more than 900'
damage README.md 's/`latency`/`latncy`/' 'the experiment latency is missing'
damage docs/faq.md '4s/^/[a](nowhere.md) /' 'a link leads nowhere: nowhere.md'
damage docs/faq.md '5s/^/[a](methods.md#nowhere) /' 'a link leads to no heading: methods.md#nowhere'
damage docs/simulated-devices.md '/begin models/s/$/\nmodel/' 'a generated block is not what percycle says: run tools/docs'
expect 1 pages/tools/docs --check "$percycle"
for fault in "${faults[@]}"; do
  ! grep -qE -- "$fault" before || fail "'$fault' stands there before the change"
  grep -qE -- "$fault" stderr || fail "no '$fault': $(<stderr)"
done
