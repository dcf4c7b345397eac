// The table of encoders. In: a name, settings and the training graph; out: an encoder.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/settings.h"
#include "data/dataset.h"
#include "encoder/encoder.h"

namespace evenkeel::encoder {

struct EncoderEntry {
  std::string_view name, description, reference;
  std::vector<Field> fields;
  std::unique_ptr<Encoder> (*make)(const data::Dataset& data, const Settings& settings,
                                   ExtraRows extra, const Division& among);
  bool vectors_are_tables = false;  // what is compared is what trains: Encoder says the same
  bool reads_users_of = false;      // wants the data set's pairs by item, too
};

std::span<const EncoderEntry> encoders();
const EncoderEntry& find_encoder(std::string_view name);

}  // namespace evenkeel::encoder
