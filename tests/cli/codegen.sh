#!/bin/bash
# results/codegen.md is what the compilers of GPUs that are not here make of every kernel now (tests/isa). With PERCYCLE_WRITE_CODEGEN=1 it is written anew.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
audit=$build_dir/tests/percycle_isa_audit
table=$source_dir/results/codegen.md

# Each in a process of its own: RADV takes the card from its environment.
one() {
  "$1" run "$2" "$PWD/work/$2" >"$2.json" 2>"$2.error" || echo "$2: $(<"$2.error")" >>failures
}
export -f one
mkdir work
touch failures
"$audit" list >targets
xargs -P "$(nproc)" -I{} bash -c 'one "$1" "$2"' _ "$audit" {} <targets
if [[ -s failures ]]; then
  grep -v 'not installed' failures >&2 && fail "an audit ended in an error"
  skip "$(sort failures | head -n 1)"
fi

mapfile -t results < <(sed 's/$/.json/' targets)
"$audit" table "${results[@]}" >codegen.md
if [[ ${PERCYCLE_WRITE_CODEGEN:-0} == 1 ]]; then
  cp codegen.md "$table"
  exit
fi
# Other versions of the compilers make other code.
diff <(grep '^- ' "$table") <(grep '^- ' codegen.md) >versions || skip_anywhere "the table was made with other compilers: $(tr '\n' ' ' <versions)"
diff "$table" codegen.md >&2 || fail "results/codegen.md is not what the compilers make of the kernels: see above; PERCYCLE_WRITE_CODEGEN=1 writes it anew"
