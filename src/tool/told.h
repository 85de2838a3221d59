/* tool/told.h - what an agent is told of a change of files. */
#ifndef DT_TOOL_TOLD_H
#define DT_TOOL_TOLD_H

#include "base/arena.h"
#include "base/buf.h"
#include "data/field.h"
#include "editor/proposal.h"

#include <stdbool.h>
#include <stddef.h>

enum dt_told_verdict {
	DT_TOLD_ACCEPTED,
	DT_TOLD_REJECTED,
	DT_TOLD_WAITING,
	DT_TOLD_UNASKED, /* it was not proposed */
};

struct dt_told_change {
	int kind; /* enum dt_change_kind */
	const char *path;
	const char *new_path;
	const char *trashed;
	bool is_edited;
	bool is_left_out;
	uint32_t added; /* lines */
	uint32_t removed;
	struct dt_str text;
	struct dt_str diff; /* its part of the diff of all */
};

struct dt_told {
	int verdict; /* enum dt_told_verdict */
	const char *id;
	bool is_written;
	bool is_unsaved; /* it is in the editor */
	const char *problem;
	const char *comment;
	const char *note;
	struct dt_items changes; /* struct dt_told_change */
	struct dt_str diff;
};
extern const struct dt_field dt_told_fields[];
#define DT_TOLD_SHAPE DT_SHAPE(struct dt_told, dt_told_fields)

/* Who tells. */
struct dt_teller {
	struct dt_arena *arena;
	struct dt_names folders; /* of the workspace */
	size_t work;             /* left to find what differs; see linediff.h */
	bool has_texts;          /* also the texts that no person has edited */
};

/* The folders, from what dt_op_get_folders gave, for later. */
struct dt_names dt_teller_folders(struct dt_arena *arena,
                                  const struct dt_names *folders);

/* A path as it stands in a diff. */
const char *dt_teller_name(const struct dt_teller *teller, const char *path);

/* The diff of one file; of a text that is kept from agents there is none.  False
 * when there is none because others would wait too long for it. */
bool dt_teller_diff(struct dt_teller *teller, const struct dt_change *change,
                    struct dt_buf *out);

/* Names and kinds alone; and with diffs, up to DT_LIMIT_REPLY_TEXTS. */
void dt_teller_list(const struct dt_teller *teller,
                    const struct dt_items *changes, struct dt_told *out);
void dt_teller_show(struct dt_teller *teller, const struct dt_items *changes,
                    struct dt_told *out);

#endif
