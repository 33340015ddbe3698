#include "core/base64.hpp"

#include <doctest/doctest.h>

#include <string>

namespace percycle::base64_test {
namespace {

// The examples of RFC 4648, section 10.
TEST_CASE("bytes become base64") {
  CHECK(base64("").empty());
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foo") == "Zm9v");
  CHECK(base64("foobar") == "Zm9vYmFy");
  CHECK(base64(std::string("\xfb\xff\x00", 3)) == "+/8A");
}

}  // namespace
}  // namespace percycle::base64_test
