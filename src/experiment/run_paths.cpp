// In: what a run is. Out: the name of its folder, by its words and a hash of its options.
#include "experiment/run_paths.h"

#include <fmt/format.h>

#include "base/printable.h"
#include "data/hash.h"

namespace evenkeel::experiment {

std::string hash_text(const std::string& text) {
  return fmt::format("{:08x}", data::hash_bytes(text) & 0xffffffffU);
}

std::string method_folder(const std::string& out, std::string_view stage, const Cell& cell) {
  return fmt::format("{}/{}/{}/{}/{}", out, stage, slug(cell.data->name), slug(cell.encoder->name),
                     slug(cell.method->name));
}

std::string run_folder(const std::string& out, std::string_view stage, const Cell& cell,
                       std::string_view words, const Settings& settings) {
  constexpr std::size_t kLongest = 80;
  std::string set;
  for (const Field* field : settings.fields()) {
    if (!settings.is_set(field->name) || field->effect == Effect::kSpeed) continue;
    set += fmt::format("{} = {}\n", field->name, to_text(settings.value(field->name)));
  }
  for (const Option& option : cell.data->split) set += option.name + to_text(option.value) + "\n";
  return fmt::format("{}/{}-{}", method_folder(out, stage, cell), slug(words.substr(0, kLongest)),
                     hash_text(set + cell.data->path));
}

}  // namespace evenkeel::experiment
