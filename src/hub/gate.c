/*
 * hub/gate.c - patterns held against every name a file goes by.
 *
 * A link is a name, and each name on the way to a file is judged, so that none
 * is a way around a pattern.  What cannot be judged does not leave.  Where the
 * contents come from, and how they would leave, is for those who ask.
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

/* One name of a file, in lower case; relative NULL: it is in no root. */
struct name {
	const char *absolute;
	const char *relative;
	const char *base;
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

static const char *find(const char *const *globs, const struct name *name)
{
	while (*globs && !fits(*globs, name))
		globs++;
	return *globs;
}

static const struct dt_config_glob *find_own(struct dt_arena *arena,
                                             const struct dt_workspace *ws,
                                             const char *key,
                                             const struct name *name,
                                             bool is_repository)
{
	const struct dt_config_globs *globs = dt_config_globs(ws->config, key);

	for (size_t i = 0; i < globs->count; i++) {
		if (globs->list[i].is_repository == is_repository &&
		    fits(lower(arena, globs->list[i].text), name))
			return &globs->list[i];
	}
	return NULL;
}

/* A name against all patterns; `out_where` says in which file one stands. */
static const char *judge(struct dt_arena *arena, const struct dt_workspace *ws,
                         const struct name *name, const char **out_where)
{
	const struct dt_config_glob *own =
		find_own(arena, ws, "context.deny", name, true);
	const char *glob = NULL;

	*out_where = "built in";
	if (!own && find_own(arena, ws, "context.allow", name, false))
		return NULL;
	if (!own)
		own = find_own(arena, ws, "context.deny", name, false);
	if (own) {
		*out_where = dt_arena_printf(
			arena, "%s:%u", dt_path_base(own->file), own->line);
		return own->text;
	}
	glob = find(dt_gate_denied, name);
	return glob && !find(dt_gate_harmless, name) ? glob : NULL;
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
