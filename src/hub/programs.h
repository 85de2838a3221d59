/*
 * hub/programs.h - what the programs of run.allow do, by subcommand and option.
 *
 * A table to be read: hub/arguments.c holds commands against it.  What is not in
 * it is asked about.
 */
#ifndef DT_HUB_PROGRAMS_H
#define DT_HUB_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>

/* What has to be looked at before a command runs without asking. */
enum dt_need {
	DT_NEED_SEEN = 1 << 0,     /* files that define what it runs */
	DT_NEED_ALL_SEEN = 1 << 1, /* those of every program: it commits them */
	DT_NEED_CHANGED = 1 << 2,  /* it prints changes since the commit ... */
	DT_NEED_INDEX = 1 << 3,    /* ... or any file that git knows ... */
	DT_NEED_HISTORY = 1 << 4,  /* ... and those it knew */
	DT_NEED_TREE = 1 << 5,     /* it prints whatever lies in the folder */
};

/* What the words of a command may be that are not options. */
enum dt_words {
	DT_WORDS_ANY,
	DT_WORDS_NONE,
	DT_WORDS_ONE,    /* at most one */
	DT_WORDS_REMOTE, /* the name of a remote, then branches or tags */
	DT_WORDS_NEW,   /* the name of a branch that -b, -c or --create makes */
	DT_WORDS_MAKES, /* without one nothing is made, and no hook runs */
	DT_WORDS_DIFF,  /* a commit before "--" makes it DT_NEED_HISTORY */
	DT_WORDS_FILES, /* neither NAME=VALUE nor @FILE */
};

/*
 * One subcommand.  Lists have blanks between their words.  An option is fine as
 * it is written in the list, never shortened; one that ends with '=' also with
 * a value.
 */
struct dt_row {
	const char *name; /* one word or two; "": without a subcommand */
	const char
		*why;   /* a person is always asked, for this reason; or NULL */
	unsigned needs; /* enum dt_need */
	enum dt_words words;
	const char *fine;    /* options */
	const char *letters; /* short options, which may stand together ... */
	const char *valued;  /* ... and those whose value follows at once */
	/* Of options that are fine, those that make it print what is in files. */
	const char *prints;
	/* With one of these, and none of those, it prints names alone. */
	const char *quiet;
};

struct dt_program {
	const char *name;
	const struct dt_row *rows;
	size_t row_count;
	/* Options that may stand before the subcommand, and of these those that
	 * take the next word. */
	const char *globals;
	const char *with_value;
	bool has_free_rest; /* what follows "--" is for what it runs */
	bool has_commands;  /* the first word is one */
};

extern const struct dt_program dt_program_git;

/* NULL: it is not in the table. */
const struct dt_program *dt_program_find(const char *name);

/* The row of a subcommand, by its first words; NULL: it is not in the table. */
const struct dt_row *dt_program_row(const struct dt_program *program,
                                    const char *first, const char *second);

#endif
