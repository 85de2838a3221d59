/* editor/code_file.h - what is asked and told about the lines of a file, and about
 * language servers; see code.h. */
#ifndef DT_EDITOR_CODE_FILE_H
#define DT_EDITOR_CODE_FILE_H

#include "editor/code.h"

/* arguments */

/* Lines of a file; `last` is told too. */
struct dt_lines_args {
	const char *path;
	struct dt_maybe_u32 first;
	struct dt_maybe_u32 last;
	struct dt_maybe_u32 limit;
};

struct dt_restart_servers_args {
	const char *name; /* NULL: all */
};

/* results */

struct dt_inlay_hint {
	struct dt_position at;
	struct dt_str label;
	const char *kind; /* "type", "parameter" or NULL */
};
struct dt_inlay_hints_result {
	struct dt_items items; /* struct dt_inlay_hint */
	uint32_t total;
	struct dt_code_source source;
};

struct dt_token {
	struct dt_position at;
	uint32_t length;
	struct dt_str text;
	const char *type;
	struct dt_names modifiers;
};
struct dt_tokens_result {
	struct dt_items items;     /* struct dt_token */
	uint32_t total;            /* in these lines */
	struct dt_names types;     /* the server's words */
	struct dt_names modifiers; /* the same */
	struct dt_code_source source;
};

struct dt_folding {
	uint32_t first;
	uint32_t last;
	const char *kind; /* "comment", "imports", "region" or NULL */
};
struct dt_foldings_result {
	struct dt_items items; /* struct dt_folding */
	uint32_t total;
	struct dt_code_source source;
};

struct dt_document_link {
	struct dt_range range;
	const char *target; /* URI, or the path of a file */
	const char *tooltip;
};
struct dt_document_links_result {
	struct dt_items items; /* struct dt_document_link */
	struct dt_code_source source;
};

struct dt_code_lens {
	struct dt_range range;
	const char *title;
	const char *command; /* or NULL */
};
struct dt_code_lenses_result {
	struct dt_items items; /* struct dt_code_lens */
	uint32_t total;
	struct dt_code_source source;
};

/* The language servers of the workspace. */
struct dt_server_info {
	const char *name;
	const char *state;
	const char *root;
	int64_t pid;    /* 0: it does not run */
	int64_t memory; /* bytes; 0: not known */
	int64_t since_ms;
	int64_t requests;
	const char *error;    /* the last one */
	const char *progress; /* what it is at */
	bool is_tested;
};
/* A language that is there: what is for it. */
struct dt_language_info {
	const char *language;
	uint32_t files;
	const char *server;      /* found on this machine; NULL: none */
	const char *program;     /* its file */
	bool is_tested;          /* Dovetail was, with it */
	struct dt_names install; /* else what to type, the best first */
};
struct dt_servers_result {
	struct dt_items servers; /* struct dt_server_info */
	struct dt_items
		languages; /* struct dt_language_info, most files first */
};
struct dt_restart_servers_result {
	uint32_t count;
};

extern const struct dt_field dt_lines_args_fields[];
extern const struct dt_field dt_restart_servers_args_fields[];
extern const struct dt_field dt_inlay_hints_result_fields[];
extern const struct dt_field dt_tokens_result_fields[];
extern const struct dt_field dt_foldings_result_fields[];
extern const struct dt_field dt_document_links_result_fields[];
extern const struct dt_field dt_code_lenses_result_fields[];
extern const struct dt_field dt_servers_result_fields[];
extern const struct dt_field dt_restart_servers_result_fields[];

#endif
