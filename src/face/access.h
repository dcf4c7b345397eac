// What the sources of the face share. In: public objects; out: the engine's own inside them.
#pragma once

#include "base/settings.h"
#include "data/interactions.h"
#include "evenkeel/interaction_log.h"
#include "evenkeel/options.h"
#include "evenkeel/recommender.h"
#include "model/model.h"
#include "rank/reranking.h"

namespace evenkeel {

void set_options(Settings& settings, const OptionValues& options);
rank::RerankAsk rerank_ask(const RerankOptions& options);

struct LogAccess {
  static const std::string& name(const InteractionLog& log);
  // Each pair once. An empty log is a data error.
  static data::Interactions interactions(const InteractionLog& log);
};

struct RecommenderAccess {
  static Recommender made_of(model::Model model);
};

}  // namespace evenkeel
