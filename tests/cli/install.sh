#!/bin/bash
# `cmake --install` installs a binary that starts in any environment, its man page and completions.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

cmake --install "$build_dir" --prefix "$work/prefix" >install.log || fail "cmake --install: $(<install.log)"
mapfile -t files < <(find prefix -type f)
for file in bin/percycle share/{man/man1/percycle.1,bash-completion/completions/percycle,zsh/site-functions/_percycle,fish/vendor_completions.d/percycle.fish}; do
  [[ -s prefix/$file ]] || fail "$file is not installed, but: ${files[*]}"
done
((${#files[@]} == 5)) || fail "more is installed: ${files[*]}"

# Only libraries that every glibc system has.
ldd prefix/bin/percycle | awk '{print $1}' >libraries
if others=$(grep -Ev '^(linux-vdso\.so\.1|/lib(64)?/ld-linux[-a-z0-9_.]*|lib(c|m|stdc\+\+)\.so\.6|libgcc_s\.so\.1)$' libraries); then
  fail "needs more than libc, libm, libstdc++ and libgcc: $others"
fi
if others=$(readelf -d prefix/bin/percycle | grep -E 'RPATH|RUNPATH'); then
  fail "remembers where it was built: $others"
fi

# From another folder, after a move, with an empty environment.
mkdir elsewhere && mv prefix/bin/percycle elsewhere/renamed && rm -r prefix
version=$(cd / && env -i "$work/elsewhere/renamed" --version) || fail "--version with an empty environment"
[[ $version == *[0-9].[0-9]* ]] || fail "--version says '$version'"

# In a file system with only the C library.
bare=$work/bare
mkdir -p "$bare"
cp elsewhere/renamed "$bare/percycle"
while read -r library; do
  mkdir -p "$bare$(dirname "$library")" && cp "$library" "$bare$library"
done < <(ldd elsewhere/renamed | grep -o '/[^ ]*')
if ((EUID == 0)); then
  enter=(chroot "$bare")
elif unshare -r true 2>/dev/null; then
  enter=(unshare -r chroot "$bare")
else
  echo "not checked: starting in a bare file system needs root or user namespaces"
  exit 0
fi
inside=$("${enter[@]}" /percycle --version) || fail "--version in a bare file system"
[[ $inside == "$version" ]] || fail "--version in a bare file system says '$inside'"
