// The one list of encoders: a new encoder is one file pair and one line here. In: a name, the data
// set and settings; out: an encoder.
#include "encoder/registry.h"

#include <array>

#include "base/registry.h"
#include "encoder/lightgcn.h"
#include "encoder/mf.h"

namespace evenkeel::encoder {
namespace {

std::size_t dim_of(const Settings& settings) {
  return static_cast<std::size_t>(settings.integer("dim"));
}
std::uint64_t seed_of(const Settings& settings) {
  return static_cast<std::uint64_t>(settings.integer("seed"));
}

std::unique_ptr<Encoder> make_mf(const data::Dataset& data, const Settings& settings,
                                 ExtraRows extra, const Division& among) {
  return std::make_unique<Mf>(data.user_count(), data.item_count(), dim_of(settings),
                              seed_of(settings), extra, owned_rows(data, extra, among),
                              static_cast<std::size_t>(among.ranks.rank()));
}

std::unique_ptr<Encoder> make_lightgcn(const data::Dataset& data, const Settings& settings,
                                       ExtraRows extra, const Division& among) {
  return std::make_unique<LightGcn>(data, static_cast<std::size_t>(settings.integer("layers")),
                                    dim_of(settings), seed_of(settings), extra,
                                    settings.flag("half-width"), among.ranks);
}

}  // namespace

std::span<const EncoderEntry> encoders() {
  static const std::array entries{
      EncoderEntry{.name = "mf",
                   .description = "matrix factorisation: one trainable vector per user and item",
                   .reference = "Koren et al., Matrix Factorization Techniques, 2009",
                   .fields = {},
                   .make = make_mf,
                   .vectors_are_tables = true},
      EncoderEntry{.name = "lightgcn",
                   .description = "mean of graph layers over the training interactions",
                   .reference = "He et al., LightGCN: Simplifying Graph Convolution, 2020",
                   .fields = {{"layers", std::int64_t{2}, "graph layers of LightGCN", 0, 10},
                              {"half-width", false,
                               "sums over neighbours read bf16 copies of rows: faster, coarser"}},
                   .make = make_lightgcn,
                   .reads_users_of = true}};
  return entries;
}

const EncoderEntry& find_encoder(std::string_view name) {
  return find_entry("encoder", name, encoders());
}

}  // namespace evenkeel::encoder
