#include "device/driver_answers.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstring>
#include <string>

#include "check_words.hpp"
#include "device/error.hpp"

namespace percycle::driver_answers_test {
namespace {

TEST_CASE("driver answers: a long text keeps its beginning and gets its length") {
  CHECK(cut_text("short", 100) == "short");
  const std::string exact(100, 'a');
  CHECK(cut_text(exact, 100) == exact);
  const std::string longer(101, 'a');
  CHECK(cut_text(longer, 100) == fmt::format("{} [cut: 101 bytes in all]", std::string(76, 'a')));
  CHECK(cut_text(longer, 100).size() <= 100);
}

TEST_CASE("driver answers: a text is not cut inside of a character") {
  std::string text;
  while (text.size() < 200) text += "\u00e9";  // two bytes
  CHECK(cut_text(text, 100) == fmt::format("{} [cut: 200 bytes in all]", text.substr(0, 76)));
  CHECK(cut_text(fmt::format("x{}", text), 100) == fmt::format("x{} [cut: 201 bytes in all]", text.substr(0, 74)));
}

TEST_CASE("driver answers: a field without an end is read to its size") {
  char field[4];
  std::memset(field, 'N', sizeof field);
  CHECK(field_text(field) == "NNNN");
  field[1] = 0;
  CHECK(field_text(field) == "N");
}

TEST_CASE("driver answers: counts and sizes that cannot be are refused") {
  check_count(Api::opencl, "clGetPlatformIDs", 4096);
  CHECK_THROWS_WORDS("opencl.impossible-count", DeviceError, check_count(Api::opencl, "clGetPlatformIDs", 0xffffffff));
  check_size(Api::opencl, "clGetProgramInfo", kMostBinaryBytes);
  CHECK_THROWS_AS(check_size(Api::opencl, "clGetProgramInfo", kMostBinaryBytes + 1), DeviceError);
}

TEST_CASE("driver answers: a success without the object is refused") {
  check_given(Api::opencl, true, "clCreateBuffer", "buffer");
  CHECK_THROWS_WORDS("opencl.no-object", DeviceError, check_given(Api::opencl, false, "clCreateBuffer", "buffer"));
}

TEST_CASE("driver answers: an error keeps the beginning of a build log of megabytes") {
  const DeviceError error(Api::opencl, DeviceError::Kind::build, "clBuildProgram", "CL_BUILD_PROGRAM_FAILURE",
                          std::string(8 << 20, 'e'));
  CHECK(error.log.size() == kMostLogBytes);
  CHECK(std::strlen(error.what()) < kMostLogBytes + 100);
  CHECK(error.log.ends_with(" [cut: 8388608 bytes in all]"));
}

}  // namespace
}  // namespace percycle::driver_answers_test
