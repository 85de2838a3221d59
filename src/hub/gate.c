/*
 * hub/gate.c - patterns held against every name a file goes by.
 *
 * A link is a name, and each name on the way to a file is judged, so that none
 * is a way around a pattern.  A folder whose contents a pattern denies is denied
 * by its own name: who moves the folder has moved what is in it.  What cannot be
 * judged does not leave.  Where the contents come from, and how they would
 * leave, is for those who ask.
 */
#include "hub/gate.h"

#include "base/glob.h"
#include "base/path.h"
#include "hub/audit.h"
#include "hub/mute.h"

/*
 * What is a secret wherever it lies, in lower case.  Sources that only deal with
 * secrets, as credentials.py, are none.
 */
const char *const dt_gate_denied[] = {
	".env*",
	"*.env",
	"*.pem",
	"*.key",
	"*.p8",
	"*.p12",
	"*.pfx",
	"*.ppk",
	"*.jks",
	"*.keystore",
	"*.kdbx",
	"id_{rsa,dsa,ecdsa,ed25519}*",
	".netrc",
	"_netrc",
	".npmrc",
	".pypirc",
	".pgpass",
	".my.cnf",
	".htpasswd",
	".git-credentials",
	".vault-token",
	".dockercfg",
	".s3cfg",
	".boto",
	"{.,}credentials",
	"{.,}credentials.{json,yml,yaml,toml,ini,xml,csv,db,enc}",
	"secrets.{json,yml,yaml,toml,ini,xml,properties,enc}",
	"service{-,_}account*.json",
	"*.{tfstate,tfvars}",
	"*.tfstate.backup",
	"kubeconfig",
	"**/{.ssh,.gnupg,.aws,.azure,.config/gcloud}/**",
	"**/{.kube/config,.docker/config.json}",
	NULL,
};

const char *const dt_gate_harmless[] = {
	"{.,*.}env.{,*.}{example,sample,template,dist,schema}",
	"id_*.pub",
	"*.example.tfvars",
	NULL,
};

/* names */

/* Stands for whatever may be in a folder: no file is called so. */
#define ANYTHING "/\1"

/* One name of a file, in lower case; relative NULL: it is in no root. */
struct name {
	const char *absolute;
	const char *relative;
	const char *base; /* "": it is not asked about */
};

static char *lower(struct dt_arena *arena, const char *z)
{
	char *copy = dt_arena_strdup(arena, z);

	for (char *c = copy; c && *c; c++) {
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c - 'A' + 'a');
	}
	return copy;
}

static struct name name_of(struct dt_arena *arena,
                           const struct dt_workspace *ws, const char *path)
{
	const char *relative = NULL;

	/* It leaves `relative` alone when there is no such root. */
	(void)dt_documents_root_of(&ws->docs, path, &relative);
	return (struct name){
		.absolute = lower(arena, path),
		.relative = lower(arena, relative),
		.base = lower(arena, dt_path_base(path)),
	};
}

/* The same name with something added, for what may be below it. */
static struct name below(struct dt_arena *arena, const struct name *name,
                         const char *what)
{
	struct name all = { .base = "" };

	all.absolute = dt_arena_printf(arena, "%s%s", name->absolute, what);
	if (name->relative)
		all.relative = *name->relative
		                       ? dt_arena_printf(arena, "%s%s",
		                                         name->relative, what)
		                       : dt_arena_strdup(arena, what + 1);
	return all;
}

/* patterns */

/* A pattern in lower case. */
static bool fits(const char *glob, const struct name *name)
{
	struct dt_str pattern = dt_str(glob);

	/* As in .gitignore: without a slash it is about the file's own name. */
	if (!strchr(glob, '/'))
		return dt_glob_matches(pattern, dt_str(name->base));
	if (dt_glob_matches(pattern, dt_str(name->absolute)))
		return true;
	/* What fits behind any folders would fit the absolute name, too. */
	return name->relative && !dt_str_starts(pattern, DT_STR("**/")) &&
	       dt_glob_matches(pattern, dt_str(name->relative));
}

