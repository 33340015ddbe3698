#pragma once

#include <string>
#include <string_view>

namespace percycle {

/// The text of a kernel's file, embedded or added, by its name, e.g. "latency.cl"; empty if there
/// is no file of that name.
std::string_view kernel_source(std::string_view file_name);

/// Sixteen hexadecimal digits that change with the code of any embedded kernel, not with its
/// comments: runs of different kernels differ.
std::string_view kernel_source_hash();

/// Adds a kernel's file for the life of the program, for binaries with additional experiments:
/// `const AddKernelSource cl("NAME.cl", text);` at namespace scope. The text must live as long.
class AddKernelSource {
 public:
  AddKernelSource(std::string file_name, std::string_view text);
};

}  // namespace percycle
