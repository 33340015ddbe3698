#include "core/error.hpp"
#include "fuzz/fuzz.hpp"
#include "sim/model.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace percycle;
  try {
    static_cast<void>(sim::describe(sim::parse_model(fuzz::text_of(data, size), "model.toml"), "model"));
  } catch (const UsageError&) {
  }
  return 0;
}
