#!/bin/bash
# A site: its pages, links, data and records, building it again, bad input, and the check of
# records for it.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
need_command python3

export OCL_ICD_VENDORS=/nonexistent OCL_ICD_FILENAMES='' VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent
published=$source_dir/results/published
kept nvidia-h100-quick nvidia-h200-bandwidth-{opencl,vulkan}
records=(nvidia-h100-quick.jsonl.gz nvidia-h200-bandwidth-{opencl,vulkan}.jsonl.gz "$published"/t4-report-table-4.2.jsonl)

echo "pages, links, records and data"
expect 0 "$percycle" site "${records[@]}" -o out/of/it
words site.made "$(sed 's/[0-9][0-9]* files, [0-9]* written/N files, N written/' stdout)"
expect 0 python3 "$source_dir/tests/cli/site_links.py" out/of/it
cat stdout
python3 - out/of/it "${records[@]}" <<'PYTHON' || fail "see above"
import collections
import glob
import gzip
import json
import re
import sys

folder, *files = sys.argv[1:]


def lines(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


given = [record for path in files for record in lines(path)]
kept = [record for path in glob.glob(f"{folder}/data/*.jsonl.gz") for record in lines(path)]
assert collections.Counter(record["kind"] for record in given) == collections.Counter(record["kind"] for record in kept)
text = json.dumps(kept)
for header in (record for record in given if record["kind"] == "header" and "uuid" in record["device"]):
    assert header["device"]["uuid"] not in text, "a UUID"

site = json.load(open(f"{folder}/data/cards.json", encoding="utf-8"))
h200 = next(card for card in site["cards"] if card["title"] == "NVIDIA H200")
assert h200["apis"] == ["OpenCL", "Vulkan"] and h200["source"] == "measured" and h200["identity"].startswith("shared:"), h200
labels = [figure["label"] for figure in site["figures"]]
read = next(value for value in h200["values"] if site["figures"][value["figure"]]["name"] == "memory read")
assert read["api"] == "opencl" and 90 < read["share_percent"] < 100, read
assert read["experiment"] == "dram-bandwidth" and "read" in read["parameters"], read
documents = [card for card in site["cards"] if card["source"] == "published"]
assert len(documents) == 6 and all("document" in card and not card["apis"] for card in documents)

# The table of the index has the same values, without a script.
index = open(f"{folder}/index.html", encoding="utf-8").read()
row = next(row for row in index.split("<tr ") if h200["page"] in row)
assert f"{read['text']} <small>{round(read['share_percent'])} %" in row, row
assert len(re.findall("<tr data-", index)) == len(site["cards"])
page = open(f"{folder}/{h200['page']}", encoding="utf-8").read()
for words in ("580.159.04", read["run"], read["parameters"], "report.json.gz", "Vulkan"):
    assert words in page, words

# Downloads are packed: all points as CSV and as JSON.
place = f"{folder}/{h200['page']}".removesuffix("index.html")
with gzip.open(f"{place}report.json.gz", "rt", encoding="utf-8") as file:
    assert json.load(file)["devices"]
tables = glob.glob(f"{place}tables/*.csv.gz")
assert len(tables) > 2
for path in tables:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        assert len(file.readlines()) > 1, path
PYTHON
for file in out/of/it/data/*.jsonl.gz; do expect 0 "$percycle" validate "$file"; done

echo "building again changes nothing"
touch -d '2020-01-01' out/of/it/index.html
cp -r --preserve=timestamps out/of/it before
expect 0 "$percycle" site "${records[@]}" -o out/of/it
[[ $(head -n 1 stdout) == *' 0 written, 0 removed' ]] || fail "says: $(<stdout)"
diff -r before out/of/it || fail "the same records give another site"
[[ out/of/it/index.html -ot out/of/it/compare.html ]] || fail "a file with the same content is new"

echo "a card less: its files leave, other files stay, and so do pages of other cards"
echo mine >out/of/it/CNAME
page=$(echo out/of/it/cards/nvidia-h200-*/index.html)
touch -d '2020-01-01' "$page"
expect 0 "$percycle" site "${records[@]:1:2}" -o out/of/it
[[ $(<out/of/it/CNAME) == mine && ! -e $(echo out/of/it/cards/nvidia-h100-*) && ! -e $(echo out/of/it/data/t4-*) ]] || fail "has $(ls out/of/it/* )"
[[ $page -ot out/of/it/index.html ]] || fail "a page of a card that stays is new"
rm out/of/it/CNAME
expect 0 python3 "$source_dir/tests/cli/site_links.py" out/of/it

echo "records keep what identifies a card only on demand"
expect 0 "$percycle" site nvidia-h200-bandwidth-opencl.jsonl.gz --keep-identity -o kept
as_sorted() { zcat "$1" | python3 -c 'import json, sys; print("\n".join(sorted(json.dumps(json.loads(line), sort_keys=True) for line in sys.stdin)))'; }
cmp <(as_sorted nvidia-h200-bandwidth-opencl.jsonl.gz) <(as_sorted "$(echo kept/data/*.jsonl.gz)") || fail "--keep-identity changes records"

echo "strings of records stay text"
zcat nvidia-h200-bandwidth-opencl.jsonl.gz | python3 -c '
import json, sys
evil = "</script><script>alert(1)</script><img src=x onerror=alert(2)> \" onload=alert(3) x=\" -->"
for line in sys.stdin:
    record = json.loads(line)
    if record["kind"] == "header":
        record["device"]["name"] = record["device"]["vendor"] = record["device"]["driver"] = record["os"] = evil
    print(json.dumps(record))' >evil.jsonl
expect 0 "$percycle" site evil.jsonl nvidia-h100-quick.jsonl.gz -o evil
expect 0 python3 "$source_dir/tests/cli/site_links.py" evil

echo "bad input is one line, and writes nothing"
: >empty.jsonl
expect_words 2 read.no-file "$percycle" site none.jsonl -o none
expect_words 2 read.empty-file "$percycle" site empty.jsonl -o none
expect_words 2 site.twice "$percycle" site nvidia-h100-quick.jsonl.gz ./nvidia-h100-quick.jsonl.gz -o none
expect 2 "$percycle" site nvidia-h100-quick.jsonl.gz
[[ ! -e none ]] || fail "something was written"
ln -s "$work" here
mkdir linked
ln -s "$work" linked/cards
expect_line 1 'it is a symbolic link, which is not followed' "$percycle" site nvidia-h100-quick.jsonl.gz -o linked
expect_line 1 'cannot make ' "$percycle" site nvidia-h100-quick.jsonl.gz -o empty.jsonl

echo "validate --for-site names what is missing"
expect 1 "$percycle" validate --for-site nvidia-h200-bandwidth-opencl.jsonl.gz
words site.missing "$(sed 's/^percycle: error: //' stderr)"
expect 1 "$percycle" validate --for-site "$(echo kept/data/*.jsonl.gz)"
expect 0 "$percycle" validate --for-site "$published"/t4-report-table-4.2.jsonl
words site.complete "$(sed 's/.*published.t4/t4/' stdout | head -n 1)"
expect 0 "$percycle" run latency --device sim:t4 --preset quick --set path=global --set max=64K --no-progress --out sim.jsonl
expect 1 "$percycle" validate --for-site sim.jsonl
words site.simulated "$(head -n 1 stderr)"
expect 2 "$percycle" validate --for-site --schema
