#!/bin/bash
# tools/install-deps without apt-get: what the build needs decides, whoever installed it.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

# This machine's programs without Debian's package managers.
mkdir programs
for folder in /usr/sbin /sbin /usr/bin /bin ${PATH//:/ }; do
  [[ ! -d $folder ]] || find "$folder/" -maxdepth 1 ! -name 'apt*' ! -name 'dpkg*' ! -type d -exec ln -sft programs {} +
done
PATH=$work/programs expect 0 "$source_dir/tools/install-deps" build loaders
[[ ! -s stderr ]] || fail "something is missing here: $(<stderr)"

# Each missing part is named; a part that only tests use is no error.
rm -f programs/ninja programs/chromium
PATH=$work/programs expect_line 1 "install the equivalents of these Debian packages: ninja-build" "$source_dir/tools/install-deps" build test
grep -q 'has no chromium: the devices or tests that need it are left out' stdout || fail "chromium is not named: $(<stdout)"
printf '#!/bin/sh\nexit 1\n' >programs/no-headers
chmod +x programs/no-headers
CXX=no-headers PATH=$work/programs expect_line 1 "libtomlplusplus-dev" "$source_dir/tools/install-deps" build
