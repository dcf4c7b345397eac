// Files that lie in the program. In: nothing; out: the search page and the description of the
// endpoints.
#pragma once

#include <string_view>

namespace evenkeel::serve {

std::string_view search_page();   // GET /
std::string_view openapi_text();  // GET /openapi.json

}  // namespace evenkeel::serve
