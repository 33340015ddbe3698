#include <algorithm>
#include <string>
#include <vector>

#include "expected/chain_parts.hpp"

namespace percycle::chain {
namespace {

constexpr const char* kLogic = "Logic and Shift";
constexpr const char* kLikeLogic = "and / or / not / xor";

U reversed(U x) {
  U result = 0;
  for (int i = 0; i < 32; ++i) result |= ((x >> i) & 1u) << (31 - i);
  return result;
}

ChainExpression odd_difference() {
  return int32("((y) - (x)) | 1u", [](U x, U y, U) { return (y - x) | 1u; });
}
ChainExpression doubled() {
  return int32("((y) + (y)) ^ ((x) & (c))", [](U x, U y, U c) { return (y + y) ^ (x & c); });
}

}  // namespace

std::vector<ChainOperation> integer_operations() {
  const ChainOperation common{.group = "Integer Arithmetic", .even_operand = kEven, .odd_operand = kOdd};
  return with_defaults(
      common,
      {
          {.name = "int32-add",
           .instruction = "add",
           .expression = int32("(x) + (y)", [](U x, U y, U) { return x + y; }),
           .labels = {kLikeAdd, "IADD", "IADD3"}},
          {.name = "int32-sub", .instruction = "sub", .expression = difference(), .labels = {kLikeAdd}},
          {.name = "int32-min",
           .instruction = "min",
           .expression = int32("(y) - min((x), (c))", [](U x, U y, U c) { return y - std::min(x, c); }),
           .helper = difference(),
           .labels = {kLikeAdd, "IMNMX"}},
          {.name = "int32-max",
           .instruction = "max",
           .expression = int32("(y) - max((x), (c))", [](U x, U y, U c) { return y - std::max(x, c); }),
           .helper = difference(),
           .labels = {kLikeAdd, "IMNMX"}},
          {.name = "int32-abs",
           .instruction = "abs",
           .expression =
               int32("(y) - TO_UINT(abs(TO_INT(x)))", [](U x, U y, U) { return y - (static_cast<I>(x) < 0 ? 0u - x : x); }),
           .helper = difference(),
           .labels = {"abs"}},
          {.name = "int32-mul",
           .instruction = "mul",
           .expression = int32("(x) * (y)", [](U x, U y, U) { return x * y; }),
           .labels = {"mul / mad", "IMUL"}},
          {.name = "int32-mad",
           .instruction = "mad",
           .expression = int32("(x) * (c) + (y)", [](U x, U y, U c) { return x * c + y; }),
           .labels = {"mul / mad", "IMAD"}},
          // Divisors stay between 2 and 2^28 at each step, and none is the root of the dividend.
          {.name = "uint32-div-regular",
           .instruction = "{u} div (regular)",
           .start = ChainStart::power,
           .expression = int32("(c) / (x)", [](U x, U, U c) { return c / x; }),
           .even_operand = 1u << 29,
           .odd_operand = 1u << 31,
           .pairs = kShortPairs,
           .labels = {"{u} div (regular)"}},
          {.name = "uint32-div-irregular",
           .instruction = "{u} div (irregular)",
           .start = ChainStart::middle,
           .expression = int32("(c) / (x)", [](U x, U, U c) { return c / x; }),
           .even_operand = 0xfffe1235u,
           .odd_operand = 0xfffd4321u,
           .pairs = kShortPairs,
           .labels = {"{u} div (irregular)"}},
          {.name = "int32-div-regular",
           .instruction = "{s} div (regular)",
           .start = ChainStart::power,
           .expression =
               int32("TO_UINT(TO_INT(c) / TO_INT(x))", [](U x, U, U c) { return static_cast<I>(c) / static_cast<I>(x); }),
           .even_operand = 1u << 27,
           .odd_operand = 1u << 29,
           .pairs = kShortPairs,
           .labels = {"{s} div (regular)"}},
          {.name = "int32-div-irregular",
           .instruction = "{s} div (irregular)",
           .start = ChainStart::middle,
           .expression =
               int32("TO_UINT(TO_INT(c) / TO_INT(x))", [](U x, U, U c) { return static_cast<I>(c) / static_cast<I>(x); }),
           .even_operand = 0x3ffe1235u,
           .odd_operand = 0x3ffd4321u,
           .pairs = kShortPairs,
           .labels = {"{s} div (irregular)"}},
          // The divisor is odd, so never 0.
          {.name = "uint32-rem",
           .instruction = "{u} rem",
           .expression = int32("((y) - ((c) % (x))) | 1u", [](U x, U y, U c) { return (y - c % x) | 1u; }),
           .helper = odd_difference(),
           .helper_operations = 2,
           .pairs = kShortPairs,
           .labels = {"{u} rem"}},
          // GLSL does not define the remainder of a negative number: the helper makes all
          // numbers positive.
          {.name = "int32-rem",
           .instruction = "{s} rem",
           .start = ChainStart::positive,
           .expression = int32(
               "(((y) - TO_UINT(TO_INT(c) % TO_INT(x))) & 0x7fffffffu) | 1u",
               [](U x, U y, U c) { return ((y - static_cast<U>(static_cast<I>(c) % static_cast<I>(x))) & 0x7fffffffu) | 1u; }),
           .helper = int32("(((y) - (x)) & 0x7fffffffu) | 1u", [](U x, U y, U) { return ((y - x) & 0x7fffffffu) | 1u; }),
           .helper_operations = 2,
           .even_operand = 0x7fb2ae35u,
           .odd_operand = 0x67d4eb2fu,
           .pairs = kShortPairs,
           .labels = {"{s} rem"}},

          // Divisors are powers of two from 2^5 on. y + y doubles them every second step. A
          // remainder adds 0 to them, and so does the helper's operand.
          {.name = "uint32-rem-regular",
           .instruction = "{u} rem (regular)",
           .start = ChainStart::power,
           .expression = int32("((y) + (y)) ^ ((x) & ((c) % (x)))", [](U x, U y, U c) { return (y + y) ^ (x & (c % x)); }),
           .helper = doubled(),
           .helper_operations = 2,
           .even_operand = 0xab400013u,
           .odd_operand = 0xdc80000du,
           .pairs = kShortPairs},
          {.name = "int32-rem-regular",
           .instruction = "{s} rem (regular)",
           .start = ChainStart::power,
           .expression =
               int32("((y) + (y)) ^ ((x) & TO_UINT(TO_INT(c) % TO_INT(x)))",
                     [](U x, U y, U c) { return (y + y) ^ (x & static_cast<U>(static_cast<I>(c) % static_cast<I>(x))); }),
           .helper = doubled(),
           .helper_operations = 2,
           .even_operand = 0x2b400013u,
           .odd_operand = 0x5c80000du,
           .pairs = kShortPairs},

          {.name = "int32-and",
           .group = kLogic,
           .instruction = "and",
           .expression = int32("(y) - ((x) & (c))", [](U x, U y, U c) { return y - (x & c); }),
           .helper = difference(),
           .labels = {kLikeLogic, "LOP", "LOP3"}},
          {.name = "int32-or",
           .group = kLogic,
           .instruction = "or",
           .expression = int32("(y) - ((x) | (c))", [](U x, U y, U c) { return y - (x | c); }),
           .helper = difference(),
           .labels = {kLikeLogic, "LOP", "LOP3"}},
          {.name = "int32-xor",
           .group = kLogic,
           .instruction = "xor",
           .expression = int32("(y) - ((x) ^ (c))", [](U x, U y, U c) { return y - (x ^ c); }),
           .helper = difference(),
           .labels = {kLikeLogic, "LOP", "LOP3"}},
          {.name = "int32-shl",
           .group = kLogic,
           .instruction = "shl",
           .expression = int32("(y) - ((x) << (c))", [](U x, U y, U c) { return y - (x << c); }),
           .helper = difference(),
           .even_operand = 3,
           .odd_operand = 5,
           .labels = {"shl/shr", "SHL", "SHF"}},
          {.name = "int32-shr",
           .group = kLogic,
           .instruction = "shr",
           .expression = int32("(y) - ((x) >> (c))", [](U x, U y, U c) { return y - (x >> c); }),
           .helper = difference(),
           .even_operand = 3,
           .odd_operand = 5,
           .labels = {"shl/shr", "SHR", "SHF"}},

          {.name = "int32-cnot",
           .group = kLogic,
           .instruction = "cnot",
           .expression = int32("(y) + (c) - ((x) == 0u ? 1u : 0u)", [](U x, U y, U c) { return y + c - (x == 0 ? 1u : 0u); }),
           .helper = int32("(y) + (c) - (x)", [](U x, U y, U c) { return y + c - x; }),
           .labels = {"cnot"}},
          {.name = "int32-shift-add",
           .group = kLogic,
           .instruction = "shift and add",
           .expression = int32("((x) << 5) + (y)", [](U x, U y, U) { return (x << 5) + y; }),
           .labels = {"ISCADD"}},

          {.name = "int32-mulhi",
           .group = kIntrinsics,
           .instruction = "mulhi()",
           .expression = int32("(y) - MULHI((x), (c))", [](U x, U y, U c) { return y - static_cast<U>((W{x} * c) >> 32); }),
           .helper = difference(),
           .labels = {"mulhi()"}},
          // Values of 24 bits, as mul24() demands.
          {.name = "int32-mul24",
           .group = kIntrinsics,
           .instruction = "mul24()",
           .start = ChainStart::middle,
           .need = ChainNeed::opencl,
           .expression = int32("((y) - mul24((x), (c))) & 0xffffffu", [](U x, U y, U c) { return (y - x * c) & 0xffffffu; }),
           .helper = int32("((y) - (x)) & 0xffffffu", [](U x, U y, U) { return (y - x) & 0xffffffu; }),
           .helper_operations = 2,
           .even_operand = 0xb2ae35u,
           .odd_operand = 0xd4eb2fu,
           .labels = {"mul24() / mad24()"}},
          {.name = "int32-popc",
           .group = kIntrinsics,
           .instruction = "popc()",
           .expression = int32("(y) - POPCOUNT(x)", [](U x, U y, U) { return y - static_cast<U>(std::popcount(x)); }),
           .helper = difference(),
           .labels = {"popc()", "POPC"}},
          {.name = "int32-clz",
           .group = kIntrinsics,
           .instruction = "clz()",
           .expression = int32("(y) - CLZ(x)", [](U x, U y, U) { return y - static_cast<U>(std::countl_zero(x)); }),
           .helper = difference(),
           .labels = {"clz()", "FLO"}},
          {.name = "int32-bfe",
           .group = kIntrinsics,
           .instruction = "bfe()",
           .expression = int32("(y) - BFE(x)", [](U x, U y, U) { return y - ((x >> 5) & 0xfffffu); }),
           .helper = difference(),
           .labels = {"bfe() / bfi()", "BFE"}},
          {.name = "int32-brev",
           .group = kIntrinsics,
           .instruction = "bbrev()",
           .need = ChainNeed::reversal,
           .expression = int32("(y) - BREV(x)", [](U x, U y, U) { return y - reversed(x); }),
           .helper = difference(),
           .labels = {"bfind() / bbrev()", "BREV"}},
          {.name = "int32-sad",
           .group = kIntrinsics,
           .instruction = "sad()",
           .need = ChainNeed::opencl,
           .expression = int32("abs_diff((x), (c)) + (y)", [](U x, U y, U c) { return (x > c ? x - c : c - x) + y; }),
           .labels = {"sad()"}},

          {.name = "int32-select",
           .group = "Select and Compare",
           .instruction = "compare and select",
           .expression = int32("(y) - ((x) < (c) ? (c) : ~(c))", [](U x, U y, U c) { return y - (x < c ? c : ~c); }),
           .helper = difference()},
          {.name = "int32-to-fp32",
           .group = kConversions,
           .instruction = "int32 to fp32",
           .expression = int32("(y) - AS_UINT(TO_FLOAT(TO_INT(x)))",
                               [](U x, U y, U) { return y - static_cast<U>(bits_of(static_cast<F>(static_cast<I>(x)))); }),
           .helper = difference(),
           .labels = {"I2F"}},
      });
}

std::vector<ChainOperation> long_operations() {
  const ChainOperation common{.group = "Integer Arithmetic, 64 bits",
                              .type = ChainType::int64,
                              .even_operand = 0x9e3779b97f4a7c15u,
                              .odd_operand = 0xbf58476d1ce4e5b9u,
                              .pairs = kLongPairs / 2};
  return with_defaults(
      common,
      {
          {.name = "int64-add", .instruction = "add", .expression = int64("(x) + (y)", [](W x, W y, W) { return x + y; })},
          {.name = "int64-mul", .instruction = "mul", .expression = int64("(x) * (y)", [](W x, W y, W) { return x * y; })},
          {.name = "int64-mulhi",
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
           .labels = {"mul64hi()"}},
      });
}

}  // namespace percycle::chain
