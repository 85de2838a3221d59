/*
 * editor/proposal.h - what agents and the inbox tell each other about a change;
 * the arguments and results of the operations on reviews.
 */
#ifndef DT_EDITOR_PROPOSAL_H
#define DT_EDITOR_PROPOSAL_H

#include "base/str.h"
#include "data/field.h"
#include "editor/position.h"

#include <stdbool.h>
#include <stdint.h>

/* One file of a proposal. */
enum dt_change_kind {
	DT_CHANGE_CREATE,
	DT_CHANGE_EDIT,
	DT_CHANGE_DELETE,
	DT_CHANGE_RENAME,
};

struct dt_change {
	int kind; /* enum dt_change_kind; the review corrects it by what is there */
	const char *path;
	const char *new_path;   /* NULL: the same */
	struct dt_str text;     /* proposed; once decided: final */
	struct dt_items edits;  /* struct dt_text_edit: instead of the text */
	struct dt_items ranges; /* struct dt_range_edit: the same by place */
	const char *source;     /* or: the text is that of this other file */
	bool is_save;           /* or: what is edited and not saved */
	bool is_new;            /* and no file may be there */
	bool is_folder; /* a folder: made, or deleted with all that is in it */
	bool to_trash;  /* what is deleted goes there, where there is one */
	const char *base; /* SHA-256, in hex, of the text that was edited;
	                         * NULL: of now */
	/* In results alone. */
	struct dt_str old_text; /* what is replaced; absent: nothing */
	bool is_outside;        /* of the workspace's folders */
	bool is_settings;       /* steers git, an agent, an editor or a shell */
	bool is_withheld;       /* there is an old text, kept from agents */
	bool is_edited;         /* the text is the person's own */
	bool is_left_out;       /* of what was accepted: it stays as it is */
	const char *trashed;    /* where it went; NULL: it is gone */
};

/* A piece of the old text and what comes in its place. */
struct dt_text_edit {
	struct dt_str old_text;
	struct dt_str new_text;
	bool is_all; /* everywhere; else it must be there once */
	/* What the caller knows the old text by; NULL: oldText of edits[i]. */
	const char *alias;
};

/* A place in the old text and what comes there. */
struct dt_range_edit {
	struct dt_range range;
	struct dt_str text;
	bool is_loose; /* what is past an end means that end, as in LSP */
	bool is_lines; /* whole lines: the last one may lack its end */
};

struct dt_propose_args {
	const char *title;       /* the agent's name for it */
	const char *reason;      /* or NULL */
	struct dt_items changes; /* struct dt_change */
};
enum dt_outcome {
	DT_ACCEPTED,
	DT_REJECTED,
	DT_UNDECIDED /* to a look alone */
};
struct dt_propose_result {
	int outcome;             /* enum dt_outcome */
	const char *comment;     /* the person's, or NULL */
	struct dt_items changes; /* struct dt_change with the final texts */
	bool is_written;         /* by us */
	const char *problem;     /* accepted, but it could not be written */
};

/* A review that outlives the call that opened it. */
struct dt_submit_args {
	struct dt_propose_args proposal;
	bool writes; /* what is accepted is written by us */
	bool asks;   /* the agent is about to ask its person */
};
struct dt_submit_result {
	const char *id;
	bool is_waiting;         /* for a person: no rule has decided it */
	bool can_elicit;         /* the agent asks its person, and may */
	struct dt_items changes; /* struct dt_change with the proposed texts */
};
/* What is told while a person is waited for. */
#define DT_REVIEW_WAITS "It waits for the person: `dovetail review` shows it."

struct dt_await_args {
	const char *id;
	bool is_lasting; /* the review stays when nobody waits any more */
	bool is_look;    /* the answer comes at once, and who waits goes on */
};
struct dt_decide_args {
	const char *id;
	int outcome;         /* enum dt_outcome */
	const char *comment; /* or NULL */
};

struct dt_withdraw_args {
	const char *title; /* NULL: all of the caller's */
};
struct dt_withdraw_result {
	uint32_t count;
};

#endif
