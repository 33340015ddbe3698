#include "expected/multiply_add_forms.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "expected/chain_parts.hpp"

namespace percycle::chain {
namespace {

/// The operation `name`-`form` of two values that a step reads, in chains that go on.
StreamOperation form_of(const ChainOperation& operation, const char* form, ChainExpression expression, ChainStep other_rounding,
                        std::uint64_t even, std::uint64_t odd) {
  StreamOperation stream{.chain = operation, .lasting = true, .results = is_packed(operation.type) ? 2u : 1u};
  ChainOperation& chain = stream.chain;
  chain.name += std::string("-") + form;
  chain.expression = std::move(expression);
  chain.other_rounding = other_rounding;
  chain.even_operand = even;
  chain.odd_operand = odd;
  chain.pairs = kLongPairs;
  return stream;
}

/// Products that are rounded before the sum, as APIs allow.
template <typename T>
T twice_rounded(T a, T b, T c) {
  const volatile T product = a * b;
  return product + c;
}

template <typename T>
void add_forms_of(std::vector<StreamOperation>& all, const char* name) {
  const ChainOperation& fma = *find_chain_operation(name);
  // A rotation by steps: it neither grows nor settles.
  all.push_back(form_of(fma, "xyz", fma.expression, fma.other_rounding, bits_of(T(-0.7)), bits_of(T(0.9))));
  // Two steps subtract a quarter.
  all.push_back(form_of(fma, "xcc", expression<T>("fma((x), (c), (c))", [](T x, T, T c) { return std::fma(x, c, c); }),
                        step<T>([](T x, T, T c) { return twice_rounded(x, c, c); }), bits_of(T(-0.8)), bits_of(T(-1.25))));
  // Numbers below 0 come closer to it, after n steps to 1/n.
  all.push_back(form_of(fma, "xxx", expression<T>("fma((x), (x), (x))", [](T x, T, T) { return std::fma(x, x, x); }),
                        step<T>([](T x, T, T) { return twice_rounded(x, x, x); }), bits_of(T(-0.8)), bits_of(T(1.25))));
  all.back().chain.start = ChainStart::minus_one_to_minus_half;
}

}  // namespace
}  // namespace percycle::chain

std::vector<percycle::StreamOperation> percycle::multiply_add_forms() {
  using namespace chain;
  std::vector<StreamOperation> all;
  add_forms_of<F>(all, "fp32-fma");
  add_forms_of<D>(all, "fp64-fma");

  const ChainOperation& integers = *find_chain_operation("int32-mad");
  all.push_back(
      form_of(integers, "xcc", int32("(x) * (c) + (c)", [](U x, U, U c) { return x * c + c; }), nullptr, kEven | 1u, kOdd));
  all.push_back(form_of(integers, "xxx", int32("(x) * (x) + (x)", [](U x, U, U) { return x * x + x; }), nullptr, kEven, kOdd));
  return all;
}
