#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "codegen/binaries/measured_accesses.hpp"

namespace percycle::measured_accesses_test {
namespace {

const std::vector<CodeAccess> kAll{{"load", "vector", 4, false, 1},  {"load", "scalar", 4, false, 1},
                                   {"load", "scalar", 8, false, 1},  {"load", "texture", 4, false, 1},
                                   {"load", "local", 4, false, 1},   {"load", "scratch", 4, false, 1},
                                   {"store", "vector", 4, false, 1}, {"atomic", "vector", 4, true, 1}};

std::vector<std::size_t> found(MemoryPath path, AccessKind kind = AccessKind::read, std::optional<bool> has_scalar_path = {},
                               const std::vector<CodeAccess>& accesses = kAll) {
  return measured_accesses(accesses, {.path = path, .kind = kind, .width = 4, .count = 1}, has_scalar_path);
}

using Places = std::vector<std::size_t>;

TEST_CASE("measured accesses: those of a kind and a path, without registers in memory") {
  CHECK(found(MemoryPath::global) == Places{0});
  CHECK(found(MemoryPath::texture) == Places{3});
  CHECK(found(MemoryPath::local) == Places{4});
  CHECK(found(MemoryPath::global, AccessKind::write) == Places{6});
  CHECK(found(MemoryPath::global, AccessKind::atomic) == Places{7});
  CHECK(found(MemoryPath::local, AccessKind::write).empty());
}

TEST_CASE("measured accesses: the scalar path is separate, the vector's, or unknown") {
  CHECK(found(MemoryPath::scalar, AccessKind::read, true) == Places{1});
  CHECK(found(MemoryPath::scalar, AccessKind::read, false) == Places{0});
  CHECK(found(MemoryPath::scalar) == Places{0, 1});
}

TEST_CASE("measured accesses: constants come through the scalar path where it has their width") {
  CHECK(found(MemoryPath::constant) == Places{1});
  const std::vector<CodeAccess> parameters{{"load", "vector", 4, false, 31}, {"load", "scalar", 8, false, 1}};
  CHECK(found(MemoryPath::constant, AccessKind::read, {}, parameters) == Places{0});
  const std::vector<CodeAccess> wide{{"load", "vector", 16, false, 31}, {"load", "scalar", 8, false, 1}};
  CHECK(found(MemoryPath::constant, AccessKind::read, {}, wide) == Places{1});
}

TEST_CASE("measured accesses: an access is found once") {
  const std::vector<CodeAccess> taken{{"load", "vector", 4, false, 0}, {"load", "vector", 8, false, 1}};
  CHECK(found(MemoryPath::global, AccessKind::read, {}, taken) == Places{1});
}

}  // namespace
}  // namespace percycle::measured_accesses_test
