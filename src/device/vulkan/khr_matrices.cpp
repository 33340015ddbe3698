#include "device/vulkan/khr_matrices.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace percycle::vulkan {
namespace {

using Words = std::vector<std::uint32_t>;

// SPIR-V, section 3: opcodes, a decoration and capabilities; SPV_NV_cooperative_matrix,
// SPV_KHR_cooperative_matrix, SPV_KHR_bfloat16 and SPV_EXT_float8.
enum : std::uint32_t {
  kExtension = 10,
  kCapability = 17,
  kTypeInt = 21,
  kTypeFloat = 22,
  kConstantTrue = 41,
  kConstant = 43,
  kDecorate = 71,
  kSpecId = 1,
  kNvCapability = 5357,
  kNvType = 5358,
  kNvLoad = 5359,
  kNvStore = 5360,
  kNvMultiplyAdd = 5361,
  kKhrCapability = 6022,
  kKhrType = 4456,
  kKhrLoad = 4457,
  kKhrStore = 4458,
  kKhrMultiplyAdd = 4459,
  kAllSigned = 15,  // MatrixASignedComponentsKHR and those of B, C and the result
};

/// A floating-point format that SPIR-V knows by an extension.
struct Encoding {
  const char* extension;
  std::array<std::uint32_t, 2> capabilities;  ///< of the type, and in matrices
  std::uint32_t bits;
  std::uint32_t number;  ///< FPEncoding
};

const Encoding* encoding_of(std::string_view factors) {
  static const std::map<std::string_view, Encoding> all{{"bf16", {"SPV_KHR_bfloat16", {5116, 5118}, 16, 0}},
                                                        {"fp8_e4m3", {"SPV_EXT_float8", {4212, 4213}, 8, 4214}},
                                                        {"fp8_e5m2", {"SPV_EXT_float8", {4212, 4213}, 8, 4215}}};
  const auto found = all.find(factors);
  return found == all.end() ? nullptr : &found->second;
}

constexpr std::size_t kHeaderWords = 5;
constexpr std::size_t kBound = 3;  // word of the header with the first free id
constexpr std::uint32_t kUses = 3;

Words text_words(std::string_view text) {
  Words words(text.size() / sizeof(std::uint32_t) + 1);
  for (std::size_t i = 0; i < text.size(); ++i)
    words[i / 4] |= std::uint32_t{static_cast<unsigned char>(text[i])} << (8 * (i % 4));
  return words;
}

/// Rewrites one instruction after the other.
class Rewriter {
 public:
  Rewriter(std::span<const std::uint32_t> header, const Encoding* encoding)
      : out_(header.begin(), header.end()), first_(out_.at(kBound)), encoding_(encoding) {
    out_[kBound] += kUses;
  }

  void add(std::uint32_t opcode, std::span<const std::uint32_t> operands) {
    switch (opcode) {
      case kCapability:
        if (operands[0] != kNvCapability) break;
        if (encoding_ != nullptr) {
          for (const std::uint32_t capability : encoding_->capabilities) write(opcode, {capability});
        }
        return write(opcode, {kKhrCapability});
      case kExtension:
        if (!std::ranges::equal(operands, text_words("SPV_NV_cooperative_matrix"))) break;
        if (encoding_ != nullptr) write(opcode, text_words(encoding_->extension));
        return write(opcode, text_words("SPV_KHR_cooperative_matrix"));
      case kDecorate:
        if (operands.size() == 3 && operands[1] == kSpecId) sizes_[operands[0]] = operands[2];
        break;
      case kTypeFloat:
        if (encoding_ == nullptr || operands[1] != 16) break;
        return write(opcode, {operands[0], encoding_->bits, encoding_->number});
      case kTypeInt:
        is_signed_ = is_signed_ || (operands[1] == 8 && operands[2] == 1);
        write(opcode, {operands.begin(), operands.end()});
        if (operands[1] == 32 && operands[2] == 0) write_constants(operands[0]);
        return;
      case kConstantTrue:
        true_ = operands[1];
        break;
      case kNvType: {
        Words words(operands.begin(), operands.end());
        words.push_back(number(use_of(operands[3], operands[4])));
        return write(kKhrType, std::move(words));
      }
      case kNvLoad: {
        Words words{operands[0], operands[1], operands[2], layout(operands[4]), operands[3]};
        words.insert(words.end(), operands.begin() + 5, operands.end());
        return write(kKhrLoad, std::move(words));
      }
      case kNvStore: {
        Words words{operands[0], operands[1], layout(operands[3]), operands[2]};
        words.insert(words.end(), operands.begin() + 4, operands.end());
        return write(kKhrStore, std::move(words));
      }
      case kNvMultiplyAdd: {
        Words words(operands.begin(), operands.end());
        if (is_signed_) words.push_back(kAllSigned);
        return write(kKhrMultiplyAdd, std::move(words));
      }
      default:
        break;
    }
    write(opcode, {operands.begin(), operands.end()});
  }

  Words take() { return std::move(out_); }

 private:
  void write(std::uint32_t opcode, Words operands) {
    out_.push_back(static_cast<std::uint32_t>(operands.size() + 1) << 16u | opcode);
    out_.insert(out_.end(), operands.begin(), operands.end());
  }

  /// The constants 0, 1 and 2, which say the use of a matrix and its layout in memory.
  void write_constants(std::uint32_t type) {
    for (std::uint32_t value = 0; value < kUses; ++value) write(kConstant, {type, number(value), value});
  }

  std::uint32_t number(std::uint32_t value) const { return first_ + value; }

  /// 0: by rows, 1: by columns.
  std::uint32_t layout(std::uint32_t by_columns) const { return number(by_columns == true_ ? 1 : 0); }

  /// 0: left factor, 1: right factor, 2: sum.
  std::uint32_t use_of(std::uint32_t rows, std::uint32_t columns) const {
    static const std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> uses{
        {{kRowsConstant, kDepthConstant}, 0}, {{kDepthConstant, kColumnsConstant}, 1}, {{kRowsConstant, kColumnsConstant}, 2}};
    const auto size = [this](std::uint32_t id) { return sizes_.contains(id) ? sizes_.at(id) : 0; };
    const auto use = uses.find({size(rows), size(columns)});
    if (use == uses.end()) throw std::invalid_argument("a shader's matrix has other sizes than its constants");
    return use->second;
  }

  Words out_;
  std::uint32_t first_;  ///< id of the constant 0
  /// Numbers of specialisation constants, by their ids.
  std::map<std::uint32_t, std::uint32_t> sizes_;
  std::uint32_t true_ = 0;
  const Encoding* encoding_;  ///< of the factors; null if glslang knows their type
  bool is_signed_ = false;    ///< the factors are signed integers of 8 bits
};

}  // namespace

std::vector<std::uint32_t> with_khr_matrices(std::span<const std::uint32_t> module, std::string_view factors) {
  Rewriter rewriter(module.first(kHeaderWords), encoding_of(factors));
  for (std::size_t at = kHeaderWords; at < module.size();) {
    const std::uint32_t length = module[at] >> 16u;
    if (length == 0 || at + length > module.size()) throw std::invalid_argument("an instruction of SPIR-V is cut off");
    rewriter.add(module[at] & 0xffffu, module.subspan(at + 1, length - 1));
    at += length;
  }
  return rewriter.take();
}

}  // namespace percycle::vulkan
