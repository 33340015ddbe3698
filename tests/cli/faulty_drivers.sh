#!/bin/bash
# Sourced by tests of faulty drivers, after common.sh: builds opencl.so and vulkan.so from shims/,
# which pass calls on to the drivers $pocl and $lavapipe.
# shellcheck disable=SC2034,SC2154 # the tests use these; common.sh sets source_dir
need_command cc
need_command python3
need_device opencl
need_device vulkan
shims=$source_dir/tests/cli/shims
pocl_manifest=$(find /etc/OpenCL/vendors -name 'pocl*.icd' 2>/dev/null | head -n 1)
lavapipe_manifest=$(find /usr/share/vulkan/icd.d /etc/vulkan/icd.d -name 'lvp_icd*.json' 2>/dev/null | head -n 1)
[[ $pocl_manifest && $lavapipe_manifest ]] || skip "PoCL's or lavapipe's manifest was not found"
[[ -e /usr/include/CL/cl_icd.h && -e /usr/include/vulkan/vk_icd.h ]] || skip_anywhere "the headers for drivers of OpenCL or Vulkan are not installed"
pocl=$(<"$pocl_manifest")
lavapipe=$(sed -n 's/.*"library_path": *"\([^"]*\)".*/\1/p' "$lavapipe_manifest")
cc -O1 -shared -fPIC -o opencl.so "$shims/faulty_opencl.c" -ldl
cc -O1 -shared -fPIC -o vulkan.so "$shims/faulty_vulkan.c" -ldl
