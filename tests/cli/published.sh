#!/bin/bash
# Published figures for a user: shown and validated like a run, never taken for one.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_command python3

export OCL_ICD_VENDORS=/nonexistent OCL_ICD_FILENAMES='' VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent

echo "every record that comes with the sources"
for file in "$source_dir"/results/published/*.jsonl; do
  expect 0 "$percycle" validate "$file"
  grep -Eq ' header(s?) \([0-9]+ published\), ' stdout || fail "validate does not say that it is published: $(<stdout)"
  expect 0 "$percycle" show --wide "$file"
  [[ ! -s stderr ]] || fail "show says: $(<stderr)"
  headers=$(grep -c '"kind":"header"' "$file")
  (($(grep -c '^published in .*; not measured by percycle$' stdout) == headers)) || fail "show does not say for each device that it is published"
  ! grep -Eq '^(.*, )?(measured|simulated) ' stdout || fail "show takes it for a run"
  name=$(basename "$file")
  [[ $name == gpu-l1-article-*-* ]] && name='gpu-l1-article-{rdna2,gcn,pascal,ampere,gen9}-{l1,local}.jsonl'
  grep -qF "| \`published/$name\` |" "$source_dir/results/published.md" || fail "results/published.md does not name $name"
done

file=$source_dir/results/published/t4-report-table-4.2.jsonl

echo "it is no run"
expect 2 "$percycle" analyze "$file"
grep -qF "$file: " stderr || fail "analyze says: $(<stderr)"
grep -q 'nothing to analyze' stderr || fail "analyze says: $(<stderr)"
expect 0 "$percycle" run latency --device sim:t4 --preset quick --set path=global --no-progress --out t4.jsonl
expect 0 "$percycle" analyze t4.jsonl
grep -v "^next: " stdout >alone
expect_line 0 'skips them' "$percycle" analyze t4.jsonl "$file"
grep -v "^next: " stdout | cmp -s - alone || fail "published figures change the findings of analyze"
cp "$file" mine.jsonl
expect_line 2 'mine.jsonl: ' "$percycle" run --resume mine.jsonl
cmp -s "$file" mine.jsonl || fail "--resume changed the file"

echo "damage is named by file and line"
# damage LINE PYTHON...: a copy of the file in which record r of that line is changed.
damage() {
  python3 - "$file" "$1" "$2" >damaged.jsonl <<'PYTHON'
import json
import sys

path, number, change = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    lines = [json.loads(line) for line in file]
r = lines[int(number) - 1]
exec(change)
print("\n".join(json.dumps(line) for line in lines))
PYTHON
}
damage 1 'del r["citation"]'
expect_line 2 "damaged.jsonl:1: *'citation'" "$percycle" validate damaged.jsonl
damage 14 'del r["citation"]["place"]'
expect_line 2 "damaged.jsonl:14: citation: 'place'" "$percycle" show damaged.jsonl
damage 3 'r["measurement"].update(samples=[{"ops": 1, "host_ns": 1}], time_source="host timer", verified_samples=1); r["measurement"]["statistics"]["net_cycles_per_op"].update(mad=0, min=1, max=1, n=1)'
expect_words 2 published.more-than-statistics "$percycle" validate damaged.jsonl
expect 0 "$percycle" validate t4.jsonl
head -n 1 t4.jsonl >posing.jsonl
sed -n 2p "$file" | sed "s/\"header\":\"[0-9a-f]*\"/\"header\":\"$(sed -En '1s/.*"id":"([0-9a-f]+)".*/\1/p' t4.jsonl)\"/" >>posing.jsonl
expect_words 2 published.point-without-samples "$percycle" validate posing.jsonl

echo "published:NAME stands for the figures of a card"
expect 0 "$percycle" list --published
grep -Eq '^AMD +RX 6900 XT +l1-bandwidth' stdout || fail "the list lacks the RX 6900 XT: $(<stdout)"
expect 0 "$percycle" list --published --json
python3 - <<'PYTHON' || fail "the list is: $(<stdout)"
import json
cards = {card["name"]: card for card in json.load(open("stdout"))["published"]}
assert len(cards) > 40, len(cards)
assert cards["T4"]["vendor"] == "NVIDIA" and "tlb" in cards["T4"]["experiments"] and len(cards["T4"]["documents"]) == 1
PYTHON
expect 0 "$percycle" show "published:rx 6900 xt"
(($(grep -c '^published in ' stdout) > 2)) || fail "not all documents on the card: $(<stdout)"
expect 0 "$percycle" compare published:T4 published:V100
grep -q 'V100' stdout || fail "compare lacks the V100: $(<stdout)"
expect 0 "$percycle" report published:T4 published:V100
[[ -s published-report/report.html ]] || fail "no report: $(ls)"
expect_words 2 published.no-card "$percycle" report "published:RX 6900" -o none
expect_words 2 published.no-close-card "$percycle" show published:something
expect_line 2 'published' "$percycle" run --resume published:T4
expect 0 "$percycle" help --completion bash
grep -q 'published:' stdout || fail "completion does not know published cards"
