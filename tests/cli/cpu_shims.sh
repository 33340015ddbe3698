#!/bin/bash
# Sourced after common.sh by tests that change what a CPU's driver says: builds
# opencl/libOpenCL.so.1, which answers one function and forwards the others to the real loader,
# linked under another name.
need_command cc
need_device opencl
need_device vulkan

# The loader in place of a shim, as the dynamic linker finds it. awk reads to the end, because
# ldconfig may die of a pipe that closes early.
loader() { /sbin/ldconfig -p | awk -v name="$1" '$1 == name && !found++ { print $NF }'; }

shims=$(dirname -- "${BASH_SOURCE[0]}")/shims
mkdir opencl
sed 's/libOpenCL\.so\.1/libOpenCL.so.9/g' "$(loader libOpenCL.so.1)" >opencl/libOpenCL.so.9
cc -shared -fPIC -o opencl/libOpenCL.so.1 "$shims/cpu_opencl.c" -ldl -Wl,--no-as-needed opencl/libOpenCL.so.9
