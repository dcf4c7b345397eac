// Text of strangers on a terminal. In: any bytes; out: the same with every control character
// written as an escape, so that no id, header or file name can move the cursor or start a new line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace evenkeel {

// For messages and tables: C0, DEL and C1 (U+0080 to U+009F, and bytes 80 to 9f that are no UTF-8)
// become \t, \n, \x1b and the like. What is printable stays, so doing it twice changes nothing.
std::string printable(std::string_view text);

// For columns that programs read: a backslash is doubled, too, so that the text can be restored.
std::string escaped(std::string_view text);

// "1 epoch", "2 epochs".
std::string counted(std::size_t count, std::string_view noun);

// For names of files and folders: letters, digits, '.' and '_' in small letters, everything else a
// single dash ("Yahoo!R3" is yahoo-r3); never empty, never hidden.
std::string slug(std::string_view text);

}  // namespace evenkeel
