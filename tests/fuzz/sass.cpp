#include "codegen/assembly/sass.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/read_listing.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace percycle;
  for (const char* kernel : {"", "k"}) fuzz::read_listing(isa::parse_sass(fuzz::text_of(data, size), kernel));
  return 0;
}
