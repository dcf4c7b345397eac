// In: nothing. Out: EVENKEEL_API, which marks what a shared libevenkeel shows to programs; all else
// in it is hidden.
#pragma once

#if defined(__GNUC__)
#define EVENKEEL_API __attribute__((visibility("default")))
#else
#define EVENKEEL_API
#endif
