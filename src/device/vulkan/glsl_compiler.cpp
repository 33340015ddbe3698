#include "device/vulkan/glsl_compiler.hpp"

#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>
#include <volk.h>

#include <fmt/format.h>

#include <limits>
#include <ostream>
#include <stdexcept>
#include <vector>

#include "device/error.hpp"

// Debian's glslang refers to SPIRV-Tools, 4 MB, for options that are never set here. These
// definitions take its place.
namespace glslang {

[[noreturn]] static void refuse() { throw std::logic_error("SPIRV-Tools is not linked"); }

void SpirvToolsTransform(const TIntermediate&, std::vector<unsigned>&, spv::SpvBuildLogger*, const SpvOptions*) { refuse(); }
void SpirvToolsStripDebugInfo(const TIntermediate&, std::vector<unsigned>&, spv::SpvBuildLogger*) { refuse(); }
void SpirvToolsValidate(const TIntermediate&, std::vector<unsigned>&, spv::SpvBuildLogger*, bool) { refuse(); }
void SpirvToolsDisassemble(std::ostream&, const std::vector<unsigned>&) { refuse(); }

}  // namespace glslang

namespace percycle::vulkan {

namespace {

/// glslang's tables of built-ins, once per process.
class GlslangProcess {
 public:
  GlslangProcess() { glslang::InitializeProcess(); }
  ~GlslangProcess() { glslang::FinalizeProcess(); }
  GlslangProcess(const GlslangProcess&) = delete;
  GlslangProcess& operator=(const GlslangProcess&) = delete;
};

/// The limits that the front end checks a compute shader against. Not glslang's default table: its
/// header and library have moved between releases, and the caller checks the device's own limits.
TBuiltInResource compute_resources() {
  constexpr int kUnlimited = std::numeric_limits<int>::max();
  TBuiltInResource resources{};
  resources.maxComputeWorkGroupCountX = kUnlimited;
  resources.maxComputeWorkGroupCountY = kUnlimited;
  resources.maxComputeWorkGroupCountZ = kUnlimited;
  resources.maxComputeWorkGroupSizeX = kUnlimited;
  resources.maxComputeWorkGroupSizeY = kUnlimited;
  resources.maxComputeWorkGroupSizeZ = kUnlimited;
  resources.maxComputeUniformComponents = kUnlimited;
  resources.limits.nonInductiveForLoops = true;
  resources.limits.whileLoops = true;
  resources.limits.doWhileLoops = true;
  resources.limits.generalUniformIndexing = true;
  resources.limits.generalAttributeMatrixVectorIndexing = true;
  resources.limits.generalVaryingIndexing = true;
  resources.limits.generalSamplerIndexing = true;
  resources.limits.generalVariableIndexing = true;
  resources.limits.generalConstantMatrixVectorIndexing = true;
  return resources;
}

struct Target {
  glslang::EShTargetClientVersion client;
  glslang::EShTargetLanguageVersion language;
};

/// At most SPIR-V 1.5: from 1.6 on glslang writes the work-group size as LocalSizeId, which needs
/// the maintenance4 feature, and drivers may vary the subgroup size.
Target target_of(std::uint32_t api_version) {
  if (api_version >= VK_API_VERSION_1_2) return {glslang::EShTargetVulkan_1_2, glslang::EShTargetSpv_1_5};
  return {glslang::EShTargetVulkan_1_1, glslang::EShTargetSpv_1_3};
}

[[noreturn]] void fail(const char* call, std::string log) {
  while (!log.empty() && log.back() == '\n') log.pop_back();
  throw DeviceError(Api::vulkan, DeviceError::Kind::build, call, "failure", std::move(log));
}

}  // namespace

std::vector<std::uint32_t> compile_glsl(std::span<const GlslPiece> pieces, std::uint32_t api_version) {
  static const GlslangProcess process;

  std::vector<const char*> texts;
  std::vector<int> lengths;
  std::vector<const char*> names;
  for (const GlslPiece& piece : pieces) {
    texts.push_back(piece.text.data());
    lengths.push_back(static_cast<int>(piece.text.size()));
    names.push_back(piece.name.c_str());
  }
  const Target target = target_of(api_version);
  const TBuiltInResource resources = compute_resources();
  constexpr auto kMessages = static_cast<EShMessages>(EShMsgSpvRules | EShMsgVulkanRules);

  glslang::TShader shader(EShLangCompute);
  shader.setStringsWithLengthsAndNames(texts.data(), lengths.data(), names.data(), static_cast<int>(texts.size()));
  shader.setEnvInput(glslang::EShSourceGlsl, EShLangCompute, glslang::EShClientVulkan, 100);
  shader.setEnvClient(glslang::EShClientVulkan, target.client);
  shader.setEnvTarget(glslang::EShTargetSpv, target.language);
  if (!shader.parse(&resources, 460, false, kMessages)) fail("glslang::TShader::parse", shader.getInfoLog());

  glslang::TProgram program;
  program.addShader(&shader);
  if (!program.link(kMessages)) fail("glslang::TProgram::link", program.getInfoLog());

  glslang::SpvOptions options;
  options.disableOptimizer = true;
  spv::SpvBuildLogger logger;
  std::vector<std::uint32_t> words;
  glslang::GlslangToSpv(*program.getIntermediate(EShLangCompute), words, &logger, &options);
  if (words.empty()) fail("glslang::GlslangToSpv", logger.getAllMessages());
  return words;
}

}  // namespace percycle::vulkan
