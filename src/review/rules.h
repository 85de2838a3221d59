/*
 * review/rules.h - which changes a person wants to see.
 *
 * One ordered table of rules, the first that fits decides; where none fits, a
 * person is asked.  How a rule is written: dovetail.conf(5).
 */
#ifndef DT_REVIEW_RULES_H
#define DT_REVIEW_RULES_H

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "review/changeset.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From the mildest to the strictest. */
enum dt_rule_action {
	DT_RULE_ALLOW,  /* silently */
	DT_RULE_RECORD, /* allow, and keep it in the history */
	DT_RULE_ASK,
	DT_RULE_DENY,
};
extern const char *const dt_rule_actions[]; /* "allow" ..., ends with NULL */

/* What a change is: one of the first four, and any of the others. */
enum dt_rule_kind {
	DT_RULE_CREATE = 1 << 0, /* in the order of enum dt_change_kind */
	DT_RULE_CHANGE = 1 << 1,
	DT_RULE_DELETE = 1 << 2,
	DT_RULE_RENAME = 1 << 3,
	DT_RULE_TEST = 1 << 4,
	DT_RULE_GENERATED = 1 << 5,
	/* Allowed only by rules that say so. */
	DT_RULE_SETTINGS = 1 << 6, /* steers git, an agent, a shell or us */
	DT_RULE_OUTSIDE = 1 << 7,  /* not beneath the workspace */
};
extern const char *const dt_rule_kinds[]; /* by bit; ends with NULL */

struct dt_rule {
	enum dt_rule_action action;
	const char *text; /* what stands behind "ask =" */
	const char *file;
	unsigned line;
	bool is_repository; /* of the repository's own file */
};

struct dt_rules {
	struct dt_rule *list;
	size_t count;
	/* One of the person's rules could not be read, and what it was to ask
	 * for is not known: nothing is allowed without asking. */
	bool is_broken;
};

/* Zeroed storage is a table without rules. */
void dt_rules_done(struct dt_rules *rules);

/*
 * Add a copy of a rule at the end.  DT_E_ARGS: a text that is no rule.
 * DT_E_DENIED: a repository's rule that would allow something.
 */
enum dt_err dt_rules_add(struct dt_rules *rules, const struct dt_rule *rule,
                         struct dt_fail *fail) DT_MUST_CHECK;

/* One file of a change. */
struct dt_rule_subject {
	const char *agent;
	const char *path; /* relative to the workspace; absolute: outside */
	unsigned kinds;   /* enum dt_rule_kind, or-ed */
	uint32_t lines;
};

/* Whether a pattern means an agent: "claude" is claude-code too. */
bool dt_rules_agent_fits(struct dt_str glob, const char *agent);

/* The kinds that can be told by the path. */
unsigned dt_rules_kinds_of(const char *path);

/* Whether a file steers git, an agent, an editor or a shell, by the name it is
 * called or by that which links lead to. */
bool dt_rules_is_settings(struct dt_documents *docs, const char *path);

/* How it was decided; rules are borrowed from the table. */
struct dt_ruling {
	enum dt_rule_action action;
	const struct dt_rule *rule; /* NULL: because no rule fits */
	/* A rule that fits and allows, but not settings or outside, which it
	 * does not name; or NULL. */
	const struct dt_rule *too_wide;
};

/* The repository's rules are asked apart from the person's, and the stricter
 * answer counts: they can narrow what is allowed and never widen it. */
struct dt_ruling dt_rules_decide(const struct dt_rules *rules,
                                 const struct dt_rule_subject *subject);

/* "dovetail.conf:3: ask = lines>200" */
void dt_rule_print(const struct dt_rule *rule, struct dt_buf *out);

/*
 * The same for a whole change set, whose lines are counted together.  It is
 * asked for each file by the name the agent used, by that which links lead to,
 * and by the new name; the strictest answer counts.
 */
struct dt_ruling dt_rules_apply(const struct dt_rules *rules, const char *agent,
                                struct dt_documents *docs,
                                const struct dt_changeset *set);

/* review/rules_read.c's, for rules.c: one condition of a rule. */

enum dt_condition_type {
	DT_CONDITION_PATH,
	DT_CONDITION_AGENT,
	DT_CONDITION_KIND,
	DT_CONDITION_LINES,
};

struct dt_condition {
	enum dt_condition_type type;
	bool is_negated;
	struct dt_str glob; /* PATH, AGENT */
	unsigned kinds;     /* KIND: any of these */
	uint32_t min;       /* LINES: both included */
	uint32_t max;
};

/*
 * The next condition off the front of a rule's text.  `out_is_other`: it begins
 * another alternative.  DT_E_MISSING: there is none left.
 */
enum dt_err dt_condition_next(struct dt_str *text, struct dt_condition *out,
                              bool *out_is_other,
                              struct dt_fail *fail) DT_MUST_CHECK;

#endif
