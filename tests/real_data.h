// Finds ../shared (real data and golden values). Tests that need it skip and say so without it.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "places.h"

namespace evenkeel::testing {

inline std::filesystem::path shared_folder() {
  if (const char* given = std::getenv("EVENKEEL_SHARED")) return given;
  return source_folder().parent_path() / "shared";
}

#define EVENKEEL_NEEDS_SHARED(path_in_shared)                                                 \
  if (!std::filesystem::exists(::evenkeel::testing::shared_folder() / (path_in_shared)))      \
  GTEST_SKIP() << "no " << (::evenkeel::testing::shared_folder() / (path_in_shared)).string() \
               << ": this test needs the shared data beside the repository"

}  // namespace evenkeel::testing
