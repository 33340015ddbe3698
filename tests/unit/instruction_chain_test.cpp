#include "expected/instruction_chain.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "codegen/programs/imagined_gpu.hpp"
#include "codegen/programs/kernel_variants.hpp"
#include "device/sim/sim.hpp"
#include "sim/run_model.hpp"

namespace percycle {
namespace {

bool is_normal(ChainType type, std::uint64_t bits) {
  switch (type) {
    case ChainType::fp32:
      return std::isnormal(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case ChainType::fp64:
      return std::isnormal(std::bit_cast<double>(bits));
    default:
      return true;
  }
}

/// One lane's run as prepare() would make it.
ChainRun run_of(const ChainOperation& operation, std::uint64_t loops, std::uint32_t start) {
  return {.loops = loops,
          .pairs = operation.pairs,
          .start = start,
          .mask = operation.is_exact() ? UINT32_MAX : 0,
          .even_operand = operation.even_operand,
          .odd_operand = operation.odd_operand};
}

TEST_CASE("instruction chain: names, and class and instruction together, tell all operations apart") {
  std::set<std::string> names;
  std::set<std::pair<std::string, std::string>> instructions;
  for (const ChainOperation& operation : chain_operations()) {
    CAPTURE(operation.name);
    CHECK(names.insert(operation.name).second);
    CHECK(instructions.insert({operation.group, operation.instruction}).second);
    CHECK(find_chain_operation(operation.name) == &operation);
    CHECK((operation.has_helper() || operation.pairs % 2 == 0));
    CHECK((operation.helper.step == nullptr) == operation.helper.name.empty());
  }
  CHECK(find_chain_operation("int32-nosuch") == nullptr);
}

TEST_CASE("instruction chain: no step gives what went in, or a number that is not normal") {
  for (const ChainOperation& operation : chain_operations()) {
    CAPTURE(operation.name);
    std::uint32_t hash = 0x2545f491u;
    int same = 0;
    int abnormal = 0;
    for (int turn = 0; turn < 2000; ++turn) {
      auto [x, y] = chain_begin(operation, hash);
      for (std::uint32_t i = 0; i < 2 * operation.pairs; ++i) {
        const std::uint64_t value = operation.expression.step(x, y, i % 2 == 0 ? operation.even_operand : operation.odd_operand);
        same += value == x ? 1 : 0;
        abnormal += is_normal(operation.type, value) ? 0 : 1;
        y = std::exchange(x, value);
      }
      hash = chain_end(operation, operation.expression.step, run_of(operation, 1, hash)).hash;
    }
    CHECK(same == 0);
    CHECK(abnormal == 0);
  }
}

TEST_CASE("instruction chain: a turn that is left out changes the hash, a step that is left out, too") {
  for (const ChainOperation& operation : chain_operations()) {
    CAPTURE(operation.name);
    const ChainStep step = operation.expression.step;
    const ChainEnd end = chain_end(operation, step, run_of(operation, 100, 1));
    CHECK(end.hash != chain_end(operation, step, run_of(operation, 99, 1)).hash);
    CHECK(is_close(operation, end.value, end.value));
    if (!operation.is_exact()) continue;  // functions approach a value
    ChainRun shorter = run_of(operation, 100, 1);
    --shorter.pairs;
    CHECK(chain_end(operation, step, shorter).hash != end.hash);
  }
}

TEST_CASE("instruction chain: steps are what they are called") {
  const auto next = [](const char* name, std::uint64_t x, std::uint64_t y, std::uint64_t c) {
    return find_chain_operation(name)->expression.step(x, y, c);
  };
  CHECK(next("int32-add", 0xffffffffu, 3, 0) == 2);
  CHECK(next("int32-mulhi", 0x80000000u, 10, 6) == 7);
  CHECK(next("int32-clz", 1, 40, 0) == 9);
  CHECK(next("int32-brev", 1, 0, 0) == 0x80000000u);
  CHECK(next("int32-to-fp32", 1, 0, 0) == 0u - 0x3f800000u);
  CHECK(next("int32-div-irregular", 0xfffffffdu, 0, 10) == static_cast<std::uint32_t>(-3));
  CHECK(next("int64-mul", std::uint64_t{1} << 40, 1u << 23, 0) == std::uint64_t{1} << 63);
  const auto bits = [](float value) { return std::uint64_t{std::bit_cast<std::uint32_t>(value)}; };
  CHECK(next("fp32-fma", bits(2), bits(3), bits(5)) == bits(13));
  CHECK(next("fp32-rsqrt-fast", bits(4), 0, bits(1)) == bits(1.5f));
}

TEST_CASE("instruction chain: kernels that are told apart by nothing have one source") {
  for (const char* kind : {"nvidia", "rdna"}) {
    std::map<std::string, std::map<std::string, std::string>> texts;
    for (const KernelVariant& variant : kernel_variants(imagined_gpu(Api::opencl, kind))) {
      CHECK(texts.try_emplace(variant_name(variant), variant.desc.texts).first->second == variant.desc.texts);
    }
  }
}

TEST_CASE("instruction chain: on a simulated device each operation's net time is what its model says") {
  for (const char* name : {"t4", "p100", "k80"}) {
    CAPTURE(name);
    const sim::Model model = sim::load_model(name);
    CHECK(model.operation_cycles.size() > 30);
    std::string all;
    for (const ChainOperation& operation : chain_operations()) all += (all.empty() ? "" : ",") + operation.name;
    std::size_t found = 0;
    for (const PointResult& result : simtest::run_model(model, {"instruction-latency"}, Preset::quick, 1, {{"operation", all}})) {
      const auto operation = std::find_if(chain_operations().begin(), chain_operations().end(), [&](const ChainOperation& one) {
        return one.group == word(result.point.parameters, "class") &&
               one.instruction == word(result.point.parameters, "instruction");
      });
      REQUIRE(operation != chain_operations().end());
      CAPTURE(operation->name);
      REQUIRE(result.outcome.status == Status::ok);
      const auto known = model.operation_cycles.find(operation->name);
      const double truth = known == model.operation_cycles.end() ? model.cycles_per_operation : known->second;
      CHECK(std::abs(result.measurement->statistics.at("net_cycles_per_op").median - truth) < 0.1);
      ++found;
    }
    CHECK(found == chain_operations().size());
  }
}

}  // namespace
}  // namespace percycle