/*
 * A pattern of a person's own that fits a folder means all that is in it, as in
 * .gitignore.  The folders are those of the workspace: a project in /tmp is not
 * denied by "tmp".
 */
static bool fits_above(struct dt_arena *arena, const char *glob,
                       const struct name *name)
{
	const char *at = name->relative;
	size_t root_len;

	if (!at)
		return false;
	root_len = strlen(name->absolute) - strlen(at);
	while ((at = strchr(at, '/'))) {
		size_t len = (size_t)(at++ - name->relative);
		struct name folder = {
			.absolute = dt_arena_strndup(arena, name->absolute,
			                             root_len + len),
			.relative =
				dt_arena_strndup(arena, name->relative, len),
		};

		folder.base = dt_path_base(folder.relative);
		if (fits(glob, &folder))
			return true;
	}
	return false;
}

static const char *find(const char *const *globs, const struct name *name)
{
	while (*globs && !fits(*globs, name))
		globs++;
	return *globs;
}

static const struct dt_config_glob *find_denied(struct dt_arena *arena,
                                                const struct dt_workspace *ws,
                                                const struct name *name,
                                                bool is_repository)
{
	const struct dt_config_globs *globs =
		dt_config_globs(ws->config, "context.deny");

	for (size_t i = 0; i < globs->count; i++) {
		const char *glob = lower(arena, globs->list[i].text);

		if (globs->list[i].is_repository == is_repository &&
		    (fits(glob, name) || fits_above(arena, glob, name)))
			return &globs->list[i];
	}
	return NULL;
}

static bool is_allowed(struct dt_arena *arena, const struct dt_workspace *ws,
                       const struct name *name)
{
	const struct dt_config_globs *globs =
		dt_config_globs(ws->config, "context.allow");

	for (size_t i = 0; i < globs->count; i++) {
		if (!globs->list[i].is_repository &&
		    fits(lower(arena, globs->list[i].text), name))
			return true;
	}
	return false;
}

static const char *place_of(struct dt_arena *arena,
                            const struct dt_config_glob *own)
{
	return dt_arena_printf(arena, "%s:%u", dt_path_base(own->file),
	                       own->line);
}

/* A name against all patterns; `out_where` says in which file one stands. */
static const char *judge_name(struct dt_arena *arena,
                              const struct dt_workspace *ws,
                              const struct name *name, const char **out_where)
{
	const struct dt_config_glob *own = find_denied(arena, ws, name, true);
	const char *glob = NULL;

	*out_where = "built in";
	if (!own && is_allowed(arena, ws, name))
		return NULL;
	if (!own)
		own = find_denied(arena, ws, name, false);
	if (own) {
		*out_where = place_of(arena, own);
		return own->text;
	}
	glob = find(dt_gate_denied, name);
	return glob && !find(dt_gate_harmless, name) ? glob : NULL;
}

/* What is in a folder, whatever it is called and however deep; NULL: it may
 * leave. */
static const char *judge_inside(struct dt_arena *arena,
                                const struct dt_workspace *ws,
                                const struct name *folder,
                                const char **out_where)
{
	struct name inside = below(arena, folder, ANYTHING);
	struct name deep = below(arena, &inside, ANYTHING);
	const char *glob = judge_name(arena, ws, &inside, out_where);

	return glob ? glob : judge_name(arena, ws, &deep, out_where);
}

/* By the name itself, and by what may be below it. */
static const char *judge(struct dt_arena *arena, const struct dt_workspace *ws,
                         const struct name *name, const char **out_where)
{
	const char *glob = judge_name(arena, ws, name, out_where);
	const struct dt_config_glob *own;
	struct name inside;

	if (glob)
		return glob;
	/* An exception for the name is overruled by the repository alone. */
	if (is_allowed(arena, ws, name) || find(dt_gate_harmless, name)) {
		inside = below(arena, name, ANYTHING);
		own = find_denied(arena, ws, &inside, true);
		if (own)
			*out_where = place_of(arena, own);
		return own ? own->text : NULL;
	}
	return judge_inside(arena, ws, name, out_where);
}

