#include "core/provenance.hpp"

namespace percycle {

std::span<const Word<Provenance>> words(Provenance) {
  static constexpr Word<Provenance> kWords[]{{Provenance::measured_in_kernel, "measured-in-kernel"},
                                             {Provenance::telemetry, "telemetry"},
                                             {Provenance::calibrated_chain, "calibrated-chain"},
                                             {Provenance::measured_by_time, "measured-by-time"},
                                             {Provenance::reported, "reported"},
                                             {Provenance::catalogue, "catalogue"},
                                             {Provenance::published, "published"},
                                             {Provenance::user, "user"},
                                             {Provenance::unknown, "unknown"}};
  return kWords;
}

std::string_view to_string(Provenance provenance) { return word_of(provenance); }

}  // namespace percycle
