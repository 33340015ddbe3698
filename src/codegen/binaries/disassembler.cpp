#include "codegen/binaries/disassembler.hpp"

#include "codegen/binaries/elf.hpp"
#include "platform/tool.hpp"

namespace percycle {

namespace fs = std::filesystem;

const std::string& Disassembler::of_cubin(const std::string& cubin) {
  const std::string instructions = elf_instructions(cubin);
  const std::string& key = instructions.empty() ? cubin : instructions;
  const auto found = known_.find(key);
  if (found != known_.end()) return found->second;
  const fs::path tool = need_tool({"nvdisasm", "cuobjdump"});
  const TemporaryFolder folder;
  const fs::path file = folder.write("kernel.cubin", cubin);
  const char* option = tool.filename() == "nvdisasm" ? "-c" : "-sass";
  return known_[key] = run_tool(tool, {option, file.string()}, folder.path()).text;
}

const std::string& Disassembler::of_code(const std::string& code, const std::string& number) {
  const std::string key = number + code;
  const auto found = known_.find(key);
  if (found != known_.end()) return found->second;
  const fs::path tool = need_tool({"nvdisasm"});
  const TemporaryFolder folder;
  const fs::path file = folder.write("kernel.bin", code);
  return known_[key] = run_tool(tool, {"-b", "SM" + number, file.string()}, folder.path()).text;
}

}  // namespace percycle
