// What reads files of strangers. In: the path of an input; out: nothing, or an evenkeel::Error.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace evenkeel::fuzz {

struct Target {
  std::string name;
  std::vector<std::string> seeds;  // good inputs
  std::function<void(const std::string& path)> read;
};

// `folder` is for files that seeds are made with.
std::vector<Target> targets(const std::string& folder);

}  // namespace evenkeel::fuzz
