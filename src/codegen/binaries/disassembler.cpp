#include "codegen/binaries/disassembler.hpp"

#include "codegen/binaries/code_tools.hpp"
#include "codegen/binaries/elf.hpp"
#include "platform/tool.hpp"

namespace percycle {

namespace fs = std::filesystem;

std::string Disassembler::once(const std::string& code, const std::function<std::string()>& disassemble) {
  std::packaged_task<std::string()> task(disassemble);
  std::unique_lock lock(mutex_);
  const auto [found, is_new] = known_.try_emplace(code);
  if (is_new) found->second = task.get_future().share();
  const std::shared_future<std::string> listing = found->second;
  lock.unlock();
  if (is_new) task();
  return listing.get();
}

std::string Disassembler::of_cubin(const std::string& cubin) {
  const std::string instructions = elf_instructions(cubin);
  return once(instructions.empty() ? cubin : instructions, [&] {
    const fs::path tool = need_tool(kCubinDisassemblers);
    const TemporaryFolder folder;
    const fs::path file = folder.write("kernel.cubin", cubin);
    const char* option = tool.filename() == "nvdisasm" ? "-c" : "-sass";
    return run_tool(tool, {option, file.string()}, folder.path()).text;
  });
}

std::string Disassembler::of_code(const std::string& code, const std::string& number) {
  return once(number + code, [&] {
    const fs::path tool = need_tool(kCodeDisassemblers);
    const TemporaryFolder folder;
    const fs::path file = folder.write("kernel.bin", code);
    return run_tool(tool, {"-b", "SM" + number, file.string()}, folder.path()).text;
  });
}

}  // namespace percycle
