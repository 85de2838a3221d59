/* dialect/dialect.c - the list of dialects. */
#include "dialect/dialect.h"

#define X(name) extern const struct dt_dialect dt_dialect_##name;
#include "dialect/dialects.def"
#undef X

const struct dt_dialect *const dt_dialects[] = {
#define X(name) &dt_dialect_##name,
#include "dialect/dialects.def"
#undef X
};

const size_t dt_dialect_count = sizeof(dt_dialects) / sizeof(dt_dialects[0]);
