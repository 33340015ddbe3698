#!/bin/bash
# Outputs that cannot be written: closed, full or unread standard streams; a report is written
# completely or not at all.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_command python3
export OCL_ICD_VENDORS=/nonexistent OCL_ICD_FILENAMES='' VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent
run=("$percycle" run latency --device sim:t4 --preset quick --set path=global --set max=64K)

echo "closed standard streams"
for closed in '<&-' '>&-' '2>&-' '<&- >&- 2>&-'; do
  rm -f closed.jsonl
  eval '"${run[@]}" --out closed.jsonl '"$closed" || fail "status $? with $closed"
  expect 0 "$percycle" validate closed.jsonl
done
cp closed.jsonl good.jsonl

echo "nobody reads"
status=0
"$percycle" kernels 2>stderr | head -n 1 >/dev/null || status=$?
[[ ! -s stderr ]] || fail "a closed pipe is complained of: $(<stderr)"

if [[ -e /dev/full ]]; then
  echo "stdout is full"
  for command in 'devices' 'devices --json' 'list' 'list --json' 'limits' 'kernels --gpu nvidia --api opencl' 'show good.jsonl' 'analyze good.jsonl' 'validate good.jsonl' \
    'validate --schema' 'report good.jsonl -o out' '--help' '--version' 'run latency --device sim:t4 --preset quick --set path=global --set max=16K --out run.jsonl --no-progress'; do
    status=0
    # shellcheck disable=SC2086
    "$percycle" $command >/dev/full 2>stderr </dev/null || status=$?
    ((status == 1)) && [[ $(wc -l <stderr) == 1 && $(<stderr) == *'No space left'* ]] ||
      fail "$command >/dev/full: status $status, '$(<stderr)'"
  done
  expect 0 "$percycle" validate run.jsonl # records differ from the printed text
  rm -f run.jsonl
  "${run[@]}" --out run.jsonl 2>/dev/full >/dev/null || fail "a run is lost for want of its progress"
fi

echo "a report whole or not at all"
expect 0 "$percycle" report good.jsonl -o out
cp -r out before
sed '$d' good.jsonl >other.jsonl
status=0
(
  trap '' XFSZ
  ulimit -f 100 # KiB: the page is larger
  "$percycle" report other.jsonl -o out
) 2>stderr >stdout || status=$?
((status == 1)) && [[ $(<stderr) == *'out/report.html: File too'* ]] || fail "status $status: $(<stderr)"
diff -r out before || fail "a part of a report was written"
mkdir -p taken/report.html
expect_line 1 'cannot write taken/report.html: Is a directory' "$percycle" report good.jsonl -o taken
[[ $(ls -A taken) == report.html ]] || fail "a part of a report was written: $(find taken)"
expect_line 2 '--out: the name of a folder is empty' "$percycle" report good.jsonl -o ''
expect_line 2 '--report: the name of a folder is empty' "${run[@]}" --out empty.jsonl --report ''
expect_line 2 '--out: the name is empty' "${run[@]}" --out ''
expect_line 2 'the name of a record file is empty' "$percycle" analyze ''
[[ ! -e empty.jsonl ]] || fail "a refused run left a file"

echo "links are replaced, not followed"
mkdir -p links/charts mine
echo mine >mine.txt
ln -s ../mine.txt links/report.html
ln -s ../mine.txt links/files.txt
expect 0 "$percycle" report good.jsonl -o links
[[ $(<mine.txt) == mine && ! -L links/report.html && ! -L links/files.txt ]] || fail "a link was followed"
rm -r links/tables
ln -s ../mine links/tables
expect_line 1 'cannot write into links/tables: it is a symbolic link' "$percycle" report good.jsonl -o links
[[ -z $(ls -A mine) ]] || fail "a link to a folder was followed"

echo "a list of files is no order to remove them"
chart=$(cd out && ls charts/*.vl.json | head -n 1)
[[ -n $chart ]] || fail "no chart"
echo '{}' >out/charts/mine.vl.json
echo '{}' >"out/$chart"
sed -i "1i 0000000000000000 charts/mine.vl.json" out/files.txt
expect 0 "$percycle" report "$source_dir"/results/published/t4-report-table-4.2.jsonl -o out
[[ $(<out/charts/mine.vl.json) == '{}' ]] || fail "a file that no report wrote is gone"
[[ $(<"out/$chart") == '{}' ]] || fail "a file that was changed since is gone"
[[ -z $(cd out && ls tables/*simulated* 2>/dev/null) ]] || fail "the earlier report's tables are still there"
