#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <future>
#include <nlohmann/json.hpp>

#include "check_words.hpp"
#include "codegen/assembly/amdgcn.hpp"
#include "codegen/assembly/objdump.hpp"
#include "codegen/assembly/timed_loop.hpp"
#include "codegen/binaries/elf.hpp"
#include "codegen/binaries/machine_code.hpp"
#include "codegen/binaries/pipeline_cache.hpp"
#include "codegen/binaries/summary.hpp"
#include "platform/environment.hpp"
#include "platform/tool.hpp"
#include "store/record_json.hpp"
#include "test_system.hpp"

namespace percycle::codegen_test {
namespace {

std::string number(std::uint64_t value, std::size_t width) {
  std::string bytes;
  for (std::size_t i = 0; i < width; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xffu);
  return bytes;
}

/// Two instructions of 16 bytes: NOP and EXIT of sm_90.
std::string two_instructions() { return number(0x7918, 8) + number(0, 8) + number(0x794d, 8) + number(0, 8); }

/// A container with other bytes before it, a table of two entries and the code at its end.
std::string container(std::uint64_t offset, std::size_t width, bool size_first, const std::string& code) {
  const auto entry = [&](std::uint64_t type, std::uint64_t size, std::uint64_t at) {
    return number(type, width) + number(size_first ? size : at, width) + number(size_first ? at : size, width);
  };
  std::string bytes = "NVuc" + std::string(0x3c, '\0') + entry(4, 8, 0x40) + entry(1, code.size(), offset);
  bytes.resize(0x100, '\x11');
  return "in front" + bytes + code;
}

/// A Zstandard frame with one block, stored as it is (RFC 8878, section 3.1.1): percycle.exe's
/// library only decompresses.
std::string framed(const std::string& bytes) {
  return number(0xFD2FB528, 4) + '\xE0' + number(bytes.size(), 8) + number(bytes.size() << 3 | 1, 3) + bytes;
}

/// For tests of programs that are shell scripts, or of the shell.
const doctest::skip kNeedsScripts(!test_system::kScriptsArePrograms);

}  // namespace

TEST_CASE("codegen: the machine code in a pipeline cache of NVIDIA's") {
  const std::string code = two_instructions();
  for (const std::size_t width : {std::size_t{4}, std::size_t{8}}) {
    for (const bool size_first : {false, true}) CHECK(machine_code_of(container(0x100, width, size_first, code), 9) == code);
  }
  const std::string cache = "header " + framed(container(0x100, 4, true, code)) + framed("another") + "tail";
  const auto frames = decompressed_frames(cache);
  REQUIRE(frames.size() == 2);
  CHECK(machine_code_of(frames[0], 9) == code);
  CHECK(machine_code_of(frames[1], 9).empty());
}

TEST_CASE("codegen: a pipeline cache with another layout has no machine code") {
  const std::string code = two_instructions();
  CHECK(machine_code_of(container(0x200, 4, true, code), 9).empty());  // beyond the end
  // Half an instruction.
  CHECK(machine_code_of(container(0x100, 4, true, code.substr(0, 24)), 9).empty());
  CHECK(machine_code_of(container(0x100, 4, true, code.substr(0, 16)), 9).empty());  // no EXIT
  CHECK(machine_code_of(container(0x100, 4, true, code.substr(0, 24)), 5) == code.substr(0, 24));
  CHECK(machine_code_of(container(0x110, 4, true, code), 9).empty());  // over the end
  CHECK(machine_code_of("NVuc", 9).empty());
  const std::string frame = framed(container(0x100, 4, true, code));
  for (std::size_t cut = 0; cut < frame.size(); ++cut) {
    for (const auto& each : decompressed_frames(frame.substr(0, cut))) CHECK(machine_code_of(each, 9).size() <= code.size());
  }
  CHECK(decompressed_frames("\x28\xB5\x2F\xFDnothing").empty());
}

TEST_CASE("codegen: other programs are found, run without a shell, and their failures are one line" * kNeedsScripts) {
  CHECK(find_tool("sh").has_value());
  CHECK_FALSE(find_tool("percycle-no-such-program").has_value());
  std::filesystem::path path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    const auto file = folder.write("words", "a $(b) c");
    const ToolOutput said = run_tool(*find_tool("cat"), {file.string()}, folder.path());
    CHECK(said.text == "a $(b) c");
    CHECK(said.errors.empty());
    CHECK_THROWS_WITH_AS(run_tool(*find_tool("sh"), {"-c", "echo; echo first >&2; echo second >&2; exit 3"}, folder.path()),
                         "sh: first", ToolError);
    CHECK_THROWS_WORDS("command.killed", ToolError, run_tool(*find_tool("sh"), {"-c", "kill -SEGV $$"}, folder.path()));
  }
  CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("codegen: a listing of llvm-objdump has loops, of one function") {
  const auto listing = isa::parse_amdgcn(
      isa::assembly_of_objdump("0000000000000000 <k>:\n\tv_mov_b32_e32 v3, 0 // 000000000088: 7E060280\n"
                               "\tglobal_load_dword v2, v[4:5], off // 00000000008C: DC508000 027F0004\n"
                               "\ts_cbranch_scc0 65525 // 0000000000B4: BF84FFF5 <k+0x8c>\n\ts_endpgm // 0000000000B8: BF810000\n"
                               "\n0000000000000100 <other>:\n\ts_endpgm // 000000000100: BF810000\n"),
      "k");
  CHECK(listing.code.size() == 4);
  CHECK(isa::innermost_loops(listing) == std::vector<isa::Loop>{{1, {1, 2}}});
}

namespace {

const TimedCode kLoads{"k", std::vector<TurnAccess>{{MemoryPath::global, AccessKind::read, 4, 2}}, true};

KernelCode sass(const std::string& loop) {
  KernelCode code;
  code.forms.push_back({"PTX", "ptx", ".entry k(\n)\n{\n\tret;\n}\n", false, CodeLanguage::ptx});
  code.forms.push_back(
      {"ptxas -v", "ptxas", "    8 bytes stack frame, 0 bytes spill stores\nUsed 12 registers, used 0 barriers\n", false, {}});
  code.forms.push_back({"SASS", "sass", ".L_x_0:\n" + loop + "@P0 BRA `(.L_x_0) ;\nEXIT ;\n", false, CodeLanguage::sass});
  return code;
}

}  // namespace

TEST_CASE("codegen: a loop's counts, and the compiler's numbers of registers") {
  const Codegen found =
      summarize(sass("LDG.E R1, [R2] ;\nLDG.E R3, [R4] ;\nLDC.64 R6, c[0x0][0x210] ;\nIADD3 R5, R5, 0x1, RZ ;\n"), {}, kLoads);
  CHECK(found.form == "SASS");
  CHECK(found.registers == 12);
  CHECK(found.spills == 0);
  CHECK(found.scratch_bytes == 8);
  REQUIRE(found.counts);
  CHECK(found.counts->accesses == std::vector<CodeAccess>{{"load", "vector", 4, false, 2}, {"load", "scalar", 8, false, 1}});
  CHECK(found.counts->alu == 1);
  CHECK(found.counts->branches == 1);
  CHECK(found.counts->alu_per_access == 0.5);
  CHECK(codegen_warnings(found, kLoads).empty());
  // The driver's figures take precedence over ptxas.
  const CodeInfo said{32, {{"Register Count", 20}, {"Local Memory Size", 0}}};
  CHECK(summarize(sass("LDG.E R1, [R2] ;\n"), said, kLoads).registers == 20);
  CHECK(summarize(sass("LDG.E R1, [R2] ;\n"), said, kLoads).scratch_bytes == 0);
  // NVIDIA's Vulkan driver 580
  const CodeInfo packed{32, {{"Local Memory Size", std::uint64_t{1} << 36u}}};
  CHECK(summarize(sass("LDG.E R1, [R2] ;\n"), packed, kLoads).scratch_bytes == 8);
}

TEST_CASE("codegen: the instructions of a chain, and the instructions of an operation") {
  const auto chain = [](std::uint64_t count, std::uint32_t helper) {
    return TimedCode{"k", std::vector<TurnAccess>{}, true, TurnArithmetic{"division", count, helper}};
  };
  const auto times = [](int count, const std::string& line) {
    std::string all;
    for (int i = 0; i < count; ++i) all += line;
    return all;
  };
  const std::string turn = times(10, "LOP3.LUT R1, R1, R2, RZ, 0xc0, !PT ;\n");
  // 16 divisions of 3 instructions.
  const std::string divisions = turn + times(32, "FFMA R1, R1, R2, R3 ;\n") + times(16, "MUFU.RCP R1, R1 ;\n");
  const Codegen found = summarize(sass(divisions), {}, chain(16, 0));
  REQUIRE(found.counts);
  CHECK(found.counts->instructions == std::vector<CodeInstruction>{{"FFMA", 32}, {"MUFU.RCP", 16}, {"LOP3.LUT", 10}, {"BRA", 1}});
  CHECK_WORDS("codegen.expanded-division", found.note);
  CHECK(codegen_warnings(found, chain(16, 0)).empty());
  CHECK_WORDS("codegen.short-division", summarize(sass(divisions), {}, chain(16, 1)).note);
  CHECK(summarize(sass(turn + times(64, "IADD3 R1, R1, R2, RZ ;\n")), {}, chain(64, 0)).note.empty());
  CHECK(summarize(sass(turn + times(128, "IADD3 R1, R1, R2, RZ ;\n")), {}, chain(64, 1)).note.empty());
  // Two turns in one.
  CHECK(summarize(sass(turn + times(128, "IADD3 R1, R1, R2, RZ ;\n")), {}, chain(64, 0)).note.empty());
  const Codegen joined = summarize(sass(turn + times(64, "IADD3 R1, R1, R2, R3 ;\n")), {}, chain(64, 1));
  CHECK_WORDS("codegen.joined-operations", joined.note);
  CHECK_WORDS("codegen.joined-operations-warning", codegen_warnings(joined, chain(64, 1)));
  const std::string call = "CALL.REL.NOINC `(.L_x_9) ;\n";
  CHECK_WORDS("codegen.division-call", summarize(sass(turn + call), {}, chain(64, 0)).note);
  CHECK_WORDS("codegen.division-call", summarize(sass(turn + times(64, call)), {}, chain(64, 0)).note);
  CHECK(summarize(sass(turn + times(64, "IADD3 R1, R1, R2, RZ ;\n") + call), {}, chain(64, 0)).note.empty());
  // The instruction that multiplies matrices, or none.
  const TimedCode matrices{"k", std::vector<TurnAccess>{}, true, TurnArithmetic{"products (16x16x16)", 64, 0, true}};
  CHECK_WORDS("codegen.products", summarize(sass(turn + times(128, "HMMA.16816.F32 R4, R8, R12, R4 ;\n")), {}, matrices).note);
  CHECK_WORDS("codegen.no-products", summarize(sass(turn + times(70, "HFMA2.MMA R4, R8, R12, R4 ;\n")), {}, matrices).note);
  // The branches of the source, kept or not.
  const TimedCode branches{"k", std::vector<TurnAccess>{}, true, TurnArithmetic{"operation", 8, 0, false, 1}};
  const std::string side = "@P0 BRA `(.L_x_2) ;\n" + times(4, "IADD3 R1, R1, R2, RZ ;\n") + ".L_x_2:\n";
  CHECK_WORDS("codegen.one-branch", summarize(sass(turn + side), {}, branches).note);
  CHECK_WORDS("codegen.no-branch", summarize(sass(turn), {}, branches).note);
  const TimedCode more{"k", std::vector<TurnAccess>{}, true, TurnArithmetic{"operation", 16, 0, false, 1}};
  CHECK_WORDS("codegen.joined-branch", codegen_warnings(summarize(sass(turn), {}, more), more));
  KernelCode straight = sass("");
  straight.forms.back().text = "IADD3 R1, R1, R2, RZ ;\nEXIT ;\n";
  CHECK_WORDS("codegen.no-timed-loop", codegen_warnings(summarize(straight, {}, chain(64, 0)), chain(64, 0)));
  CHECK(summarize(sass("LDG.E R1, [R2] ;\n"), {}, kLoads).counts->instructions.empty());
}

TEST_CASE("codegen: parameters that a loop reads again are none of the constants that are measured") {
  const TimedCode constants{"k", std::vector<TurnAccess>{{MemoryPath::constant, AccessKind::read, 4, 2}}, true};
  const std::string reads = "LDC R9, c[0x3][R9] ;\nLDC R9, c[0x3][R9] ;\nIADD3 R5, R5, 0x1, RZ ;\n";
  CHECK(summarize(sass(reads + "LDC.64 R6, c[0x0][0x210] ;\n"), {}, constants).counts->alu_per_access == 0.5);
}

TEST_CASE("codegen: accesses that were left out, loops that are gone and spills are warned of; a loop unrolled twice is not") {
  const auto warnings = [](const std::string& loop) { return codegen_warnings(summarize(sass(loop), {}, kLoads), kLoads); };
  CHECK_WORDS("codegen.less-loads", warnings("LDG.E R1, [R2] ;\n"));
  CHECK(warnings("LDG.E.64 R1, [R2] ;\n").empty());
  CHECK(warnings("LDG.E R1, [R2] ;\nLDG.E R1, [R2] ;\nLDG.E R1, [R2] ;\nLDG.E R1, [R2] ;\n").empty());
  CHECK_WORDS("codegen.scratch-access", warnings("LDG.E R1, [R2] ;\nLDG.E R1, [R2] ;\nLDL R3, [R1] ;\n"));
  KernelCode straight = sass("");
  straight.forms.back().text = "LDG.E R1, [R2] ;\nLDG.E R1, [R2] ;\nEXIT ;\n";
  CHECK_WORDS("codegen.no-timed-loop", codegen_warnings(summarize(straight, {}, kLoads), kLoads));
  const TimedCode whole{"k", kLoads.turn, false};
  const Codegen all = summarize(straight, {}, whole);
  CHECK(all.whole);
  CHECK(codegen_warnings(all, whole).empty());
  const CodeInfo spilled{64, {{"Spilled SGPRs", 1}, {"Spilled VGPRs", 2}}};
  CHECK_WORDS("codegen.spills", codegen_warnings(summarize({}, spilled, kLoads), kLoads));
  const Codegen anv = summarize({}, CodeInfo{16, {{"Spill Count", 3}, {"Fill Count", 4}, {"Scratch Memory Size", 2048}}}, kLoads);
  CHECK(anv.spills == 3);
  CHECK_FALSE(anv.scratch_bytes);
  CHECK(summarize({}, {}, kLoads) == Codegen{});
}

namespace {

/// A device that only returns these bytes or texts.
class HandingDevice final : public Device {
 public:
  HandingDevice(Api api, const char* vendor, std::string bytes, std::vector<CodeText> texts = {}, const char* platform = "",
                bool optimized = true)
      : binary_{"bytes", std::move(bytes), optimized}, texts_(std::move(texts)) {
    info_.api = api;
    info_.vendor = vendor;
    info_.platform = platform;
  }
  const DeviceInfo& info() const override { return info_; }
  std::shared_ptr<Buffer> create(const BufferDesc&) override { return nullptr; }
  std::shared_ptr<Image> create(const ImageDesc&) override { return nullptr; }
  std::shared_ptr<Kernel> create(const KernelDesc&) override { return nullptr; }
  std::optional<std::uint64_t> address(const Buffer&) const override { return std::nullopt; }
  std::optional<CodeInfo> code(const Kernel&) const override { return std::nullopt; }
  std::vector<CodeText> code_texts(const Kernel&) const override { return texts_; }
  std::vector<CodeBinary> code_binaries(const Kernel&) const override { return {binary_}; }
  Timing write(Buffer&, std::uint64_t, std::span<const std::byte>, HostMemory) override { return {}; }
  Timing read(const Buffer&, std::uint64_t, std::span<std::byte>, HostMemory) override { return {}; }
  Timing run(const Dispatch&) override { return {}; }

