/* hub/config.h - dovetail.conf: one table is parser, defaults and manual. */
#ifndef DT_HUB_CONFIG_H
#define DT_HUB_CONFIG_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "hub/config_globs.h"
#include "review/rules.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum dt_config_type {
	DT_CONFIG_TEXT,
	DT_CONFIG_NUMBER,
	DT_CONFIG_GLOBS, /* patterns with blanks between them; lines add up */
	DT_CONFIG_LINES, /* text; lines add up, with line feeds between them */
};

/* One key: "[section] key = value". */
struct dt_config_key {
	const char *section;
	const char *name;
	const char *def; /* as it would be written */
	const char
		*doc; /* one sentence; dovetail.conf(5) is checked against it */
	const char *const *choices; /* text: the values there are; NULL: any */
	/* text and lines: what else a value must be; NULL: nothing */
	enum dt_err (*check)(struct dt_str value, struct dt_fail *fail);
	enum dt_config_type type;
	uint32_t min; /* numbers: both ends included */
	uint32_t max;
	bool is_safe; /* also counts in a repository's .dovetail.conf */
};

extern const struct dt_config_key dt_config_keys[];
extern const size_t dt_config_key_count;

/* Values by key, defaults where nothing was read.  Borrowed texts live in it. */
struct dt_config;

struct dt_config *dt_config_new(void); /* all defaults */
void dt_config_free(struct dt_config *config);

/*
 * Read a file over what is there.  A missing file is fine.  Each unknown key, bad
 * value or line that cannot be read becomes one warning ("FILE:LINE: ..."), and
 * the rest counts.  `is_repository`: only safe keys count, others are warned of.
 * The lines of [policy] are no keys but rules, in their order.
 */
void dt_config_read(struct dt_config *config, const char *path,
                    bool is_repository);
/* The same from text, for tests and fuzzing. */
void dt_config_read_text(struct dt_config *config, const char *name,
                         struct dt_str text, bool is_repository);
size_t dt_config_warning_count(const struct dt_config *config);
const char *dt_config_warning(const struct dt_config *config, size_t n);

/* "section.key"; NULL when there is no such key. */
const struct dt_config_key *dt_config_find(const char *key);
/* Whether all lines of a key count, not the last one alone. */
bool dt_config_adds_up(const struct dt_config_key *key);
/* The key must be one of the table. */
const char *dt_config_get(const struct dt_config *config, const char *key);
uint32_t dt_config_number(const struct dt_config *config, const char *key);

/* The patterns of a key that is a list, the person's first; borrowed. */
const struct dt_config_globs *dt_config_globs(const struct dt_config *config,
                                              const char *key);
/* A line of the person's in [context] could not be read, or none of them could:
 * what was to be kept from agents is not known. */
bool dt_config_is_context_broken(const struct dt_config *config);

/* The rules of [policy], borrowed. */
const struct dt_rules *dt_config_rules(const struct dt_config *config);

/*
 * Set one key in a file, keeping every other line, comment and blank as it is.
 * DT_E_MISSING: no such key; DT_E_ARGS: not a value of its type; DT_E_STATE: a
 * list that stands on several lines, which would all count.
 */
enum dt_err dt_config_write(const char *path, const char *key,
                            const char *value,
                            struct dt_fail *fail) DT_MUST_CHECK;

#endif
