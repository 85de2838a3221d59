/*
 * review/rules.c - the table of rules asked about a file.
 *
 * A rule keeps its text and is taken apart again when it is asked, which is
 * nothing beside the change it is asked about; what is in the table has been
 * read once, so it can be read again.  Nothing here looks at the disk.
 */
#include "review/rules.h"

#include "base/glob.h"
#include "base/path.h"

#include <stdlib.h>

/* the table */

void dt_rules_done(struct dt_rules *rules)
{
	for (size_t i = 0; i < rules->count; i++) {
		free((char *)(uintptr_t)rules->list[i].text);
		free((char *)(uintptr_t)rules->list[i].file);
	}
	free(rules->list);
	*rules = (struct dt_rules){ 0 };
}

static enum dt_err check(const char *z, struct dt_fail *fail)
{
	struct dt_str text = dt_str(z);
	struct dt_condition condition;
	bool is_other = true;
	enum dt_err err = dt_condition_next(&text, &condition, &is_other, fail);

	if (err == DT_E_MISSING)
		return dt_fail(fail, DT_E_ARGS,
		               "the rule is empty; * stands for every file");
	if (!err && is_other)
		return dt_fail(fail, DT_E_ARGS,
		               "nothing stands before a \"|\"");
	while (!err)
		err = dt_condition_next(&text, &condition, &is_other, fail);
	return err == DT_E_MISSING ? DT_E_OK : err;
}

enum dt_err dt_rules_add(struct dt_rules *rules, const struct dt_rule *rule,
                         struct dt_fail *fail)
{
	struct dt_rule *copy;
	enum dt_err err = check(rule->text, fail);

	if (err)
		return err;
	if (rule->is_repository && rule->action < DT_RULE_ASK)
		return dt_fail(fail, DT_E_DENIED,
		               "a repository cannot %s changes, only ask and "
		               "deny",
		               dt_rule_actions[rule->action]);
	rules->list = dt_realloc(rules->list,
	                         (rules->count + 1) * sizeof(*rules->list));
	copy = &rules->list[rules->count++];
	*copy = *rule;
	copy->text = dt_strdup(rule->text);
	copy->file = dt_strdup(rule->file);
	return DT_E_OK;
}

void dt_rule_print(const struct dt_rule *rule, struct dt_buf *out)
{
	dt_buf_addf(out, "%s:%u: %s = %s", rule->file, rule->line,
	            dt_rule_actions[rule->action], rule->text);
}

/* what a path tells */

static const struct {
	enum dt_rule_kind kind;
	const char *glob;
} path_kinds[] = {
	{ DT_RULE_TEST, "**/{test,tests,__tests__,spec,specs,e2e}/**" },
	{ DT_RULE_TEST, "**/{testdata,fixtures,__snapshots__}/**" },
	{ DT_RULE_TEST, "**/{test_,test-}*.*" },
	{ DT_RULE_TEST, "**/*{_test,-test,.test,_spec,-spec,.spec}.*" },
	{ DT_RULE_TEST, "**/*{Test,Tests,Spec}.*" },
	{ DT_RULE_TEST, "**/conftest.py" },
	{ DT_RULE_GENERATED, "**/{generated,__generated__,dist}/**" },
	{ DT_RULE_GENERATED, "**/node_modules/**" },
	{ DT_RULE_GENERATED, "**/{package-lock.json,npm-shrinkwrap.json}" },
	{ DT_RULE_GENERATED, "**/{pnpm-lock.yaml,go.sum}" },
	{ DT_RULE_GENERATED, "**/{yarn,bun,Cargo,poetry,uv,Pipfile}.lock" },
	{ DT_RULE_GENERATED, "**/{Gemfile,composer,flake}.lock" },
	{ DT_RULE_GENERATED, "**/*.{min,generated}.*" },
	{ DT_RULE_GENERATED, "**/*{.pb.{go,h,cc},_pb2.py,_pb2_grpc.py}" },
	{ DT_RULE_SETTINGS, "**/{.git,.claude,.vscode,.idea}/**" },
	{ DT_RULE_SETTINGS, "**/{.cursor,.gemini,.codex,.opencode}/**" },
	{ DT_RULE_SETTINGS, "**/{.husky,.devcontainer,.zed}/**" },
	{ DT_RULE_SETTINGS, "**/{.git,.gitconfig,.gitmodules}" },
	{ DT_RULE_SETTINGS, "**/.pre-commit-config.yaml" },
	{ DT_RULE_SETTINGS, "**/{.mcp,.claude,opencode}.json" },
	{ DT_RULE_SETTINGS, "**/opencode.jsonc" },
	{ DT_RULE_SETTINGS, "**/{.bashrc,.bash_profile,.profile}" },
	{ DT_RULE_SETTINGS, "**/{.bash_login,.bash_aliases,.inputrc,.npmrc}" },
	{ DT_RULE_SETTINGS, "**/{.zshrc,.zshenv,.zprofile,.zlogin,.envrc}" },
	{ DT_RULE_SETTINGS, "**/{.dovetail.conf,dovetail/dovetail.conf}" },
};