 private:
  DeviceInfo info_;
  CodeBinary binary_;
  std::vector<CodeText> texts_;
};

class NoKernel final : public Kernel {};

KernelCode handed(Api api, const char* vendor, const std::string& bytes, const std::optional<std::string>& capability) {
  Disassembler disassembler;
  return kernel_code(HandingDevice(api, vendor, bytes), NoKernel(), capability, disassembler);
}

/// Programs of these names replace the real ones, and only they are in PATH.
class PlayedTools {
 public:
  PlayedTools() : path_(environment_variable("PATH").value_or("")) { set_environment_variable("PATH", folder_.path().string()); }
  ~PlayedTools() { set_environment_variable("PATH", path_); }
  PlayedTools(const PlayedTools&) = delete;
  PlayedTools& operator=(const PlayedTools&) = delete;

  void add(const char* name, const std::string& script) const {
    std::filesystem::permissions(folder_.write(name, "#!/bin/sh\n" + script), std::filesystem::perms::owner_all);
  }

 private:
  TemporaryFolder folder_;
  std::string path_;
};

const std::string kPtx =
    std::string(".version 8.0\n.target sm_90\n.entry k(\n)\n{\n\tld.global.u32 %r1, [%rd1];\n\tret;\n}\n") + '\0';

}  // namespace

TEST_CASE("codegen: NVIDIA's PTX goes through ptxas and nvdisasm, and stays where they fail" * kNeedsScripts) {
  const PlayedTools tools;
  tools.add("ptxas",
            "[ \"$1 $3\" = '-v -arch=sm_90' ] || { echo wrong: $* >&2; exit 1; }\n/bin/cp \"$4\" \"$6\"\necho \"$2\" >&2\n"
            "echo 'Used 9 registers' >&2\n");
  tools.add("nvdisasm", "[ \"$1\" = -c ] && echo '.L_x_0:' && echo 'LDG.E R1, [R2] ;' && echo '@P0 BRA `(.L_x_0) ;'\n");
  const KernelCode code = handed(Api::opencl, "NVIDIA", kPtx, "9.0");
  CHECK(code.reasons.empty());
  REQUIRE(code.readable() != nullptr);
  CHECK(code.readable()->name == "SASS (ptxas, not the driver)");
  CHECK(code.forms.back().text == kPtx.substr(0, kPtx.size() - 1));
  CHECK(summarize(code, {}, kLoads).registers == 9);
  CHECK(parse(*code.readable(), "k").code.size() == 2);
  CHECK(code.forms.front().text == "-O3\nUsed 9 registers\n");
  Disassembler disassembler;
  const HandingDevice not_optimizing(Api::opencl, "NVIDIA", kPtx, {}, "", false);
  CHECK(kernel_code(not_optimizing, NoKernel(), "9.0", disassembler).forms.front().text == "-O0\nUsed 9 registers\n");

  tools.add("ptxas", "echo \"ptxas $4, line 2; fatal   : Unsupported .version\" >&2\nexit 255\n");
  const KernelCode old = handed(Api::opencl, "NVIDIA", kPtx, "9.0");
  CHECK_WORDS("codegen.ptxas-refused", old.reasons);
  CHECK(old.readable()->name == "PTX");
  CHECK(parse(*old.readable(), "").code.size() == 2);
  CHECK_WORDS("codegen.unknown-capability", handed(Api::opencl, "NVIDIA", kPtx, std::nullopt).reasons);
}

TEST_CASE("codegen: NVIDIA's pipeline cache goes through nvdisasm" * kNeedsScripts) {
  const PlayedTools tools;
  tools.add("nvdisasm", "[ \"$1 $2\" = '-b SM90' ] && [ -s \"$3\" ] && echo '/*0000*/ LDG.E R1, [R2] ;'\n");
  const std::string cache = "header" + framed(container(0x100, 4, true, two_instructions()));
  const KernelCode code = handed(Api::vulkan, "NVIDIA", cache, "9.0");
  CHECK(code.reasons.empty());
  REQUIRE(code.readable() != nullptr);
  CHECK(code.readable()->name == "SASS (pipeline cache)");
  const auto held = std::ranges::find(code.forms, "code", &CodeForm::suffix);
  REQUIRE(held != code.forms.end());
  CHECK(held->text == two_instructions());

  CHECK_WORDS("codegen.no-frame", handed(Api::vulkan, "NVIDIA", "nothing", "9.0").reasons);
  CHECK_WORDS("codegen.no-machine-code", handed(Api::vulkan, "NVIDIA", framed("nothing"), "9.0").reasons);
  CHECK_WORDS("codegen.no-readable-code", handed(Api::vulkan, "Mesa", cache, std::nullopt).reasons);
}

namespace {

void append(std::string& bytes, std::uint64_t number, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i) bytes += static_cast<char>(number >> (8 * i));
}

/// A CUDA ELF file with a section of instructions ".text.k" and one of data, before the table of
/// sections.
std::string cubin_of(const std::string& code, const std::string& data) {
  const std::string names = std::string("\0.text.k", 9) + std::string("\0.names\0.data\0", 14);
  const std::uint64_t names_at = 64 + code.size() + data.size();
  std::string bytes =
      "\x7F"
      "ELF" +
      std::string(14, '\0');
  append(bytes, 190, 2);
  bytes.resize(0x28, '\0');
  append(bytes, names_at + names.size(), 8);
  bytes.resize(0x3A, '\0');
  for (const std::uint64_t number : {64, 3, 0}) append(bytes, number, 2);
  bytes += code + data + names;
  const auto section = [&](std::uint64_t name, std::uint64_t flags, std::uint64_t offset, std::uint64_t size) {
    append(bytes, name, 4);
    append(bytes, 1, 4);
    append(bytes, flags, 8);
    append(bytes, 0, 8);
    append(bytes, offset, 8);
    append(bytes, size, 8);
    bytes.append(24, '\0');
  };
  section(10, 0, names_at, names.size());
  section(1, 6, 64, code.size());
  section(17, 2, 64 + code.size(), data.size());
  return bytes;
}

}  // namespace

