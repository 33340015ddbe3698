#include <doctest/doctest.h>

#include <set>
#include <string>

#include "platform/tool.hpp"
#include "session/known_code.hpp"

namespace percycle::known_code_test {
namespace {

CodeQuestion question() {
  CodeQuestion asked{.timed = {"", std::vector<TurnAccess>{{MemoryPath::global, AccessKind::read, 4, 1}}, true, {}},
                     .info = CodeInfo{32, {{"registers", 8}}},
                     .code = DriverCode{Api::opencl, "AMD", {{"Assembly", "s_endpgm"}}, {}, {}},
                     .optimized = {},
                     .capability = "gfx1030"};
  return asked;
}

KernelCodegen found() {
  KernelCodegen made;
  made.codegen.form = "Assembly";
  made.codegen.registers = 99;
  made.codegen.counts = CodeCounts{};
  made.warnings = {"no loop is left"};
  return made;
}

}  // namespace

TEST_CASE("known code: a reading is found again as it was kept") {
  const TemporaryFolder folder;
  const KnownCode known(folder.path());
  const std::string key = known.key(question());
  CHECK_FALSE(known.find(key));
  known.keep(key, found());
  const auto again = KnownCode(folder.path()).find(known.key(question()));
  REQUIRE(again);
  CHECK(again->codegen == found().codegen);
  CHECK(again->warnings == found().warnings);
}

TEST_CASE("known code: whatever the reading depends on is part of the key") {
  const KnownCode known{std::filesystem::path()};
  std::set<std::string> keys{known.key(question())};
  const auto add = [&](auto change) {
    CodeQuestion other = question();
    change(other);
    CHECK(keys.insert(known.key(other)).second);
  };
  add([](CodeQuestion& q) { q.timed.turn->front().count = 2; });
  add([](CodeQuestion& q) { q.timed.turn->front().width = 8; });
  add([](CodeQuestion& q) { q.timed.turn.reset(); });
  add([](CodeQuestion& q) { q.timed.has_loop = false; });
  add([](CodeQuestion& q) { q.timed.arithmetic = TurnArithmetic{"div", 3, 0, false}; });
  add([](CodeQuestion& q) { q.timed.arithmetic = TurnArithmetic{"div", 3, 0, false, 1}; });
  add([](CodeQuestion& q) { q.info.reset(); });
  add([](CodeQuestion& q) { q.info->statistics["registers"] = 9; });
  add([](CodeQuestion& q) { q.info->subgroup_size = 64; });
  add([](CodeQuestion& q) { q.code.reset(); });
  add([](CodeQuestion& q) { q.code->vendor = "Intel"; });
  add([](CodeQuestion& q) { q.code->texts.front().text = "s_nop 0"; });
  add([](CodeQuestion& q) { q.code->texts.push_back({"Assembly", "s_endpgm"}); });
  add([](CodeQuestion& q) { q.code->binaries.push_back({"program binary", "s_endpgm", true}); });
  add([](CodeQuestion& q) { q.code->binaries.push_back({"program binary", "s_endpgm", false}); });
  add([](CodeQuestion& q) { q.optimized = q.code; });
  add([](CodeQuestion& q) { q.capability = "gfx1031"; });
}

TEST_CASE("known code: a reading with a missing form is not kept, and other text is no reading") {
  const TemporaryFolder folder;
  const KnownCode known(folder.path());
  KernelCodegen incomplete = found();
  incomplete.codegen.missing = "ptxas took too long";
  known.keep("key", incomplete);
  CHECK_FALSE(known.find("key"));
  UserCache(folder.path()).keep("key", "{\"codegen\":{\"registers\":-1}}");
  CHECK_FALSE(known.find("key"));
  UserCache(folder.path()).keep("key", "not JSON");
  CHECK_FALSE(known.find("key"));
}

}  // namespace percycle::known_code_test
