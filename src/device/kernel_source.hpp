#pragma once

#include <string_view>

namespace percycle {

/// The embedded text of a file of cl_kernels/ or shaders/ by its name, e.g. "latency.cl"; empty when there is no such file.
std::string_view kernel_source(std::string_view file_name);

/// Sixteen hexadecimal digits that change with any of the kernels: runs of different kernels are not one run.
std::string_view kernel_source_hash();

}  // namespace percycle
