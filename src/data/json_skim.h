/*
 * data/json_skim.h - the outermost members of a JSON text, for who passes it on.
 *
 * Nothing is laid out, copied or checked beyond what it takes to find where a
 * member ends: whoever the text is for reads it strictly.
 */
#ifndef DT_DATA_JSON_SKIM_H
#define DT_DATA_JSON_SKIM_H

#include "base/str.h"

#include <stdbool.h>

struct dt_json_skim {
	const char *at;
	const char *end;
	bool is_object;
	bool is_broken; /* it did not go on as JSON does */
};

/* Begin with an object or an array; false when the text is neither. */
bool dt_json_skim(struct dt_json_skim *skim, struct dt_str text);

/* The next member; both slices are as they stand in the text, quotes included.
 * The key of an array's is empty.  False behind the last and where the text is
 * broken. */
bool dt_json_skim_next(struct dt_json_skim *skim, struct dt_str *out_key,
                       struct dt_str *out_value);

/* Whether the next member of an object has this key, written without escapes;
 * nothing is passed over. */
bool dt_json_skim_is_next(const struct dt_json_skim *skim, const char *name);

/* The value of a member whose key is written without escapes; ptr NULL when the
 * text is no object or has none. */
struct dt_str dt_json_skim_get(struct dt_str text, const char *name);

#endif
