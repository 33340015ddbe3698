#!/bin/bash
# Malicious inputs: one line with the fault, in bounded memory and time, and no escape sequence
# reaches a terminal.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_command python3
export OCL_ICD_VENDORS=/nonexistent OCL_ICD_FILENAMES='' VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent

expect 0 "$percycle" run latency --device sim:t4 --preset quick --set path=global --set max=64K --no-progress --out good.jsonl

# mutant FILE PYTHON: good.jsonl with each record `r` (`n` is its number) changed by the code, which
# may also print() lines.
mutant() {
  python3 -c '
import json, sys
out = open(sys.argv[1], "w", encoding="utf-8")
for n, line in enumerate(open("good.jsonl", encoding="utf-8")):
    r = json.loads(line)
    exec(sys.argv[2])
    print(json.dumps(r), file=out)
' "$1" "$2"
}

# limited COMMAND...: in 500 MB and 20 s.
limited() {
  (
    [[ -n ${PERCYCLE_SANITIZED:-} ]] || ulimit -v 500000
    exec timeout 20 "$@"
  )
}

echo "too long, too many, too deep"
expect_words 2 hostile.endless-line limited "$percycle" validate /dev/zero
head -c 150000000 /dev/zero | tr '\0' '1' >long.jsonl
expect_words 2 hostile.long-line limited "$percycle" show long.jsonl
rm long.jsonl
python3 -c 'print("[" + "0," * 20000000 + "0]")' >many.jsonl
expect_words 2 hostile.many-values limited "$percycle" validate many.jsonl
python3 -c 'print("[" * 5000000)' >many.jsonl
expect_line 2 'many.jsonl:1: *deep' limited "$percycle" validate many.jsonl
rm many.jsonl
mutant name.jsonl 'if "parameters" in r: r["parameters"]["x" * 50000] = 1'
expect_line 2 "name.jsonl:2: *50000*200" limited "$percycle" validate name.jsonl
mutant name.jsonl 'if n == 0: r["device"]["name"] = "x" * 50000'
expect_line 2 "name.jsonl:1: device.name: *50000*1000" limited "$percycle" show name.jsonl
mutant names.jsonl 'if r["kind"] == "point": r["parameters"].update({f"x{i}": 1 for i in range(20000)})'
expect_words 2 hostile.many-parameters limited "$percycle" report names.jsonl -o out
expect_line 2 'points_per_octave of experiment' limited "$percycle" run latency --device sim:t4 --set points_per_octave=100000000 --out out.jsonl
expect_words 2 hostile.endless-limits limited "$percycle" limits --limits /dev/zero
ln -s /dev/zero zero.toml
expect_line 2 'read zero.toml: more' limited "$percycle" run latency --device sim:zero.toml --out out.jsonl
[[ ! -e out.jsonl && ! -e out ]] || fail "a refused input left something"

echo "numbers that cannot be"
mutant tiny.jsonl 'if r["kind"] == "point": [s.update(median=s["median"] * 1e-299, min=s["min"] * 1e-299) for s in r["measurement"]["statistics"].values()]'
status=0
limited "$percycle" analyze tiny.jsonl >/dev/null 2>stderr || status=$?
((status == 0 || status == 2)) || fail "analyze of tiny latencies: status $status: $(<stderr)"
mutant footprint.jsonl 'if "parameters" in r: r["parameters"]["footprint"] = 0'
for command in validate show analyze; do
  expect_line 2 'footprint.jsonl:2: parameters: a footprint below 1 byte' "$percycle" "$command" footprint.jsonl
done
{ printf '\xef\xbb\xbf' && cat good.jsonl; } >mark.jsonl
expect_line 2 'mark.jsonl:1: not JSON: byte 1: a byte order mark' "$percycle" validate mark.jsonl

