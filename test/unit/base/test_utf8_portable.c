/* The same tests for the blocks of plain words, wherever they run. */
#define DT_UTF8_PORTABLE
#include "base/utf8.c"
#include "test_utf8.c"
