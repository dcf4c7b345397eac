// In: lines of events.jsonl. Out: the epochs that say `slower`.
#include "train/rate_schedule.h"

#include "io/json_text.h"

namespace evenkeel::train {

std::vector<int> slowed_epochs(const std::vector<std::string>& events) {
  std::vector<int> epochs;
  for (std::size_t k = 0; k < events.size(); ++k) {
    const nlohmann::json event = io::parse_json(events[k]);
    if (event.is_object() && event.value("slower", false))
      epochs.push_back(static_cast<int>(k) + 1);
  }
  return epochs;
}

}  // namespace evenkeel::train
