// One line of a terminal that is redrawn in place. In: its text; out: the line on stderr.
#pragma once

#include <string>

namespace evenkeel::cli {

class StatusLine {
 public:
  StatusLine();
  void draw(const std::string& line);  // cut to the terminal's width
  void erase();                        // before anything else is printed

 private:
  bool color_, drawn_ = false;
};

}  // namespace evenkeel::cli
