/* dialect/claude_words.h - what a person's verdict says to Claude's model. */
#ifndef DT_DIALECT_CLAUDE_WORDS_H
#define DT_DIALECT_CLAUDE_WORDS_H

#include "base/buf.h"
#include "dialect/claude_hook.h"

/* Of a diff and of a comment at most so many bytes: the CLI puts longer words
 * away into a file, where the model may not look. */
#define DT_CLAUDE_WORDS_DIFF (4u * DT_KIB)
#define DT_CLAUDE_WORDS_COMMENT (4u * DT_KIB)

/*
 * What the model does not know of an accepted change: how the person's text
 * differs from the one it proposed, and the comment.  Nothing is appended when
 * there is nothing to say.
 */
void dt_claude_words_accepted(const char *path,
                              const struct dt_claude_accepted *accepted,
                              struct dt_buf *out);

/* A reason with the person's words after it. */
void dt_claude_words_reason(const char *reason, const char *comment,
                            struct dt_buf *out);

/*
 * One line of what goes with the next prompt: a verdict over the IDE link, which
 * has no room for a comment.
 */
void dt_claude_words_later(bool is_accepted, const char *path,
                           const char *comment, struct dt_buf *out);

/* The output of a UserPromptSubmit hook that has these words to add. */
void dt_claude_words_prompt(struct dt_str words, struct dt_buf *buf);

#endif
