/*
 * base/path.c - names of files as text, and the questions that need the disk:
 * where links lead, and what a half-escaped URI means.
 *
 * Nothing here opens a file or decides who may; see base/file.c and
 * editor/document.c.
 */
#include "base/path.h"

#include "base/os.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Append the parts of `path` to the normal path of `len` bytes in `out`. */
static size_t add_parts(char *out, size_t len, const char *path)
{
	struct dt_str rest = dt_str(path);

	while (rest.len > 0) {
		struct dt_str part = dt_str_cut(&rest, '/');

		if (part.len == 0 || dt_str_is(part, "."))
			continue;
		if (dt_str_is(part, "..")) {
			while (len > 0 && out[--len] != '/')
				continue;
			continue;
		}
		out[len++] = '/';
		memcpy(out + len, part.ptr, part.len);
		len += part.len;
	}
	return len;
}

char *dt_path_join(struct dt_arena *arena, const char *dir, const char *path)
{
	bool alone = dt_path_is_absolute(path);
	size_t size = (alone ? 0 : strlen(dir)) + strlen(path) + 3;
	char *out = dt_arena_bytes(arena, size);
	size_t len = alone ? 0 : add_parts(out, 0, dir);

	len = add_parts(out, len, path);
	if (len == 0)
		out[len++] = '/';
	out[len] = '\0';
	dt_arena_shrink(arena, out, size, len + 1);
	return out;
}

bool dt_path_is_beneath(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	if (strncmp(path, dir, len) != 0)
		return false;
	return len == 1 || path[len] == '\0' || path[len] == '/';
}

const char *dt_path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash || !strcmp(path, "/"))
		return path;
	return slash + 1;
}

static const char *without_end_slashes(struct dt_arena *arena, const char *path)
{
	size_t len = strlen(path);

	while (len > 1 && path[len - 1] == '/')
		len--;
	return dt_arena_strndup(arena, path, len);
}

/* The folder a path names something in: its text without the last part. */
static const char *parent(struct dt_arena *arena, const char *path)
{
	const char *base = dt_path_base(path);

	return base == path ? "." : dt_arena_strndup(arena, path, base - path);
}

/* realpath() into the arena; NULL and errno when it fails. */
static const char *resolve(struct dt_arena *arena, const char *path)
{
	const char *copy;
	char *found;

	/* Asked of the kernel in one go; realpath() asks part by part. */
	if (dt_path_is_absolute(path) && dt_os_has_no_links(path))
		return dt_path_join(arena, "/", path);
	found = realpath(path, NULL);
	copy = dt_arena_strdup(arena, found);
	free(found);
	return copy;
}

/*
 * Where a new file at `path` would come to be.  A link that leads to nothing is
 * followed, for so does whoever creates the file.
 */
static const char *resolve_new(struct dt_arena *arena, const char *path)
{
	for (int i = 0; i < DT_PATH_LINKS_MAX; i++) {
		char target[PATH_MAX];
		const char *dir;
		ssize_t len;

		path = without_end_slashes(arena, path);
		dir = resolve(arena, parent(arena, path));
		if (!dir)
			return NULL;
		/* `dir` has no links, so joining as text is exact. */
		path = dt_path_join(arena, dir, dt_path_base(path));
		len = readlink(path, target, sizeof(target) - 1);
		if (len < 0)
			return path;
		target[len] = '\0';
		path = dt_path_is_absolute(target)
		               ? dt_arena_strdup(arena, target)
		               : dt_arena_printf(arena, "%s/%s", dir, target);
	}
	errno = ELOOP;
	return NULL;
}

enum dt_err dt_path_real(struct dt_arena *arena, const char *path,
                         const char **out, struct dt_fail *fail)
{
	const char *found = resolve(arena, path);

	if (!found && errno == ENOENT && path[0])
		found = resolve_new(arena, path);
	if (!found && (errno == ENOENT || errno == ENOTDIR))
		return dt_fail(fail, DT_E_MISSING,
		               "the folder of %s is not there", path);
	if (!found)
		return dt_fail_sys(fail, "cannot resolve %s", path);
	*out = found;
	return DT_E_OK;
}