TEST_CASE("codegen: an ELF file gives its instructions, a truncated one gives nothing") {
  const std::string cubin = cubin_of("code", "data");
  REQUIRE(elf_kind(cubin));
  CHECK(elf_kind(cubin)->machine == kElfCuda);
  CHECK(elf_instructions(cubin) == std::string(".text.k\0code", 12));
  CHECK(elf_instructions(cubin_of("code", "other")) == elf_instructions(cubin));
  CHECK(elf_instructions(cubin_of("", "data")) == std::string(".text.k\0", 8));
  for (std::size_t bytes = 0; bytes < cubin.size() - 24; ++bytes) CHECK(elf_instructions(cubin.substr(0, bytes)).empty());
  CHECK_FALSE(
      elf_kind("\x7F"
               "ELF"));
  CHECK(elf_instructions("no file").empty());
}

TEST_CASE("codegen: the same instructions are disassembled once, with any data" * kNeedsScripts) {
  const PlayedTools tools;
  const TemporaryFolder folder;
  const std::filesystem::path calls = folder.path() / "calls";
  tools.add("nvdisasm", "echo call >>" + calls.string() + "\n/bin/cat \"$2$3\" 2>/dev/null\n:\n");
  Disassembler disassembler;
  const std::string first = disassembler.of_cubin(cubin_of("code", "data"));
  CHECK(disassembler.of_cubin(cubin_of("code", "other data")) == first);
  CHECK(bytes_of(calls) == "call\n");
  CHECK(disassembler.of_cubin(cubin_of("other", "data")) != first);
  CHECK(disassembler.of_cubin("no ELF file") == "no ELF file");
  CHECK(disassembler.of_cubin("no ELF file either") == "no ELF file either");
  CHECK(bytes_of(calls) == "call\ncall\ncall\ncall\n");
  disassembler.of_code("code", "90");
  disassembler.of_code("code", "90");
  disassembler.of_code("code", "75");
  disassembler.of_code("more", "75");
  CHECK(bytes_of(calls).size() == 7 * std::string("call\n").size());
}

