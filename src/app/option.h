/* app/option.h - options of a command: one table parses and explains them. */
#ifndef DT_APP_OPTION_H
#define DT_APP_OPTION_H

#include "base/err.h"
#include "data/field.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The C type a member must have is fixed by its kind and checked below. */
#define DT_OPTION_CTYPE_FLAG bool
#define DT_OPTION_CTYPE_TEXT const char * /* NULL: not given */
#define DT_OPTION_CTYPE_NUMBER struct dt_maybe_u32

enum dt_option_type { DT_OPTION_FLAG, DT_OPTION_TEXT, DT_OPTION_NUMBER };

/* One option, written --name, or -letter where it has one.  An array ends with
 * DT_OPTION_END. */
struct dt_option {
	const char *name;
	char letter; /* of a flag; '\0': none */
	enum dt_option_type type;
	size_t offset;
	const char *value; /* what help calls its value; NULL for flags */
	const char *doc;   /* a few words */
};

/* clang-format off */
#define DT_OPTION(T, member, kind, text, ...)                                \
	{ .type = DT_OPTION_##kind, .doc = (text),                           \
	  .offset = DT_OFFSET(T, member, DT_OPTION_CTYPE_##kind),            \
	  __VA_ARGS__ }
#define DT_OPTION_END { .name = NULL }
/* clang-format on */

/*
 * Take the options out of `argv`, wherever they stand: "--name VALUE" or
 * "--name=VALUE".  What is left is moved to its front, a NULL behind it.  After
 * "--" nothing is an option.  `options` may be NULL: none.  --help and -h belong
 * to every command.
 */
enum dt_err dt_options_read(const struct dt_option *options, char **argv,
                            void *out, bool *out_help,
                            struct dt_fail *fail) DT_MUST_CHECK;

/* "  --port N     listen here", line by line. */
void dt_options_print_help(const struct dt_option *options, FILE *to);

#endif
