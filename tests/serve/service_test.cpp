// In: real requests over loopback, good and bad. Out: the lists of the engine, or a sentence with a
// fitting status.
#include "serve/service.h"

#include <gtest/gtest.h>
#include <httplib.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "rank/recommend.h"
#include "serve/made_up_run.h"

namespace evenkeel::serve {
namespace {

using nlohmann::json;
using testing::MadeUpRun;

class ServiceTest : public ::testing::Test {
 protected:
  ServiceTest() : service_(run_.options()), client_("127.0.0.1", service_.port()) {
    client_.set_keep_alive(true);
  }
  json get(const std::string& path, int status = 200) {
    const auto answer = client_.Get(path);
    return checked(answer, path, status);
  }
  json post(const std::string& path, const std::string& body, int status = 200) {
    return checked(client_.Post(path, body, "application/json"), path + " " + body, status);
  }
  static json checked(const httplib::Result& answer, const std::string& what, int status) {
    if (!answer) {
      ADD_FAILURE() << what << ": " << httplib::to_string(answer.error());
      return {};
    }
    EXPECT_EQ(answer->status, status) << what << ": " << answer->body;
    EXPECT_EQ(answer->body.find(std::filesystem::temp_directory_path().string()), std::string::npos)
        << "a path of the disk: " << answer->body;
    json body = json::parse(answer->body, nullptr, false);
    EXPECT_FALSE(body.is_discarded()) << answer->body;
    if (status >= 400) {
      EXPECT_TRUE(body["error"].is_string()) << what;
    }
    return body;
  }
  static std::vector<std::string> names(const json& answer) {
    std::vector<std::string> items;
    for (const json& entry : answer["items"]) items.push_back(entry["item"]);
    return items;
  }

