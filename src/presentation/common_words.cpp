#include "presentation/common_words.hpp"

#include <vector>

namespace percycle {

std::span<const ValueWords> common_words() {
  static const std::vector<ValueWords> words{{"batches", "1", "one transform"},
                                             {"batches", "", "{} transforms"},
                                             {"block", "", "blocks of {}"},
                                             {"bytes", "", "chains of {}"},
                                             {"cells", "", "{} cells"},
                                             {"channel_bits", "", "channels of {} bits"},
                                             {"clock_setting", "", "set to {}"},
                                             {"first_bytes", "", "chain of {}"},
                                             {"first_stride", "", "nodes {} B apart"},
                                             {"first_unit", "", "from unit {}"},
                                             {"footprint", "", "over {}"},
                                             {"groups", "1", "one work-group"},
                                             {"groups", "", "{} work-groups"},
                                             {"lanes", "1", "one lane"},
                                             {"level", "dram", "memory"},
                                             {"level", "l1", "the L1"},
                                             {"level", "l2", "the L2"},
                                             {"local_bytes", "", "{} of local memory"},
                                             {"pixels", "", "{} pixels"},
                                             {"second_bytes", "", "second chain of {}"},
                                             {"second_stride", "", "nodes {} B apart"},
                                             {"second_unit", "", "to unit {}"},
                                             {"subgroups", "1", "one subgroup"},
                                             {"subgroups", "", "{} subgroups"},
                                             {"width", "", "{} B of a lane"}};
  return words;
}

}  // namespace percycle
