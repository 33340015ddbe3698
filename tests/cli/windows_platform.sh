#!/bin/bash
# The platform layer for Windows and its tests compile and link, without the libraries of
# tools/build-windows. If Wine is installed, the tests run.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
compiler=x86_64-w64-mingw32-g++-posix
need_command $compiler

# Only the headers of fmt and doctest: those beside them in /usr/include are Linux's.
mkdir include
ln -s /usr/include/{fmt,doctest} include/
files=("$source_dir"/src/platform/*_windows.cpp)
files+=("$source_dir/tests/test_system_windows.cpp")
((${#files[@]} >= 11)) || fail "only ${#files[@]} files for Windows"
# include FILE...: a source of these files.
include() { printf '#include "%s"\n' "$@"; }
include "${files[@]}" >windows.cpp
find "$source_dir/src/platform" -name '*.cpp' ! -name '*_windows.cpp' ! -name '*_posix.cpp' ! -name old_libc.cpp | sort >both
mapfile -t files <both
include "${files[@]}" "$source_dir"/src/core/*.cpp >both.cpp
include "$source_dir"/tests/{source_folders,unit/platform_test}.cpp >tests.cpp
include "$source_dir"/src/fmt.cpp "$source_dir/tests/doctest_main.cpp" >main.cpp
x86_64-w64-mingw32-windres -I "$source_dir/src/platform" "$source_dir/src/platform/percycle.rc" manifest.o
options=(-std=c++20 -Wall -Wextra -Wconversion -Werror -D_WIN32_WINNT=0x0A00 -DNOMINMAX -DWIN32_LEAN_AND_MEAN "-DPERCYCLE_ROOT=\"$source_dir\"" -I"$source_dir/src"
  -I"$source_dir/tests" -isystem include)
for part in windows both tests main; do
  $compiler "${options[@]}" -c $part.cpp || fail "src/platform and its tests do not compile for Windows"
done
$compiler -static -Wl,--wrap=mbrtowc -o tests.exe ./*.o -lpsapi -lwinmm || fail "the tests of src/platform do not link"

command -v wine >/dev/null || { echo "not run: Wine is not installed" && exit 0; }
export WINEPREFIX=$work/prefix WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml,winemenubuilder.exe,winedbg.exe=d' LC_ALL=C.UTF-8
trap 'wineserver -k || true; rm -rf "$work"' EXIT
wine wineboot --init >boot.log 2>&1 || fail "wine does not start: $(tail -n 3 boot.log)"
wine tests.exe >tests.log 2>&1 && grep -qE 'test cases: +[1-9]' tests.log || fail "tests of src/platform: $(<tests.log)"
