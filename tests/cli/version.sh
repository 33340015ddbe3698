#!/bin/bash
# `--version --json` names commit, date, compiler and every library; the man page has that date, and
# CITATION.cff that version.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

expect 0 "$percycle" --version
line=$(<stdout)
expect 0 "$percycle" --version --json
cp stdout version.json
expect 0 "$percycle" --json --version
cmp -s stdout version.json || fail "--json --version differs from --version --json"
expect_line 2 "--json requires --version" "$percycle" --json list

expect 0 "$percycle" help --man
date=$(sed -nE '1s/^\.TH PERCYCLE 1 "([^"]*)".*/\1/p' stdout | tr -d '\\')
python3 - "$line" "$date" "$source_dir/CITATION.cff" "$source_dir/tools/charts/package.json" <<'END' || fail "$(<version.json)"
import json, re, sys
line, date, citation, charts = sys.argv[1:]
version = json.load(open("version.json"))
assert line.startswith("percycle " + version["version"]), line
assert version.get("commit", "") in line, line
assert version.get("date", "") == date, date
assert re.search(r"\d+\.\d+.* for \w+ \w+", version["compiler"]), version["compiler"]
libraries = {one["name"]: one for one in version["libraries"]}
for name in ["fmt", "spdlog", "nlohmann-json", "toml++", "CLI11", "Eigen", "OpenCL-Headers", "zstd", "zlib", "volk",
             "Vulkan-Headers", "glslang"]:
    assert libraries[name]["licence"], name
    assert name == "OpenCL-Headers" or re.match(r"\d+", libraries[name]["version"]), libraries[name]
for name, number in json.load(open(charts))["dependencies"].items():
    assert libraries[name]["version"] == number, name
assert f"\nversion: {version['version']}\n" in open(citation).read(), "CITATION.cff has another version"
END
