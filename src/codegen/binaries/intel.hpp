#pragma once

#include <string>

namespace percycle {

/// Whether the bytes are a program from Intel's OpenCL driver: a zebin ELF file, an ELF file of the
/// driver's own kind with patch tokens in it, or patch tokens alone ("CTNI").
bool is_intel_program(const std::string& bytes);

/// The assembly of the one kernel in a program of that kind, as Intel's IGA writes it, by `ocloc
/// disasm`, which finds the hardware generation in the program. Throws ToolError, also if ocloc
/// does not find IGA (libiga64.so).
std::string assembly_of_intel(const std::string& program);

}  // namespace percycle
