#include "codegen/binaries/intel.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <vector>

#include "codegen/binaries/code_tools.hpp"
#include "codegen/binaries/elf.hpp"
#include "platform/environment.hpp"
#include "platform/tool.hpp"

namespace percycle {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDisassembler = "libiga64.so";
constexpr std::uint16_t kElfOpencl = 0xff04;  // ET_OPENCL_EXECUTABLE of Intel's compute runtime

std::string library_path() { return environment_variable("LD_LIBRARY_PATH").value_or(""); }

/// IGA in any version: "libiga64.so.1".
std::optional<fs::path> find_disassembler() {
  std::vector<fs::path> folders = split_paths(library_path());
  for (const char* system : {"/usr/local/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"})
    folders.emplace_back(system);
  return find_in(folders, kDisassembler);
}

}  // namespace

bool is_intel_program(const std::string& bytes) {
  const auto elf = elf_kind(bytes);
  return bytes.starts_with("CTNI") || (elf && (elf->machine == kElfIntel || elf->type == kElfOpencl));
}

std::string assembly_of_intel(const std::string& program) {
  const auto ocloc = find_tool(kIntelDisassembler);
  if (!ocloc) throw ToolError(fmt::format("{} is in no folder of PATH", kIntelDisassembler));
  const auto disassembler = find_disassembler();
  if (!disassembler) throw ToolError(fmt::format("ocloc needs {}, which is in no library folder", kDisassembler));
  const TemporaryFolder folder;
  // ocloc opens it by its name without a version, which only development packages have.
  const fs::path libraries = folder.path() / "lib";
  const fs::path dump = folder.path() / "dump";
  std::error_code error;
  fs::create_directory(libraries, error);
  fs::create_directory(dump, error);  // ocloc does not create it for a zebin
  fs::create_symlink(fs::absolute(*disassembler), libraries / kDisassembler, error);
  if (error) throw ToolError(fmt::format("cannot make a link to {}: {}", kDisassembler, error.message()));
  const fs::path file = folder.write("program", program);
  run_tool(*ocloc, {"disasm", "-file", file.string(), "-dump", dump.string()}, folder.path(),
           {{"LD_LIBRARY_PATH", library_path().empty() ? libraries.string() : libraries.string() + ':' + library_path()}});
  std::vector<fs::path> kernels;
  for (const auto& entry : fs::directory_iterator(dump, error)) {
    const std::string name = entry.path().filename().string();
    // A zebin of a program with constants has an extra function that names them.
    if (name.ends_with(".asm") && name.find("Intel_Symbol_Table_Void_Program") == std::string::npos)
      kernels.push_back(entry.path());
  }
  if (kernels.size() != 1) throw ToolError(fmt::format("ocloc disassembles {} kernels instead of one", kernels.size()));
  return bytes_of(kernels.front());
}

}  // namespace percycle
