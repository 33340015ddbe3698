#include "core/error.hpp"
#include "fuzz/fuzz.hpp"
#include "limits/cache_catalogue.hpp"
#include "limits/limit_entry.hpp"

namespace {

template <typename Read>
void attempt(const Read& read) {
  try {
    static_cast<void>(read());
  } catch (const percycle::UsageError&) {
  }
}

}  // namespace

// Both catalogues: --limits takes the first from users.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace percycle;
  const std::string_view text = fuzz::text_of(data, size);
  attempt([&] { return parse_limit_entries(text, "limits.toml", Provenance::user); });
  attempt([&] { return parse_cache_rules(text, "caches.toml"); });
  return 0;
}
