#include "expected/instruction_chain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

#include "expected/chain_parts.hpp"

namespace percycle {
namespace {

using namespace chain;

/// A product that is rounded before anything is added to it.
template <typename T>
T rounded(T product) {
  const volatile T kept = product;
  return kept;
}

std::uint64_t word_of(float value) { return bits_of(value); }
std::uint64_t word_of(double value) { return bits_of(value); }

U reversed(U x) {
  U result = 0;
  for (int i = 0; i < 32; ++i) result |= ((x >> i) & 1u) << (31 - i);
  return result;
}

constexpr const char* kIntegers = "Integer Arithmetic";
constexpr const char* kLogic = "Logic and Shift";
constexpr const char* kSingle = "Floating Single Precision";
constexpr const char* kDouble = "Double Precision";
constexpr const char* kSpecial = "Special Mathematical";
constexpr const char* kLongIntegers = "Integer Arithmetic, 64 bits";
constexpr const char* kSelect = "Select and Compare";

constexpr double kRoughly = 1.0 / (1 << 8);  // Vulkan: an error of sin of 2^-11 in each step
constexpr double kClosely = 1.0 / (1 << 14);

/// A number from 512 to 2048 with these bits.
F range_kept(U bits) { return value_of<F>((bits & 0xffffffu) | 0x44000000u); }

ChainExpression odd_difference() {
  return int32("((y) - (x)) | 1u", [](U x, U y, U) { return (y - x) | 1u; });
}
ChainExpression fp32_difference() {
  return fp32("(y) - (x)", [](F x, F y, F) { return y - x; });
}

std::vector<ChainOperation> integer_operations() {
  const std::string like_add = "add / sub / min / max";
  const std::string like_logic = "and / or / not / xor";
  std::vector<ChainOperation> all;
  const auto add = [&](ChainOperation operation) {
    if (operation.even_operand == 0) {
      operation.even_operand = kEven;
      operation.odd_operand = kOdd;
    }
    all.push_back(std::move(operation));
  };
  add({.name = "int32-add",
       .group = kIntegers,
       .instruction = "add",
       .expression = int32("(x) + (y)", [](U x, U y, U) { return x + y; }),
       .labels = {like_add, "IADD", "IADD3"}});
  add({.name = "int32-sub", .group = kIntegers, .instruction = "sub", .expression = difference(), .labels = {like_add}});
  add({.name = "int32-min",
       .group = kIntegers,
       .instruction = "min",
       .expression = int32("(y) - min((x), (c))", [](U x, U y, U c) { return y - std::min(x, c); }),
       .helper = difference(),
       .labels = {like_add, "IMNMX"}});
  add({.name = "int32-max",
       .group = kIntegers,
       .instruction = "max",
       .expression = int32("(y) - max((x), (c))", [](U x, U y, U c) { return y - std::max(x, c); }),
       .helper = difference(),
       .labels = {like_add, "IMNMX"}});
  add({.name = "int32-abs",
       .group = kIntegers,
       .instruction = "abs",
       .expression = int32("(y) - TO_UINT(abs(TO_INT(x)))", [](U x, U y, U) { return y - (static_cast<I>(x) < 0 ? 0u - x : x); }),
       .helper = difference(),
       .labels = {"abs"}});
  add({.name = "int32-mul",
       .group = kIntegers,
       .instruction = "mul",
       .expression = int32("(x) * (y)", [](U x, U y, U) { return x * y; }),
       .labels = {"mul / mad", "IMUL"}});
  add({.name = "int32-mad",
       .group = kIntegers,
       .instruction = "mad",
       .expression = int32("(x) * (c) + (y)", [](U x, U y, U c) { return x * c + y; }),
       .labels = {"mul / mad", "IMAD"}});
  // Divisors stay between 2 and 2^28, whichever step it is, and none is the root of the dividend.
  add({.name = "uint32-div-regular",
       .group = kIntegers,
       .instruction = "{u} div (regular)",
       .start = ChainStart::power,
       .expression = int32("(c) / (x)", [](U x, U, U c) { return c / x; }),
       .even_operand = 1u << 29,
       .odd_operand = 1u << 31,
       .pairs = kShortPairs,
       .labels = {"{u} div (regular)"}});
  add({.name = "uint32-div-irregular",
       .group = kIntegers,
       .instruction = "{u} div (irregular)",
       .start = ChainStart::middle,
       .expression = int32("(c) / (x)", [](U x, U, U c) { return c / x; }),
       .even_operand = 0xfffe1235u,
       .odd_operand = 0xfffd4321u,
       .pairs = kShortPairs,
       .labels = {"{u} div (irregular)"}});
  add({.name = "int32-div-regular",
       .group = kIntegers,
       .instruction = "{s} div (regular)",
       .start = ChainStart::power,
       .expression = int32("TO_UINT(TO_INT(c) / TO_INT(x))", [](U x, U, U c) { return static_cast<I>(c) / static_cast<I>(x); }),
       .even_operand = 1u << 27,
       .odd_operand = 1u << 29,
       .pairs = kShortPairs,
       .labels = {"{s} div (regular)"}});
  add({.name = "int32-div-irregular",
       .group = kIntegers,
       .instruction = "{s} div (irregular)",
       .start = ChainStart::middle,
       .expression = int32("TO_UINT(TO_INT(c) / TO_INT(x))", [](U x, U, U c) { return static_cast<I>(c) / static_cast<I>(x); }),
       .even_operand = 0x3ffe1235u,
       .odd_operand = 0x3ffd4321u,
       .pairs = kShortPairs,
       .labels = {"{s} div (irregular)"}});
  // The divisor is odd, so never 0.
  add({.name = "uint32-rem",
       .group = kIntegers,
       .instruction = "{u} rem",
       .expression = int32("((y) - ((c) % (x))) | 1u", [](U x, U y, U c) { return (y - c % x) | 1u; }),
       .helper = odd_difference(),
       .helper_operations = 2,
       .pairs = kShortPairs,
       .labels = {"{u} rem"}});
  // GLSL does not define the remainder of a negative number: the helper makes all numbers positive.
  add({.name = "int32-rem",
       .group = kIntegers,
       .instruction = "{s} rem",
       .start = ChainStart::positive,
       .expression =
           int32("(((y) - TO_UINT(TO_INT(c) % TO_INT(x))) & 0x7fffffffu) | 1u",
                 [](U x, U y, U c) { return ((y - static_cast<U>(static_cast<I>(c) % static_cast<I>(x))) & 0x7fffffffu) | 1u; }),
       .helper = int32("(((y) - (x)) & 0x7fffffffu) | 1u", [](U x, U y, U) { return ((y - x) & 0x7fffffffu) | 1u; }),
       .helper_operations = 2,
       .even_operand = 0x7fb2ae35u,
       .odd_operand = 0x67d4eb2fu,
       .pairs = kShortPairs,
       .labels = {"{s} rem"}});

  // Divisors are powers of two from 2^5 on. y + y doubles them every second step. A remainder adds
  // 0 to them, and so does the helper's operand.
  const auto doubled = [] { return int32("((y) + (y)) ^ ((x) & (c))", [](U x, U y, U c) { return (y + y) ^ (x & c); }); };
  add({.name = "uint32-rem-regular",
       .group = kIntegers,
       .instruction = "{u} rem (regular)",
       .start = ChainStart::power,
       .expression = int32("((y) + (y)) ^ ((x) & ((c) % (x)))", [](U x, U y, U c) { return (y + y) ^ (x & (c % x)); }),
       .helper = doubled(),
       .helper_operations = 2,
       .even_operand = 0xab400013u,
       .odd_operand = 0xdc80000du,
       .pairs = kShortPairs});
  add({.name = "int32-rem-regular",
       .group = kIntegers,
       .instruction = "{s} rem (regular)",
       .start = ChainStart::power,
       .expression = int32("((y) + (y)) ^ ((x) & TO_UINT(TO_INT(c) % TO_INT(x)))",
                           [](U x, U y, U c) { return (y + y) ^ (x & static_cast<U>(static_cast<I>(c) % static_cast<I>(x))); }),
       .helper = doubled(),
       .helper_operations = 2,
       .even_operand = 0x2b400013u,
       .odd_operand = 0x5c80000du,
       .pairs = kShortPairs});

  add({.name = "int32-and",
       .group = kLogic,
       .instruction = "and",
       .expression = int32("(y) - ((x) & (c))", [](U x, U y, U c) { return y - (x & c); }),
       .helper = difference(),
       .labels = {like_logic, "LOP", "LOP3"}});
  add({.name = "int32-or",
       .group = kLogic,
       .instruction = "or",
       .expression = int32("(y) - ((x) | (c))", [](U x, U y, U c) { return y - (x | c); }),
       .helper = difference(),
       .labels = {like_logic, "LOP", "LOP3"}});
  add({.name = "int32-xor",
       .group = kLogic,
       .instruction = "xor",
       .expression = int32("(y) - ((x) ^ (c))", [](U x, U y, U c) { return y - (x ^ c); }),
       .helper = difference(),
       .labels = {like_logic, "LOP", "LOP3"}});
  add({.name = "int32-shl",
       .group = kLogic,
       .instruction = "shl",
       .expression = int32("(y) - ((x) << (c))", [](U x, U y, U c) { return y - (x << c); }),
       .helper = difference(),
       .even_operand = 3,
       .odd_operand = 5,
       .labels = {"shl/shr", "SHL", "SHF"}});
  add({.name = "int32-shr",
       .group = kLogic,
       .instruction = "shr",
       .expression = int32("(y) - ((x) >> (c))", [](U x, U y, U c) { return y - (x >> c); }),
       .helper = difference(),
       .even_operand = 3,
       .odd_operand = 5,
       .labels = {"shl/shr", "SHR", "SHF"}});

  add({.name = "int32-cnot",
       .group = kLogic,
       .instruction = "cnot",
       .expression = int32("(y) + (c) - ((x) == 0u ? 1u : 0u)", [](U x, U y, U c) { return y + c - (x == 0 ? 1u : 0u); }),
       .helper = int32("(y) + (c) - (x)", [](U x, U y, U c) { return y + c - x; }),
       .labels = {"cnot"}});
  add({.name = "int32-shift-add",
       .group = kLogic,
       .instruction = "shift and add",
       .expression = int32("((x) << 5) + (y)", [](U x, U y, U) { return (x << 5) + y; }),
       .labels = {"ISCADD"}});

  add({.name = "int32-mulhi",
       .group = kIntrinsics,
       .instruction = "mulhi()",
       .expression = int32("(y) - MULHI((x), (c))", [](U x, U y, U c) { return y - static_cast<U>((W{x} * c) >> 32); }),
       .helper = difference(),
       .labels = {"mulhi()"}});
  // Values of 24 bits, as mul24() demands.
  add({.name = "int32-mul24",
       .group = kIntrinsics,
       .instruction = "mul24()",
       .start = ChainStart::middle,
       .need = ChainNeed::opencl,
       .expression = int32("((y) - mul24((x), (c))) & 0xffffffu", [](U x, U y, U c) { return (y - x * c) & 0xffffffu; }),
       .helper = int32("((y) - (x)) & 0xffffffu", [](U x, U y, U) { return (y - x) & 0xffffffu; }),
       .helper_operations = 2,
       .even_operand = 0xb2ae35u,
       .odd_operand = 0xd4eb2fu,
       .labels = {"mul24() / mad24()"}});
  add({.name = "int32-dot4",
       .group = kIntrinsics,
       .instruction = "dot product of 4 x 8 bits, add",
       .need = ChainNeed::dot,
       .expression = int32("DOT4((x), (c), (y))", [](U x, U y, U c) {
         for (U byte = 0; byte < 32; byte += 8) y += ((x >> byte) & 0xffu) * ((c >> byte) & 0xffu);
         return y;
       })});
  add({.name = "int32-popc",
       .group = kIntrinsics,
       .instruction = "popc()",
       .expression = int32("(y) - POPCOUNT(x)", [](U x, U y, U) { return y - static_cast<U>(std::popcount(x)); }),
       .helper = difference(),
       .labels = {"popc()", "POPC"}});
  add({.name = "int32-clz",
       .group = kIntrinsics,
       .instruction = "clz()",
       .expression = int32("(y) - CLZ(x)", [](U x, U y, U) { return y - static_cast<U>(std::countl_zero(x)); }),
       .helper = difference(),
       .labels = {"clz()", "FLO"}});
  add({.name = "int32-bfe",
       .group = kIntrinsics,
       .instruction = "bfe()",
       .expression = int32("(y) - BFE(x)", [](U x, U y, U) { return y - ((x >> 5) & 0xfffffu); }),
       .helper = difference(),
       .labels = {"bfe() / bfi()", "BFE"}});
  add({.name = "int32-brev",
       .group = kIntrinsics,
       .instruction = "bbrev()",
       .need = ChainNeed::reversal,
       .expression = int32("(y) - BREV(x)", [](U x, U y, U) { return y - reversed(x); }),
       .helper = difference(),
       .labels = {"bfind() / bbrev()", "BREV"}});
  add({.name = "int32-sad",
       .group = kIntrinsics,
       .instruction = "sad()",
       .need = ChainNeed::opencl,
       .expression = int32("abs_diff((x), (c)) + (y)", [](U x, U y, U c) { return (x > c ? x - c : c - x) + y; }),
       .labels = {"sad()"}});

  add({.name = "int32-select",
       .group = kSelect,
       .instruction = "compare and select",
       .expression = int32("(y) - ((x) < (c) ? (c) : ~(c))", [](U x, U y, U c) { return y - (x < c ? c : ~c); }),
       .helper = difference()});
  add({.name = "int32-to-fp32",
       .group = kConversions,
       .instruction = "int32 to fp32",
       .expression = int32("(y) - AS_UINT(TO_FLOAT(TO_INT(x)))",
                           [](U x, U y, U) { return y - static_cast<U>(word_of(static_cast<F>(static_cast<I>(x)))); }),
       .helper = difference(),
       .labels = {"I2F"}});
  return all;
}

std::vector<ChainOperation> single_operations() {
  const std::string like_add = "add / sub / min / max";
  const std::string like_mul = "mul / mad / fma";
  std::vector<ChainOperation> all;
  const auto add = [&](ChainOperation operation) {
    operation.type = ChainType::fp32;
    if (operation.start == ChainStart::odd) operation.start = ChainStart::one_to_two;
    if (operation.even_operand == 0) {
      operation.even_operand = word_of(1.5f);
      operation.odd_operand = word_of(1.75f);
    }
    all.push_back(std::move(operation));
  };
  // Sums of positive numbers grow by 1.62 a step: 2^89 in a turn.
  add({.name = "fp32-add",
       .group = kSingle,
       .instruction = "add",
       .expression = fp32("(x) + (y)", [](F x, F y, F) { return x + y; }),
       .labels = {like_add, "FADD"}});
  add({.name = "fp32-sub",
       .group = kSingle,
       .instruction = "sub",
       .expression = fp32_difference(),
       .labels = {like_add, "FADD"}});
  add({.name = "fp32-min",
       .group = kSingle,
       .instruction = "min",
       .expression = fp32("(y) - FMIN((x), (c))", [](F x, F y, F c) { return y - std::min(x, c); }),
       .helper = fp32_difference(),
       .pairs = kShortPairs,
       .labels = {like_add, "FMNMX"}});
  add({.name = "fp32-max",
       .group = kSingle,
       .instruction = "max",
       .expression = fp32("(y) - FMAX((x), (c))", [](F x, F y, F c) { return y - std::max(x, c); }),
       .helper = fp32_difference(),
       .pairs = kShortPairs,
       .labels = {like_add, "FMNMX"}});
  add({.name = "fp32-copysign",
       .group = kSpecial,
       .instruction = "copysign",
       .need = ChainNeed::opencl,
       .expression = fp32("(y) - copysign((x), (c))", [](F x, F y, F c) { return y - std::copysign(x, c); }),
       .helper = fp32_difference(),
       .even_operand = word_of(1.5f),
       .odd_operand = word_of(-1.75f),
       .pairs = kShortPairs,
       .labels = {"copysign"}});
  add({.name = "fp32-to-int32",
       .group = kConversions,
       .instruction = "fp32 to int32",
       .expression = fp32("AS_FLOAT(((AS_UINT(y) - TO_UINT(INT_OF(x))) & 0xffffffu) | 0x44000000u)",
                          [](F x, F y, F) { return range_kept(static_cast<U>(bits_of(y)) - static_cast<U>(static_cast<I>(x))); }),
       .helper = fp32("AS_FLOAT(((AS_UINT(y) - AS_UINT(x)) & 0xffffffu) | 0x44000000u)",
                      [](F x, F y, F) { return range_kept(static_cast<U>(bits_of(y) - bits_of(x))); }),
       .helper_operations = 2,
       .labels = {"F2I"}});
  // The product of both operands is 0.96: a turn ends at a sixteenth of its start value.
  add({.name = "fp32-mul",
       .group = kSingle,
       .instruction = "mul",
       .expression = fp32("(x) * (c)", [](F x, F, F c) { return x * c; }),
       .even_operand = word_of(1.0627451f),
       .odd_operand = word_of(0.9f),
       .labels = {like_mul, "FMUL"}});
  // A rotation by steps: it neither grows nor settles.
  add({.name = "fp32-fma",
       .group = kSingle,
       .instruction = "fma",
       .expression = fp32("fma((x), (c), (y))", [](F x, F y, F c) { return std::fma(x, c, y); }),
       .other_rounding = step<F>([](F x, F y, F c) { return rounded(x * c) + y; }),
       .even_operand = word_of(-0.7f),
       .odd_operand = word_of(0.9f),
       .labels = {like_mul, "FFMA"}});
  add({.name = "fp32-div-regular",
       .group = kSingle,
       .instruction = "div (regular)",
       .start = ChainStart::binary_power,
       .expression = fp32("(c) / (x)", [](F x, F, F c) { return c / x; }),
       .even_operand = word_of(2.0f),
       .odd_operand = word_of(8.0f),
       .pairs = kShortPairs,
       .tolerance = kClosely,
       .labels = {"div (regular)"}});
  add({.name = "fp32-div-irregular",
       .group = kSingle,
       .instruction = "div (irregular)",
       .expression = fp32("(c) / (x)", [](F x, F, F c) { return c / x; }),
       .even_operand = word_of(1.7f),
       .odd_operand = word_of(1.9f),
       .pairs = kShortPairs,
       .tolerance = kClosely,
       .labels = {"div (irregular)"}});
  return all;
}

/// Functions of one number; a sum keeps what goes in where the function is defined.
std::vector<ChainOperation> special_operations() {
  std::vector<ChainOperation> all;
  struct SpecialFunction {
    const char* name;
    const char* exact;  ///< as documents call it
    const char* fast;
    const char* text;       ///< exact: of OpenCL C
    const char* fast_text;  ///< of both languages
    ChainStep step;
    float even;
    float odd;
    double tolerance;
    std::vector<std::string> exact_labels;
    std::vector<std::string> fast_labels;
  };
  const std::vector<SpecialFunction> functions{{"rcp",
                                                "rcp",
                                                "fast approximate rcp",
                                                "1.0f / (x) + (c)",
                                                "FAST_RCP(x) + (c)",
                                                step<F>([](F x, F, F c) { return F{1} / x + c; }),
                                                0.75f,
                                                0.5f,
                                                kClosely,
                                                {"rcp"},
                                                {}},
                                               {"sqrt",
                                                "sqrt",
                                                "fast approximate sqrt",
                                                "sqrt(x) + (c)",
                                                "FAST_SQRT(x) + (c)",
                                                step<F>([](F x, F, F c) { return std::sqrt(x) + c; }),
                                                0.75f,
                                                0.5f,
                                                kClosely,
                                                {"sqrt"},
                                                {"fast approximate sqrt"}},
                                               {"rsqrt",
                                                "rsqrt",
                                                "fast approximate rsqrt",
                                                "rsqrt(x) + (c)",
                                                "FAST_RSQRT(x) + (c)",
                                                step<F>([](F x, F, F c) { return F{1} / std::sqrt(x) + c; }),
                                                0.75f,
                                                0.5f,
                                                kClosely,
                                                {},
                                                {"fast approximate rsqrt"}},
                                               {"sin",
                                                "sin",
                                                "fast approximate sin",
                                                "sin(x) + (c)",
                                                "FAST_SIN(x) + (c)",
                                                step<F>([](F x, F, F c) { return std::sin(x) + c; }),
                                                0.75f,
                                                0.5f,
                                                kRoughly,
                                                {},
                                                {"fast approximate sin/cos"}},
                                               {"cos",
                                                "cos",
                                                "fast approximate cos",
                                                "cos(x) + (c)",
                                                "FAST_COS(x) + (c)",
                                                step<F>([](F x, F, F c) { return std::cos(x) + c; }),
                                                0.75f,
                                                0.5f,
                                                kRoughly,
                                                {},
                                                {"fast approximate sin/cos"}},
                                               {"log2",
                                                "lg2",
                                                "fast approximate lg2",
                                                "log2(x) + (c)",
                                                "FAST_LOG2(x) + (c)",
                                                step<F>([](F x, F, F c) { return std::log2(x) + c; }),
                                                3.25f,
                                                3.5f,
                                                kClosely,
                                                {},
                                                {"fast approximate lg2"}},
                                               {"exp2",
                                                "ex2",
                                                "fast approximate ex2",
                                                "exp2(x) + (c)",
                                                "FAST_EXP2(x) + (c)",
                                                step<F>([](F x, F, F c) { return std::exp2(x) + c; }),
                                                -2.5f,
                                                -1.0f,
                                                kClosely,
                                                {},
                                                {"fast approximate ex2"}}};
  const auto base = [](const SpecialFunction& function) {
    return ChainOperation{.name = {},
                          .group = kSpecial,
                          .instruction = {},
                          .type = ChainType::fp32,
                          .start = ChainStart::one_to_two,
                          .expression = {},
                          .helper = fp32_sum(),
                          .even_operand = word_of(function.even),
                          .odd_operand = word_of(function.odd),
                          .pairs = kShortPairs,
                          .tolerance = function.tolerance};
  };
  for (const SpecialFunction& function : functions) {
    ChainOperation exact = base(function);
    exact.name = std::string("fp32-") + function.name;
    exact.instruction = function.exact;
    exact.need = ChainNeed::opencl;
    exact.expression = {function.text, function.step};
    exact.labels = function.exact_labels;
    ChainOperation fast = base(function);
    fast.name = std::string("fp32-") + function.name + "-fast";
    fast.pairs = kHelpedPairs / 2;
    fast.instruction = function.fast;
    fast.expression = {function.fast_text, function.step};
    fast.labels = function.fast_labels;
    fast.labels.emplace_back("MUFU");
    all.push_back(std::move(exact));
    all.push_back(std::move(fast));
  }
  ChainOperation round_trip = base(functions.front());
  round_trip.name = "fp32-to-int32-and-back";
  round_trip.group = kConversions;
  round_trip.instruction = "fp32 to int32 and back";
  round_trip.expression = fp32("TO_FLOAT(INT_OF(x)) + (c)", [](F x, F, F c) { return static_cast<F>(static_cast<I>(x)) + c; });
  round_trip.even_operand = word_of(37.625f);
  round_trip.odd_operand = word_of(-35.25f);
  round_trip.pairs = kLongPairs / 2;
  round_trip.tolerance = 0;
  all.push_back(std::move(round_trip));
  return all;
}

std::vector<ChainOperation> wide_operations() {
  std::vector<ChainOperation> all;
  const auto add_long = [&](ChainOperation operation) {
    if (operation.group.empty()) operation.group = kLongIntegers;
    operation.type = ChainType::int64;
    operation.even_operand = 0x9e3779b97f4a7c15u;
    operation.odd_operand = 0xbf58476d1ce4e5b9u;
    operation.pairs = kLongPairs / 2;
    all.push_back(std::move(operation));
  };
  add_long({.name = "int64-add", .group = {}, .instruction = "add", .expression = int64("(x) + (y)", [](W x, W y, W) {
                                                                      return x + y;
                                                                    })});
  add_long({.name = "int64-mul", .group = {}, .instruction = "mul", .expression = int64("(x) * (y)", [](W x, W y, W) {
                                                                      return x * y;
                                                                    })});
  add_long({.name = "int64-mulhi",
            .group = kIntrinsics,
            .instruction = "mul64hi()",
            .need = ChainNeed::opencl,
            .expression = int64("(y) - mul_hi((x), (c))",
                                [](W x, W y, W c) {
                                  const W low = (x & 0xffffffffu) * (c & 0xffffffffu);
                                  const W left = (x >> 32) * (c & 0xffffffffu) + (low >> 32);
                                  const W right = (x & 0xffffffffu) * (c >> 32) + (left & 0xffffffffu);
                                  return y - ((x >> 32) * (c >> 32) + (left >> 32) + (right >> 32));
                                }),
            .helper = int64("(y) - (x)", [](W x, W y, W) { return y - x; }),
            .labels = {"mul64hi()"}});
  const auto add_double = [&](ChainOperation operation) {
    operation.group = operation.name.find("-to-") == std::string::npos ? kDouble : kConversions;
    operation.type = ChainType::fp64;
    operation.start = ChainStart::one_to_two;
    if (operation.even_operand == 0) {
      operation.even_operand = word_of(1.5);
      operation.odd_operand = word_of(1.75);
    }
    operation.pairs = std::min(operation.pairs, kLongPairs / 2);
    all.push_back(std::move(operation));
  };
  add_double({.name = "fp64-add",
              .group = {},
              .instruction = "add",
              .expression = fp64("(x) + (y)", [](D x, D y, D) { return x + y; }),
              .labels = {"add / sub / min / max", "DADD"}});
  add_double({.name = "fp64-mul",
              .group = {},
              .instruction = "mul",
              .expression = fp64("(x) * (c)", [](D x, D, D c) { return x * c; }),
              .even_operand = word_of(1.0627451),
              .odd_operand = word_of(0.9),
              .labels = {"mul / mad / fma", "DMUL"}});
  add_double({.name = "fp64-fma",
              .group = {},
              .instruction = "fma",
              .expression = fp64("fma((x), (c), (y))", [](D x, D y, D c) { return std::fma(x, c, y); }),
              .other_rounding = step<D>([](D x, D y, D c) { return rounded(x * c) + y; }),
              .even_operand = word_of(-0.7),
              .odd_operand = word_of(0.9),
              .labels = {"mul / mad / fma", "DFMA"}});
  add_double({.name = "fp64-min",
              .group = {},
              .instruction = "min",
              .expression = fp64("(y) - FMIN((x), (c))", [](D x, D y, D c) { return y - std::min(x, c); }),
              .helper = fp64("(y) - (x)", [](D x, D y, D) { return y - x; }),
              .labels = {"add / sub / min / max", "DMNMX"}});
  add_double({.name = "fp64-max",
              .group = {},
              .instruction = "max",
              .expression = fp64("(y) - FMAX((x), (c))", [](D x, D y, D c) { return y - std::max(x, c); }),
              .helper = fp64("(y) - (x)", [](D x, D y, D) { return y - x; }),
              .labels = {"add / sub / min / max", "DMNMX"}});
  add_double({.name = "fp64-to-int32-and-back",
              .group = {},
              .instruction = "fp64 to int32 and back",
              .expression = fp64("TO_DOUBLE(INT_OF(x)) + (c)", [](D x, D, D c) { return static_cast<D>(static_cast<I>(x)) + c; }),
              .helper = fp64("(x) + (c)", [](D x, D, D c) { return x + c; }),
              .even_operand = word_of(37.0123456789),
              .odd_operand = word_of(-35.0987654321)});
  add_double({.name = "fp64-to-fp32-and-back",
              .group = {},
              .instruction = "fp64 to fp32 and back",
              .expression = fp64("TO_DOUBLE(TO_FLOAT(x)) + (c)", [](D x, D, D c) { return D{static_cast<F>(x)} + c; }),
              .helper = fp64("(x) + (c)", [](D x, D, D c) { return x + c; }),
              .even_operand = word_of(37.0123456789),
              .odd_operand = word_of(-35.0987654321)});
  add_double({.name = "fp64-div",
              .group = {},
              .instruction = "div",
              .expression = fp64("(c) / (x)", [](D x, D, D c) { return c / x; }),
              .even_operand = word_of(1.7),
              .odd_operand = word_of(1.9),
              .pairs = kShortPairs,
              .tolerance = kClosely,
              .labels = {"div (average)", "div"}});
  return all;
}

/// Bits 32 to 63 of a 64-bit value that begins from a hash.
W upper_word(W h) { return (h * 0x9e3779b9u) & 0xffffffffu; }

std::uint64_t start_of(ChainType type, ChainStart start, std::uint32_t h) {
  const bool wide = type == ChainType::int64 || type == ChainType::fp64;
  switch (start) {
    case ChainStart::odd:
      return wide ? (upper_word(h) << 32) | h | 1u : h | 1u;
    case ChainStart::positive:
      return (h >> 1) | 1u;
    case ChainStart::middle:
      return (h >> 16) | 0x8000u;
    case ChainStart::power:
      return 1u << (5 + (h >> 29));
    case ChainStart::one_to_two:
      if (type == ChainType::fp16) return 0x3c00u | (h >> 22);
      if (type == ChainType::fp16x2) return 0x3c003c00u | (h >> 22) | ((h & 0x3ffu) << 16);
      return wide ? W{0x3ff00000u | (h >> 12)} << 32 | h : 0x3f800000u | (h >> 9);
    case ChainStart::binary_power:
      return 0x3f800000u + ((h >> 29) << 23);
    case ChainStart::one_to_one_and_a_half:
      return (0x3c003c00u | (h & 0x01ff01ffu)) & (type == ChainType::fp16 ? 0xffffu : UINT32_MAX);
  }
  return 0;
}

std::string start_text(ChainType type, ChainStart start, const std::string& h) {
  const bool wide = type == ChainType::int64 || type == ChainType::fp64;
  switch (start) {
    case ChainStart::odd:
      return wide ? "AS_VALUE(" + h + " | 1u, " + h + " * 0x9e3779b9u)" : h + " | 1u";
    case ChainStart::positive:
      return "(" + h + " >> 1) | 1u";
    case ChainStart::middle:
      return "(" + h + " >> 16) | 0x8000u";
    case ChainStart::power:
      // The mask has all bits: a compiler that knew a power of two would avoid the division.
      return "(1u << (5u + (" + h + " >> 29))) ^ ~p.mask";
    case ChainStart::one_to_two:
      if (type == ChainType::fp16) return "AS_VALUE(0x3c00u | (" + h + " >> 22), 0u)";
      if (type == ChainType::fp16x2) return "AS_VALUE(0x3c003c00u | (" + h + " >> 22) | ((" + h + " & 0x3ffu) << 16), 0u)";
      return wide ? "AS_VALUE(" + h + ", 0x3ff00000u | (" + h + " >> 12))" : "AS_FLOAT(0x3f800000u | (" + h + " >> 9))";
    case ChainStart::binary_power:
      return "AS_FLOAT(0x3f800000u + ((" + h + " >> 29) << 23))";
    case ChainStart::one_to_one_and_a_half:
      return "AS_VALUE(0x3c003c00u | (" + h + " & 0x01ff01ffu), 0u)";
  }
  return {};
}

}  // namespace

const std::vector<ChainOperation>& chain_operations() {
  static const std::vector<ChainOperation> all = [] {
    std::vector<ChainOperation> joined = integer_operations();
    for (auto& part : {single_operations(), special_operations(), wide_operations(), half_operations(), group_operations()}) {
      joined.insert(joined.end(), part.begin(), part.end());
    }
    for (ChainOperation& operation : joined) {
      if (operation.pairs == kLongPairs) operation.pairs = operation.has_helper() ? kHelpedPairs : kLongestPairs;
    }
    return joined;
  }();
  return all;
}

const ChainOperation* find_chain_operation(std::string_view name) {
  const auto& all = chain_operations();
  const auto found = std::find_if(all.begin(), all.end(), [&](const ChainOperation& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::pair<std::uint64_t, std::uint64_t> chain_begin(const ChainOperation& operation, std::uint32_t hash) {
  return {start_of(operation.type, operation.start, hash), start_of(operation.type, operation.start, hash * kChainMultiply)};
}

ChainEnd chain_end(const ChainOperation& operation, const ChainExpression& expression, const ChainRun& run) {
  struct Lane {
    std::uint32_t h = 0;
    std::uint64_t x = 0;
    std::uint64_t y = 0;
  };
  // The lane itself; if lanes exchange values, also its neighbour.
  std::vector<Lane> lanes{{run.start}};
  if (expression.exchange != nullptr) lanes.push_back({run.neighbour_start});
  const auto advance = [&](const ChainExpression& step, std::uint64_t operand) {
    const std::array before{lanes.front().x, lanes.back().x};
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      std::uint64_t x = before[i];
      if (step.exchange != nullptr) {
        x = step.exchange({.own = static_cast<std::uint32_t>(x),
                           .neighbour = static_cast<std::uint32_t>(before[1 - i]),
                           .is_odd = run.is_odd != (i == 1),
                           .lanes = run.lanes});
      }
      const std::uint64_t next = step.step(x, lanes[i].y, operand);
      lanes[i].y = std::exchange(lanes[i].x, next);
    }
  };
  const std::uint32_t first_helper = (run.pairs - run.helper_pairs) / 2;
  for (Lane& lane : lanes) lane.x = chain_begin(operation, lane.h).first;
  for (std::uint64_t turn = 0; turn < run.loops; ++turn) {
    for (Lane& lane : lanes) std::tie(lane.x, lane.y) = chain_begin(operation, lane.h);
    for (std::uint32_t pair = 0; pair < run.pairs; ++pair) {
      const bool helps = pair >= first_helper && pair < first_helper + run.helper_pairs;
      const ChainExpression& step_of_pair = helps ? operation.helper : expression;
      advance(step_of_pair, run.even_operand);
      advance(step_of_pair, run.odd_operand);
    }
    for (Lane& lane : lanes)
      lane.h = (lane.h ^ (folded(lane.x) & run.mask)) * kChainMultiply + (kChainAdd + static_cast<std::uint32_t>(turn));
  }
  return {lanes.front().h, lanes.front().x};
}

std::string chain_turn_text(std::uint32_t pairs, std::uint32_t helper_pairs) {
  std::string text;
  const auto add = [&](std::uint32_t count, const char* step) {
    for (std::uint32_t run = 1; run <= count; run *= 2) {
      if ((count & run) != 0) text += (text.empty() ? "RUN_" : " RUN_") + std::to_string(run) + "(" + step + ")";
    }
  };
  const std::uint32_t before = helper_pairs > 0 ? (pairs - helper_pairs) / 2 : 0;
  add(before, "OPERATION");
  add(helper_pairs, "HELPER");
  add(pairs - helper_pairs - before, "OPERATION");
  return text;
}

std::string chain_start_text(const ChainOperation& operation) { return start_text(operation.type, operation.start, "(h)"); }

std::string chain_other_text(const ChainOperation& operation) {
  return start_text(operation.type, operation.start, "((h) * 1664525u)");
}

std::uint32_t folded(std::uint64_t bits) { return static_cast<std::uint32_t>(bits ^ (bits >> 32)); }

double number_of(ChainType type, std::uint64_t bits) {
  if (type == ChainType::fp64) return value_of<double>(bits);
  if (type == ChainType::fp16) return to_double(value_of<Half>(bits));
  return value_of<float>(bits);
}

bool is_close(const ChainOperation& operation, std::uint64_t found, std::uint64_t expected) {
  if (operation.is_exact()) return found == expected;
  const double wanted = number_of(operation.type, expected);
  return std::abs(number_of(operation.type, found) - wanted) <= operation.tolerance * std::max(1.0, std::abs(wanted));
}

}  // namespace percycle
