// Where the tests find what they read: the source folder and the program they run.
#pragma once

#include <filesystem>
#include <string>

namespace evenkeel::testing {

std::filesystem::path source_folder();
std::string program_path();

}  // namespace evenkeel::testing
