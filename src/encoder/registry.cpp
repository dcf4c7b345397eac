// The one list of encoders: a new encoder is one file pair and one line here.
#include "encoder/registry.h"

#include <array>

#include "base/registry.h"
#include "encoder/mf.h"

namespace evenkeel {
namespace {

EncoderEntry mf_entry() {
  return {.name = "mf",
          .description = "matrix factorisation: one trainable vector for each user and item",
          .reference = "Koren et al., Matrix Factorization Techniques, 2009",
          .fields = {},
          .make = [](const Dataset& data, const Settings& settings) -> std::unique_ptr<Encoder> {
            return std::make_unique<Mf>(data.user_count(), data.item_count(),
                                        static_cast<std::size_t>(settings.integer("dim")),
                                        static_cast<std::uint64_t>(settings.integer("seed")));
          }};
}

}  // namespace

std::span<const EncoderEntry> encoders() {
  static const std::array entries{mf_entry()};
  return entries;
}

const EncoderEntry& find_encoder(std::string_view name) {
  return find_entry("encoder", name, encoders());
}

}  // namespace evenkeel
