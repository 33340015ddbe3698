#include "experiments/common/path_words.hpp"

#include "vocabulary/chases.hpp"

namespace percycle {

std::vector<ValueWords> path_words() {
  return {{parameter::kPath, "global", "global memory"},     {parameter::kPath, "global-index", "global memory by an index"},
          {parameter::kPath, "texture", "the texture path"}, {parameter::kPath, "scalar", "the scalar path"},
          {parameter::kPath, "constant", "constants"},       {parameter::kPath, "local", "local memory"},
          {parameter::kStride, "", "nodes {} B apart"}};
}

}  // namespace percycle
