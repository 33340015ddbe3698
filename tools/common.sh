# Sourced by the other tools: folders, and the report of a failure. Every tool ends a failure with
# one line and status 1.
set -euo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
self=tools/$(basename -- "$0")
jobs=$(nproc)
logs=$root/build/logs
# Checks of one clone hold for others with the same content.
cache=${PERCYCLE_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/percycle}

die() {
  echo "$self: $*" >&2
  exit 1
}

# quietly NAME TASK COMMAND...: runs COMMAND with its output in build/logs/NAME.log. If it fails,
# prints the log's last lines in CI, where the file is not accessible, and one line with the task,
# its first error and the log.
quietly() {
  local log=$logs/$1.log task=$2
  shift 2
  mkdir -p "$logs"
  echo "== $task"
  if ! "$@" >"$log" 2>&1 </dev/null; then
    [[ -z ${CI:-} ]] || tail -n 60 "$log"
    local first
    # CMake names the place in the first line of an error and the reason in the next ones.
    first=$(awk '/CMake Error/ { sub(/:$/, ""); place = $0; next }
      place && NF { gsub(/^ +| +$/, ""); print place ": " $0; exit }
      tolower($0) ~ /^e:|(^|[^-[:alnum:]])error:/ { print; exit }' "$log")
    [[ $first ]] || first=$(tail -n 1 "$log")
    die "$task failed: $first (log: $log)"
  fi
}

# sanitizing_clang: prints a clang that links libFuzzer; fails if this machine has none.
sanitizing_clang() {
  local clang
  for clang in clang++-14 clang++; do
    ! echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
      "$clang" -x c++ -fsanitize=fuzzer,address,undefined -o /dev/null - 2>/dev/null || { echo "$clang" && return; }
  done
  return 1
}

# build_sanitized TARGET...: builds with clang's sanitizers and libFuzzer in build/sanitized. Ends
# the tool with status 77 if that is not possible here.
build_sanitized() {
  local clang
  if ! clang=$(sanitizing_clang); then
    echo "$self: skipped: no clang on this machine links libFuzzer (Debian 12: packages clang-14 and libclang-rt-14-dev)"
    exit 77
  fi
  quietly sanitized-configure "configuring build/sanitized" cmake --preset sanitized -DCMAKE_CXX_COMPILER="$clang" -DCMAKE_C_COMPILER="${clang/++/}"
  quietly sanitized-build "building build/sanitized" cmake --build build/sanitized --parallel "$jobs" --target "$@"
}

# fetch_sources FOLDER PACKAGE "SOURCE=VERSION [SHA256 OF ITS .dsc]"...: downloads Debian sources to
# FOLDER, from the archives that have the binary PACKAGE. Changes none of the system's lists.
fetch_sources() {
  local folder=$1 package=$2 archive file wanted version checksum
  shift 2
  local archives own=(-o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$folder/parts" -o Dir::State::Lists="$folder/lists"
    -o Dir::Cache="$folder/cache" -o APT::Sandbox::User="$(id -un)")
  # "500 http://deb.debian.org/debian bookworm/main amd64 Packages"
  mapfile -t archives < <(LC_ALL=C apt-cache policy "$package" | awk '$NF == "Packages" { sub("/$", "", $2); print $2 }' | sort -u)
  ((${#archives[@]})) || die "apt knows no archive that has $package: apt-get update"
  mkdir -p "$folder"/{parts,lists/partial,cache/archives/partial}
  for archive in "${archives[@]}"; do
    for file in /etc/apt/sources.list.d/*.sources; do # paragraphs
      [[ ! -e $file ]] || archive=$archive awk -v RS= -v ORS='\n\n' 'index($0, ENVIRON["archive"]) { gsub(/(^|\n)Types:[^\n]*/, "\nTypes: deb-src"); print }' "$file" >>"$folder/parts/own.sources"
    done
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do # lines
      [[ ! -e $file ]] || archive=$archive awk '$1 == "deb" && index($0, ENVIRON["archive"]) { $1 = "deb-src"; print }' "$file" >>"$folder/parts/own.list"
    done
  done
  quietly source-lists "updating the list of sources" apt-get -q "${own[@]}" -o APT::Update::Error-Mode=any update
  cd "$folder"
  for wanted in "$@"; do
    read -r version checksum <<<"$wanted"
    quietly "source-${version%%=*}" "fetching the source of $version" apt-get -q "${own[@]}" source --download-only "$version"
    [[ -z $checksum ]] || sha256sum --status -c <<<"$checksum  $(ls "${version%%=*}"_*.dsc)" || die "$version has another checksum than $checksum"
  done
}

# own_lists FOLDER SUITE ARCHITECTURE: sets $own_apt to an apt-get that knows this part of Debian's
# archive alone, no installed package, and keeps its files in FOLDER.
own_lists() {
  local archive
  archive=$(debian_archive)
  mkdir -p "$1"/{lists/partial,cache/archives/partial}
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $archive $2 main" >"$1/own.list"
  own_apt=(apt-get -q -o Dir::Etc::sourcelist="$1/own.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::State::Lists="$1/lists" -o Dir::State::status=/dev/null
    -o Dir::Cache="$1/cache" -o APT::Sandbox::User="$(id -un)" -o APT::Architecture="$3" -o APT::Architectures="$3")
  quietly "lists-$2-$3" "updating the list of packages ($2, $3)" "${own_apt[@]}" -o APT::Update::Error-Mode=any update
}

# unpack FOLDER PACKAGE_FILE...: unpacks packages without installing them. Links in FOLDER that lead
# to this machine's files then lead to the folder's.
unpack() {
  local folder=$1 file link
  shift
  for file in "$@"; do dpkg-deb -x "$file" "$folder"; done
  while read -r link; do ln -sfr "$folder$(readlink "$link")" "$link"; done < <(find "$folder" -type l -lname '/*')
}

# unpack_packages FOLDER SUITE ARCHITECTURE "PACKAGE VERSION SHA256"...: downloads Debian packages
# and unpacks them in FOLDER/root.
unpack_packages() {
  local folder=$1 architecture=$3 package name version checksum
  own_lists "$1" "$2" "$3"
  shift 3
  cd "$folder"
  for package in "$@"; do
    read -r name version checksum <<<"$package"
    quietly "package-$name" "fetching $name $version ($architecture)" "${own_apt[@]}" download "$name=$version"
    sha256sum --status -c <<<"$checksum  $(echo "$name"_*.deb)" || die "$name $version ($architecture) has another checksum than $checksum"
  done
  unpack root *.deb
}

# The header-only libraries that cross-builds copy from this machine, and their packages.
shared_headers=(CL CLI eigen3 fmt nlohmann spdlog toml++ vk_video vulkan volk.h volk.c doctest)
shared_packages=(opencl-c-headers libcli11-dev libeigen3-dev libfmt-dev nlohmann-json3-dev libspdlog-dev libtomlplusplus-dev libvulkan-dev
  libvulkan-volk-dev doctest-dev)

# debian_archive: prints the Debian archive that apt uses on this machine.
debian_archive() {
  local archive
  archive=$(LC_ALL=C apt-cache policy libc6-dev | awk '$NF == "Packages" && !found++ { sub("-security$", "", $2); print $2 }')
  [[ -n $archive ]] || die "apt knows no archive that has libc6-dev: apt-get update"
  echo "$archive"
}
