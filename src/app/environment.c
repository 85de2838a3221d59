/*
 * app/environment.c - the environment filtered for a workspace.
 *
 * An allow-list, because tokens have all sorts of names.  The words that are
 * never let through stand beside it for the patterns that end in a star.
 */
#include "app/environment.h"

#include "base/utf8.h"
#include "hub/env.h"
#include "loop/mark.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const allowed[] = {
	"PATH",
	"VIRTUAL_ENV",
	"CONDA_*",
	"PYENV_*",
	"NVM_*",
	"GOPATH",
	"GOROOT",
	"GOBIN",
	"CARGO_HOME",
	"RUSTUP_HOME",
	"JAVA_HOME",
	"NODE_PATH",
	"SSH_AUTH_SOCK",
	"DISPLAY",
	"WAYLAND_DISPLAY",
	"XAUTHORITY",
	"LANG",
	"LC_*",
	"TZ",
	"TERM",
	"SHELL",
	"EDITOR",
	"VISUAL",
	"no_proxy",
	"NO_PROXY",
};

static const char *const proxies[] = { "http_proxy", "https_proxy",
	                               "HTTP_PROXY", "HTTPS_PROXY" };

/* What agents and we tell them besides the marks of loop/mark.h.  Where a person
 * keeps an agent's settings (CLAUDE_CONFIG_DIR) is nothing of that kind. */
static const char *const told[] = {
	"CLAUDE_CODE_*",      "CLAUDE_EFFORT", "CLAUDE_PID",
	"CLAUDE_PROJECT_DIR", "DOVETAIL_HOOK", "ENABLE_IDE_INTEGRATION",
};

static const char *const secrets[] = { "TOKEN", "KEY", "SECRET", "PASSWORD" };

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool matches(struct dt_str name, const char *pattern)
{
	struct dt_str p = dt_str(pattern);

	if (p.ptr[p.len - 1] != '*')
		return dt_str_eq(name, p);
	p.len--;
	return dt_str_starts(name, p);
}

static bool is_among(struct dt_str name, const char *const *patterns,
                     size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (matches(name, patterns[i]))
			return true;
	}
	return false;
}

static bool has_word(struct dt_str name, struct dt_str word)
{
	for (; name.len >= word.len; name.ptr++, name.len--) {
		if (dt_str_eq_nocase((struct dt_str){ name.ptr, word.len },
		                     word))
			return true;
	}
	return false;
}

static bool is_secret(struct dt_str name)
{
	for (size_t i = 0; i < COUNT(secrets); i++) {
		if (has_word(name, dt_str(secrets[i])))
			return true;
	}
	return false;
}

static bool may_pass(const char *entry)
{
	struct dt_str value = dt_str(entry);
	struct dt_str name = dt_str_cut(&value, '=');

	/* JSON could not carry another encoding unchanged. */
	if (!value.ptr || !dt_utf8_is_valid(dt_str(entry)))
		return false;
	if (is_among(name, proxies, COUNT(proxies)))
		return !memchr(value.ptr, '@', value.len);
	return is_among(name, allowed, COUNT(allowed)) && !is_secret(name);
}

struct dt_names dt_environment_pick(struct dt_arena *arena, char *const *env)
{
	struct dt_names out = { 0 };
	size_t count = 0;

	while (env[count])
		count++;
	out.ptr = dt_arena_alloc(arena, count * sizeof(*out.ptr));
	for (size_t i = 0; i < count; i++) {
		if (may_pass(env[i]))
			out.ptr[out.count++] = env[i];
	}
	return out;
}

static bool has_host(const char *list, const char *host)
{
	struct dt_str rest = dt_str(list);

	while (rest.len > 0) {
		struct dt_str item = dt_str_trim(dt_str_cut(&rest, ','));

		if (dt_str_is(item, host) || dt_str_is(item, "*"))
			return true;
	}
	return false;
}

const char *dt_environment_no_proxy(struct dt_arena *arena, const char *value,
                                    const char *other)
{
	static const char *const hosts[] = { "127.0.0.1", "localhost" };
	const char *list = value && *value ? value : other ? other : "";

	for (size_t i = 0; i < COUNT(hosts); i++) {
		if (!has_host(list, hosts[i]))
			list = dt_arena_printf(arena, "%s%s%s", list,
			                       *list ? "," : "", hosts[i]);
	}
	return list;
}

void dt_environment_forget_agents(void)
{
	for (size_t i = 0; i < dt_mark_count; i++) {
		if (getenv(dt_marks[i].variable))
			setenv(DT_ENV_STARTED_BY, dt_marks[i].who, 0);
	}
	dt_mark_clear();
	for (size_t i = 0; environ && environ[i];) {
		struct dt_str value = dt_str(environ[i]);
		struct dt_str name = dt_str_cut(&value, '=');
		char *copy = dt_strndup(name.ptr, name.len);

		/* The rest moves up when one goes. */
		if (!is_among(name, told, COUNT(told)) || unsetenv(copy))
			i++;
		free(copy);
	}
}
