/* app/reviews.h - reviews as the daemon tells of them. */
#ifndef DT_APP_REVIEWS_H
#define DT_APP_REVIEWS_H

#include "app/remote.h"
#include "base/arena.h"
#include "base/err.h"
#include "data/field.h"

#include <stdbool.h>
#include <stdint.h>

/* One file of a review.  Texts are there only in what dt_review_get() gives. */
struct dt_review_file {
	const char *kind; /* "create", "change", "delete", "rename" */
	const char *path;
	const char *new_path; /* NULL: the same */
	bool is_outside;      /* of the workspace */
	bool is_settings;     /* steers git, an agent, an editor or a shell */
	bool is_lossy;        /* the old text is not UTF-8 */
	bool is_stale;        /* the file is not what the change began with */
	bool is_edited;       /* a person's text is kept with it */
	bool is_left_out;     /* it was not accepted with the rest */
	struct dt_str old;    /* ptr NULL: there was no file */
	struct dt_str proposed;
	struct dt_str final; /* ptr NULL: neither decided nor edited */
	/* The texts are too large for a message: these are their beginnings,
	 * from a little before the first difference on. */
	bool is_cut;
	int64_t lines_before;
	int64_t lines_shown;
	int64_t lines_all;
	const char *whole; /* a file with the whole new text, or NULL */
};

struct dt_review_info {
	const char *id;
	const char *root; /* NULL: its workspace is not served */
	const char *agent;
	const char *session;
	const char *title;
	const char *reason;
	const char *state;
	const char *problem; /* why it is not on disk, or NULL */
	const char *comment;
	int64_t opened_ms;
	struct dt_items entries; /* struct dt_review_file; none: a command */
	const char *command;     /* in words; NULL: it is a change of files */
	const char *folder;      /* where it would run */
	const char *program;     /* that can be allowed from now on; or NULL */
	uint32_t timeout_ms;
};

struct dt_review_list {
	struct dt_items reviews; /* struct dt_review_info, the oldest first */
};

/*
 * What is open in the workspace of `folder`, NULL: in every one.  That is what
 * waits, what is orphaned because its agent is gone, and what was withdrawn
 * after a person had edited it.  The answer as it came is read by
 * dt_reviews_read_list().
 */
enum dt_err dt_reviews_list(struct dt_remote *remote, const char *folder,
                            struct dt_arena *arena, const struct dt_json **out,
                            struct dt_fail *fail) DT_MUST_CHECK;
enum dt_err dt_reviews_read_list(struct dt_arena *arena,
                                 const struct dt_json *result,
                                 struct dt_review_list *out,
                                 struct dt_fail *fail) DT_MUST_CHECK;

/* One review by an id or the beginning of one, texts and all. */
enum dt_err dt_reviews_get(struct dt_remote *remote, const char *id,
                           struct dt_arena *arena, const struct dt_json **out,
                           struct dt_fail *fail) DT_MUST_CHECK;
enum dt_err dt_reviews_read(struct dt_arena *arena,
                            const struct dt_json *result,
                            struct dt_review_info *out,
                            struct dt_fail *fail) DT_MUST_CHECK;

/* Only what waits, the oldest first. */
enum dt_err dt_reviews_waiting(struct dt_remote *remote, const char *folder,
                               struct dt_arena *arena,
                               struct dt_review_list *out,
                               struct dt_fail *fail) DT_MUST_CHECK;

/* The id of what waits, or will; `timeout_ms` 0: wait for ever. */
enum dt_err dt_reviews_wait(struct dt_remote *remote, const char *folder,
                            uint32_t timeout_ms, struct dt_arena *arena,
                            const char **out_id,
                            struct dt_fail *fail) DT_MUST_CHECK;

/* What a person made of one file. */
struct dt_review_final {
	struct dt_str text; /* ptr NULL: as proposed */
	bool is_left_out;
};

/* What a person decides; texts are NULL or absent where there is none. */
struct dt_decision {
	const char *id;
	bool is_accepted;
	struct dt_str text; /* instead of the proposed one */
	/* Of several files, or NULL: what was made of each. */
	const struct dt_review_final *files;
	size_t file_count;
	const char *comment;
	bool is_lasting; /* the program of a command is allowed from now on */
};

/* DT_E_STATE also when it is accepted, and the daemon could not write it. */
enum dt_err dt_reviews_decide(struct dt_remote *remote,
                              const struct dt_decision *decision,
                              struct dt_arena *arena,
                              const struct dt_json **out_result,
                              struct dt_fail *fail) DT_MUST_CHECK;

/* Keep a person's text for one of its files with a review that nobody has
 * decided, also one that no longer waits; absent: nothing any more. */
enum dt_err dt_reviews_keep(struct dt_remote *remote, const char *id,
                            size_t file, struct dt_str text,
                            struct dt_fail *fail) DT_MUST_CHECK;

/* How many digits of the ids tell those of a list apart; 8 at least. */
int dt_reviews_id_digits(const struct dt_review_list *list);

/* Its agent, with the beginning of its session where others of the list have an
 * agent of that name, too. */
const char *dt_reviews_agent(struct dt_arena *arena,
                             const struct dt_review_list *list,
                             const struct dt_review_info *review);

/* How many of a list are of the same file; this one is the n-th, from 1. */
size_t dt_reviews_of_file(const struct dt_review_list *list,
                          const struct dt_review_info *review, size_t *out_n);

/* Whether any of its files is not what the change began with. */
bool dt_reviews_is_stale(const struct dt_review_info *review);

/* Whether a person's text is kept for any of its files. */
bool dt_reviews_is_edited(const struct dt_review_info *review);

/* The text a file of it would get; empty for one that goes. */
struct dt_str dt_reviews_text(const struct dt_review_file *file);

/* "change src/a.c", "create /etc/x (outside the workspace)", "run make check";
 * a very long command is cut. */
const char *dt_reviews_subject(struct dt_arena *arena,
                               const struct dt_review_info *review);

/* A sentence for each file whose diff is only a part of what changes. */
void dt_reviews_print_cut(struct dt_arena *arena,
                          const struct dt_review_info *review);

/* A warning for each file that makes other programs do things. */
void dt_reviews_print_settings(struct dt_arena *arena,
                               const struct dt_review_info *review);

/* What the agent says of a change of files: its title, unless that only names
 * one of them, and its reason.  NULL: nothing. */
const char *dt_reviews_words(struct dt_arena *arena,
                             const struct dt_review_info *review);

#endif
