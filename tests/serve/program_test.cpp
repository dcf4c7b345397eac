// In: the program as people start it. Out: the lists of the command line over HTTP, reloads on
// signals, and a clean end.
#include <gtest/gtest.h>
#include <httplib.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "cli/run_binary.h"
#include "serve/made_up_run.h"

namespace evenkeel::serve {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using testing::MadeUpRun;
using testing::Running;

// The port that the program told; 0 when it ended instead.
int port_of(Running& program) {
  constexpr std::string_view kBefore = "http://127.0.0.1:";
  program.wait_until([&] {
    const std::string text = program.err();
    const std::size_t at = text.find(kBefore);
    return at != text.npos && text.find('\n', at) != text.npos;
  });
  const std::string text = program.err();
  const std::size_t at = text.find(kBefore);
  return at == text.npos ? 0 : std::atoi(text.c_str() + at + kBefore.size());
}

TEST(ServeProgram, ListsEqualThoseOfTheCommandLine) {
  const MadeUpRun run;
  run.write("only.txt", "i4\ni5\ni6\ni150\n");
  Running program({"serve", run.path(), "--port", "0", "--threads", "2"});
  const int port = port_of(program);
  ASSERT_GT(port, 0) << program.err();
  httplib::Client client("127.0.0.1", port);
  const auto told = [](std::vector<std::string> words) {
    words.push_back("--json");
    const auto finished = testing::run_binary(words);
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    return json::parse(finished.out)["items"];
  };
  for (const std::string debias : {"0", "0.3"}) {
    const std::vector<std::string> common{"recommend", run.path(), "--debias", debias, "-k", "7"};
    auto words = common;
    words.insert(words.end(), {"-u", "u5"});
    const auto list = client.Get("/recommend?user=u5&k=7&debias=" + debias);
    ASSERT_TRUE(list);
    EXPECT_EQ(json::parse(list->body)["items"], told(words));
    words = common;
    words.insert(words.end(), {"--items", "i1,i2,gone", "--only", run.file("only.txt")});
    const auto folded = client.Post("/recommend",
                                    R"({"items":["i1","i2","gone"],"k":7,"debias":)" + debias +
                                        R"(,"only":["i4","i5","i6","i150"]})",
                                    "application/json");
    ASSERT_TRUE(folded);
    EXPECT_EQ(json::parse(folded->body)["items"], told(words));
  }
  const auto similar = client.Get("/similar?item=i9&k=5");
  ASSERT_TRUE(similar);
  EXPECT_EQ(json::parse(similar->body)["items"],
            told({"similar", run.path(), "--item", "i9", "-k", "5"}));
  program.send(SIGTERM);
  const auto finished = program.wait();
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(finished.out, "");
}

TEST(ServeProgram, SignalsAndWatchReload) {
  const MadeUpRun run;
  Running program({"serve", run.path(), "--port", "0", "--watch"});
  const int port = port_of(program);
  ASSERT_GT(port, 0) << program.err();
  httplib::Client client("127.0.0.1", port);
  const auto generation = [&] {
    const auto health = client.Get("/health");
    return health ? json::parse(health->body)["model"]["generation"].get<int>() : 0;
  };
  program.send(SIGHUP);
  EXPECT_TRUE(program.wait_until([&] { return generation() == 2; })) << program.err();
  run.put(2);
  EXPECT_TRUE(program.wait_until([&] { return generation() == 3; })) << program.err();
  run.write("model.safetensors", "broken");
  EXPECT_TRUE(program.wait_until([&] {
    return json::parse(client.Get("/health")->body)["status"] == "degraded";
  })) << program.err();
  EXPECT_EQ(client.Get("/recommend?user=u1")->status, 200);
  program.send(SIGINT);
  EXPECT_EQ(program.wait().exit_code, 0);
}

TEST(ServeProgram, WhatCannotStartIsOneSentence) {
  const MadeUpRun run;
  Running first({"serve", run.path(), "--port", "0"});
  const int port = port_of(first);
  ASSERT_GT(port, 0) << first.err();
  testing::expect_error(testing::run_binary({"serve", run.path(), "--port", std::to_string(port)}),
                        1, {"is in use", "--port 0"});
  testing::expect_error(testing::run_binary({"serve", run.file("none"), "--port", "0"}), 3,
                        {"there is no such model"});
  testing::expect_error(testing::run_binary({"serve", run.path(), "--port", "70000"}), 2,
                        {"--port"});
  testing::expect_error(
      testing::run_binary({"serve", run.path(), "--port", "0", "--token-file", run.file("none")}),
      3, {"none"});
  first.send(SIGTERM);
  EXPECT_EQ(first.wait().exit_code, 0);
}

}  // namespace
}  // namespace evenkeel::serve