  MadeUpRun run_;
  Service service_;
  httplib::Client client_;
};

TEST_F(ServiceTest, ListsAreThoseOfTheEngine) {
  model::Model model = testing::made_up_model();
  Threads threads(1);
  for (const double debias : {0.0, 0.3}) {
    model.debias = debias;
    for (const Row user : {Row{0}, Row{7}, Row{38}}) {
      const auto expected = rank::recommend(model, std::span(&user, 1), 10, true, threads)[0];
      const json answer = get(fmt::format("/recommend?user=u{}&k=10&debias={}", user, debias));
      ASSERT_EQ(answer["items"].size(), expected.size());
      for (std::size_t place = 0; place < expected.size(); ++place) {
        EXPECT_EQ(answer["items"][place]["item"], model.item_ids.text(expected[place].item));
        EXPECT_EQ(answer["items"][place]["score"].get<float>(), expected[place].score);
      }
      const auto same =
          post("/recommend", fmt::format(R"({{"user":"u{}","k":10,"debias":{}}})", user, debias));
      EXPECT_EQ(same["items"], answer["items"]);
    }
  }
  const json all = get("/recommend?user=u0&include_seen=true&k=1000000");
  EXPECT_EQ(all["items"].size(), 200U) << "k above the catalogue: all of it";
}

TEST_F(ServiceTest, BatchEqualsSingleRequests) {
  json users = json::array();
  for (int u = 0; u < 40; ++u) users.push_back("u" + std::to_string(u));
  for (int u = 0; u < 40; ++u) users.push_back("u" + std::to_string(u));
  users.push_back("nobody");
  const json answer = post("/recommend/batch", json{{"users", users}, {"k", 5}}.dump());
  ASSERT_EQ(answer["lists"].size(), 81U);
  for (std::size_t u = 0; u < 80; ++u) {
    EXPECT_EQ(answer["lists"][u]["items"],
              get("/recommend?k=5&user=" + users[u].get<std::string>())["items"]);
  }
  EXPECT_TRUE(answer["lists"][80]["error"].is_string());
  const json popular =
      post("/recommend/batch", json{{"users", {"nobody"}}, {"fallback", "popular"}}.dump());
  EXPECT_EQ(popular["lists"][0]["fallback"], "popular");
}

TEST_F(ServiceTest, FiltersAreObeyed) {
  const json plain = get("/recommend?user=u3&k=6");
  const auto best = names(plain);
  const auto without = names(
      post("/recommend", json{{"user", "u3"}, {"k", 4}, {"exclude", {best[0], best[2]}}}.dump()));
  EXPECT_EQ(without, (std::vector<std::string>{best[1], best[3], best[4], best[5]}));
  const auto among =
      names(post("/recommend", json{{"user", "u3"}, {"only", {best[5], best[1], "i3"}}}.dump()));
  EXPECT_EQ(among, (std::vector<std::string>{best[1], best[5]})) << "i3 is in the history of u3";
  EXPECT_TRUE(names(post("/recommend", R"({"user":"u3","only":[]})")).empty());
  const json told = post("/recommend", R"({"user":"u3","exclude":["nothing",7]})");
  EXPECT_EQ(told["unknown_items"], (json{"nothing", "7"}));
}

TEST_F(ServiceTest, RerankedListsAreTheSameForEveryWayToAsk) {
  const std::string query = "&k=10&rerank=calibrated&rerank_strength=1";
  const json plain = get("/recommend?user=u3&k=10");
  const json reranked = get("/recommend?user=u3" + query);
  EXPECT_NE(reranked["items"], plain["items"]);
  EXPECT_EQ(get("/recommend?user=u3&k=10&rerank=xquad&rerank_strength=0")["items"], plain["items"]);
  const auto same =
      post("/recommend", R"({"user":"u3","k":10,"rerank":"calibrated","rerank_strength":1})");
  EXPECT_EQ(same["items"], reranked["items"]);
  const auto batch = post("/recommend/batch",
                          R"({"users":["u3"],"k":10,"rerank":"calibrated","rerank_strength":1})");
  EXPECT_EQ(batch["lists"][0]["items"], reranked["items"]);
  const auto folded = post("/recommend", R"({"items":["i1","i2"],"k":8,"rerank":"compensation"})");
  EXPECT_EQ(folded["items"].size(), 8U);
  get("/recommend?user=u3&rerank=calibratd", 400);
  get("/recommend?user=u3&rerank=xquad&rerank_strength=nan", 400);
  get("/recommend?user=u3&rerank=xquad&rerank_strength=1e9", 400);
  get("/recommend?user=u3&rerank_strength=0.5", 400);
  get("/recommend?user=u3&rerank=xquad&rerank_candidates=0", 400);
}

TEST_F(ServiceTest, PeopleWithoutARowAreFoldedIn) {
  const json answer = post("/recommend", R"({"items":["i1","i2","gone"],"k":8,"debias":0.2})");
  EXPECT_EQ(answer["items"].size(), 8U);
  EXPECT_EQ(answer["unknown_items"], json{"gone"});
  const auto listed = names(answer);
  EXPECT_EQ(std::count(listed.begin(), listed.end(), "i1"), 0) << "what they have is left out";
  const json empty = post("/recommend", R"({"items":[]})", 422);
  EXPECT_EQ(empty["fallback"], "popular");
  EXPECT_NE(empty["error"].get<std::string>().find("no item is given"), std::string::npos);
  post("/recommend", R"({"items":["gone"]})", 422);
  const json popular = post("/recommend", R"({"items":[],"fallback":"popular","k":3})");
  EXPECT_EQ(popular["fallback"], "popular");
  EXPECT_EQ(popular["items"].size(), 3U);
}

TEST_F(ServiceTest, SimilarFindAndHistory) {
  const json similar = get("/similar?item=i5&k=4");
  EXPECT_EQ(similar["item"], "i5");
  ASSERT_EQ(similar["items"].size(), 4U);
  EXPECT_NE(similar["items"][0]["item"], "i5");
  get("/similar?item=gone", 404);
  get("/similar", 400);
  const json hits = get("/find?q=I19&k=3");
  ASSERT_EQ(hits["hits"].size(), 3U);
  EXPECT_EQ(hits["hits"][0]["item"], "i19") << "the shortest first";
  EXPECT_EQ(get("/find?q=u3&kind=user")["hits"][0]["user"], "u3");
  EXPECT_EQ(get("/history?user=u39")["items"].size(), 0U);
  EXPECT_EQ(get("/history?user=u0")["items"][0]["item"], "i0");
}

TEST_F(ServiceTest, UnknownUsersNameTheFallback) {
  const json answer = get("/recommend?user=nobody", 404);
  EXPECT_EQ(answer["fallback"], "popular");
  EXPECT_NE(answer["error"].get<std::string>().find("user 'nobody' is not in the model (40 users)"),
            std::string::npos);
  const json popular = get("/recommend?user=nobody&fallback=popular&k=2");
  EXPECT_EQ(popular["fallback"], "popular");
  EXPECT_EQ(popular["items"].size(), 2U);
  EXPECT_TRUE(get("/recommend?user=u39")["note"].is_string()) << "a user without interactions";
  EXPECT_EQ(get("/recommend?user=u39&fallback=popular")["fallback"], "popular");
}

TEST_F(ServiceTest, BadInputIsRefusedInOneSentence) {
  get("/recommend", 400);
  get("/recommend?user=u1&k=0", 400);
  get("/recommend?user=u1&k=many", 400);
  get("/recommend?user=u1&debias=-1", 400);
  get("/recommend?user=u1&debias=nan", 400);
  const json wrong = get("/recommend?user=u1&debais=1", 400);
  EXPECT_NE(wrong["error"].get<std::string>().find("debias"), std::string::npos);
  get("/nothing", 404);
  get("/recommend/batch", 405);
  post("/recommend", "{\"items\": [\"i1\"", 400);
  post("/recommend", "[1,2]", 400);
  post("/recommend", "", 400);
  post("/recommend", "{\"items\": [\"\xff\xfe\"]}", 400);
  post("/recommend", R"({"user":"u1","items":["i1"]})", 400);
  post("/recommend", R"({"user":["u1"]})", 400);
  post("/recommend", R"({"items":[1.5]})", 400);
  post("/recommend", R"({"items":"i1"})", 400);
  post("/recommend", R"({"items":["i1"],"topk":3})", 400);
  post("/recommend", std::string(100000, '['), 400);
  post("/recommend/batch", R"({"user":"u1"})", 400);
  get("/recommend?user=%FF%FE", 404);
  EXPECT_EQ(get("/recommend?user=a%00b", 404)["fallback"], "popular");
}

TEST_F(ServiceTest, SentencesFitTheirRequest) {
  const auto sentence = [](const json& answer) { return answer["error"].get<std::string>(); };
  for (const char* strength : {"-1", "nan", "much"}) {
    const std::string path = "/recommend?user=u1&debias=" + std::string(strength);
    EXPECT_EQ(sentence(get(path, 400)).find("debias is "), 0U);
  }
  const json unknown = get("/history?user=gone", 404);
  EXPECT_FALSE(unknown.contains("fallback")) << "/history takes none";
  EXPECT_EQ(sentence(unknown).find("fallback"), std::string::npos);
  // What the address says would be passed over in silence.
  for (const char* path : {"/recommend?k=3", "/recommend?user=u1", "/recommend/batch?debias=0.3"}) {
    const json refused = post(path, R"({"user":"u1"})", 400);
    EXPECT_NE(sentence(refused).find("put it there"), std::string::npos) << path;
  }
  EXPECT_NE(sentence(get("/recommend?user=a%00b", 404)).find("is not in the model"),
            std::string::npos)
      << "cut at the NUL byte";
}

TEST_F(ServiceTest, LargeBodiesAreTurnedAway) {
  const std::string large(std::size_t{10} << 20, 'x');
  post("/recommend", large, 413);
  get("/recommend?user=u1");
}

TEST_F(ServiceTest, HealthMetricsPageAndDescription) {
  get("/recommend?user=u1");
  get("/recommend?user=nobody", 404);
  const json health = get("/health");
  EXPECT_EQ(health["status"], "ok");
  EXPECT_EQ(health["model"]["items"], 200);
  const auto metrics = client_.Get("/metrics");
  ASSERT_TRUE(metrics);
  for (const char* line : {"evenkeel_requests_total{endpoint=\"/recommend\",status=\"200\"} 1\n",
                           "evenkeel_requests_total{endpoint=\"/recommend\",status=\"404\"} 1\n",
                           "evenkeel_request_seconds{endpoint=\"/recommend\",quantile=\"0.99\"} ",
                           "evenkeel_model_age_seconds ", "evenkeel_model_generation 1\n"}) {
    EXPECT_NE(metrics->body.find(line), std::string::npos) << line << metrics->body;
  }
  const json openapi = get("/openapi.json");
  for (const char* path : {"/recommend", "/recommend/batch", "/similar", "/find", "/history",
                           "/health", "/metrics", "/reload"}) {
    EXPECT_TRUE(openapi["paths"].contains(path)) << path;
  }
  const auto page = client_.Get("/");
  ASSERT_TRUE(page);
  EXPECT_NE(page->body.find("<!doctype html>"), std::string::npos);
  EXPECT_EQ(page->body.find("http://"), std::string::npos) << "self-contained";
  EXPECT_EQ(page->body.find("https://"), std::string::npos) << "self-contained";
  EXPECT_TRUE(page->has_header("Content-Security-Policy"));
  const auto head = client_.Head("/recommend?user=u1");
  ASSERT_TRUE(head);
  EXPECT_EQ(head->status, 200);
  EXPECT_TRUE(head->body.empty());
}

TEST_F(ServiceTest, ABrokenModelKeepsTheOldOneServing) {
  const json before = get("/recommend?user=u1");
  run_.write("model.safetensors", "this is no model");
  post("/reload", "", 500);
  const json health = get("/health");
  EXPECT_EQ(health["status"], "degraded");
  EXPECT_NE(health["reload"]["error"].get<std::string>().find("model.safetensors"),
            std::string::npos);
  EXPECT_EQ(get("/recommend?user=u1"), before);
  run_.put(2);
  post("/reload", "");
  EXPECT_EQ(get("/health")["status"], "ok");
  EXPECT_NE(get("/recommend?user=u1"), before);
  std::filesystem::remove(run_.file("model.safetensors"));
  post("/reload", "", 500);
  get("/recommend?user=u1");
  // Nobody writes into the pipe: whoever waited for it would never reload again.
  ASSERT_EQ(mkfifo(run_.file("model.safetensors").c_str(), 0600), 0);
  post("/reload", "", 500);
  std::filesystem::remove(run_.file("model.safetensors"));
  run_.put(3);
  post("/reload", "");
  EXPECT_EQ(get("/health")["status"], "ok");
}

TEST_F(ServiceTest, ChangesAreNoticedOnceTheyRest) {
  EXPECT_FALSE(service_.models().changed());
  run_.put(3);
  EXPECT_FALSE(service_.models().changed()) << "seen for the first time";
  EXPECT_TRUE(service_.models().changed()) << "and still the same";
  EXPECT_TRUE(service_.models().reload());
  EXPECT_FALSE(service_.models().changed());
  EXPECT_EQ(service_.models().get()->generation, 2U);
}

TEST_F(ServiceTest, AnswersAreBounded) {
  json users = json::array();
  for (int i = 0; i < 1001; ++i) users.push_back("u1");
  const json body{{"users", users}, {"k", 1000000}};  // 1,001 lists of all 200 items
  const json answer = post("/recommend/batch", body.dump(), 400);
  EXPECT_NE(answer["error"].get<std::string>().find("at most 200000"), std::string::npos);
  EXPECT_EQ(get("/recommend?user=u1&k=1000000&include_seen=true")["items"].size(), 200U);
}

TEST_F(ServiceTest, PagesOfOtherSitesMayNotReload) {
  const std::string here = "127.0.0.1:" + std::to_string(service_.port());
  const auto reload = [&](const std::string& origin) {
    const auto answer = client_.Post("/reload", {{"Origin", origin}}, "", "text/plain");
    return answer ? answer->status : 0;
  };
  EXPECT_EQ(reload("http://elsewhere.example"), 403);
  EXPECT_EQ(reload("null"), 403);
  EXPECT_EQ(reload("http://" + here), 200);
}

TEST_F(ServiceTest, ANameThatLeadsHereMayNotReload) {
  const auto reload = [&](const std::string& host) {
    const auto answer = client_.Post("/reload", {{"Host", host}}, "", "text/plain");
    return answer ? answer->status : 0;
  };
  const std::string port = ":" + std::to_string(service_.port());
  for (const char* host : {"evil.example", "localhost.evil.example", "127.0.0.1.evil.example"}) {
    EXPECT_EQ(reload(host + port), 403) << host;
  }
  for (const char* host : {"localhost", "LOCALHOST", "127.0.0.1", "[::1]"}) {
    EXPECT_EQ(reload(host + port), 200) << host;
  }
}

TEST_F(ServiceTest, AKeyThatComesTwiceIsRefused) {
  const json twice = post("/recommend", R"({"user":"u3","k":2,"user":"u4"})", 400);
  EXPECT_NE(twice["error"].get<std::string>().find("user twice"), std::string::npos);
}

TEST(Service, TitlesStandBesideIds) {
  const MadeUpRun run;
  run.write("items.csv", "item_id,title\ni1,\"Toy Story, the film\"\ni2,Heat\nother,Alien\n");
  ServeOptions options = run.options();
  options.source.titles = run.file("items.csv");
  Service service(options);
  httplib::Client client("127.0.0.1", service.port());
  const auto hits = client.Get("/find?q=toy%20STORY");
  ASSERT_TRUE(hits);
  const json found = json::parse(hits->body);
  ASSERT_EQ(found["hits"].size(), 1U);
  EXPECT_EQ(found["hits"][0]["item"], "i1");
  EXPECT_EQ(found["hits"][0]["title"], "Toy Story, the film");
  const auto list = client.Post("/recommend", R"({"user":"u2","only":["i1","i3"]})", "text/plain");
  ASSERT_TRUE(list);
  EXPECT_EQ(json::parse(list->body)["items"][0].contains("title"),
            json::parse(list->body)["items"][0]["item"] == "i1");
}

TEST(Service, ATokenIsAskedFor) {
  const MadeUpRun run;
  run.write("token", "0123456789abcdef!\n");
  run.write("short", "secret\n");
  EXPECT_THROW(read_token(run.file("short")), Error);
  EXPECT_THROW(read_token(run.file("none")), Error);
  ServeOptions options = run.options();
  options.token = read_token(run.file("token"));
  Service service(options);
  httplib::Client client("127.0.0.1", service.port());
  for (const char* path : {"/recommend?user=u1", "/similar?item=i1", "/metrics", "/find?q=a"}) {
    const auto answer = client.Get(path);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 401) << path;
    EXPECT_TRUE(answer->has_header("WWW-Authenticate"));
  }
  EXPECT_EQ(client.Post("/reload", "", "text/plain")->status, 401);
  EXPECT_EQ(client.Get("/")->status, 200);
  EXPECT_FALSE(json::parse(client.Get("/health")->body).contains("model"));
  for (const char* wrong : {"0123456789abcdef", "0123456789abcdef!!", "x123456789abcdef!", ""}) {
    client.set_bearer_token_auth(wrong);
    EXPECT_EQ(client.Get("/recommend?user=u1")->status, 401) << wrong;
  }
  const httplib::Headers small{{"Authorization", "bearer 0123456789abcdef!"}};
  EXPECT_EQ(client.Get("/recommend?user=u1", small)->status, 200) << "schemes in any case";
  const httplib::Headers proxied{{"Authorization", "Bearer 0123456789abcdef!"},
                                 {"Host", "books.example"}};
  EXPECT_EQ(client.Post("/reload", proxied, "", "text/plain")->status, 200);
  client.set_bearer_token_auth("0123456789abcdef!");
  EXPECT_EQ(client.Get("/recommend?user=u1")->status, 200);
  EXPECT_TRUE(json::parse(client.Get("/health")->body).contains("model"));
}

TEST(Service, APortInUseIsOneSentence) {
  const MadeUpRun run;
  const Service first(run.options());
  ServeOptions options = run.options();
  options.http.port = first.port();
  try {
    const Service second(options);
    FAIL() << "two servers on one port";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kRun);
    EXPECT_NE(std::string(error.what()).find("is in use; give another --port"), std::string::npos);
  }
  options.http.host = "no such host";
  EXPECT_THROW(Service{options}, Error);
}

}  // namespace
}  // namespace evenkeel::serve
