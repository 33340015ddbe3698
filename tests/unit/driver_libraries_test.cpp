#include <doctest/doctest.h>

#include "session/driver_libraries.hpp"
#include "session/manifests.hpp"

namespace percycle::driver_libraries_test {

TEST_CASE("manifests: a driver's library by its manifest") {
  CHECK(library_of(Api::opencl, "/v/a.icd", " libpocl.so.2 \r\nmore\n") == "libpocl.so.2");
  CHECK(library_of(Api::opencl, "/v/a.icd", "\n") == "");
  CHECK(library_of(Api::opencl, "/v/a.icd", "") == "");
  const auto vulkan = [](const char* text) { return library_of(Api::vulkan, "/share/icd.d/a.json", text); };
  CHECK(vulkan(R"({"ICD": {"library_path": "libvulkan_lvp.so"}})") == "libvulkan_lvp.so");
  CHECK(vulkan(R"({"ICD": {"library_path": "/lib/a.so"}})") == "/lib/a.so");
  CHECK(vulkan(R"({"ICD": {"library_path": "../lib/a.so"}})") == "/share/icd.d/../lib/a.so");
  CHECK(vulkan(R"({"ICD": {"library_path": "a.so", "library_arch": "64"}})") == "a.so");
  CHECK(!vulkan(R"({"ICD": {"library_path": "a.so", "library_arch": "32"}})"));
  for (const char* text :
       {"", "[]", "{}", R"({"ICD": 1})", R"({"ICD": {"library_path": 1}})", R"({"ICD": {"library_path": ""}})"}) {
    CAPTURE(text);
    CHECK(vulkan(text) == "");
  }
}

TEST_CASE("driver libraries: the message by the linker's reason") {
  constexpr const char* kNone = ": cannot open shared object file: No such file or directory";
  CHECK(library_message("a.so", std::string("a.so") + kNone) ==
        "its library a.so is missing: install that driver again, or remove this file");
  CHECK(library_message("a.so", std::string("b.so") + kNone) ==
        "its library a.so needs b.so, which is missing: install the package that has it");
  CHECK(library_message("a.so", "a.so: undefined symbol: f") ==
        "its library a.so does not load: a.so: undefined symbol: f; install that driver for this system");
  CHECK(!library_message("a.so", "a.so: wrong ELF class: ELFCLASS32"));
}

}  // namespace percycle::driver_libraries_test
