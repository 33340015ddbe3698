#!/bin/bash
# The platform layer's files for Windows, and the tests', compile without the libraries of
# tools/build-windows.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
compiler=x86_64-w64-mingw32-g++-posix
need_command $compiler

# Only fmt's headers: those beside it in /usr/include are Linux's.
mkdir include
ln -s /usr/include/fmt include/fmt
files=("$source_dir"/src/platform/*_windows.cpp)
files+=("$source_dir/tests/test_system_windows.cpp")
((${#files[@]} >= 11)) || fail "only ${#files[@]} files for Windows"
printf '#include "%s"\n' "${files[@]}" >all.cpp
$compiler -std=c++20 -fsyntax-only -Wall -Wextra -Wconversion -Werror -D_WIN32_WINNT=0x0A00 -DNOMINMAX -DWIN32_LEAN_AND_MEAN -DFMT_HEADER_ONLY \
  -I"$source_dir/src" -I"$source_dir/tests" -isystem include all.cpp || fail "src/platform does not compile for Windows"
