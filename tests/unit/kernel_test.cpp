#include "device/kernel.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

#include "check_words.hpp"
#include "codegen/programs/recording_device.hpp"
#include "device/opencl/source.hpp"

namespace percycle::kernel_test {
namespace {

const std::vector<KernelParameter> kParameters{{"loops", "turns"}, {"factors", "", 2}, {"lanes", "that walk"}};

TEST_CASE("a parameter block holds the values in the order of the declaration") {
  const KernelValues values{{"lanes", 7}, {"loops", 3}, {"factors", std::vector<std::uint32_t>{11, 12}}};
  CHECK(parameter_block("walk", kParameters, values) == std::vector<std::uint32_t>{3, 11, 12, 7});
  CHECK(count_words(kParameters) == 4);
}

TEST_CASE("a parameter that is missing, unknown or of another length is named, and so is its kernel") {
  KernelValues values{{"lanes", 7}, {"loops", 3}, {"factors", std::vector<std::uint32_t>{11, 12}}};
  values.erase("lanes");
  CHECK_THROWS_WORDS("kernel.parameter-without-value", std::invalid_argument, parameter_block("walk", kParameters, values));
  values.emplace("lanes", 7);
  values.emplace("lane", 7);
  CHECK_THROWS_WORDS("kernel.unknown-parameter", std::invalid_argument, parameter_block("walk", kParameters, values));
  values.erase("lane");
  values.at("factors") = 11;
  CHECK_THROWS_WORDS("kernel.parameter-words", std::invalid_argument, parameter_block("walk", kParameters, values));
}

TEST_CASE("a parameter block is declared with each parameter's meaning, in front of the source") {
  CHECK(parameter_members(kParameters) == "  uint loops;  // turns\n  uint factors[2];\n  uint lanes;  // that walk\n");
  KernelDesc desc;
  desc.name = "fill";
  desc.parameters = kParameters;
  const std::string source = opencl::program_source(desc, {});
  const auto block =
      source.find("typedef struct {\n  uint loops;  // turns\n  uint factors[2];\n  uint lanes;  // that walk\n} Parameters;\n");
  CHECK(block < source.find("void fill("));
}

TEST_CASE("a recording device refuses parameters that do not fit their kernel") {
  RecordingDevice device(DeviceInfo{});
  KernelDesc desc;
  desc.name = "walk";
  desc.parameters = {{"loops", ""}};
  const auto kernel = device.create(desc);
  CHECK_NOTHROW(device.run({kernel, {}, {{"loops", 1}}, 1}));
  CHECK_THROWS_AS(device.run({kernel, {}, {}, 1}), std::invalid_argument);
}

}  // namespace
}  // namespace percycle::kernel_test
