#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/experiment.hpp"

namespace percycle {

/// The parameter for the place of a program's data, and its words.
inline constexpr const char* kProgramLevel = "level";
inline constexpr const char* kInCaches = "l2";
inline constexpr const char* kInMemory = "dram";

inline constexpr const char* kNotSimulated = "no program is simulated: the host would have to compute every step";

inline const WordsParameter kProgramLevels{
    kProgramLevel,
    {kInCaches, kInMemory},
    "place of the data: l2: 64 KiB per unit, which the shared caches hold; dram: 1 GiB on GPUs (quick: 256 MiB), else 16 MiB "
    "(full: 64 MiB)"};

/// A program of single precision at one level, which writes as many bytes as it reads.
ProgramRule program_rule(const std::string& level, ParameterWords further_words, double flops_per_op,
                         std::vector<std::string> size);

/// Bytes of all arrays of a program that are to lie at this level. Pure.
std::uint64_t program_bytes(const DeviceInfo& device, Preset preset, const std::string& level);

/// The sizes of work-groups that a search compares. Pure.
std::vector<std::int64_t> program_group_sizes(const DeviceInfo& device, Preset preset);

/// Most steps of one dispatch, if each takes this many work-groups. Each step does the same work
/// again, so they may overlap. Pure.
std::uint64_t most_steps(const DeviceInfo& device, std::uint32_t groups);

}  // namespace percycle
