#!/bin/bash
# Bad usage and bad input: status 2 and one line on stderr with the fault, before any measurement or
# output.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

expect 0 "$percycle" --version
[[ $(<stdout) =~ ^percycle\ [0-9]+\.[0-9]+\.[0-9]+( \([0-9a-f]{12}(-dirty)?\))?$ ]] || fail "--version says '$(<stdout)'"
expect 0 "$percycle" --help
for command in devices list limits run show analyze compare validate; do
  grep -q "^ *$command " stdout || fail "--help does not name $command"
done
for command in devices list limits run show analyze compare validate; do
  expect 0 "$percycle" "$command" --help
  [[ ! -s stderr ]] || fail "$command --help writes to stderr"
done
expect 0 "$percycle" -V
[[ $(<stdout) == "$("$percycle" --version)" ]] || fail "-V says '$(<stdout)'"
expect 0 "$percycle" list
grep -q '^latency  ' stdout || fail "list does not name latency"
(($(wc -l <stdout) < 50)) || fail "the overview of list has $(wc -l <stdout) lines"
expect 0 "$percycle" list latency tlb
for text in '^latency: ' '^tlb: ' '^  --set max='; do grep -q -- "$text" stdout || fail "list latency tlb lacks $text"; done
expect_line 2 'did you mean: latency' "$percycle" list latncy

expect_line 2 "a command is required" "$percycle"
grep -q '^  run ' stdout || fail "without a command the help is missing"
expect_line 2 "'latency' is an experiment: percycle run latency" "$percycle" latency
expect_line 2 "percycle help --man" "$percycle" man
expect_line 2 "percycle help --completion bash" "$percycle" completion
expect_line 2 "there is no option '-v'" "$percycle" -v
expect_line 2 "separate experiments by blanks" "$percycle" run latency,tlb
expect_line 2 "a number needs its API: opencl:0 or vulkan:0" "$percycle" run latency --device 0
: >file
expect_line 2 "--report: cannot make the folder file/report" "$percycle" run latency --device sim:t4 --out unmade.jsonl --report file/report
[[ ! -e unmade.jsonl ]] || fail "a bad --report is noticed after the measurement"
expect_line 2 nosuch "$percycle" nosuch
expect_line 2 'did you mean: show' "$percycle" shoow
expect_line 2 --nosuch "$percycle" devices --nosuch
expect_line 2 nosuch "$percycle" devices nosuch

run=("$percycle" run --out out.jsonl)
expect_line 2 nosuch "${run[@]}" nosuch
expect_line 2 nosuch "${run[@]}" latency nosuch
expect_line 2 fast "${run[@]}" --preset fast
expect_line 2 metal "${run[@]}" --api metal
expect_line 2 nosuch "${run[@]}" --set nosuch=1
expect_line 2 nosuch "${run[@]}" --set path=nosuch
expect_line 2 nosuch "${run[@]}" --set path=global,nosuch
expect_line 2 nosuch "${run[@]}" --set form=nosuch
expect_line 2 12Q "${run[@]}" --set max=12Q
expect_line 2 -5 "${run[@]}" --set points_per_octave=-5
expect_line 2 path "${run[@]}" --set path
expect_line 2 path "${run[@]}" --set path=
expect_line 2 =1 "${run[@]}" --set =1
expect_line 2 abc "${run[@]}" --seed abc
for budget in 0 -1 abc; do
  expect_line 2 "$budget" "${run[@]}" --time-budget "$budget"
done
# An option that may be repeated takes one value; names and files may follow it.
expect_line 2 "no experiment 'nosuch'" "${run[@]}" --set path=global nosuch
expect_line 2 "no experiment 'nosuch'" "${run[@]}" --device sim:t4 nosuch
expect 2 "$percycle" show --experiment latency nosuch.jsonl other.jsonl
grep -q nosuch.jsonl stderr || fail "show takes a file for an experiment: $(<stderr)"
expect_line 2 nosuch.jsonl "$percycle" share --remove word nosuch.jsonl -o shared.jsonl
expect_line 2 resume "${run[@]}" --retry
expect_line 2 resume "${run[@]}" --resume other.jsonl
expect_line 2 nosuch.jsonl "$percycle" run --resume nosuch.jsonl

for command in show validate; do
  expect_line 2 "" "$percycle" "$command"
  expect_line 2 nosuch.jsonl "$percycle" "$command" nosuch.jsonl
  expect_line 2 /tmp "$percycle" "$command" /tmp
  : >empty.jsonl
  expect_line 2 empty.jsonl "$percycle" "$command" empty.jsonl
  head -c 4096 /dev/urandom >noise.jsonl && echo >>noise.jsonl
  expect_line 2 noise.jsonl:1 "$percycle" "$command" noise.jsonl
done

need_device
expect_line 2 nosuch "${run[@]}" --device nosuch
expect_line 2 opencl:99 "${run[@]}" --device opencl:99
expect_line 2 vulkan:x "${run[@]}" --device vulkan:x
expect_line 2 "''" "${run[@]}" --device ''
expect_line 2 00000000-0000-0000-0000-00000000beef "${run[@]}" --device 00000000-0000-0000-0000-00000000beef
expect_line 2 ffff:ff:1f.7 "${run[@]}" --device ffff:ff:1f.7
[[ ! -e out.jsonl ]] || fail "a refused run left a file"
