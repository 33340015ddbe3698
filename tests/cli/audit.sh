# Sourced by the tests of the codegen audit, after common.sh.

# compare_audit TABLE PRELOAD [LIST ARGUMENT...]: runs the targets that `percycle_isa_audit list
# [LIST ARGUMENT...]` names, with the library PRELOAD in each process, and compares tests/isa/TABLE
# with the result, or writes it with PERCYCLE_WRITE_CODEGEN=1.
compare_audit() {
  local audit=$build_dir/tests/percycle_isa_audit table=$source_dir/tests/isa/$1 preload=$2 results
  shift 2
  mkdir work
  touch failures
  "$audit" list "$@" >targets
  # Each in its own process: Mesa's drivers take the card from their environment.
  xargs -P "$(nproc)" -I{} bash -c 'audit_one "$@"' _ "$audit" {} "$preload" <targets
  if [[ -s failures ]]; then
    grep -v 'not installed' failures >&2 && fail "an audit ended in an error"
    skip "$(sort failures | head -n 1)"
  fi

  mapfile -t results < <(sed 's/$/.json/' targets)
  "$audit" table "${results[@]}" >table.md
  if [[ ${PERCYCLE_WRITE_CODEGEN:-0} == 1 ]]; then
    cp table.md "$table"
    return
  fi
  # Other compiler versions make other code.
  diff <(grep '^- ' "$table") <(grep '^- ' table.md) >versions || skip_anywhere "the table was made with other compilers: $(tr '\n' ' ' <versions)"
  diff "$table" table.md >&2 || fail "$table differs from the code that the compilers make: see above; PERCYCLE_WRITE_CODEGEN=1 writes it anew"
}

audit_one() {
  # The DRM shim takes the chip from its environment when it is loaded; only the shim reads it.
  INTEL_STUB_GPU_PLATFORM=${2#vulkan-} LD_PRELOAD=$3 "$1" run "$2" "$PWD/work/$2" >"$2.json" 2>"$2.error" || echo "$2: $(tail -n 1 "$2.error")" >>failures
}
export -f audit_one