echo "numbers that fit each other, of a device that cannot be"
mutant unchecked.jsonl 'if "measurement" in r: r["measurement"]["verified_samples"] = 0'
mutant date.jsonl 'if n == 0: r["created"] = "2026-02-30T10:00:00Z"'
mutant hot.jsonl '[t.update(temperature_c=2000, power_w=1e6) for t in r.get("measurement", {}).get("telemetry", [])]'
for name in unchecked date hot; do
  expect 1 "$percycle" validate "$name.jsonl"
  (($(grep -c "^percycle: error: $name.jsonl:[0-9]*: impossible: " stderr) == $(wc -l <stderr))) || fail "$name: $(<stderr)"
  for command in summary analyze; do
    expect 0 "$percycle" "$command" "$name.jsonl"
    grep -q "$name.jsonl:[0-9]*: impossible: " stderr || fail "$command of $name.jsonl does not say why: $(<stderr)"
    ! grep -qE '[0-9.]+ (KiB|MiB|cycles|GB/s)' stdout || fail "$command of $name.jsonl states figures: $(<stdout)"
  done
done

echo "options that cannot be"
run=("$percycle" run latency --device sim:t4 --out out.jsonl)
for seed in -1 +1 1.5 18446744073709551616; do
  expect_line 2 --seed "${run[@]}" --seed "$seed"
done
for budget in nan inf 0 -1 1e9999 1s; do
  expect_line 2 "--time-budget: '$budget'" "${run[@]}" --time-budget "$budget"
done
mutant preset.jsonl 'if n == 0: r["options"]["preset"] = "fast"'
cp preset.jsonl before.jsonl
expect_line 2 "preset.jsonl: this percycle cannot continue its run: there is no preset 'fast'" "$percycle" run --resume preset.jsonl
cmp -s preset.jsonl before.jsonl || fail "a refused --resume changed the file"
[[ ! -e out.jsonl ]] || fail "a refused run left a file"

echo "the same run twice, files out of order, a name that the report needs"
cp good.jsonl copy.jsonl
for command in 'analyze good.jsonl good.jsonl' 'report good.jsonl copy.jsonl -o out' 'compare good.jsonl good.jsonl'; do
  # shellcheck disable=SC2086
  expect_line 2 'holds the run' "$percycle" $command
done
mutant older.jsonl 'r["header" if "header" in r else "id"] = "0" * 16
if n == 0: r["created"] = "2001-01-01T00:00:00Z"'
expect 0 "$percycle" analyze older.jsonl good.jsonl
mv stdout in-order
expect 0 "$percycle" analyze good.jsonl older.jsonl
cmp stdout in-order || fail "the order of the files counts, not that of the runs"
[[ ! -s stderr ]] || fail "files are complained of: $(<stderr)"
gunzip -c "$source_dir/tests/records/nvidia-h200-bandwidth-opencl.jsonl.gz" >reserved.jsonl
grep -m 1 '"kind":"point"' reserved.jsonl | sed 's/"experiment":"[a-z0-9-]*"/"experiment":"efficiency"/' >point
cat point >>reserved.jsonl
expect_line 2 "an experiment's name is taken" "$percycle" report reserved.jsonl -o out
[[ ! -e out/report.html && -z $(ls -A out/tables 2>/dev/null) ]] || fail "a refused report left something: $(find out)"

echo "escapes do not reach a terminal"
evil='\x1b]0;title\x07\x1b[2J\x9b31m\u009b31m\u202e\x7f'
mutant escapes.jsonl "
evil = '$evil'
if n == 0: r['device'].update(name=evil, vendor=evil, driver=evil); r.update(unit_name=evil, os=evil)
if r['kind'] == 'point': r['parameters']['path'] = evil; r['measurement']['warnings'] = [evil]
if n % 4 == 2: r.pop('measurement'); r['outcome'] = {'status': 'failed', 'reason': evil}"
sed '2s/"started"/"\\u001b[31mstarted"/' escapes.jsonl >error.jsonl
for command in 'validate escapes.jsonl' 'show escapes.jsonl' 'analyze escapes.jsonl' 'analyze --json escapes.jsonl' 'report escapes.jsonl -o out' \
  'compare escapes.jsonl older.jsonl' 'validate error.jsonl' 'show error.jsonl' 'run --resume escapes.jsonl' $'show \e[31mnone.jsonl' $'limits \e[31m' \
  $'run latency --device \e[31m' $'run \e[31mlatency' $'\e[31m'; do
  # shellcheck disable=SC2086
  "$percycle" $command >stdout 2>stderr </dev/null || true
  for stream in stdout stderr; do
    python3 -c '
import sys, unicodedata
for c in open(sys.argv[1], encoding="utf-8").read():
    assert c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cf"), hex(ord(c))
' "$stream" || fail "$command: $stream has a character that a terminal obeys"
  done
done
