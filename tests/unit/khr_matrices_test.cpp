#include "device/vulkan/khr_matrices.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <stdexcept>
#include <vector>

namespace percycle::vulkan::khr_matrices_test {
namespace {

using Words = std::vector<std::uint32_t>;

/// One instruction of SPIR-V.
Words code(std::uint32_t opcode, std::initializer_list<std::uint32_t> operands) {
  Words words{static_cast<std::uint32_t>(operands.size() + 1) << 16u | opcode};
  words.insert(words.end(), operands);
  return words;
}

Words module(std::uint32_t bound, std::initializer_list<Words> instructions) {
  Words words{0x07230203u, 0x00010500u, 0, bound, 0};
  for (const Words& instruction : instructions) words.insert(words.end(), instruction.begin(), instruction.end());
  return words;
}

TEST_CASE("khr matrices: types get their use, loads and stores a layout, the rest stays") {
  // Ids: 1 uint, 2 to 4 sizes, 5 half, 6 scope, 7 to 9 matrices, 10 bool, 11 true, 12 false.
  const Words before = module(
      30, {code(17, {1}), code(17, {5357}), code(71, {2, 1, kRowsConstant}), code(71, {3, 1, kColumnsConstant}),
           code(71, {4, 1, kDepthConstant}), code(21, {1, 32, 0}), code(5358, {7, 5, 6, 2, 4}), code(5358, {8, 5, 6, 4, 3}),
           code(5358, {9, 5, 6, 2, 3}), code(41, {10, 11}), code(42, {10, 12}), code(5359, {7, 20, 21, 22, 12, 0}),
           code(5359, {8, 23, 21, 22, 11}), code(5361, {9, 24, 20, 23, 25}), code(5360, {26, 24, 22, 12, 0}), code(253, {})});
  const Words after = module(
      33, {code(17, {1}), code(17, {6022}), code(71, {2, 1, kRowsConstant}), code(71, {3, 1, kColumnsConstant}),
           code(71, {4, 1, kDepthConstant}), code(21, {1, 32, 0}), code(43, {1, 30, 0}), code(43, {1, 31, 1}),
           code(43, {1, 32, 2}), code(4456, {7, 5, 6, 2, 4, 30}), code(4456, {8, 5, 6, 4, 3, 31}),
           code(4456, {9, 5, 6, 2, 3, 32}), code(41, {10, 11}), code(42, {10, 12}), code(4457, {7, 20, 21, 30, 22, 0}),
           code(4457, {8, 23, 21, 31, 22}), code(4459, {9, 24, 20, 23, 25}), code(4458, {26, 24, 30, 22, 0}), code(253, {})});
  CHECK(with_khr_matrices(before, "fp16") == after);
}

TEST_CASE("khr matrices: the name of the extension, and faults") {
  const Words nv{0x5f565053, 0x635f564e, 0x65706f6f, 0x69746172, 0x6d5f6576, 0x69727461, 0x78};
  const Words khr{0x5f565053, 0x5f52484b, 0x706f6f63, 0x74617265, 0x5f657669, 0x7274616d, 0x7869};
  Words before = module(9, {Words{8u << 16u | 10u}});
  before.insert(before.end(), nv.begin(), nv.end());
  Words after = module(12, {Words{8u << 16u | 10u}});
  after.insert(after.end(), khr.begin(), khr.end());
  CHECK(with_khr_matrices(before, "fp16") == after);
  // A matrix of other sizes, and an instruction that is cut off.
  CHECK_THROWS_AS(with_khr_matrices(module(9, {code(5358, {7, 5, 6, 2, 4})}), "fp16"), std::invalid_argument);
  CHECK_THROWS_AS(with_khr_matrices(module(9, {Words{4u << 16u | 43u, 1}}), "fp16"), std::invalid_argument);
}

TEST_CASE("khr matrices: bf16 and fp8 stand in for fp16, and signed bytes are products of signed numbers") {
  const Words half = module(9, {code(17, {5357}), code(22, {5, 16}), code(22, {6, 32})});
  CHECK(with_khr_matrices(half, "bf16") ==
        module(12, {code(17, {5116}), code(17, {5118}), code(17, {6022}), code(22, {5, 16, 0}), code(22, {6, 32})}));
  CHECK(with_khr_matrices(half, "fp8_e4m3") ==
        module(12, {code(17, {4212}), code(17, {4213}), code(17, {6022}), code(22, {5, 8, 4214}), code(22, {6, 32})}));
  CHECK(with_khr_matrices(half, "fp16") == module(12, {code(17, {6022}), code(22, {5, 16}), code(22, {6, 32})}));
  const Words product = code(5361, {9, 24, 20, 23, 25});
  CHECK(with_khr_matrices(module(9, {code(21, {5, 8, 1}), product}), "sint8") ==
        module(12, {code(21, {5, 8, 1}), code(4459, {9, 24, 20, 23, 25, 15})}));
  CHECK(with_khr_matrices(module(9, {code(21, {5, 8, 0}), product}), "uint8") ==
        module(12, {code(21, {5, 8, 0}), code(4459, {9, 24, 20, 23, 25})}));
}

}  // namespace
}  // namespace percycle::vulkan::khr_matrices_test
