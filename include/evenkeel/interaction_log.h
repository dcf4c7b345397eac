// Who used what, in memory. In: pairs one by one, or an interactions file; out: a log to train on
// or to measure on.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "evenkeel/export.h"
#include "evenkeel/options.h"

namespace evenkeel {

/// Ids are any bytes but no empty text. The same pair twice counts once, with the earlier time.
class EVENKEEL_API InteractionLog {
 public:
  /// The name goes into models that are trained on the log.
  explicit InteractionLog(std::string name = "log");
  ~InteractionLog();
  InteractionLog(const InteractionLog& other);
  InteractionLog& operator=(const InteractionLog& other);
  InteractionLog(InteractionLog&& other) noexcept;
  InteractionLog& operator=(InteractionLog&& other) noexcept;

  /// Reads one interactions file (docs/formats.md); `reading` takes reading_options(). Times are
  /// read where "time-column" names them.
  static InteractionLog read(const std::string& path, const OptionValues& reading = {});

  void add(std::string_view user, std::string_view item);
  /// With a time, in any unit. A log has times for all its pairs or for none.
  void add(std::string_view user, std::string_view item, double time);

  std::size_t size() const;   ///< pairs added so far, repeated ones included
  std::size_t users() const;  ///< different ones
  std::size_t items() const;

 private:
  friend struct LogAccess;  // the engine's view of it
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace evenkeel
