#!/bin/bash
# Help: one screen, pages, the man page and completions. No driver is asked.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

echo "--help fits a terminal of 24 lines and 80 columns and names every command"
expect 0 "$percycle" --help
(($(wc -l <stdout) <= 23 && $(wc -L <stdout) <= 80)) || fail "$(wc -l <stdout) lines of up to $(wc -L <stdout) columns"
mapfile -t commands < <(grep '^  [a-z]' stdout | awk '{print $1}')
((${#commands[@]} > 12)) || fail "only ${#commands[@]} commands"

echo "the help of each command fits 100 columns and ends with an example"
for command in "${commands[@]}"; do
  expect 0 "$percycle" "$command" --help
  (($(wc -L <stdout) <= 100)) || fail "$command --help has $(wc -L <stdout) columns"
  [[ $(tail -n 1 stdout) == "Example: percycle $command"* ]] || fail "$command --help ends with '$(tail -n 1 stdout)'"
done
expect 0 "$percycle" run --help
for line in 'Usage: percycle run [OPTIONS] [EXPERIMENT...]' '  -h,--help   ' '  --preset {quick,standard,full}=standard' '  EXPERIMENT... '; do
  grep -qF -- "$line" stdout || fail "run --help lacks '$line': $(<stdout)"
done

echo "help prints pages and the sections of commands and experiments"
expect 0 "$percycle" help
grep -q '^  faq  ' stdout || fail "no list of pages: $(<stdout)"
for text in '^Commands: run' '^Experiments: ' 'help --man' 'help --completion'; do grep -q -- "$text" stdout || fail "help lacks $text: $(<stdout)"; done
expect 0 "$percycle" help run
! grep -qE '^```|\]\(|^## ' stdout || fail "help run prints Markdown: $(grep -m1 -E '^```|\]\(|^## ' stdout)"
for topic in faq contributing-records records "${commands[@]}" latency dram-bandwidth launch instructions; do
  expect 0 "$percycle" help "$topic"
  [[ -s stdout && $(<stdout) != *'<!--'* ]] || fail "help $topic prints: $(head -n 3 stdout)"
  (($(grep -v '^ *[^ ]*$' stdout | wc -L) <= 120)) || fail "help $topic has $(wc -L <stdout) columns"
  (($(grep '^  ' stdout | grep -v '^ *[^ ]*$' | wc -L) <= 100)) || fail "a table of help $topic is wider than 100 columns"
done
expect_words 2 help.close-experiment "$percycle" help latncy

echo "the man page names every command"
expect 0 "$percycle" help --man
cp stdout percycle.1
for command in "${commands[@]}"; do
  grep -q "^\.SS $command\$" percycle.1 || fail "the man page lacks $command"
done

echo "bash completes commands, options, choices and files"
expect 0 "$percycle" help --completion bash
cp stdout percycle.bash
touch some.jsonl
complete_words() {  # the replies for the words of a command line; the last one is being typed
  bash --norc -c 'source ./percycle.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _percycle; echo "${COMPREPLY[*]}"' - "$@"
}
[[ $(complete_words percycle sh) == 'show share' ]] || fail "sh completes to '$(complete_words percycle sh)'"
[[ $(complete_words percycle run --api '') == 'opencl vulkan' ]] || fail "--api completes to '$(complete_words percycle run --api '')'"
[[ $(complete_words percycle run --pre) == --preset ]] || fail "--pre completes to '$(complete_words percycle run --pre)'"
[[ $(complete_words percycle run laten) == latency ]] || fail "laten completes to '$(complete_words percycle run laten)'"
[[ $(complete_words percycle show some) == some.jsonl ]] || fail "some completes to '$(complete_words percycle show some)'"
[[ $(complete_words percycle run --seed '') == '' ]] || fail "--seed completes to '$(complete_words percycle run --seed '')'"

for shell in zsh fish; do
  expect 0 "$percycle" help --completion "$shell"
  for command in "${commands[@]}"; do grep -qw -- "$command" stdout || fail "$shell lacks $command"; done
done
expect_line 2 '--completion' "$percycle" help --completion csh
