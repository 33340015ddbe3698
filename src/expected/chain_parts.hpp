#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "expected/bfloat.hpp"
#include "expected/half.hpp"
#include "expected/instruction_chain.hpp"

// Parts of the lists of operations.
namespace percycle::chain {

using U = std::uint32_t;
using I = std::int32_t;
using F = float;
using W = std::uint64_t;
using D = double;

template <typename T>
using BitsOf = std::conditional_t<
    sizeof(T) == 1, std::uint8_t,
    std::conditional_t<sizeof(T) == 2, std::uint16_t, std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

template <typename T>
T value_of(std::uint64_t bits) {
  return std::bit_cast<T>(static_cast<BitsOf<T>>(bits));
}

template <typename T>
std::uint64_t bits_of(T value) {
  return std::bit_cast<BitsOf<T>>(value);
}

/// The step that computes `function` over values of type T.
template <typename T, typename Function>
ChainStep step(Function /*function*/) {
  return [](std::uint64_t x, std::uint64_t y, std::uint64_t c) {
    return bits_of<T>(static_cast<T>(Function{}(value_of<T>(x), value_of<T>(y), value_of<T>(c))));
  };
}

/// The step that does the same with both numbers of type T, of 16 bits, in a word.
template <typename T, typename Function>
ChainStep of_both(Function /*function*/) {
  return [](std::uint64_t x, std::uint64_t y, std::uint64_t c) {
    const auto one = [&](int shift) {
      const auto number = [shift](std::uint64_t word) { return value_of<T>(word >> shift); };
      return bits_of<T>(static_cast<T>(Function{}(number(x), number(y), number(c)))) << shift;
    };
    return one(0) | one(16);
  };
}

/// The expression `text`, which computes `function` over values of type T.
template <typename T, typename Function>
ChainExpression expression(const char* text, Function function) {
  return {text, step<T>(function)};
}

template <typename Function>
ChainExpression int32(const char* text, Function function) {
  return expression<U>(text, function);
}

template <typename Function>
ChainExpression fp32(const char* text, Function function) {
  return expression<F>(text, function);
}

template <typename Function>
ChainExpression int64(const char* text, Function function) {
  return expression<W>(text, function);
}

template <typename Function>
ChainExpression fp64(const char* text, Function function) {
  return expression<D>(text, function);
}

// No compiler may shorten a chain. A step of two values (x + y) needs both steps before it. An
// operation of one value gets a helper that neither folds nor merges with it: a subtraction from
// the value before it.
inline ChainExpression difference() {
  return int32("(y) - (x)", [](U x, U y, U) { return y - x; });
}

inline ChainExpression fp32_sum() {
  return fp32("(x) + (c)", [](F x, F, F c) { return x + c; });
}

constexpr const char* kIntrinsics = "Integer Intrinsic";
constexpr const char* kConversions = "Conversion";
constexpr const char* kLikeAdd = "add / sub / min / max";  // a label of operations of several types

constexpr std::uint32_t kLongPairs = 32;
// Operations alone: on an H100 a run of 32 steps differs from a longer one by up to 9 cycles.
constexpr std::uint32_t kLongestPairs = 64;
// With helpers: the ends of a turn cost some 20 cycles more or less than the ends of the control's
// turn.
constexpr std::uint32_t kHelpedPairs = 128;
constexpr std::uint32_t kShortPairs = 8;  // of long operations: fits instruction caches

constexpr std::uint32_t kEven = 0xc2b2ae34u;  // operands with as many ones as zeros
constexpr std::uint32_t kOdd = 0x27d4eb2fu;

/// The rows of a table, with the common values where a row names none: class, start and operands.
/// All get the common type, and no more pairs than the common number.
std::vector<ChainOperation> with_defaults(const ChainOperation& common, std::vector<ChainOperation> rows);

/// Operations of 32-bit and of 64-bit integers.
std::vector<ChainOperation> integer_operations();
/// Dot products of 4 x 8-bit integers.
std::vector<ChainOperation> dot_operations();
/// Operations of 8-bit and 16-bit integers and of bfloat16 numbers.
std::vector<ChainOperation> small_operations();
std::vector<ChainOperation> long_operations();
/// Operations of 32-bit floating-point numbers.
std::vector<ChainOperation> single_operations();
/// Functions of one number.
std::vector<ChainOperation> special_operations();
std::vector<ChainOperation> double_operations();
/// Operations of 16-bit floating-point numbers and conversions to them.
std::vector<ChainOperation> half_operations();
/// Operations of a subgroup, barriers, reading the clock.
std::vector<ChainOperation> group_operations();

}  // namespace percycle::chain