TEST_CASE("codegen: threads that ask for the same code wait for one call; a call that fails fails for all" * kNeedsScripts) {
  const PlayedTools tools;
  const TemporaryFolder folder;
  const std::filesystem::path calls = folder.path() / "calls";
  tools.add("nvdisasm", "echo call >>" + calls.string() + "\n/bin/sleep 0.1\n/bin/cat \"$2\"\n");
  Disassembler disassembler;
  const auto ask = [&](const char* code) {
    return std::async(std::launch::async, [&disassembler, code] { return disassembler.of_cubin(code); });
  };
  std::future<std::string> answers[] = {ask("one"), ask("one"), ask("other"), ask("one")};
  CHECK(answers[0].get() == "one");
  CHECK(answers[1].get() == "one");
  CHECK(answers[2].get() == "other");
  CHECK(answers[3].get() == "one");
  CHECK(bytes_of(calls) == "call\ncall\n");

  tools.add("nvdisasm", "echo call >>" + calls.string() + "\necho no >&2\nexit 1\n");
  for (int i = 0; i < 2; ++i) CHECK_THROWS_WITH_AS(disassembler.of_cubin("third"), "nvdisasm: no", ToolError);
  CHECK(bytes_of(calls) == "call\ncall\ncall\n");
}

TEST_CASE("codegen: AMD's code objects go through llvm-objdump; an unreadable one gives a reason" * kNeedsScripts) {
  const auto elf = [](char machine) {
    return "\x7F"
           "ELF" +
           std::string(14, '\0') + machine + '\0';
  };
  const PlayedTools tools;
  tools.add(
      "llvm-objdump",
      "[ \"$1 $3\" = '-d --mcpu=gfx1030' ] && echo '0000000000000000 <k>:' && echo ' s_endpgm // 000000000000: BF810000'\n");
  const KernelCode code = handed(Api::opencl, "AMD", elf(static_cast<char>(224)), "gfx1030:xnack-");
  REQUIRE(code.readable() != nullptr);
  CHECK(code.readable()->name == "code object (llvm-objdump)");
  CHECK(parse(*code.readable(), "k").code.size() == 1);
  const auto reason = [&](const std::string& bytes) { return handed(Api::opencl, "Intel", bytes, std::nullopt).reasons.at(0); };
  for (const std::string& intel : {elf(static_cast<char>(205)), std::string("CTNI....")})
    CHECK_WORDS("codegen.no-ocloc", reason(intel));
  Disassembler disassembler;
  CHECK(kernel_code(HandingDevice(Api::opencl, "GenuineIntel", "poclbin", {}, "Portable Computing Language"), NoKernel(), {},
                    disassembler)
            .reasons.at(0)
            .starts_with("PoCL compiles "));
  CHECK_WORDS("codegen.unknown-binary", reason("else"));
}

