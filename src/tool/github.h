/* tool/github.h - the words of a gh command, and what it printed; for the tools
 * of GitHub alone. */
#ifndef DT_TOOL_GITHUB_H
#define DT_TOOL_GITHUB_H

#include "editor/git_write.h"
#include "tool/call.h"

struct dt_gh_words {
	struct dt_call *call;
	struct dt_names names;
};

/* Room for a command, and `more` words. */
void dt_gh_begin(struct dt_gh_words *w, struct dt_call *call, size_t more);
void dt_gh_say(struct dt_gh_words *w, const char *word);
/* "OPTION=VALUE"; nothing is said of an absent value. */
void dt_gh_say_value(struct dt_gh_words *w, const char *option,
                     const char *value);
/* "PREFIX12" */
void dt_gh_say_number(struct dt_gh_words *w, const char *prefix,
                      uint32_t number);
void dt_gh_perform(struct dt_gh_words *w, const struct dt_operation *op,
                   const char *directory, dt_result_fn *on_result);

/* What was printed as JSON; NULL: it is none. */
const struct dt_json *dt_gh_read(struct dt_call *call,
                                 const struct dt_github_result *gh);
/* Members of it; both take NULL. */
const char *dt_gh_text(struct dt_call *call, const struct dt_json *json,
                       const char *name);
struct dt_maybe_u32 dt_gh_number(const struct dt_json *json, const char *name);
struct dt_str dt_gh_raw(const struct dt_json *json);
/* The last line, which is the address of what was made, and the number at its
 * end. */
const char *dt_gh_address(struct dt_call *call, struct dt_str text,
                          struct dt_maybe_u32 *number);

#endif
