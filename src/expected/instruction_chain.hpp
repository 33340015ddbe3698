#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace percycle {

/// Type of a chain's values.
enum class ChainType { int32, fp32, int64, fp64, fp16, fp16x2, int8, int16, int16x2, bf16, bf16x2 };

/// Whether a value is two numbers in a word.
constexpr bool is_packed(ChainType type) {
  return type == ChainType::fp16x2 || type == ChainType::int16x2 || type == ChainType::bf16x2;
}

/// The values that the turns of a chain begin with.
enum class ChainStart {
  odd,                      ///< any odd integers
  positive,                 ///< odd integers below 2^31
  middle,                   ///< integers from 2^15 to 2^16
  power,                    ///< powers of two
  one_to_two,               ///< numbers from 1 to 2, of any fraction
  binary_power,             ///< 1, 2, 4, ... 128
  one_to_one_and_a_half,    ///< 16-bit numbers from 1 to 1.5
  minus_one_to_minus_half,  ///< numbers from -1 to -0.5
};

/// A feature that an operation needs besides the type of its values.
enum class ChainNeed {
  nothing,
  opencl,          ///< a function of OpenCL C alone
  reversal,        ///< the reversal of bits, which OpenCL C 1.2 lacks
  half,            ///< 16-bit floating-point numbers and values of another type
  half_division,   ///< their division, which PTX lacks
  bfloat,          ///< bfloat16 numbers, of PTX from compute capability 8.0 on
  half_minimum,    ///< their minimum, which PTX has from compute capability 8.0 on
  dot,             ///< a dot product of 4 x 8 bits
  saturating_dot,  ///< one whose sum saturates, which PTX lacks
  vote,
  ballot,
  broadcast,
  shuffle,
  reduction,
  barrier,
  clock,
};

/// A step on the host, over the bits of the values: the next value from the last one, the one
/// before it and the operand.
using ChainStep = std::uint64_t (*)(std::uint64_t x, std::uint64_t y, std::uint64_t c);

/// The values of x in a subgroup. Its even lanes have one value, its odd lanes another.
struct LaneValues {
  std::uint32_t own = 0;
  std::uint32_t neighbour = 0;
  bool is_odd = false;
  std::uint32_t lanes = 0;
};

/// The result of an operation of the subgroup. A step gets it instead of x.
using ChainExchange = std::uint32_t (*)(const LaneValues& x);

/// An expression of x (the last value), y (the one before it) and c (an operand from memory), in
/// words that both kernels define.
struct ChainExpression {
  std::string text{};
  ChainStep step = nullptr;
  ChainExchange exchange = nullptr;
};

/// One operation of kernel pair `instruction_chain`.
struct ChainOperation {
  std::string name{};         ///< "int32-add"
  std::string group{};        ///< class; the name in table II of Arafa et al., if it has one
  std::string instruction{};  ///< name in that class
  ChainType type = ChainType::int32;
  ChainStart start = ChainStart::odd;
  ChainNeed need = ChainNeed::nothing;
  ChainExpression expression{};
  /// The rest of each step without the operation. Empty if the expression is the operation alone.
  ChainExpression helper{};
  std::uint32_t helper_operations = 1;  ///< operations of the helper, if there is one
  ChainStep other_rounding = nullptr;   ///< the step with another rounding, if an API allows it
  std::uint64_t even_operand = 0;       ///< operand of steps 1, 3, ... of a turn, as bits
  std::uint64_t odd_operand = 0;        ///< operand of steps 2, 4, ...
  bool neighbour_operand = false;       ///< both operands are the number of the neighbouring lane
  std::uint32_t pairs = 32;             ///< pairs of steps in a turn of the loop
  double tolerance = 0;                 ///< relative error of the last value; 0: exact
  /// Names in documents: "add / sub / min / max" in the same class, "IADD3" without a class.
  std::vector<std::string> labels{};

  bool has_helper() const { return helper.step != nullptr; }
  bool is_exact() const { return tolerance == 0; }
  bool is_dot_product() const { return need == ChainNeed::dot || need == ChainNeed::saturating_dot; }
  bool is_of_subgroup() const { return expression.exchange != nullptr; }
};

/// Every operation, in the order in which they are presented.
const std::vector<ChainOperation>& chain_operations();

/// The operation with that name; nullptr if there is none.
const ChainOperation* find_chain_operation(std::string_view name);

/// A run of a chain. The hash also takes the number of the turn, so that it never settles.
struct ChainRun {
  std::uint64_t loops = 0;
  std::uint32_t pairs = 0;
  std::uint32_t helper_pairs = 0;     ///< of them, those in the middle that have the helper alone
  std::uint32_t start = 0;            ///< first hash
  std::uint32_t neighbour_start = 0;  ///< first hash of the neighbouring lane, for exchanges
  bool is_odd = false;                ///< the lane's number is odd, for exchanges
  std::uint32_t lanes = 1;            ///< lanes of the subgroup, for exchanges
  std::uint32_t mask = 0;             ///< bits of a turn's last value that the next hash takes
  std::uint64_t even_operand = 0;
  std::uint64_t odd_operand = 0;
};

/// The end of a lane's chain: the hash after the last turn and the last value.
struct ChainEnd {
  std::uint32_t hash = 0;
  std::uint64_t value = 0;
};

inline constexpr std::uint32_t kChainMultiply = 1664525;  // Numerical Recipes, 3rd edition, 7.1.4
inline constexpr std::uint32_t kChainAdd = 1013904223;

/// The first two values of a turn with that hash: x and y.
std::pair<std::uint64_t, std::uint64_t> chain_begin(const ChainOperation& operation, std::uint32_t hash);

/// The end of a chain of this expression, which is one of the operation's.
ChainEnd chain_end(const ChainOperation& operation, const ChainExpression& expression, const ChainRun& run);

/// A turn as a row of the kernel's macros: "RUN_2(OPERATION) RUN_4(HELPER) RUN_2(OPERATION)".
std::string chain_turn_text(std::uint32_t pairs, std::uint32_t helper_pairs);

/// The expressions of chain_begin() in terms of the hash `h`.
std::string chain_start_text(const ChainOperation& operation);
std::string chain_other_text(const ChainOperation& operation);

/// Both halves of a value's bits as one word.
std::uint32_t folded(std::uint64_t bits);

/// The floating-point number with these bits.
double number_of(ChainType type, std::uint64_t bits);

/// Whether the last value equals the host's within the operation's tolerance.
bool is_close(const ChainOperation& operation, std::uint64_t found, std::uint64_t expected);

}  // namespace percycle
