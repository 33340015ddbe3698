#!/bin/bash
# tools/package makes the same bytes here and in a bare Debian 12, there without ccache. Not in
# tools/test's default: tools/test -L package.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
((EUID == 0)) || skip "debootstrap needs root"
git -c safe.directory='*' -C "$source_dir" diff --quiet HEAD || skip "the working tree has changes"

"$source_dir/tools/install-deps" portable
system=$("$source_dir/tools/portable/root" bookworm)
can_mount || skip "no name space with mounts"
"$source_dir/tools/package"

echo "one command in a bare Debian 12"
cp -a "$system" bare
git -c safe.directory='*' clone -q "$source_dir" bare/elsewhere
# The resolver and the certificates of this machine.
cp -L /etc/resolv.conf bare/etc/
cp -L /etc/ssl/certs/ca-certificates.crt bare/etc/machine.crt
cat >enter.sh <<'ENTER'
mount -t proc proc bare/proc && mount --rbind /dev bare/dev || exit
exec env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin NODE_EXTRA_CA_CERTS=/etc/machine.crt chroot bare /elsewhere/tools/package
ENTER
# shellcheck disable=SC2154 # can_mount sets it
$namespace bash enter.sh || fail "tools/package in a bare Debian 12"
packages=$work/bare/elsewhere/build/package
diff -r "$source_dir/build/package" "$packages" || fail "the packages differ"

python3 -m zipfile -e "$packages"/*.zip zip
for file in percycle.exe LICENSE README.md docs/commands.md licences/{mingw-w64,glslang}.txt; do
  [[ -s $(echo zip/*/"$file") ]] || fail "the .zip has no $file"
done

cd "$packages"
(($(ls ./*.deb ./*.tar.zst ./*.zip ./*.json | wc -l) == 6 && $(wc -l <SHA256SUMS) == 6)) || fail "the packages are $(ls)"
sha256sum --check --quiet --strict SHA256SUMS
dpkg-deb -x ./*_arm64.deb "$work/arm64"
[[ $(readelf -h "$work/arm64/usr/bin/percycle") == *AArch64* && $(dpkg-deb -f ./*_arm64.deb Architecture) == arm64 ]] || fail "the .deb for arm64 is for $(dpkg-deb -f ./*_arm64.deb Architecture)"
tar -xOf ./*-linux-aarch64.tar.zst --zstd --wildcards '*-aarch64/percycle' | cmp - "$work/arm64/usr/bin/percycle"
for file in "$work/arm64/usr/bin/percycle" "$work"/zip/*/percycle.exe; do
  grep -q "$(sha256sum "$file" | cut -d' ' -f1)" ./*.spdx.json || fail "the SBOM lacks $file"
done
