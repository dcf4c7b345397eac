// Runs a test once for every instruction set this machine has, as run-time dispatch would pick it.
#pragma once

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <string>
#include <vector>

namespace evenkeel::testing {

inline std::vector<std::int64_t> supported_targets() {
  std::vector<std::int64_t> targets;
  std::int64_t left = hwy::SupportedTargets() & HWY_TARGETS;
  while (left != 0) {
    targets.push_back(left & -left);
    left &= left - 1;
  }
  return targets;
}

class EveryTarget : public ::testing::TestWithParam<std::int64_t> {
 protected:
  void SetUp() override { hwy::SetSupportedTargetsForTest(GetParam()); }
  void TearDown() override { hwy::SetSupportedTargetsForTest(0); }
};

inline std::string target_label(const ::testing::TestParamInfo<std::int64_t>& info) {
  return hwy::TargetName(info.param);
}

}  // namespace evenkeel::testing
