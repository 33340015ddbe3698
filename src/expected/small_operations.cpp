#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "expected/chain_parts.hpp"

namespace percycle::chain {
namespace {

using U16 = std::uint16_t;
using U8 = std::uint8_t;

// Products and sums of these numbers are exact in 53 bits, so each operation rounds once.
Bfloat fused(Bfloat a, Bfloat b, Bfloat c) { return nearest_bfloat(std::fma(to_double(a), to_double(b), to_double(c))); }

constexpr auto kAdd = [](auto x, auto y, auto) { return static_cast<decltype(x)>(x + y); };
constexpr auto kMad = [](auto x, auto y, auto c) { return static_cast<decltype(x)>(U{x} * c + y); };
constexpr auto kFma = [](Bfloat x, Bfloat y, Bfloat c) { return fused(x, c, y); };

/// Sum and product of one type of integers.
void add_integers(std::vector<ChainOperation>& all, const std::string& prefix, const char* group, ChainType type, ChainStep add,
                  ChainStep mad) {
  const ChainOperation common{.group = group, .type = type, .even_operand = kEven, .odd_operand = kOdd};
  ChainOperation sum = common;
  sum.name = prefix + "-add";
  sum.instruction = "add";
  sum.expression = {"(x) + (y)", add};
  ChainOperation product = common;
  product.name = prefix + "-mad";
  product.instruction = "mad";
  product.expression = {"(x) * (c) + (y)", mad};
  all.push_back(std::move(sum));
  all.push_back(std::move(product));
}

}  // namespace

std::vector<ChainOperation> small_operations() {
  std::vector<ChainOperation> all;
  add_integers(all, "int8", "Integer Arithmetic, 8 bits", ChainType::int8, step<U8>(kAdd), step<U8>(kMad));
  add_integers(all, "int16", "Integer Arithmetic, 16 bits", ChainType::int16, step<U16>(kAdd), step<U16>(kMad));
  add_integers(all, "int16x2", "Integer Arithmetic, 16 bits, packed", ChainType::int16x2, of_both<U16>(kAdd), of_both<U16>(kMad));
  // Numbers grow by 1.07 a step.
  const std::uint32_t even = nearest_bfloat(0.1400).bits;
  const std::uint32_t odd = nearest_bfloat(0.1200).bits;
  const ChainOperation common{.instruction = "fma", .start = ChainStart::one_to_two, .need = ChainNeed::bfloat};
  ChainOperation scalar = common;
  scalar.name = "bf16-fma";
  scalar.group = "bfloat16";
  scalar.type = ChainType::bf16;
  scalar.expression = {"BFMA((x), (c), (y))", step<Bfloat>(kFma)};
  scalar.even_operand = even;
  scalar.odd_operand = odd;
  ChainOperation packed = common;
  packed.name = "bf16x2-fma";
  packed.group = "bfloat16, packed";
  packed.type = ChainType::bf16x2;
  packed.expression = {"BFMA((x), (c), (y))", of_both<Bfloat>(kFma)};
  packed.even_operand = std::uint64_t{even} * 0x10001u;
  packed.odd_operand = std::uint64_t{odd} * 0x10001u;
  all.push_back(std::move(scalar));
  all.push_back(std::move(packed));
  return all;
}

}  // namespace percycle::chain
