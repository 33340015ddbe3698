#!/bin/bash
# The last line of a command names the next one, and that command runs as it is printed. JSON,
# Markdown and refused input have no next step.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_command python3
export OCL_ICD_VENDORS=/nonexistent OCL_ICD_FILENAMES='' VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent

# next_is NAME: the last line of stdout, and the only one of its kind, is this entry of words.txt.
next_is() {
  words "$1" "$(tail -n 1 stdout)"
  (($(grep -c '^next: ' stdout) == 1)) || fail "more than one next step: $(grep '^next: ' stdout)"
}

run() {
  expect 0 "$percycle" run latency --device sim:t4 --preset quick --set path=global --set max=64K --no-progress "$@"
}

echo "one file by its name"
run --out one.jsonl
next_is next.one-file
expect 0 "$percycle" summary one.jsonl
next_is next.one-file
expect 0 "$percycle" show one.jsonl
next_is next.show
expect 0 "$percycle" analyze one.jsonl
next_is next.analyze
expect 0 "$percycle" validate one.jsonl
next_is next.validate
expect 0 "$percycle" report one.jsonl
next_is next.report
run --out with.jsonl --report with
next_is next.run-with-report
expect 0 "$percycle" list
next_is next.list
expect 0 "$percycle" list latency
next_is next.list-of-one

echo "several files"
expect 0 "$percycle" run latency --device sim:v100 --preset quick --set path=global --set max=64K --no-progress --out two.jsonl
expect 0 "$percycle" compare one.jsonl two.jsonl
next_is next.compare-details
expect 0 "$percycle" summary one.jsonl two.jsonl
next_is next.several-files
expect 0 bash -c 'cat one.jsonl | "$1" analyze /dev/stdin' - "$percycle"
next_is next.analyze-of-a-pipe

echo "a name that a shell would take apart"
run --out "it's one.jsonl"
command=$(tail -n 1 stdout | sed 's/^next: percycle \(.*[^ ]\)   (.*/\1/')
expect 0 bash -c "\"\$1\" $command" - "$percycle"
[[ -f "it's one-report/report.html" ]] || fail "'$command' made no report"

echo "a long name takes more lines of at most 120 columns, which a shell can run"
name=$(printf 'long-%.0s' {1..17})
run --out "$name.jsonl"
words next.long-name "$(tail -n 3 stdout)"
mkdir -p "$name"
mv "$name.jsonl" "$name/$name.jsonl"
expect 0 "$percycle" analyze "$name/$name.jsonl"
words next.long-folder "$(tail -n 3 stdout)"
command=$(tail -n 3 stdout | head -n 2 | sed 's/^next: percycle //')
expect 0 bash -c "\"\$1\" $command" - "$percycle"
[[ -f $name/$name-report/report.html ]] || fail "'$command' made no report"

echo "a partial line leads to --resume"
head -c -20 one.jsonl >cut.jsonl
expect 1 "$percycle" validate one.jsonl cut.jsonl
next_is next.resume
expect 0 "$percycle" run --resume cut.jsonl --retry --no-progress
expect 0 "$percycle" validate cut.jsonl

echo "a partial line beside a file that is no record does not"
head -c -20 one.jsonl >cut.jsonl
echo '{}' >other.jsonl
expect 2 "$percycle" validate cut.jsonl other.jsonl
! grep --quiet -e --resume stdout stderr || fail "validate suggests --resume before the files are right"

echo "nor one without a header above it"
head -c 100 one.jsonl >headless.jsonl
expect 1 "$percycle" validate headless.jsonl
! grep --quiet -e --resume stdout stderr || fail "validate suggests --resume of a file without a header"

echo "no next step in output for programs, or after a refusal"
for command in 'analyze --json one.jsonl' 'compare --json one.jsonl two.jsonl' 'list --json' 'validate --schema'; do
  # shellcheck disable=SC2086
  expect 0 "$percycle" $command
  python3 -m json.tool <stdout >/dev/null || fail "$command prints no JSON: $(tail -n 2 stdout)"
done
expect 0 "$percycle" compare --format markdown one.jsonl two.jsonl
! grep '^next: ' stdout || fail "Markdown has a next step"
echo hello >bad.jsonl
expect 2 "$percycle" validate one.jsonl bad.jsonl
! grep '^next: ' stdout || fail "a refused file has a next step"
expect 2 "$percycle" show one.jsonl bad.jsonl
! grep '^next: ' stdout || fail "a refused file has a next step"
