/* hub/config_line.h - dovetail.conf line by line; for hub/config*.c alone. */
#ifndef DT_HUB_CONFIG_LINE_H
#define DT_HUB_CONFIG_LINE_H

#include "base/str.h"
#include "hub/config.h"

#include <stdbool.h>

#define DT_CONFIG_FILE_MAX (64u * 1024u)

enum dt_config_line_kind {
	DT_CONFIG_LINE_BLANK, /* or a comment */
	DT_CONFIG_LINE_SECTION,
	DT_CONFIG_LINE_SETTING,
	DT_CONFIG_LINE_WRONG,
};

/* One line; everything is borrowed from the text. */
struct dt_config_line {
	enum dt_config_line_kind kind;
	unsigned number;       /* from 1 */
	struct dt_str whole;   /* with its line break */
	struct dt_str section; /* the one it stands in */
	struct dt_str name;    /* settings */
	struct dt_str value;
};

/* The next line off the front of `text`; `line` starts zeroed and is kept
 * between calls.  False at the end. */
bool dt_config_next_line(struct dt_str *text, struct dt_config_line *line);

const struct dt_config_key *dt_config_find_in(struct dt_str section,
                                              struct dt_str name);

/* DT_E_ARGS unless the key can have this value. */
enum dt_err dt_config_check(const struct dt_config_key *key,
                            struct dt_str value,
                            struct dt_fail *fail) DT_MUST_CHECK;

#endif
