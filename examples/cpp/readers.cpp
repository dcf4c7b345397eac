// In: an interactions file and a user. Out: a trained model in model.safetensors, its figures, ten
// items for the user and what is like the first of them.
#include <cstdio>

#include "evenkeel/evenkeel.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: readers LOG USER\n");
    return 2;
  }
  try {
    evenkeel::TrainingControl control;
    control.on_epoch = [](const evenkeel::EpochProgress& news) {
      if (news.recall) std::fprintf(stderr, "epoch %d: recall %.4f\n", news.epoch, *news.recall);
      return false;  // true would stop here
    };
    const auto trained = evenkeel::train_recommender(
        argv[1], {{"loss", "bc"}, {"dim", "16"}, {"epochs", "40"}}, control);
    for (const evenkeel::PartFigures& part : trained.parts) {
      std::printf("%s: recall@20 %.4f over %zu users\n", part.part.c_str(),
                  part.figures.at("recall@20"), part.users);
    }

    const evenkeel::Recommender& model = trained.recommender;
    model.save("model.safetensors");
    const auto list = model.recommend(argv[2], {.k = 10});
    for (const auto& [item, score] : list) std::printf("%s\t%.4f\n", item.c_str(), score);
    if (list.empty()) return 0;  // the user has everything
    std::printf("like %s:", list[0].item.c_str());
    for (const auto& near : model.similar_items(list[0].item, 3)) {
      std::printf(" %s", near.item.c_str());
    }
    std::printf("\n");
  } catch (const evenkeel::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return error.exit_code();
  }
}
