#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "core/error.hpp"
#include "fuzz/fuzz.hpp"
#include "store/load.hpp"
#include "store/record_json.hpp"
#include "store/runs.hpp"

// A loaded file can be sorted into runs, and each line written and read again.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace percycle;
  static const int file = memfd_create("records", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  if (ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
  LoadedFile loaded;
  try {
    loaded = load(path);
  } catch (const UsageError&) {
    return 0;
  }
  static_cast<void>(runs(loaded));
  for (const Header& header : loaded.headers) static_cast<void>(from_json<Record>(to_json(Record(header))));
  for (const Entry& entry : loaded.entries) {
    std::visit([](const auto& line) { static_cast<void>(from_json<Record>(to_json(Record(line)))); }, entry);
  }
  return 0;
}
