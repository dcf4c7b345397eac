// In: a broken invariant. Out: an exception that names it.
#include "base/error.h"

namespace evenkeel {

void fail_internal(const char* condition, const char* file, int line) {
  throw std::logic_error(fmt::format("internal error: {} does not hold ({}:{}); please report it",
                                     condition, file, line));
}

}  // namespace evenkeel