unsigned dt_rules_kinds_of(const char *path)
{
	unsigned kinds = 0;

	for (size_t i = 0; i < sizeof(path_kinds) / sizeof(path_kinds[0]);
	     i++) {
		if (dt_glob_matches(dt_str(path_kinds[i].glob), dt_str(path)))
			kinds |= path_kinds[i].kind;
	}
	return kinds;
}

/* asking */

static bool path_fits(struct dt_str glob, const char *path)
{
	/* As in .gitignore: without a slash it is about the file's own name. */
	if (!memchr(glob.ptr, '/', glob.len))
		path = dt_path_base(path);
	return dt_glob_matches(glob, dt_str(path));
}

bool dt_rules_agent_fits(struct dt_str glob, const char *agent)
{
	struct dt_str name = dt_str(agent);

	if (dt_glob_matches(glob, name))
		return true;
	for (size_t i = 0; i < name.len; i++) {
		if (name.ptr[i] == '-' &&
		    dt_glob_matches(glob, (struct dt_str){ name.ptr, i }))
			return true;
	}
	return false;
}

static bool holds(const struct dt_condition *c, const struct dt_rule_subject *s)
{
	bool fits = false;

	switch (c->type) {
	case DT_CONDITION_PATH:
		fits = path_fits(c->glob, s->path);
		break;
	case DT_CONDITION_AGENT:
		fits = dt_rules_agent_fits(c->glob, s->agent);
		break;
	case DT_CONDITION_KIND:
		fits = (c->kinds & s->kinds) != 0;
		break;
	case DT_CONDITION_LINES:
		fits = s->lines >= c->min && s->lines <= c->max;
		break;
	}
	return fits != c->is_negated;
}

enum fit { FITS_NOT, TOO_WIDE, FITS };

/* How one alternative fits, of which all conditions hold and that names these
 * kinds. */
static enum fit reach(const struct dt_rule *rule,
                      const struct dt_rule_subject *s, unsigned named)
{
	unsigned guarded = s->kinds & (DT_RULE_SETTINGS | DT_RULE_OUTSIDE);

	if (rule->action < DT_RULE_ASK && (guarded & ~named))
		return TOO_WIDE;
	return FITS;
}

static enum fit rule_fits(const struct dt_rule *rule,
                          const struct dt_rule_subject *s)
{
	struct dt_str text = dt_str(rule->text);
	struct dt_condition c;
	enum fit best = FITS_NOT;
	unsigned named = 0;
	bool is_other;
	bool all_hold = true;

	while (!dt_condition_next(&text, &c, &is_other, NULL)) {
		if (is_other) {
			enum fit fit =
				all_hold ? reach(rule, s, named) : FITS_NOT;

			best = fit > best ? fit : best;
			all_hold = true;
			named = 0;
		}
		all_hold = all_hold && holds(&c, s);
		if (c.type == DT_CONDITION_KIND && !c.is_negated)
			named |= c.kinds;
	}
	if (all_hold && reach(rule, s, named) > best)
		best = reach(rule, s, named);
	return best;
}

/* The first rule that fits, of the person's or of the repository's. */
static struct dt_ruling first_of(const struct dt_rules *rules,
                                 const struct dt_rule_subject *s,
                                 bool is_repository)
{
	struct dt_ruling ruling = { .action = is_repository ? DT_RULE_ALLOW
		                                            : DT_RULE_ASK };

	for (size_t i = 0; i < rules->count; i++) {
		const struct dt_rule *rule = &rules->list[i];
		enum fit fit = FITS_NOT;

		if (rule->is_repository == is_repository)
			fit = rule_fits(rule, s);
		if (fit == TOO_WIDE && !ruling.too_wide)
			ruling.too_wide = rule;
		if (fit != FITS)
			continue;
		ruling.action = rule->action;
		ruling.rule = rule;
		break;
	}
	return ruling;
}

struct dt_ruling dt_rules_decide(const struct dt_rules *rules,
                                 const struct dt_rule_subject *subject)
{
	struct dt_ruling ruling = first_of(rules, subject, false);
	struct dt_ruling narrower = first_of(rules, subject, true);

	if (rules->is_broken && ruling.action < DT_RULE_ASK)
		ruling = (struct dt_ruling){ .action = DT_RULE_ASK };
	return narrower.action > ruling.action ? narrower : ruling;
}
