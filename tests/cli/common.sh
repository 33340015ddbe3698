# Sourced by every test of the binary: `bash NAME.sh PERCYCLE`. A test works in its own folder,
# which is removed at the end.
set -euo pipefail

percycle=$1
# shellcheck disable=SC2034 # for the tests
source_dir=${PERCYCLE_SOURCE:-$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)}
# shellcheck disable=SC2034
build_dir=${PERCYCLE_BUILD:-$(cd -- "$(dirname -- "$percycle")/.." && pwd)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# kept NAME...: records of tests/records, as NAME.jsonl.gz in this folder.
kept() {
  local name
  for name; do ln -s "$source_dir/tests/records/$name.jsonl.gz" .; done
}

# run_of EXPERIMENT NAME: prints a part of the kept record results/NAME.jsonl.gz: the header of the
# first run with EXPERIMENT, and its points of experiments with the same first word.
run_of() {
  gunzip -c "$source_dir/results/$2.jsonl.gz" | python3 -c '
import json, sys
wanted = sys.argv[1].split()
records = [json.loads(line) for line in sys.stdin]
asked = {}
for record in records:
    asked.setdefault(record.get("header"), set()).add(record.get("experiment"))
run = next(record["header"] for record in records if asked[record.get("header")] >= set(wanted))
families = {name.split("-")[0] for name in wanted}
for record in records:
    if record.get("id") == run or (record.get("header") == run and record["experiment"].split("-")[0] in families):
        print(json.dumps(record))' "$1"
}

# Missing parts of this machine. CI has everything installed, so a skip there would hide a broken
# test.
skip() {
  [[ ${PERCYCLE_REQUIRE_DEVICES:-0} != 1 ]] || fail "would be skipped: $*"
  skip_anywhere "$@"
}

# Parts that some distributions do not have at all.
skip_anywhere() {
  echo "skipped: $*"
  exit 77
}

# expect STATUS COMMAND...: runs COMMAND with its output in $work/stdout and $work/stderr and checks
# its exit status.
expect() {
  local expected=$1 status=0
  shift
  "$@" >"$work/stdout" 2>"$work/stderr" </dev/null || status=$?
  ((status == expected)) || {
    sed 's/^/  stdout: /' "$work/stdout" | tail -n 20 >&2
    sed 's/^/  stderr: /' "$work/stderr" | tail -n 20 >&2
    fail "status $status instead of $expected from: $*"
  }
}

# expect_line STATUS TEXT COMMAND...: like expect; stderr must be one line that contains TEXT (a
# bash pattern).
expect_line() {
  local status=$1 text=$2 lines
  shift 2
  expect "$status" "$@"
  lines=$(wc -l <"$work/stderr")
  ((lines == 1)) || {
    sed 's/^/  stderr: /' "$work/stderr" >&2
    fail "$lines lines on stderr instead of one from: $*"
  }
  # shellcheck disable=SC2053
  [[ $(<"$work/stderr") == *$text* ]] || fail "'$(<"$work/stderr")' does not say '$text', from: $*"
}

# words NAME TEXT: TEXT is the entry NAME of tests/words.txt; PERCYCLE_WRITE_WORDS=1 writes it.
words() {
  local golden=$source_dir/tests/words.txt text=${2//\\/\\\\} kept
  text=${text//$'\n'/\\n}
  kept=$(grep -m 1 "^$1"$'\t' "$golden" | cut -f 2-) || true
  [[ $kept != "$text" ]] || return 0
  [[ ${PERCYCLE_WRITE_WORDS:-} ]] || fail "tests/words.txt, $1: $kept
percycle says: $2
If percycle is right, run this test with PERCYCLE_WRITE_WORDS=1."
  { grep -v "^$1"$'\t' "$golden" || true; printf '%s\t%s\n' "$1" "$text"; } | LC_ALL=C sort -o "$golden"
}

# expect_words STATUS NAME COMMAND...: like expect; stderr is the entry NAME of tests/words.txt.
expect_words() {
  local name=$2 text
  expect "$1" "${@:3}"
  text=$(<"$work/stderr")
  text=${text#percycle: }
  words "$name" "${text#error: }"
}

# has_device API: whether percycle can run on a device of this API here.
has_device() {
  [[ -e $work/devices.json ]] || "$percycle" devices --json >"$work/devices.json" 2>/dev/null || true
  runnable_devices "$work/devices.json" | grep -q "^$1:"
}

# The selectors of devices that can run kernels, from `devices --json`. Keys are sorted: a device's
# "info" precedes its "selector".
runnable_devices() {
  awk -F'"' '$2 == "compile_only" { refused = 1 } $2 == "selector" { if (!refused) print $4; refused = 0 }' "$1"
}

need_device() {
  if (($#)); then
    has_device "$1" || skip "no $1 device"
  else
    has_device opencl || has_device vulkan || skip "no device at all"
  fi
}

need_command() {
  command -v "$1" >/dev/null || skip "$1 is not installed"
}

# Sets $python to a Python with jsonschema; the first in PATH may not be the packaged one.
need_jsonschema() {
  for python in python3 /usr/bin/python3; do
    ! "$python" -c 'import jsonschema' 2>/dev/null || return 0
  done
  skip "python3-jsonschema is not installed"
}

# A measurement of a few seconds at most: quick_run FILE [ARGUMENT of run...]
quick_run() {
  local file=$1
  shift
  "$percycle" run latency --preset quick --no-progress --out "$file" --set path=global-index,constant --set max=16K "$@"
}

# Sets $namespace to a command that runs another with its own mounts and an empty process table;
# fails if there is none.
can_mount() {
  mkdir -p "$work/probe"
  for namespace in "unshare -m -p -f" "unshare -r -m -p -f"; do
    ! $namespace mount -t tmpfs tmpfs "$work/probe" 2>/dev/null || return 0
  done
  return 1
}

# try_in_root ROOT PROGRAM: PROGRAM starts in that file system, with /proc, and does there what
# percycle does here on a simulated device: the same points, tables and charts.
try_in_root() {
  local root=$1 run=(run latency --preset quick --no-progress --device sim:t4 --seed 7)
  [[ -n ${namespace:-} ]] || can_mount || fail "no name space with mounts"
  if [[ ! -e here ]]; then
    mkdir here
    expect 0 "$percycle" "${run[@]}" --out here/t4.jsonl
    expect 0 "$percycle" report here/t4.jsonl --out here/report
    cat >enter.sh <<'ENTER'
mount -t proc proc "$1/proc" 2>/dev/null || mount --rbind /proc "$1/proc" || exit
mount --bind "$2" "$1/mnt" || exit
exec chroot "$1" /mnt/percycle "${@:3}"
ENTER
  fi
  rm -rf there
  mkdir there
  cp "$2" there/percycle
  # shellcheck disable=SC2206 # words
  local inside=($namespace bash "$work/enter.sh" "$root" "$work/there")
  expect 0 "${inside[@]}" --version
  [[ $(<stdout) == "$("$percycle" --version)" ]] || fail "--version says: $(<stdout)"
  expect 0 "${inside[@]}" devices
  grep -qi 'no opencl.*device' stdout || fail "devices says: $(<stdout)"
  expect 0 "${inside[@]}" "${run[@]}" --out /mnt/t4.jsonl
  diff <(grep '"kind":"point"' here/t4.jsonl | sed 's/"header":"[0-9a-f]*",//') <(grep '"kind":"point"' there/t4.jsonl | sed 's/"header":"[0-9a-f]*",//') ||
    fail "the points differ"
  expect 0 "${inside[@]}" report /mnt/t4.jsonl --out /mnt/report
  diff <(ls here/report/charts) <(ls there/report/charts) || fail "the reports have other charts"
  diff -r here/report/tables there/report/tables || fail "the reports have other tables"
}
