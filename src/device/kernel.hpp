#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace percycle {

/// The way in which binding i of a kernel receives its buffer. Vulkan: set 0, binding i. OpenCL:
/// argument i.
enum class BindingKind {
  storage,  ///< storage buffer / __global pointer
  /// The buffer's address. Vulkan: 8 bytes at the head of the parameter block, in binding order.
  /// OpenCL: a __global pointer.
  address,
  texel,    ///< an image: uniform texel buffer / image1d_buffer_t
  image2d,  ///< an image of two dimensions: sampled image / image2d_t, read without a sampler
  /// The same with a sampler: coordinates from 0 to 1, clamped to the edge. Vulkan: sampler2D.
  /// OpenCL: image2d_t; the kernel declares the sampler.
  nearest2d,
  linear2d,  ///< likewise; the mean of four texels by their distance
};

/// A resource that a kernel uses.
struct KernelBinding {
  std::string name;
  BindingKind kind = BindingKind::storage;

  bool operator==(const KernelBinding&) const = default;
};

/// A numeric parameter of a kernel: one or several unsigned words.
struct KernelParameter {
  std::string name;
  std::string meaning;      ///< for readers of the block declared before the source
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

/// Values by parameter name.
using KernelValues = std::map<std::string, KernelValue>;

/// A kernel: the pair cl_kernels/NAME.cl and shaders/NAME.comp with one set of definitions.
struct KernelDesc {
  std::string name;
  /// Macros, the same on both sides. The device adds those in cl_kernels/prelude.h.
  std::map<std::string, std::string> definitions{};
  std::uint32_t local_size = 1;  ///< work-group size along x; the device defines LOCAL_SIZE
  std::vector<KernelBinding> bindings{};
  /// The parameter block. Both devices declare it before the source as `Parameters`; kernels call
  /// it `p`. In Vulkan it begins with the addresses, under the names of their bindings.
  std::vector<KernelParameter> parameters{};
  /// Bytes (a multiple of 16). OpenCL emits them as the initialised program-scope array `__constant
  /// uint4 constants[]`, Vulkan binds them as the uniform buffer `uvec4 constants[]` at binding
  /// CONSTANTS_BINDING. Empty: none.
  std::vector<std::byte> constants{};
  /// More than one: Vulkan binds the constants as so many uniform buffers of equal size, an array
  /// of blocks at binding CONSTANTS_BINDING. Buffer 2 begins with `constants[2].words[0]`.
  std::uint32_t constant_buffers = 1;
  /// Required size; needs DeviceInfo::subgroup_size_control.
  std::optional<std::uint32_t> subgroup_size{};
  bool float_atomics = false;  ///< adds floating-point numbers; needs WideAtomics::float_add
  /// Off: the driver's compiler is told not to optimise.
  bool optimize = true;
  /// Needs OpenCL C 2.0 or later if PTX does not stand in: functions of subgroups, dot products.
  bool later_opencl_c = false;
  /// Type of the factors (MatrixShape::factors) if the kernel multiplies matrices, else empty.
  std::string matrix_factors{};
  /// The driver keeps the compiled code for Device::code_texts and code_binaries.
  bool keep_code = false;
  /// Macros that follow from the definitions, such as an expression, so kernels do not differ by
  /// them. The same on both sides; cl_kernels/operations.h and shaders/operations.glsl define their
  /// words.
  std::map<std::string, std::string> texts{};
};

inline bool is_sampled(BindingKind kind) { return kind == BindingKind::nearest2d || kind == BindingKind::linear2d; }
inline bool is_image2d(BindingKind kind) { return kind == BindingKind::image2d || is_sampled(kind); }
inline bool is_image(BindingKind kind) { return kind == BindingKind::texel || is_image2d(kind); }

std::vector<BindingKind> binding_kinds(const std::vector<KernelBinding>& bindings);

/// Words of the parameter block without addresses.
std::uint32_t count_words(const std::vector<KernelParameter>& parameters);

/// The members of the parameter block in the syntax of both languages, one per line.
std::string parameter_members(const std::vector<KernelParameter>& parameters);

/// The words of the parameter block in the order of its declaration. Throws std::invalid_argument
/// naming kernel and parameter if a value is missing, has another length than declared, or has no
/// parameter.
std::vector<std::uint32_t> parameter_block(const std::string& kernel, const std::vector<KernelParameter>& parameters,
                                           const KernelValues& values);

/// One form of a compiled kernel's code as a driver shows it, under the driver's own name: e.g.
/// "ACO IR", "Assembly".
struct CodeText {
  std::string name;
  std::string text;
};

/// A compiled kernel in a driver's own format: e.g. "program binary", "pipeline cache".
struct CodeBinary {
  std::string name;
  std::string bytes;
  bool optimized = true;  ///< KernelDesc::optimize
};

/// The driver's properties of a compiled kernel.
struct CodeInfo {
  std::optional<std::uint32_t> subgroup_size;  ///< size the kernel will run with
  /// e.g. registers, spills, under the driver's own names
  std::map<std::string, std::uint64_t> statistics;
};

}  // namespace percycle
