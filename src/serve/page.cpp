// In: page.html and openapi.json, placed by the assembler. Out: their bytes.
#include "serve/page.h"

asm(R"(
  .section .rodata
  .global evenkeel_serve_page_begin, evenkeel_serve_page_end
  .global evenkeel_openapi_begin, evenkeel_openapi_end
  evenkeel_serve_page_begin:
  .incbin ")" EVENKEEL_SERVE_FILES R"(/page.html"
  evenkeel_serve_page_end:
  .byte 0
  evenkeel_openapi_begin:
  .incbin ")" EVENKEEL_SERVE_FILES R"(/openapi.json"
  evenkeel_openapi_end:
  .byte 0
  .text
)");
extern "C" const char evenkeel_serve_page_begin[], evenkeel_serve_page_end[];
extern "C" const char evenkeel_openapi_begin[], evenkeel_openapi_end[];

namespace evenkeel::serve {

std::string_view search_page() {
  return {evenkeel_serve_page_begin, evenkeel_serve_page_end};
}

std::string_view openapi_text() {
  return {evenkeel_openapi_begin, evenkeel_openapi_end};
}

}  // namespace evenkeel::serve
