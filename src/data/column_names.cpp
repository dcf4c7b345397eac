// In: names of columns. Out: the ones that people give to users, items, ratings and times.
#include "data/column_names.h"

#include <array>

namespace evenkeel::data {
namespace {

// Letters and digits only, the plainest first.
constexpr std::array<std::string_view, 16> kUserNames{
    "user",       "userid",    "uid",       "u",         "username", "customer",
    "customerid", "member",    "memberid",  "visitorid", "reader",   "reviewerid",
    "accountid",  "profileid", "sessionid", "client"};
constexpr std::array<std::string_view, 30> kItemNames{
    "item",    "itemid",    "iid",    "i",        "movie",      "movieid",
    "product", "productid", "asin",   "book",     "bookid",     "isbn",
    "song",    "songid",    "track",  "trackid",  "artist",     "artistid",
    "article", "articleid", "sku",    "business", "businessid", "video",
    "videoid", "game",      "gameid", "anime",    "animeid",    "parentasin"};
constexpr std::array<std::string_view, 10> kRatingNames{
    "rating", "ratings", "score", "stars", "overall", "value", "vote", "preference", "r", "weight"};
constexpr std::array<std::string_view, 12> kTimeNames{
    "timestamp", "time",      "ts",        "date",     "datetime", "unixreviewtime",
    "ratedat",   "createdat", "eventtime", "unixtime", "t",        "unixtimestamp"};

std::span<const std::string_view> names_of(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::kUser:
      return kUserNames;
    case ColumnKind::kItem:
      return kItemNames;
    case ColumnKind::kRating:
      return kRatingNames;
    case ColumnKind::kTime:
      break;
  }
  return kTimeNames;
}

}  // namespace

std::string plain_name(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') out.push_back(static_cast<char>(c - 'A' + 'a'));
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) out.push_back(c);
  }
  return out;
}

std::optional<std::size_t> known_column(std::span<const std::string> names, ColumnKind kind) {
  for (const std::string_view wanted : names_of(kind)) {
    for (std::size_t column = 0; column < names.size(); ++column) {
      if (plain_name(names[column]) == wanted) return column;
    }
  }
  return std::nullopt;
}

}  // namespace evenkeel::data
