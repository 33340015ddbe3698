#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "expected/chain_parts.hpp"

namespace percycle::chain {
namespace {

constexpr const char* kSpecial = "Special Mathematical";
constexpr const char* kLikeMul = "mul / mad / fma";

constexpr double kRoughly = 1.0 / (1 << 8);  // Vulkan: an error of sin of 2^-11 in each step
constexpr double kClosely = 1.0 / (1 << 14);

/// A product that is rounded before anything is added to it.
template <typename T>
T rounded(T product) {
  const volatile T kept = product;
  return kept;
}

/// A number from 512 to 2048 with these bits.
F range_kept(U bits) { return value_of<F>((bits & 0xffffffu) | 0x44000000u); }

ChainExpression fp32_difference() {
  return fp32("(y) - (x)", [](F x, F y, F) { return y - x; });
}

ChainExpression fp64_difference() {
  return fp64("(y) - (x)", [](D x, D y, D) { return y - x; });
}
ChainExpression fp64_sum() {
  return fp64("(x) + (c)", [](D x, D, D c) { return x + c; });
}

/// A function of one number; a sum keeps what goes in where the function is defined.
struct SpecialFunction {
  const char* name;
  const char* title;      ///< as documents call it
  const char* text;       ///< exact: of OpenCL C
  const char* fast_text;  ///< of both languages
  ChainStep step;
  float even;
  float odd;
  double tolerance;
  const char* exact_label;  ///< null: none
  const char* fast_label;
};

std::vector<std::string> labels_of(const char* label) {
  return label == nullptr ? std::vector<std::string>{} : std::vector<std::string>{label};
}

/// The exact function and the fast one, which computes the same less closely.
std::vector<ChainOperation> operations_of(const SpecialFunction& function) {
  const ChainOperation exact{.name = std::string("fp32-") + function.name,
                             .group = kSpecial,
                             .instruction = function.title,
                             .type = ChainType::fp32,
                             .start = ChainStart::one_to_two,
                             .need = ChainNeed::opencl,
                             .expression = {function.text, function.step},
                             .helper = fp32_sum(),
                             .even_operand = bits_of(function.even),
                             .odd_operand = bits_of(function.odd),
                             .pairs = kShortPairs,
                             .tolerance = function.tolerance,
                             .labels = labels_of(function.exact_label)};
  ChainOperation fast = exact;
  fast.name += "-fast";
  fast.instruction = std::string("fast approximate ") + function.title;
  fast.need = ChainNeed::nothing;
  fast.expression.text = function.fast_text;
  fast.pairs = kHelpedPairs / 2;
  fast.labels = labels_of(function.fast_label);
  fast.labels.emplace_back("MUFU");
  return {exact, fast};
}

}  // namespace

std::vector<ChainOperation> single_operations() {
  const ChainOperation common{.group = "Floating Single Precision",
                              .type = ChainType::fp32,
                              .start = ChainStart::one_to_two,
                              .even_operand = bits_of(1.5f),
                              .odd_operand = bits_of(1.75f)};
  return with_defaults(
      common, {
                  // Sums of positive numbers grow by 1.62 a step: 2^89 in a turn.
                  {.name = "fp32-add",
                   .instruction = "add",
                   .expression = fp32("(x) + (y)", [](F x, F y, F) { return x + y; }),
                   .labels = {kLikeAdd, "FADD"}},
                  {.name = "fp32-sub", .instruction = "sub", .expression = fp32_difference(), .labels = {kLikeAdd, "FADD"}},
                  {.name = "fp32-min",
                   .instruction = "min",
                   .expression = fp32("(y) - FMIN((x), (c))", [](F x, F y, F c) { return y - std::min(x, c); }),
                   .helper = fp32_difference(),
                   .pairs = kShortPairs,
                   .labels = {kLikeAdd, "FMNMX"}},
                  {.name = "fp32-max",
                   .instruction = "max",
                   .expression = fp32("(y) - FMAX((x), (c))", [](F x, F y, F c) { return y - std::max(x, c); }),
                   .helper = fp32_difference(),
                   .pairs = kShortPairs,
                   .labels = {kLikeAdd, "FMNMX"}},
                  {.name = "fp32-copysign",
                   .group = kSpecial,
                   .instruction = "copysign",
                   .need = ChainNeed::opencl,
                   .expression = fp32("(y) - copysign((x), (c))", [](F x, F y, F c) { return y - std::copysign(x, c); }),
                   .helper = fp32_difference(),
                   .even_operand = bits_of(1.5f),
                   .odd_operand = bits_of(-1.75f),
                   .pairs = kShortPairs,
                   .labels = {"copysign"}},
                  {.name = "fp32-to-int32",
                   .group = kConversions,
                   .instruction = "fp32 to int32",
                   .expression = fp32(
                       "AS_FLOAT(((AS_UINT(y) - TO_UINT(INT_OF(x))) & 0xffffffu) | 0x44000000u)",
                       [](F x, F y, F) { return range_kept(static_cast<U>(bits_of(y)) - static_cast<U>(static_cast<I>(x))); }),
                   .helper = fp32("AS_FLOAT(((AS_UINT(y) - AS_UINT(x)) & 0xffffffu) | 0x44000000u)",
                                  [](F x, F y, F) { return range_kept(static_cast<U>(bits_of(y) - bits_of(x))); }),
                   .helper_operations = 2,
                   .labels = {"F2I"}},
                  // The product of both operands is 0.96: a turn ends at a sixteenth of its
                  // start value.
                  {.name = "fp32-mul",
                   .instruction = "mul",
                   .expression = fp32("(x) * (c)", [](F x, F, F c) { return x * c; }),
                   .even_operand = bits_of(1.0627451f),
                   .odd_operand = bits_of(0.9f),
                   .labels = {kLikeMul, "FMUL"}},
                  // A rotation by steps: it neither grows nor settles.
                  {.name = "fp32-fma",
                   .instruction = "fma",
                   .expression = fp32("fma((x), (c), (y))", [](F x, F y, F c) { return std::fma(x, c, y); }),
                   .other_rounding = step<F>([](F x, F y, F c) { return rounded(x * c) + y; }),
                   .even_operand = bits_of(-0.7f),
                   .odd_operand = bits_of(0.9f),
                   .labels = {kLikeMul, "FFMA"}},
                  {.name = "fp32-div-regular",
                   .instruction = "div (regular)",
                   .start = ChainStart::binary_power,
                   .expression = fp32("(c) / (x)", [](F x, F, F c) { return c / x; }),
                   .even_operand = bits_of(2.0f),
                   .odd_operand = bits_of(8.0f),
                   .pairs = kShortPairs,
                   .tolerance = kClosely,
                   .labels = {"div (regular)"}},
                  {.name = "fp32-div-irregular",
                   .instruction = "div (irregular)",
                   .expression = fp32("(c) / (x)", [](F x, F, F c) { return c / x; }),
                   .even_operand = bits_of(1.7f),
                   .odd_operand = bits_of(1.9f),
                   .pairs = kShortPairs,
                   .tolerance = kClosely,
                   .labels = {"div (irregular)"}},
              });
}

std::vector<ChainOperation> special_operations() {
  const std::vector<SpecialFunction> functions{
      {"rcp", "rcp", "1.0f / (x) + (c)", "FAST_RCP(x) + (c)", step<F>([](F x, F, F c) { return F{1} / x + c; }), 0.75f, 0.5f,
       kClosely, "rcp", nullptr},
      {"sqrt", "sqrt", "sqrt(x) + (c)", "FAST_SQRT(x) + (c)", step<F>([](F x, F, F c) { return std::sqrt(x) + c; }), 0.75f, 0.5f,
       kClosely, "sqrt", "fast approximate sqrt"},
      {"rsqrt", "rsqrt", "rsqrt(x) + (c)", "FAST_RSQRT(x) + (c)", step<F>([](F x, F, F c) { return F{1} / std::sqrt(x) + c; }),
       0.75f, 0.5f, kClosely, nullptr, "fast approximate rsqrt"},
      {"sin", "sin", "sin(x) + (c)", "FAST_SIN(x) + (c)", step<F>([](F x, F, F c) { return std::sin(x) + c; }), 0.75f, 0.5f,
       kRoughly, nullptr, "fast approximate sin/cos"},
      {"cos", "cos", "cos(x) + (c)", "FAST_COS(x) + (c)", step<F>([](F x, F, F c) { return std::cos(x) + c; }), 0.75f, 0.5f,
       kRoughly, nullptr, "fast approximate sin/cos"},
      {"log2", "lg2", "log2(x) + (c)", "FAST_LOG2(x) + (c)", step<F>([](F x, F, F c) { return std::log2(x) + c; }), 3.25f, 3.5f,
       kClosely, nullptr, "fast approximate lg2"},
      {"exp2", "ex2", "exp2(x) + (c)", "FAST_EXP2(x) + (c)", step<F>([](F x, F, F c) { return std::exp2(x) + c; }), -2.5f, -1.0f,
       kClosely, nullptr, "fast approximate ex2"},
  };
  std::vector<ChainOperation> all;
  for (const SpecialFunction& function : functions) {
    for (ChainOperation& operation : operations_of(function)) all.push_back(std::move(operation));
  }
  all.push_back(
      {.name = "fp32-to-int32-and-back",
       .group = kConversions,
       .instruction = "fp32 to int32 and back",
       .type = ChainType::fp32,
       .start = ChainStart::one_to_two,
       .expression = fp32("TO_FLOAT(INT_OF(x)) + (c)", [](F x, F, F c) { return static_cast<F>(static_cast<I>(x)) + c; }),
       .helper = fp32_sum(),
       .even_operand = bits_of(37.625f),
       .odd_operand = bits_of(-35.25f),
       .pairs = kLongPairs / 2});
  return all;
}

std::vector<ChainOperation> double_operations() {
  const ChainOperation common{.group = "Double Precision",
                              .type = ChainType::fp64,
                              .start = ChainStart::one_to_two,
                              .even_operand = bits_of(1.5),
                              .odd_operand = bits_of(1.75),
                              .pairs = kLongPairs / 2};
  return with_defaults(
      common,
      {
          {.name = "fp64-add",
           .instruction = "add",
           .expression = fp64("(x) + (y)", [](D x, D y, D) { return x + y; }),
           .labels = {kLikeAdd, "DADD"}},
          {.name = "fp64-mul",
           .instruction = "mul",
           .expression = fp64("(x) * (c)", [](D x, D, D c) { return x * c; }),
           .even_operand = bits_of(1.0627451),
           .odd_operand = bits_of(0.9),
           .labels = {kLikeMul, "DMUL"}},
          {.name = "fp64-fma",
           .instruction = "fma",
           .expression = fp64("fma((x), (c), (y))", [](D x, D y, D c) { return std::fma(x, c, y); }),
           .other_rounding = step<D>([](D x, D y, D c) { return rounded(x * c) + y; }),
           .even_operand = bits_of(-0.7),
           .odd_operand = bits_of(0.9),
           .labels = {kLikeMul, "DFMA"}},
          {.name = "fp64-min",
           .instruction = "min",
           .expression = fp64("(y) - FMIN((x), (c))", [](D x, D y, D c) { return y - std::min(x, c); }),
           .helper = fp64_difference(),
           .labels = {kLikeAdd, "DMNMX"}},
          {.name = "fp64-max",
           .instruction = "max",
           .expression = fp64("(y) - FMAX((x), (c))", [](D x, D y, D c) { return y - std::max(x, c); }),
           .helper = fp64_difference(),
           .labels = {kLikeAdd, "DMNMX"}},
          {.name = "fp64-to-int32-and-back",
           .group = kConversions,
           .instruction = "fp64 to int32 and back",
           .expression = fp64("TO_DOUBLE(INT_OF(x)) + (c)", [](D x, D, D c) { return static_cast<D>(static_cast<I>(x)) + c; }),
           .helper = fp64_sum(),
           .even_operand = bits_of(37.0123456789),
           .odd_operand = bits_of(-35.0987654321)},
          {.name = "fp64-to-fp32-and-back",
           .group = kConversions,
           .instruction = "fp64 to fp32 and back",
           .expression = fp64("TO_DOUBLE(TO_FLOAT(x)) + (c)", [](D x, D, D c) { return D{static_cast<F>(x)} + c; }),
           .helper = fp64_sum(),
           .even_operand = bits_of(37.0123456789),
           .odd_operand = bits_of(-35.0987654321)},
          {.name = "fp64-div",
           .instruction = "div",
           .expression = fp64("(c) / (x)", [](D x, D, D c) { return c / x; }),
           .even_operand = bits_of(1.7),
           .odd_operand = bits_of(1.9),
           .pairs = kShortPairs,
           .tolerance = kClosely,
           .labels = {"div (average)", "div"}},
      });
}

}  // namespace percycle::chain