namespace {

/// Sets a variable of the environment for a while.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name), before_(environment_variable(name)) {
    set_environment_variable(name, value);
  }
  ~Variable() { before_ ? set_environment_variable(name_, *before_) : test_system::unset_variable(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

const std::string kOpenclExecutable =
    "\x7F"
    "ELF" +
    std::string(12, '\0') + "\x04\xFF" + std::string(4, '\0');

}  // namespace

TEST_CASE("codegen: Intel's programs go through ocloc, which finds IGA under its name without a version" * kNeedsScripts) {
  const TemporaryFolder libraries;
  libraries.write("libiga64.so.9", "iga");
  const Variable path("LD_LIBRARY_PATH", libraries.path().string());
  const PlayedTools tools;
  const std::string is_right =
      "[ \"$1 $2 $4\" = 'disasm -file -dump' ] && [ -s \"$3\" ] && [ -d \"$5\" ] || { echo wrong: $* >&2; exit 1; }\n"
      "[ \"$(/bin/cat \"${LD_LIBRARY_PATH%%:*}/libiga64.so\")\" = iga ] || exit 2\n";
  const std::string kernel =
      "echo 'L0: (W) illegal' >\"$5/.text.Intel_Symbol_Table_Void_Program.asm\"\n"
      "echo '        send (8|M0)  r7:w  r5:uq  0xC  0x044C01FF  // wr:2+0, rd:2; hdc.dc1; a64 qword gathering read' "
      ">\"$5/.text.k.asm\"\n";
  tools.add("ocloc", is_right + kernel);
  for (const std::string& program : {std::string("CTNI...."), kOpenclExecutable}) {
    const KernelCode code = handed(Api::opencl, "Intel", program, std::nullopt);
    CHECK(code.reasons.empty());
    REQUIRE(code.readable() != nullptr);
    CHECK(code.readable()->name == "assembly (ocloc disasm)");
    CHECK(isa::counts(parse(*code.readable(), "k")).number(isa::InstructionKind::load, isa::Space::vector) == 1);
  }
  const auto reasons = [] { return handed(Api::opencl, "Intel", "CTNI....", std::nullopt).reasons; };
  tools.add("ocloc", "");
  CHECK_WORDS("codegen.no-kernel", reasons());
  tools.add("ocloc", kernel + "echo >\"$5/another.asm\"\n");
  CHECK_WORDS("codegen.two-kernels", reasons());
}

TEST_CASE("codegen: the installed ocloc's output is read, in both of its forms") {
  const auto ocloc = find_tool("ocloc");
  if (!ocloc) {
    MESSAGE("ocloc is not installed");
    return;
  }
  const TemporaryFolder folder;
  const auto source =
      folder.write("k.cl", "kernel void k(global uint* p, uint n) { uint i = 0; for (; n > 0; --n) i = p[i]; p[0] = i; }");
  for (const char* form : {"zebin", "patchtokens"}) {
    run_tool(*ocloc,
             {"compile", "-file", source.string(), "-device", "skl", "--format", form, "-out_dir", folder.path().string(),
              "-output", form, "-output_no_suffix"},
             folder.path());
    const KernelCode code = handed(Api::opencl, "Intel", bytes_of(folder.path() / form), std::nullopt);
    if (!code.reasons.empty() && code.reasons.front().find("libiga64.so") != std::string::npos) {
      MESSAGE("IGA is not installed");
      return;
    }
    CHECK(code.reasons.empty());
    REQUIRE(code.readable() != nullptr);
    const isa::Listing listing = parse(*code.readable(), "k");
    const auto loop = isa::timed_loop(listing, isa::InstructionKind::load);
    REQUIRE(loop);
    CHECK(isa::counts(listing, *loop).number(isa::InstructionKind::load) == 1);
  }
}

TEST_CASE("codegen: Mesa's assembly is read, no other Intel Vulkan driver's") {
  Disassembler disassembler;
  const KernelCode code =
      kernel_code(HandingDevice(Api::vulkan, "Intel", {},
                                {{"Final NIR", "x"}, {"GEN Assembly", "mov(4) g25<1>UD tm0<4,4,1>UD { align1 WE_all 1N };\n"}}),
                  NoKernel(), std::nullopt, disassembler);
  REQUIRE(code.readable() != nullptr);
  CHECK(code.readable()->name == "GEN Assembly");
  CHECK(parse(*code.readable(), "k").code.at(0).kind == isa::InstructionKind::clock);
}

TEST_CASE("codegen: RADV's assembly is read, without it ACO's intermediate representation") {
  const std::string ir = "BB0\n\t v1: %1 = buffer_load_dword %2, %3, 0 offen\n\ts_endpgm\n";
  const auto shown = [&](const char* assembly) {
    Disassembler disassembler;
    return kernel_code(HandingDevice(Api::vulkan, "AMD", {}, {{"ACO IR", ir}, {"Assembly", assembly}}), NoKernel(), std::nullopt,
                       disassembler);
  };
  const KernelCode old = shown("Shader disassembly is not supported in the current configuration.\n");
  REQUIRE(old.readable() != nullptr);
  CHECK(old.readable()->name == "ACO IR");
  CHECK(isa::counts(parse(*old.readable(), "k")).number(isa::InstructionKind::load, isa::Space::vector) == 1);
  const KernelCode present =
      shown("BB0:\n\tbuffer_load_dword v0, v1, s[0:3], 0 offen\n\tbuffer_load_dword v0, v1, s[0:3], 0 offen\n\ts_endpgm\n");
  REQUIRE(present.readable() != nullptr);
  CHECK(present.readable()->name == "Assembly");
  CHECK(isa::counts(parse(*present.readable(), "k")).number(isa::InstructionKind::load, isa::Space::vector) == 2);
}

TEST_CASE("codegen: as JSON and back") {
  Codegen loop = summarize(sass("LDG.E R1, [R2] ;\nATOMG.E.ADD PT, RZ, [R2], R1 ;\nCALL.REL `(f) ;\n"), {}, kLoads);
  loop.missing = "ptxas is nowhere";
  for (const bool whole : {false, true}) {
    loop.whole = whole;
    CHECK(from_json<Codegen>(to_json(loop)) == loop);
  }
  CHECK(from_json<Codegen>(nlohmann::json::object()) == Codegen{});
}

}  // namespace percycle::codegen_test
