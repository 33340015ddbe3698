#pragma once

#include <filesystem>

namespace percycle {

/// results/published of the tree that these tests are from.
std::filesystem::path published_folder();

/// tests/records of the tree that these tests are from.
std::filesystem::path records_folder();

/// src of the tree that these tests are from.
std::filesystem::path sources_folder();

/// tests of the tree that these tests are from.
std::filesystem::path tests_folder();

}  // namespace percycle
