#!/bin/bash
# Progress on a terminal is one line that is drawn again, and in a log one line per experiment.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_command python3
export OCL_ICD_VENDORS=/nonexistent OCL_ICD_FILENAMES='' VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent

echo "on a terminal"
unset NO_COLOR
expect 0 python3 "$source_dir/tests/cli/progress_terminal.py" "$percycle" 90
expect 0 env NO_COLOR=1 python3 "$source_dir/tests/cli/progress_terminal.py" "$percycle" 60
expect 0 env NO_COLOR= python3 "$source_dir/tests/cli/progress_terminal.py" "$percycle" 120

echo "in a log"
expect 0 "$percycle" run latency atomic-latency --device sim:t4 --preset quick --set max=16K --out log.jsonl
! grep -q $'[\r\033]' stderr || fail "a log with escapes: $(cat -v stderr)"
[[ $(wc -l <stderr) == 4 && $(head -n 1 stderr) == 'Simulated Tesla T4 '*': Load-to-use latency, headlines (1 of 4), 0:00'* &&
  $(tail -n 1 stderr) == 'Simulated Tesla T4 '*': '*' (4 of 4), 0:0'* ]] || fail "the log is: $(<stderr)"

echo "--no-progress"
expect 0 "$percycle" run latency --device sim:t4 --preset quick --set max=16K --no-progress --out none.jsonl
[[ ! -s stderr ]] || fail "--no-progress prints: $(<stderr)"
