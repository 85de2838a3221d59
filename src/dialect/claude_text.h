/*
 * dialect/claude_text.h - a file as Claude Code's Edit sees it.
 *
 * The CLI takes the byte order mark off, reads CRLF as LF, and puts both back
 * when it writes; docs/protocol/claude-hook.md.
 */
#ifndef DT_DIALECT_CLAUDE_TEXT_H
#define DT_DIALECT_CLAUDE_TEXT_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>

/* How a file is written; zeroed for one that is not there. */
struct dt_claude_form {
	bool has_mark; /* U+FEFF stands first */
	bool is_crlf;  /* every line ends so afterwards */
};

/* The form of a file's bytes.  DT_E_UNSUPPORTED: not UTF-8, or with NULs. */
enum dt_err dt_claude_form_of(struct dt_str bytes, struct dt_claude_form *out,
                              struct dt_fail *fail) DT_MUST_CHECK;

/* The text the CLI searches in, and the bytes it makes of a text. */
struct dt_str dt_claude_text_read(struct dt_arena *arena, struct dt_str bytes);
struct dt_str dt_claude_text_write(struct dt_arena *arena,
                                   const struct dt_claude_form *form,
                                   struct dt_str text);

/*
 * The text that dt_claude_text_write() makes these bytes of; DT_E_UNSUPPORTED
 * with a sentence when there is none.
 */
enum dt_err dt_claude_text_invert(struct dt_arena *arena,
                                  const struct dt_claude_form *form,
                                  struct dt_str bytes, struct dt_str *out,
                                  struct dt_fail *fail) DT_MUST_CHECK;

#endif
