# Sourced by the tests of Mesa's drivers without hardware, after common.sh: makes the root and sets
# $enter, a command that runs another one there, with the folder $there at /mnt.
((EUID == 0)) || skip_anywhere "chroot needs root"
can_mount || skip_anywhere "no name space with mounts"
root=$("$source_dir/tools/drivers/root" 2>why) || skip_anywhere "no Debian 13 with Mesa's drivers: $(tail -n 1 why)"
there=$work/there
mkdir "$there"
cp "$percycle" "$there/percycle"
for shim in amdgpu intel nouveau; do cp "$root/shims/lib${shim}_noop_drm_shim.so" "$there/$shim.so"; done
# shellcheck disable=SC2034,SC2154,SC2206 # words; the tests use it; can_mount sets $namespace
enter=($namespace bash "$source_dir/tests/drivers/enter.sh" "$root" "$there")
