// In: a run folder, an address. Out: answers over HTTP until SIGINT or SIGTERM.
#include <csignal>
#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/list_filters.h"
#include "cli/option_binding.h"
#include "cli/run_folder.h"
#include "serve/service.h"

namespace evenkeel::cli {
namespace {

struct ServeArguments {
  ServeArguments() : bound(fields()) {}
  static Settings fields() {
    const Field list[] = {
        {"host", std::string("127.0.0.1"),
         "address to listen on; 0.0.0.0 or :: for every one of this machine"},
        {"port", std::int64_t{8080}, "port to listen on; 0: a free one, which is told", 0, 65535},
        threads_field(),
    };
    return Settings(list);
  }
  BoundOptions bound;
  std::string run, token_file, titles;
  bool watch = false, approximate = false, json = false;
};

// While it lives, SIGINT, SIGTERM and SIGHUP wait to be fetched instead of ending the program.
// Threads that are started meanwhile inherit that.
class FetchedSignals {
 public:
  FetchedSignals() {
    sigemptyset(&wanted_);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&wanted_, signal);
    pthread_sigmask(SIG_BLOCK, &wanted_, &before_);
  }
  ~FetchedSignals() { release(); }
  FetchedSignals(const FetchedSignals&) = delete;
  FetchedSignals& operator=(const FetchedSignals&) = delete;
  void release() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  int next(int seconds) const {  // 0: none came in time
    const timespec time{seconds, 0};
    const int signal = sigtimedwait(&wanted_, nullptr, &time);
    return signal > 0 ? signal : 0;
  }

 private:
  sigset_t wanted_{}, before_{};
};

void reload(serve::Service& service) {
  if (service.models().reload()) {
    const auto served = service.models().get();
    say("evenkeel: model {} serves now: {} users, {} items", served->generation,
        served->model.users.rows(), served->model.items.rows());
  } else {
    say("evenkeel: the old model goes on serving: {}",
        service.models().status().failure.value_or(""));
  }
}

int serve_command(const ServeArguments& options) {
  const Settings settings = options.bound.resolve();
  serve::ServeOptions wanted;
  wanted.source = {options.run, options.titles, static_cast<int>(settings.integer("threads")),
                   options.approximate};
  wanted.http.host = settings.text("host");
  wanted.http.port = static_cast<int>(settings.integer("port"));
  wanted.threads = static_cast<int>(settings.integer("threads"));
  if (!options.token_file.empty()) wanted.token = serve::read_token(options.token_file);
  FetchedSignals signals;
  serve::Service service(wanted);
  const auto served = service.models().get();
  const std::string host = wanted.http.host.find(':') == std::string::npos
                               ? wanted.http.host
                               : "[" + wanted.http.host + "]";
  say("evenkeel: {} users and {} items at http://{}:{}{}", served->model.users.rows(),
      served->model.items.rows(), host, service.port(),
      wanted.token.empty() ? "" : ", with a token");
  if (options.json) {  // for who started it with --port 0
    out("{}\n", json_text({{"url", fmt::format("http://{}:{}", host, service.port())},
                           {"port", service.port()},
                           {"users", served->model.users.rows()},
                           {"items", served->model.items.rows()}}));
    flush_out();
  }
  if (wanted.token.empty() && host != "127.0.0.1" && host != "localhost" && host != "[::1]") {
    say("evenkeel: everybody who reaches this address may ask; --token-file makes them say a word");
  }
  if (served->near) {
    say("evenkeel: approximate lists hold {:.1f} % of the exact ones, by {} candidates; the graph "
        "was {}{}",
        100 * served->near->recall(), served->near->candidates(),
        served->near->built() ? "built" : "read",
        served->near->kept() ? "" : " and could not be written beside the model");
  }
  for (;;) {
    const int signal = signals.next(1);
    if (signal == SIGHUP || (signal == 0 && options.watch && service.models().changed())) {
      reload(service);
    } else if (signal != 0) {
      break;
    }
  }
  signals.release();  // a second signal ends the program at once
  service.stop();
  say("evenkeel: stopped; every request that had come was answered");
  return 0;
}

}  // namespace

Action add_serve(CLI::App& app) {
  auto options = std::make_shared<ServeArguments>();
  add_model(app, options->run);
  add_titles(app, options->titles);
  app.add_option("--token-file", options->token_file,
                 "file whose first line every request must bring as a bearer token")
      ->type_name("FILE");
  app.add_flag("--watch", options->watch, "load a new model of the run folder when there is one");
  app.add_flag("--approximate", options->approximate,
               "look through a graph of the items (HNSW) instead of all of them: for millions of "
               "items; the recall is measured and told");
  app.add_flag("--json", options->json, "one JSON object on stdout once it answers: the address");
  options->bound.add_to(app, "Settings");
  app.footer(
      "GET / is a page for people, GET /openapi.json the list of endpoints. SIGHUP and POST "
      "/reload "
      "load the model again;\na broken one changes nothing but GET /health. SIGINT and SIGTERM end "
      "it with exit code 0.");
  return [options] { return serve_command(*options); };
}

}  // namespace evenkeel::cli
