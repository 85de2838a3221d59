/*
 * editor/document.h - the one place that owns texts.
 *
 * A document is a file that is open: in an editor, or because an agent or the
 * person opened it here.  Its text is the overlay when it has one (text that was
 * edited and not saved), else what is on disk now.  Texts are never cached.
 */
#ifndef DT_EDITOR_DOCUMENT_H
#define DT_EDITOR_DOCUMENT_H

#include "base/buf.h"
#include "base/err.h"
#include "base/list.h"
#include "base/sha256.h"
#include "base/str.h"
#include "editor/event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

struct dt_document {
	struct dt_list link;
	char *path; /* absolute, links resolved where they could be */
	const char *language;
	uint64_t version;      /* grows with every change we know of */
	struct dt_buf overlay; /* unsaved text */
	bool has_overlay;
	/* Of what was on disk when the unsaved text began; "": nothing was. */
	char saved[DT_SHA256_TEXT];
	bool is_overtaken; /* and somebody else has changed that, as we know */
	struct dt_document_stamp {
		ino_t inode;
		off_t size;
		struct timespec changed;
	} stamp; /* of the file when we last heard of it */
};

#define DT_DIGESTS_SEEN 8

struct dt_documents {
	char **roots; /* real paths */
	size_t root_count;
	struct dt_list list; /* in the order of opening */
	size_t count;
	size_t dirty_count;         /* with unsaved text */
	struct dt_document *active; /* or NULL */
	uint64_t version;           /* the last one given */
	const char *trash;          /* of the person; NULL: none */
	/* What large files were when they were read; the oldest goes first. */
	struct dt_digest_seen {
		struct stat file;
		char digest[DT_SHA256_TEXT];
	} seen[DT_DIGESTS_SEEN];
	size_t seen_next;
	/* Or NULL.  Told of changes that no operation asked for: by what was
	 * accepted in a review, or behind our back. */
	void (*on_change)(struct dt_documents *docs, const char *path,
	                  enum dt_document_change change, void *owner);
	void *owner;
	/* DT_E_DENIED and a sentence when what is in a file is kept from
	 * agents, by a real path; NULL: nothing is.  For the loop alone. */
	enum dt_err (*guard)(void *owner, const char *path,
	                     struct dt_fail *fail);
	void *guard_owner;
};

void dt_documents_init(struct dt_documents *docs, const char *const *roots,
                       size_t root_count);
void dt_documents_done(struct dt_documents *docs);

struct dt_document *dt_documents_find(struct dt_documents *docs,
                                      const char *path);
/* Open, or find what is open.  The file must be there, inside the roots and a
 * text of at most DT_LIMIT_FILE; DT_E_LIMIT when too many are open. */
enum dt_err dt_documents_open(struct dt_documents *docs, const char *path,
                              struct dt_document **out,
                              struct dt_fail *fail) DT_MUST_CHECK;
void dt_documents_close(struct dt_documents *docs, struct dt_document *doc);

/* Replace the unsaved text, or drop it (ptr NULL). */
void dt_document_set_overlay(struct dt_documents *docs, struct dt_document *doc,
                             struct dt_str text);

/*
 * What is on disk is new, or gone, under that real path.  Unsaved text was
 * written or is given up; one that is gone is closed.
 */
void dt_documents_wrote(struct dt_documents *docs, const char *path);
void dt_documents_removed(struct dt_documents *docs, const char *path);

/*
 * Somebody else changed or removed the file, or may have.  A document without
 * unsaved text follows, and one that is gone is closed; unsaved text is kept and
 * is overtaken now.
 */
void dt_documents_noticed(struct dt_documents *docs, struct dt_document *doc);
/* DT_E_STATE when that is open and saving its unsaved text would undo what
 * somebody else did to the file. */
enum dt_err dt_documents_check_saved(struct dt_documents *docs,
                                     const char *path,
                                     struct dt_fail *fail) DT_MUST_CHECK;

/* Whether a path lies inside the roots, and then which one and where in it. */
const char *dt_documents_root_of(const struct dt_documents *docs,
                                 const char *path, const char **out_relative);

enum dt_text_scope {
	DT_TEXT_INSIDE,   /* beneath the roots, whatever links there are */
	DT_TEXT_ANYWHERE, /* whatever the person may read */
	DT_TEXT_TOLD,     /* beneath the roots, and not kept from agents */
};
/* What is known of the file that was opened, not of the name it was asked by. */
struct dt_text_origin {
	bool is_outside;     /* it does not lie beneath the roots */
	bool is_led;         /* links led to it */
	struct dt_fail kept; /* DT_E_DENIED: it is kept from agents */
};
/*
 * The current text of a file, open or not.  *out_is_outside (may be NULL) says
 * that it does not lie beneath the roots.  DT_E_MISSING when there is none,
 * DT_E_DENIED when it is outside and the scope is not, or is kept from agents
 * and would be told; DT_E_LIMIT when it does not fit into the buffer.
 */
enum dt_err dt_documents_read(struct dt_documents *docs, const char *path,
                              enum dt_text_scope scope, struct dt_buf *out,
                              bool *out_is_outside,
                              struct dt_fail *fail) DT_MUST_CHECK;
/* The same, and what was opened. */
enum dt_err dt_documents_read_origin(struct dt_documents *docs,
                                     const char *path, enum dt_text_scope scope,
                                     struct dt_buf *out,
                                     struct dt_text_origin *origin,
                                     struct dt_fail *fail) DT_MUST_CHECK;
/* Whether what is in a file is kept from agents, by the guard's word. */
enum dt_err dt_documents_check(const struct dt_documents *docs,
                               const char *path,
                               struct dt_fail *fail) DT_MUST_CHECK;
/* The digest of that, wherever the file is.  One that is large is read only if
 * it is another by its inode, size or times. */
enum dt_err dt_documents_digest(struct dt_documents *docs, const char *path,
                                char out[DT_SHA256_TEXT],
                                struct dt_fail *fail) DT_MUST_CHECK;
/* The same of what is on disk, wherever it is. */
enum dt_err dt_documents_read_saved(struct dt_documents *docs, const char *path,
                                    struct dt_buf *out,
                                    struct dt_text_origin *origin,
                                    struct dt_fail *fail) DT_MUST_CHECK;
/* Whether it is open and has unsaved text. */
bool dt_documents_is_dirty(struct dt_documents *docs, const char *path);

#endif
