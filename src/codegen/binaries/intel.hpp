#pragma once

#include <string>

namespace percycle {

/// Whether these are a program of Intel's OpenCL driver as it hands them out: an ELF file of zebin, one of the driver's own kind with a program of patch
/// tokens in it, or that program alone ("CTNI").
bool is_intel_program(const std::string& bytes);

/// The assembly, as Intel's IGA writes it, of the one kernel in such a program: by `ocloc disasm`, which finds the hardware's generation in the program.
/// Throws ToolError, also where ocloc does not find IGA (libiga64.so).
std::string assembly_of_intel(const std::string& program);

}  // namespace percycle
