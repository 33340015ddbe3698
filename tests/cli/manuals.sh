#!/bin/bash
# groff formats the man page without a warning; zsh and fish complete as bash does (help.sh). The
# test is skipped after its other parts if one of these programs is missing.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

missing=()
mkdir bin
ln -s "$percycle" bin/percycle
PATH=$PWD/bin:$PATH
touch some.jsonl

if command -v groff >/dev/null; then
  echo "the man page has no errors"
  expect 0 percycle help --man
  cp stdout percycle.1
  groff -man -Tutf8 -ww percycle.1 2>&1 >formatted | grep . && fail "groff complains"
  grep -q 'time' formatted || fail "groff prints nothing"
else
  missing+=(groff)
fi

# Each line has a command line and the candidates that a shell offers.
cases=(
  'percycle sh|share show'
  'percycle run --api |opencl vulkan'
  'percycle run --pre|--preset'
  'percycle run laten|latency'
  'percycle run latency ge|geometry'
  'percycle show so|some.jsonl'
  'percycle help --completion z|zsh'
)
# offers SHELL FUNCTION: the function prints the candidates for a command line.
offers() {
  local line wanted offered
  for each in "${cases[@]}"; do
    IFS='|' read -r line wanted <<<"$each"
    offered=$("$2" "$line" | sort -u | tr '\n' ' ')
    [[ $offered == "$wanted " ]] || fail "$1 completes '$line' to '$offered' instead of '$wanted'"
  done
}

if command -v fish >/dev/null; then
  echo "fish completes"
  expect 0 percycle help --completion fish
  cp stdout percycle.fish
  in_fish() { HOME=$work fish --no-config -c 'source percycle.fish; complete -C "$argv"' -- "$1" | cut -f 1; }
  offers fish in_fish
else
  missing+=(fish)
fi

if command -v zsh >/dev/null; then
  echo "zsh completes"
  expect 0 percycle help --completion zsh
  cp stdout _percycle
  # zsh completes only in a terminal: zpty opens one, and compadd writes the candidates to a file.
  cat >complete.zsh <<'ZSH'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1=; fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D
compadd() {
  local -a words
  builtin compadd -A words "$@"
  print -rl -- $words >>replies
  builtin compadd "$@"
}
finish() { print done >>ended; exit }
zle -N finish; bindkey "^X" finish; print READY-$((1 + 1))'
while zpty -r shell line; do [[ $line == *READY-2* ]] && break; done
zpty -w -n shell "$1"$'\t'$'\x18'
while zpty -r shell line; do :; done
ZSH
  in_zsh() {
    rm -f replies ended
    HOME=$work timeout 60 zsh -f complete.zsh "$1" >/dev/null
    [[ -e ended ]] || fail "zsh does not answer '$1'"
    grep . replies || true
  }
  offers zsh in_zsh
else
  missing+=(zsh)
fi

((!${#missing[@]})) || skip_anywhere "not installed: ${missing[*]}"
