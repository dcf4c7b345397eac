// In: this build's paths, by definitions. Out: the paths.
#include "places.h"

namespace evenkeel::testing {

std::filesystem::path source_folder() {
  return EVENKEEL_SOURCE_DIR;
}

std::string program_path() {
  return EVENKEEL_BINARY;
}

}  // namespace evenkeel::testing
