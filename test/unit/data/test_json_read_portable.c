/* The same tests for the steps of plain words, wherever they run. */
#define DT_JSON_PORTABLE
#include "data/json_read.c"
#include "test_json_read.c"
