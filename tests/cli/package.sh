#!/bin/bash
# The Linux packages of this build: contents, licences, SBOM and lintian. package_twice.sh also has
# the Windows package.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
[[ -x $build_dir/src/percycle_portable ]] || skip "percycle_portable is not built: no Debian 11 C library (tools/portable/libc)"
for command in dpkg-deb lintian python3 zstd; do need_command "$command"; done

expect_line 1 --maintainer "$source_dir/tools/packaging/assemble" --maintainer 'Jane Doe' out "$build_dir"
"$source_dir/tools/packaging/assemble" --maintainer 'Jane Doe <jane@example.org>' out "$build_dir"
(cd out && sha256sum --check --quiet --strict SHA256SUMS)
(($(wc -l <out/SHA256SUMS) == 3)) || fail "SHA256SUMS has: $(<out/SHA256SUMS)"
lintian --allow-root --fail-on error out/*.deb || fail "lintian finds errors"

dpkg-deb -x out/*.deb deb
mkdir tar && tar -C tar --strip-components=1 --zstd -xf out/*.tar.zst
for file in bin/percycle share/{man/man1/percycle.1.gz,bash-completion/completions/percycle,zsh/vendor-completions/_percycle,fish/vendor_completions.d/percycle.fish} \
  share/doc/percycle/{copyright,changelog.gz,README.md,docs/commands.md}; do
  [[ -s deb/usr/$file ]] || fail "the .deb has no $file"
done
for file in LICENSE README.md percycle.1 docs/commands.md completions/{percycle,_percycle,percycle.fish}; do
  [[ -s tar/$file ]] || fail "the .tar.zst has no $file"
done
cmp deb/usr/bin/percycle tar/percycle
diff -r deb/usr/share/doc/percycle/licences tar/licences
expect 0 deb/usr/bin/percycle --version
[[ $(<stdout) == "$("$percycle" --version)" ]] || fail "--version says: $(<stdout)"
[[ $(dpkg-deb -f out/*.deb Maintainer) == 'Jane Doe <jane@example.org>' ]] || fail "its maintainer is $(dpkg-deb -f out/*.deb Maintainer)"
[[ $(dpkg-deb -f out/*.deb Depends) == 'libc6 (>= 2.27)' ]] || fail "it depends on $(dpkg-deb -f out/*.deb Depends)"

tar/percycle --version --json >version.json
python3 - out/*.spdx.json version.json tar <<'END' || fail "$(cat out/*.spdx.json)"
import hashlib, json, pathlib, sys
sbom, version, folder = sys.argv[1:]
sbom, version, folder = json.load(open(sbom)), json.load(open(version)), pathlib.Path(folder)
linked = {(one["name"], one.get("version")) for one in version["libraries"]}
assert {(one["name"], one.get("versionInfo")) for one in sbom["packages"][1:]} == linked
ids = [one["SPDXID"] for one in sbom["packages"] + sbom["files"]] + [sbom["SPDXID"]]
assert len(set(ids)) == len(ids), ids
for relation in sbom["relationships"]:
    assert relation["spdxElementId"] in ids and relation["relatedSpdxElement"] in ids, relation
checksum = hashlib.sha256((folder / "percycle").read_bytes()).hexdigest()
assert {"algorithm": "SHA256", "checksumValue": checksum} in sbom["files"][0]["checksums"]
for name, _ in linked:
    assert len((folder / "licences" / f"{name}.txt").read_text()) > 500, name
END