bool dt_gate_is_built_in(const char *path)
{
	struct dt_arena arena = { 0 };
	struct name name = {
		.absolute = lower(&arena, path),
		.base = lower(&arena, dt_path_base(path)),
	};
	bool is_denied =
		find(dt_gate_denied, &name) && !find(dt_gate_harmless, &name);

	dt_arena_done(&arena);
	return is_denied;
}

/* the questions */

/* The path as a person would say it. */
static const char *spoken(const struct dt_workspace *ws, const char *path)
{
	const char *relative = path;

	(void)dt_documents_root_of(&ws->docs, path, &relative);
	return relative;
}

static enum dt_err check_names(struct dt_arena *arena,
                               const struct dt_workspace *ws, const char *path,
                               struct dt_fail *fail)
{
	const char *first = dt_path_join(arena, "/", path);

	for (int i = 0; path && i <= DT_PATH_LINKS_MAX; i++) {
		const char *normal = dt_path_join(arena, "/", path);
		struct name name = name_of(arena, ws, normal);
		const char *where;
		const char *glob = judge(arena, ws, &name, &where);

		if (glob && !strcmp(normal, first))
			return dt_fail(fail, DT_E_DENIED,
			               "%s is kept from agents: %s is denied "
			               "(%s)",
			               spoken(ws, first), glob, where);
		if (glob)
			return dt_fail(fail, DT_E_DENIED,
			               "%s is kept from agents: it leads to "
			               "%s, and %s is denied (%s)",
			               spoken(ws, first), spoken(ws, normal),
			               glob, where);
		path = dt_path_follow(arena, path);
	}
	if (path)
		return dt_fail(fail, DT_E_DENIED,
		               "%s is kept from agents: its links lead "
		               "nowhere",
		               spoken(ws, first));
	return DT_E_OK;
}

enum dt_err dt_gate_check_path(const struct dt_workspace *ws, const char *path,
                               struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	enum dt_err err;

	if (dt_config_is_context_broken(ws->config))
		return dt_fail(fail, DT_E_DENIED,
		               "everything is kept from agents while [context] "
		               "in dovetail.conf cannot be read: `dovetail "
		               "status` says what is wrong");
	err = check_names(&arena, ws, path, fail);
	dt_arena_done(&arena);
	return err;
}

enum dt_err dt_gate_check_folder(const struct dt_workspace *ws,
                                 const char *path, struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	struct name name = name_of(&arena, ws, dt_path_join(&arena, "/", path));
	const char *where;
	const char *glob = judge_inside(&arena, ws, &name, &where);
	enum dt_err err = DT_E_OK;

	if (glob)
		err = dt_fail(fail, DT_E_DENIED,
		              "%s is kept from agents: %s is denied (%s)",
		              spoken(ws, path), glob, where);
	dt_arena_done(&arena);
	return err;
}

enum dt_err dt_gate_check(const struct dt_workspace *ws,
                          const struct dt_session *s, enum dt_audit_kind kind,
                          const char *path, struct dt_fail *fail)
{
	struct dt_fail why = { 0 };
	enum dt_err err = dt_gate_check_path(ws, path, &why);
	struct dt_audit_item item = {
		.ws = ws,
		.kind = kind,
		.path = path,
		.denied = why.msg,
	};

	if (!err)
		return DT_E_OK;
	dt_audit_add(s, &item);
	return dt_fail(fail, err, "%s", why.msg);
}

void dt_gate_left(const struct dt_workspace *ws, const struct dt_session *s,
                  enum dt_audit_kind kind, const char *path, uint64_t bytes,
                  uint64_t lines)
{
	struct dt_audit_item item = {
		.ws = ws,
		.kind = kind,
		.path = path,
		.bytes = (int64_t)bytes,
		.lines = (int64_t)lines,
	};

	dt_audit_add(s, &item);
}

bool dt_gate_is_muted(const struct dt_session *s)
{
	const struct dt_config_globs *globs =
		dt_config_globs(s->ws->config, "context.mute");

	for (size_t i = 0; i < globs->count; i++) {
		if (dt_session_is_named(s, globs->list[i].text))
			return true;
	}
	return dt_mute_has(s);
}