/* As dt_path_follow(); `ends` where something is not there, as the system does. */
static const char *next_name(struct dt_arena *arena, const char *path,
                             bool ends)
{
	struct dt_str rest = dt_str(path);
	const char *done = "/"; /* links in it there are none */

	if (dt_os_has_no_links(path))
		return NULL;
	while (rest.len > 0) {
		struct dt_str part = dt_str_cut(&rest, '/');
		char target[PATH_MAX];
		const char *name;
		ssize_t len;

		if (part.len == 0)
			continue;
		name = dt_path_join(
			arena, done,
			dt_arena_strndup(arena, part.ptr, part.len));
		len = readlink(name, target, sizeof(target) - 1);
		if (len < 0 && ends && errno == ENOENT)
			return NULL;
		if (len < 0) {
			done = name;
			continue;
		}
		target[len] = '\0';
		return dt_arena_printf(
			arena, "%s%s%s/%.*s", target[0] == '/' ? "" : done,
			target[0] == '/' ? "" : "/", target, DT_STR_ARG(rest));
	}
	return NULL;
}

const char *dt_path_follow(struct dt_arena *arena, const char *path)
{
	return next_name(arena, path, false);
}

const char *dt_path_lead(struct dt_arena *arena, const char *dir,
                         const char *path)
{
	const char *next = dt_path_is_absolute(path)
	                           ? path
	                           : dt_arena_printf(arena, "%s/%s", dir, path);

	for (int i = 0; i <= DT_PATH_LINKS_MAX; i++) {
		path = next;
		next = next_name(arena, path, true);
		if (!next)
			return dt_path_join(arena, "/", path);
	}
	return NULL;
}

/* RFC 3986 3.3: what stands for itself in a path. */
static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || (c && strchr("-._~!$&'()*+,;=:@/", c));
}

char *dt_path_to_uri(struct dt_arena *arena, const char *path)
{
	struct dt_str scheme = DT_STR("file://");
	size_t size = scheme.len + 3 * strlen(path) + 1;
	char *uri = dt_arena_bytes(arena, size);
	char *at = uri + scheme.len;

	memcpy(uri, scheme.ptr, scheme.len);
	for (; *path; path++) {
		if (is_plain(*path)) {
			*at++ = *path;
			continue;
		}
		*at++ = '%';
		*at++ = "0123456789ABCDEF"[(unsigned char)*path >> 4];
		*at++ = "0123456789ABCDEF"[(unsigned char)*path & 15];
	}
	*at++ = '\0';
	dt_arena_shrink(arena, uri, size, (size_t)(at - uri));
	return uri;
}

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* Undo escapes; what is no escape is kept: the sender escaped nothing. */
static char *unescape(struct dt_arena *arena, const char *raw)
{
	char *path = dt_arena_bytes(arena, strlen(raw) + 1);
	char *at = path;

	while (*raw) {
		int high = *raw == '%' ? hex_value(raw[1]) : -1;
		int low = high >= 0 ? hex_value(raw[2]) : -1;

		if (low < 0) {
			*at++ = *raw++;
			continue;
		}
		*at++ = (char)(high << 4 | low);
		raw += 3;
	}
	*at = '\0';
	return path;
}

/* The path in a file URI (RFC 8089), still escaped; NULL when it is none. */
static const char *uri_path(const char *uri)
{
	struct dt_str rest = dt_str(uri);
	struct dt_str scheme = dt_str_cut(&rest, ':');

	if (!dt_str_eq_nocase(scheme, DT_STR("file")) || !rest.ptr)
		return NULL;
	if (dt_str_starts(rest, DT_STR("//localhost/")))
		return rest.ptr + strlen("//localhost");
	if (dt_str_starts(rest, DT_STR("///")))
		return rest.ptr + 2;
	if (dt_str_starts(rest, DT_STR("//")))
		return NULL;
	return dt_str_starts(rest, DT_STR("/")) ? rest.ptr : NULL;
}

enum dt_err dt_path_from_uri(struct dt_arena *arena, const char *uri,
                             const char **out, struct dt_fail *fail)
{
	const char *raw = uri_path(uri);
	struct stat st;

	if (dt_path_is_absolute(uri)) {
		*out = dt_arena_strdup(arena, uri);
		return DT_E_OK;
	}
	if (!raw)
		return dt_fail(fail, DT_E_ARGS,
		               "\"%s\" is neither a file URI nor an absolute "
		               "path",
		               uri);
	if (strstr(raw, "%00"))
		return dt_fail(fail, DT_E_ARGS, "\"%s\" has a NUL in its path",
		               uri);
	if (!strchr(raw, '%') || lstat(raw, &st) == 0)
		*out = dt_arena_strdup(arena, raw);
	else
		*out = unescape(arena, raw);
	return DT_E_OK;
}
