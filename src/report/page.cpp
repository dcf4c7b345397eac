// In: JSON and the template. Out: the page. The template's bytes are placed by the assembler: as a
// literal they would cost the compiler seconds and memory.
#include "report/page.h"

#include "base/error.h"

asm(R"(
  .section .rodata
  .global evenkeel_page_begin, evenkeel_page_end
  evenkeel_page_begin:
  .incbin ")" EVENKEEL_PAGE R"("
  evenkeel_page_end:
  .byte 0
  .text
)");
extern "C" const char evenkeel_page_begin[], evenkeel_page_end[];

namespace evenkeel::report {
namespace {

constexpr std::string_view kMarker = R"(<script type="application/json" id="report-data">)";

}  // namespace

std::string_view page_template() {
  return {evenkeel_page_begin, static_cast<std::size_t>(evenkeel_page_end - evenkeel_page_begin)};
}

std::string script_safe(const nlohmann::json& data) {
  const std::string text = data.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size() + text.size() / 64);
  // Outside of strings JSON has no '<', and inside "\u003c" is the same character.
  for (const char c : text) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

std::string make_page(const nlohmann::json& data, std::string_view page) {
  const std::size_t marker = page.find(kMarker);
  const std::size_t begin = marker + kMarker.size();
  const std::size_t end = marker == page.npos ? page.npos : page.find("</script>", begin);
  EVENKEEL_CHECK(end != page.npos);  // a test holds the built page to it
  return std::string(page.substr(0, begin)) + script_safe(data) + std::string(page.substr(end));
}

}  // namespace evenkeel::report
