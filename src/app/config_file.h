/* app/config_file.h - another program's configuration, changed with consent. */
#ifndef DT_APP_CONFIG_FILE_H
#define DT_APP_CONFIG_FILE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>
#include <sys/types.h>

/* Zeroed at first; its arena is the caller's to end.  ptr NULL in a text: there
 * is none. */
struct dt_config_file {
	struct dt_arena arena;
	const char *path; /* links resolved, so that they stay */
	const char *backup;
	mode_t mode;
	struct dt_str text;
	struct dt_str kept; /* in the backup */
};

/* Read the file and its backup, as far as they are there. */
enum dt_err dt_config_file_open(struct dt_config_file *file, const char *path,
                                struct dt_fail *fail) DT_MUST_CHECK;

/* Show the change and ask, unless it is agreed to.  DT_E_CANCELLED: the person
 * says no; DT_E_STATE: nobody is there. */
enum dt_err dt_config_file_agree(struct dt_config_file *file,
                                 struct dt_str new_text, bool is_agreed,
                                 struct dt_fail *fail) DT_MUST_CHECK;

/* Write another text and keep the old one as the backup.  DT_E_STATE: somebody
 * has changed the file since it was opened; here and below. */
enum dt_err dt_config_file_change(struct dt_config_file *file,
                                  struct dt_str text,
                                  struct dt_fail *fail) DT_MUST_CHECK;
/* Write the text of before, or none, and drop the backup. */
enum dt_err dt_config_file_revert(struct dt_config_file *file,
                                  struct dt_str text,
                                  struct dt_fail *fail) DT_MUST_CHECK;

#endif
