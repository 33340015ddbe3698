#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace percycle {

/// How binding i of a kernel receives its buffer. Vulkan: set 0, binding i. OpenCL: argument i.
enum class BindingKind {
  storage,  ///< storage buffer / __global pointer
  address,  ///< the buffer's address: in Vulkan 8 bytes at the head of the parameter block (in binding order), in OpenCL a __global pointer
  texel,  ///< an image: uniform texel buffer / image1d_buffer_t
};

/// A resource that a kernel takes.
struct KernelBinding {
  std::string name;
  BindingKind kind = BindingKind::storage;

  bool operator==(const KernelBinding&) const = default;
};

/// A number that a kernel takes: an unsigned word, or several.
struct KernelParameter {
  std::string name;
  std::string meaning;      ///< for the readers of the block that is declared in front of the source
  std::uint32_t words = 1;  ///< more than one: an array

  bool operator==(const KernelParameter&) const = default;
};

/// The value of a parameter.
struct KernelValue {
  KernelValue(std::uint32_t word) : words{word} {}
  KernelValue(std::vector<std::uint32_t> array) : words(std::move(array)) {}

  /// The first word.
  std::uint32_t word() const { return words.at(0); }
  bool operator==(const KernelValue&) const = default;

  std::vector<std::uint32_t> words;
};

/// Values by the parameter's name.
using KernelValues = std::map<std::string, KernelValue>;

/// A kernel: the pair cl_kernels/NAME.cl and shaders/NAME.comp with one set of definitions.
struct KernelDesc {
  std::string name;
  std::map<std::string, std::string>
      definitions;               ///< macros, the same on both sides. The device adds those in docs of device.hpp
  std::uint32_t local_size = 1;  ///< work-group size along x; the device defines LOCAL_SIZE
  std::vector<KernelBinding> bindings;
  /// The parameter block, which both devices declare in front of the source as `Parameters`; kernels call it `p`. In Vulkan the addresses stand at
  /// its head under the names of their bindings.
  std::vector<KernelParameter> parameters;
  /// Bytes (a multiple of 16) that OpenCL emits as the initialised program-scope array `__constant uint4 constants[]` and Vulkan binds
  /// as the uniform buffer `uvec4 constants[]` at binding CONSTANTS_BINDING. Empty: none.
  std::vector<std::byte> constants;
  std::optional<std::uint32_t> subgroup_size;  ///< required size; needs DeviceInfo::subgroup_size_control
  bool float_atomics = false;                  ///< adds floating-point numbers; needs WideAtomics::float_add
  bool keep_code = false;                      ///< the driver keeps what it compiled, for Device::code_texts and code_binaries
  /// Macros that follow from the definitions and so tell no kernels apart: source text, such as an expression. The same on both sides.
  std::map<std::string, std::string> texts{};
};

std::vector<BindingKind> binding_kinds(const std::vector<KernelBinding>& bindings);

/// Words of the parameter block, addresses not counted.
std::uint32_t count_words(const std::vector<KernelParameter>& parameters);

/// The members of the parameter block as both languages declare them, a line each.
std::string parameter_members(const std::vector<KernelParameter>& parameters);

/// The words of the parameter block in the order of its declaration. Throws std::invalid_argument, which names the kernel and the parameter, when a
/// value is missing, of another length than declared, or of no parameter.
std::vector<std::uint32_t> parameter_block(const std::string& kernel, const std::vector<KernelParameter>& parameters,
                                           const KernelValues& values);

/// One form of a compiled kernel's code that a driver shows, under the driver's own name: e.g. "ACO IR", "Assembly".
struct CodeText {
  std::string name;
  std::string text;
};

/// What an API hands out of a compiled kernel in a form that only its driver knows: e.g. "program binary", "pipeline cache".
struct CodeBinary {
  std::string name;
  std::string bytes;
};

/// What the driver says of a compiled kernel, where it says anything.
struct CodeInfo {
  std::optional<std::uint32_t> subgroup_size;       ///< that the kernel will run with
  std::map<std::string, std::uint64_t> statistics;  ///< e.g. registers, spills, under the driver's own names
};

}  // namespace percycle
