/* dialect/claude_lock.h - the lock files by which Claude Code finds an IDE. */
#ifndef DT_DIALECT_CLAUDE_LOCK_H
#define DT_DIALECT_CLAUDE_LOCK_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "dialect/dialect.h"

/* What a lock file says; docs/protocol/claude-code.md has the rules. */
struct dt_claude_lock {
	int64_t pid;
	struct dt_names folders;
	const char *ide_name;
	const char *transport;
	bool is_in_windows;
	const char *token;
	const char *workspace; /* seed 000's */
	bool is_bridge;        /* seed 000's */
	const char *maker;     /* "dovetail": ours, so ours to clean */
};

enum dt_err dt_claude_lock_read(struct dt_arena *arena, struct dt_str text,
                                struct dt_claude_lock *out,
                                struct dt_fail *fail) DT_MUST_CHECK;
void dt_claude_lock_write(const struct dt_place *place, struct dt_buf *out);
/* ~/.claude/ide/PORT.lock, and nowhere else: the CLI reads that folder even when
 * CLAUDE_CONFIG_DIR is set, and the same port in both makes it connect to none. */
char *dt_claude_lock_path(struct dt_arena *arena, const struct dt_place *place);

enum dt_err dt_claude_announce(const struct dt_place *place,
                               struct dt_fail *fail) DT_MUST_CHECK;
enum dt_presence dt_claude_presence(const struct dt_place *place);
void dt_claude_withdraw(const struct dt_place *place);
void dt_claude_clean(const struct dt_place *place);

#endif
