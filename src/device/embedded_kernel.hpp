#pragma once

#include <string_view>

namespace percycle {

/// The text of a file of cl_kernels/ or shaders/ by its name; empty if there is no file of that
/// name.
std::string_view embedded_kernel(std::string_view file_name);

/// Sixteen hexadecimal digits that change with any of the files.
std::string_view embedded_kernel_hash();

}  // namespace percycle
