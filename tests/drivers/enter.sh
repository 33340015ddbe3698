#!/bin/bash
# The body of a name space: COMMAND in the file system ROOT with FOLDER at /mnt. Memory is limited,
# because Mesa's compilers can take all of it: enter.sh ROOT FOLDER COMMAND...
mount -t proc proc "$1/proc" 2>/dev/null || mount --rbind /proc "$1/proc" || exit
mount --bind "$2" "$1/mnt" || exit
ulimit -d $((8 << 20))
exec chroot "$1" "${@:3}"
