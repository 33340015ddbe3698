#include "expected/instruction_chain.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "codegen/programs/imagined_gpu.hpp"
#include "codegen/programs/kernel_variants.hpp"
#include "expected/bfloat.hpp"
#include "expected/half.hpp"
#include "sim/run_model.hpp"
#include "sim/sim.hpp"

namespace percycle::instruction_chain_test {
namespace {

constexpr int kTurns = 2000;

bool is_normal(ChainType type, std::uint64_t bits) {
  switch (type) {
    case ChainType::fp32:
      return std::isnormal(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case ChainType::fp64:
      return std::isnormal(std::bit_cast<double>(bits));
    case ChainType::fp16x2:
      return is_normal(ChainType::fp16, bits >> 16) && is_normal(ChainType::fp16, bits & 0xffffu);
    case ChainType::bf16:
      return (bits & 0x7f80u) != 0 && (bits & 0x7f80u) != 0x7f80u;
    case ChainType::bf16x2:
      return is_normal(ChainType::bf16, bits >> 16) && is_normal(ChainType::bf16, bits & 0xffffu);
    case ChainType::fp16:
      return (bits & 0x7c00u) != 0 && (bits & 0x7c00u) != 0x7c00u;
    default:
      return true;
  }
}

/// One lane's run as prepare() would make it.
ChainRun run_of(const ChainOperation& operation, std::uint64_t loops, std::uint32_t start) {
  return {.loops = loops,
          .pairs = operation.pairs,
          .start = start,
          .neighbour_start = start + 1,
          .lanes = 32,
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
    CHECK(operation.pairs % (operation.has_helper() ? 4 : 2) == 0);
    CHECK(operation.pairs <= 128);
    CHECK((operation.helper.step == nullptr) == operation.helper.text.empty());
  }
  CHECK(find_chain_operation("int32-nosuch") == nullptr);
}

TEST_CASE("instruction chain: no step gives its input, or a number that is not normal") {
  for (const ChainOperation& operation : chain_operations()) {
    if (operation.is_of_subgroup()) continue;  // needs a neighbour's values; see below
    CAPTURE(operation.name);
    // 16 bits and powers of two often meet by chance.
    constexpr std::array kCoarse{ChainType::fp16, ChainType::fp16x2, ChainType::bf16, ChainType::bf16x2, ChainType::int8};
    const bool is_coarse = std::ranges::count(kCoarse, operation.type) > 0 || operation.start == ChainStart::power;
    const int by_chance = operation.name == "int32-mul24" ? 1 : 0;  // 24 bits
    const int allowed = is_coarse ? static_cast<int>(operation.pairs) * 2 * kTurns / 8 : by_chance;
    std::uint32_t hash = 0x2545f491u;
    int same = 0;
    int abnormal = 0;
    for (int turn = 0; turn < kTurns; ++turn) {
      auto [x, y] = chain_begin(operation, hash);
      for (std::uint32_t i = 0; i < 2 * operation.pairs; ++i) {
        const std::uint64_t value = operation.expression.step(x, y, i % 2 == 0 ? operation.even_operand : operation.odd_operand);
        same += value == x ? 1 : 0;
        abnormal += is_normal(operation.type, value) ? 0 : 1;
        y = std::exchange(x, value);
      }
      hash = chain_end(operation, operation.expression, run_of(operation, 1, hash)).hash;
    }
    CHECK(same <= allowed);
    CHECK(abnormal == 0);
  }
}

TEST_CASE("instruction chain: a turn that is left out changes the hash, a step that is left out, too") {
  for (const ChainOperation& operation : chain_operations()) {
    CAPTURE(operation.name);
    const ChainExpression& step = operation.expression;
    const ChainEnd end = chain_end(operation, step, run_of(operation, 100, 1));
    CHECK(end.hash != chain_end(operation, step, run_of(operation, 99, 1)).hash);
    CHECK(is_close(operation, end.value, end.value));
    if (!operation.is_exact()) continue;  // functions approach a value
    ChainRun shorter = run_of(operation, 100, 1);
    --shorter.pairs;
    CHECK(chain_end(operation, step, shorter).hash != end.hash);
  }
}

TEST_CASE("instruction chain: the middle steps of a control have the helper alone") {
  for (const ChainOperation& operation : chain_operations()) {
    if (!operation.has_helper() || operation.is_of_subgroup()) continue;
    CAPTURE(operation.name);
    ChainRun run = run_of(operation, kTurns, 0x2545f491u);
    run.helper_pairs = run.pairs - 2;
    std::uint32_t hash = run.start;
    std::uint64_t last = 0;
    int abnormal = 0;
    for (std::uint32_t turn = 0; turn < kTurns; ++turn) {
      auto [x, y] = chain_begin(operation, hash);
      for (std::uint32_t i = 0; i < 2 * operation.pairs; ++i) {
        const bool helps = i >= 2 && i < 2 * operation.pairs - 2;
        const ChainStep step = helps ? operation.helper.step : operation.expression.step;
        const std::uint64_t value = step(x, y, i % 2 == 0 ? operation.even_operand : operation.odd_operand);
        abnormal += is_normal(operation.type, value) ? 0 : 1;
        y = std::exchange(x, value);
      }
      last = x;
      hash = (hash ^ (folded(x) & run.mask)) * kChainMultiply + (kChainAdd + turn);
    }
    const ChainEnd end = chain_end(operation, operation.expression, run);
    CHECK(end.hash == hash);
    CHECK(end.value == last);
    CHECK(abnormal == 0);
  }
}

TEST_CASE("instruction chain: the text of a turn has its runs in order") {
  CHECK(chain_turn_text(64, 0) == "RUN_64(OPERATION)");
  CHECK(chain_turn_text(8, 4) == "RUN_2(OPERATION) RUN_4(HELPER) RUN_2(OPERATION)");
  CHECK(chain_turn_text(16, 14) == "RUN_1(OPERATION) RUN_2(HELPER) RUN_4(HELPER) RUN_8(HELPER) RUN_1(OPERATION)");
  CHECK(chain_turn_text(7, 2) == "RUN_2(OPERATION) RUN_2(HELPER) RUN_1(OPERATION) RUN_2(OPERATION)");
}

TEST_CASE("instruction chain: steps do the operation of their name") {
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
  CHECK(next("int32-dot4", 0x01020304u, 7, 0x05060708u) == 5 + 12 + 21 + 32 + 7);
  CHECK(next("int32-dot4-signed", 0xff020304u, 7, 0x05fe0708u) == static_cast<std::uint32_t>(-5 - 4 + 21 + 32 + 7));
  CHECK(next("int32-dot4-mixed", 0xff020304u, 7, 0x05fe0708u) == -5 + 508 + 21 + 32 + 7);
  CHECK(next("int32-dot4-saturating", 0x01, 0xfffffffeu, 0x03) == 0xffffffffu);
  CHECK(next("int32-dot4-signed-saturating", 0x01, 0x7ffffffeu, 0x03) == 0x7fffffffu);
  CHECK(next("int32-dot4-mixed-saturating", 0xff, 0x80000001u, 0xff) == 0x80000000u);  // -1 x 255
  CHECK(next("int8-mad", 100, 7, 3) == 51);
  CHECK(next("int16-add", 0xffff, 3, 0) == 2);
  CHECK(next("int16x2-mad", 0x00020003, 0xffff0001u, 0x00050007) == 0x00090016);
  CHECK(next("bf16-fma", 0x3f81, 0x3b00, 0x3f81) == 0x3f82);                    // 1.01758
  CHECK(next("bf16x2-fma", 0x40003f80, 0x3f804000, 0x40403f80) == 0x40e04040);  // 7, 3
  CHECK(next("int64-mulhi", ~std::uint64_t{0}, 0, ~std::uint64_t{0}) == std::uint64_t{0} - (~std::uint64_t{0} - 1));
  CHECK(next("int32-rem-regular", 32, 8, 0x13) == 16);
  CHECK(next("fp16-add", 0x3c00, 0, 0x4000) == 0x4200);                // 1 + 2
  CHECK(next("fp16-fma", 0x3c01, 0x1000, 0x3c01) == 0x3c03);           // rounded twice: 0x3c02
  CHECK(next("fp16x2-mul", 0x40004200, 0, 0x42004000) == 0x46004600);  // 3 x 2, 2 x 3
}

TEST_CASE("instruction chain: halves round to the nearest, ties to even") {
  CHECK(nearest_half(1 + 0x1p-11).bits == 0x3c00);
  CHECK(nearest_half(1 + 3 * 0x1p-11).bits == 0x3c02);
  CHECK(truncated_half(1 + 3 * 0x1p-11).bits == 0x3c01);
  CHECK(nearest_half(-65519).bits == 0xfbff);
  CHECK(nearest_half(65520).bits == 0x7c00);
  CHECK(nearest_half(0x1p-24).bits == 1);
  for (std::uint32_t bits = 0; bits < 0x7c00; ++bits) {
    const Half half{static_cast<std::uint16_t>(bits)};
    CHECK(nearest_half(to_double(half)).bits == bits);
  }
}

TEST_CASE("instruction chain: bfloat16 numbers round to the nearest, ties to even") {
  CHECK(nearest_bfloat(1 + 0x1p-8).bits == 0x3f80);
  CHECK(nearest_bfloat(1 + 3 * 0x1p-8).bits == 0x3f82);
  CHECK(nearest_bfloat(-(2 - 0x1p-9)).bits == 0xc000);  // carries into the exponent
  CHECK(nearest_bfloat(0).bits == 0);
  for (std::uint32_t bits = 0x80; bits < 0x7f80; ++bits) {
    const Bfloat number{static_cast<std::uint16_t>(bits)};
    CHECK(nearest_bfloat(to_double(number)).bits == bits);
  }
}

TEST_CASE("instruction chain: lanes of a subgroup get each other's values") {
  const auto result = [](const char* name, const LaneValues& x) { return find_chain_operation(name)->expression.exchange(x); };
  const LaneValues even{.own = 0x80000001u, .neighbour = 5, .is_odd = false, .lanes = 8};
  const LaneValues odd{.own = 5, .neighbour = 0x80000001u, .is_odd = true, .lanes = 8};
  for (const LaneValues& lane : {even, odd}) {
    CHECK(result("subgroup-shuffle", lane) == lane.neighbour);
    CHECK(result("subgroup-broadcast", lane) == 0x80000001u);
    CHECK(result("subgroup-ballot", lane) == 0x55u);
    CHECK(result("subgroup-vote", lane) == 1);
    CHECK(result("subgroup-reduce-add", lane) == 4 * 6);
  }
  // A chain without the exchange ends elsewhere, and both lanes of a pair agree on it.
  for (const ChainOperation& operation : chain_operations()) {
    if (!operation.is_of_subgroup()) continue;
    CAPTURE(operation.name);
    ChainRun run = run_of(operation, 10, 3);
    run.is_odd = true;
    ChainExpression alone = operation.expression;
    alone.exchange = nullptr;
    const ChainEnd end = chain_end(operation, operation.expression, run);
    CHECK(end.hash != chain_end(operation, alone, run).hash);
    run.lanes = 30;
    CHECK((chain_end(operation, operation.expression, run).hash != end.hash) ==
          (operation.name == "subgroup-ballot" || operation.name == "subgroup-reduce-add"));
  }
}

TEST_CASE("instruction chain: variants with the same name have the same source") {
  for (const char* kind : {"nvidia", "rdna"}) {
    std::map<std::string, std::map<std::string, std::string>> texts;
    for (const KernelVariant& variant :
         kernel_variants(imagined_gpu(Api::opencl, kind), {find_experiment("instruction-latency")})) {
      CHECK(texts.try_emplace(variant_name(variant), variant.desc.texts).first->second == variant.desc.texts);
    }
  }
}

}  // namespace
}  // namespace percycle::instruction_chain_test
