#pragma once

#include <string>
#include <string_view>

namespace percycle {

/// The text of a kernel's file by its name, e.g. "latency.cl", embedded or added; empty when there is no such file.
std::string_view kernel_source(std::string_view file_name);

/// Sixteen hexadecimal digits that change with any of the embedded kernels: runs of different kernels are not one run.
std::string_view kernel_source_hash();

/// Adds a kernel's file for the life of the program, for binaries with experiments of their own: `const AddKernelSource cl("NAME.cl", text);` at
/// namespace scope. The text must live as long.
class AddKernelSource {
 public:
  AddKernelSource(std::string file_name, std::string_view text);
};

}  // namespace percycle
