#!/bin/bash
# tools/package makes the same bytes in another folder, there without ccache. Not in tools/test's
# default: tools/test -L package.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

git -c safe.directory='*' -C "$source_dir" diff --quiet HEAD || skip "the working tree has changes"
"$source_dir/tools/package"
git -c safe.directory='*' clone -q "$source_dir" "$work/elsewhere"
CCACHE_DISABLE=1 elsewhere/tools/package
diff -r "$source_dir/build/package" elsewhere/build/package || fail "the packages differ"

python3 -m zipfile -e elsewhere/build/package/*.zip zip
for file in percycle.exe LICENSE README.md docs/commands.md licences/{mingw-w64,glslang}.txt; do
  [[ -s $(echo zip/*/"$file") ]] || fail "the .zip has no $file"
done
