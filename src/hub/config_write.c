/*
 * hub/config_write.c - one key changed in dovetail.conf, all else kept.
 *
 * The file is the person's: comments, blanks, order and lines nobody
 * understands come out byte for byte as they went in.
 */
#include "hub/config.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/path.h"
#include "hub/config_line.h"

#include <sys/stat.h>

/* Where in a text the setting goes. */
struct spot {
	size_t at;      /* this many bytes stay before it */
	size_t replace; /* and these make room for it */
	unsigned count; /* lines of the key */
	bool has_section;
};

/* The line that counts is the last one of the key; else behind the last line
 * of its section; else the end. */
static struct spot find_spot(const struct dt_config_key *key,
                             struct dt_str text)
{
	struct spot spot = { .at = text.len };
	struct dt_config_line line = { 0 };
	const char *start = text.ptr;

	while (dt_config_next_line(&text, &line)) {
		size_t at = (size_t)(line.whole.ptr - start);

		if (line.kind == DT_CONFIG_LINE_BLANK ||
		    !dt_str_is(line.section, key->section))
			continue;
		spot.has_section = true;
		if (line.kind == DT_CONFIG_LINE_SETTING &&
		    dt_str_is(line.name, key->name)) {
			spot.at = at;
			spot.replace = line.whole.len;
			spot.count++;
		} else if (spot.replace == 0) {
			spot.at = at + line.whole.len;
		}
	}
	return spot;
}

static enum dt_err change(const struct dt_config_key *key, struct dt_str value,
                          struct dt_str text, struct dt_buf *out,
                          struct dt_fail *fail)
{
	struct spot spot = find_spot(key, text);
	size_t end = spot.at + spot.replace;

	if (dt_config_adds_up(key) && spot.count > 1)
		return dt_fail(fail, DT_E_STATE,
		               "%s.%s stands on %u lines, which all count: "
		               "change the file by hand",
		               key->section, key->name, spot.count);
	dt_buf_add(out, text.ptr, spot.at);
	if (spot.at > 0 && text.ptr[spot.at - 1] != '\n')
		dt_buf_add_char(out, '\n');
	if (!spot.has_section)
		dt_buf_addf(out, "%s[%s]\n", spot.at > 0 ? "\n" : "",
		            key->section);
	dt_buf_addf(out, "%s = %.*s\n", key->name, DT_STR_ARG(value));
	dt_buf_add(out, text.ptr + end, text.len - end);
	return dt_buf_check(out, "the configuration file", fail);
}

/* The mode a file has, or that of a new one. */
static mode_t mode_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? st.st_mode & 0777 : 0600;
}

static enum dt_err write_file(const char *path, struct dt_str text,
                              struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	const char *folder = dt_path_join(&arena, path, "..");
	enum dt_err err = dt_file_make_dirs(folder, fail);

	/* Where the file is a link, what it leads to is changed. */
	if (!err)
		err = dt_path_real(&arena, path, &path, fail);
	if (!err)
		err = dt_file_write(path, text, mode_of(path), fail);
	dt_arena_done(&arena);
	return err;
}

enum dt_err dt_config_write(const char *path, const char *key,
                            const char *value, struct dt_fail *fail)
{
	const struct dt_config_key *found = dt_config_find(key);
	struct dt_str trimmed = dt_str_trim(dt_str(value));
	struct dt_fail why = { 0 };
	struct dt_buf before;
	struct dt_buf after;
	enum dt_err err;

	if (!found)
		return dt_fail(fail, DT_E_MISSING, "there is no key %s", key);
	err = dt_config_check(found, trimmed, fail);
	if (err)
		return err;
	dt_buf_init(&before, DT_CONFIG_FILE_MAX);
	dt_buf_init(&after, DT_CONFIG_FILE_MAX);
	err = dt_file_read(path, &before, &why);
	if (err == DT_E_MISSING)
		err = DT_E_OK;
	else if (err)
		dt_fail(fail, err, "%s", why.msg);
	if (!err)
		err = change(found, trimmed,
		             before.len ? dt_buf_str(&before) : DT_STR(""),
		             &after, fail);
	if (!err)
		err = write_file(path, dt_buf_str(&after), fail);
	dt_buf_done(&before);
	dt_buf_done(&after);
	return err;
}
