#include "source_folders.hpp"

namespace percycle {

std::filesystem::path published_folder() { return PERCYCLE_ROOT "/results/published"; }

std::filesystem::path records_folder() { return PERCYCLE_ROOT "/tests/records"; }

std::filesystem::path sources_folder() { return PERCYCLE_ROOT "/src"; }

std::filesystem::path tests_folder() { return PERCYCLE_ROOT "/tests"; }

}  // namespace percycle
