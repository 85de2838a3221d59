/*
 * test/unit/review/test_rules.c - the table of rules, as a table.
 *
 * Each case is a policy as it stands in a file ("!" before a line: in the
 * repository's), one change, and the rule that must win, counted from 1; 0 is
 * none.
 */
#include "review/rules.h"

#include "base/limits.h"
#include "unit.h"

#include <stdio.h>

enum { NEW = DT_RULE_CREATE, MOD = DT_RULE_CHANGE, DEL = DT_RULE_DELETE };

struct one {
	const char *policy;
	const char *agent;
	const char *path;
	unsigned kinds; /* but for those the path tells */
	uint32_t lines;
	enum dt_rule_action action;
	unsigned rule;
};

#define ALLOW DT_RULE_ALLOW
#define RECORD DT_RULE_RECORD
#define ASK DT_RULE_ASK
#define DENY DT_RULE_DENY
#define OUT DT_RULE_OUTSIDE
#define CC "claude-code"

/* Let it run, but show me migrations, tests and anything over 200 lines. */
#define THREE                                                                  \
	"ask = **/migrations/** | kind:test\n"                                 \
	"ask = lines>200\n"                                                    \
	"record = *\n"

static const struct one cases[] = {
	/* without rules */
	{ "", CC, "a.c", MOD, 1, ASK, 0 },
	{ "", CC, "/etc/hosts", MOD | OUT, 1, ASK, 0 },
	/* the three lines of the manual */
	{ THREE, CC, "src/a.c", MOD, 10, RECORD, 3 },
	{ THREE, CC, "src/a.c", MOD, 200, RECORD, 3 },
	{ THREE, CC, "src/a.c", MOD, 201, ASK, 2 },
	{ THREE, CC, "migrations/1.sql", NEW, 3, ASK, 1 },
	{ THREE, CC, "db/migrations/old/1.sql", DEL, 3, ASK, 1 },
	{ THREE, CC, "db/migrations.md", MOD, 3, RECORD, 3 },
	{ THREE, CC, "test/a.c", MOD, 3, ASK, 1 },
	{ THREE, CC, "src/a_test.go", NEW, 3, ASK, 1 },
	{ THREE, CC, "src/latest.go", NEW, 3, RECORD, 3 },
	{ THREE, CC, ".claude/settings.json", MOD, 3, ASK, 0 },
	{ THREE, CC, "/etc/hosts", MOD | OUT, 3, ASK, 0 },
	/* the first that fits decides */
	{ "deny = *\nallow = *\n", CC, "a", MOD, 1, DENY, 1 },
	{ "allow = *\ndeny = *\n", CC, "a", MOD, 1, ALLOW, 1 },
	{ "allow = *.md\ndeny = docs/**\n", CC, "docs/a.md", MOD, 1, ALLOW, 1 },
	{ "allow = *.md\ndeny = docs/**\n", CC, "docs/a.c", MOD, 1, DENY, 2 },
	{ "allow = *.md\ndeny = docs/**\n", CC, "src/a.c", MOD, 1, ASK, 0 },
	/* conditions of one alternative must all hold */
	{ "allow = src/** lines<5\n", CC, "src/a", MOD, 4, ALLOW, 1 },
	{ "allow = src/** lines<5\n", CC, "src/a", MOD, 5, ASK, 0 },
	{ "allow = src/** lines<5\n", CC, "a", MOD, 4, ASK, 0 },
	{ "allow = *.c src/**\n", CC, "src/a.c", MOD, 1, ALLOW, 1 },
	{ "allow = *.c src/**\n", CC, "src/a.h", MOD, 1, ASK, 0 },
	/* of several alternatives one is enough */
	{ "deny = *.c | *.h\n", CC, "a.h", MOD, 1, DENY, 1 },
	{ "deny = *.c | *.h\n", CC, "a.d", MOD, 1, ASK, 0 },
	{ "deny = a lines>9 | b lines>5\n", CC, "b", MOD, 6, DENY, 1 },
	{ "deny = a lines>9 | b lines>5\n", CC, "a", MOD, 6, ASK, 0 },
	{ "deny = x | y | a\n", CC, "a", MOD, 1, DENY, 1 },
	/* not */
	{ "deny = !src/**\n", CC, "a", MOD, 1, DENY, 1 },
	{ "deny = !src/**\n", CC, "src/a", MOD, 1, ASK, 0 },
	{ "allow = * !kind:test\n", CC, "test/a", MOD, 1, ASK, 0 },
	{ "allow = * !kind:test\n", CC, "src/a", MOD, 1, ALLOW, 1 },
	{ "deny = !agent:claude\n", "gemini-cli", "a", MOD, 1, DENY, 1 },
	{ "deny = !lines<=3\n", CC, "a", MOD, 4, DENY, 1 },
	/* paths: with a slash from the root, without one by their name */
	{ "deny = Makefile\n", CC, "a/b/Makefile", MOD, 1, DENY, 1 },
	{ "deny = Makefile\n", CC, "Makefile/a", MOD, 1, ASK, 0 },
	{ "deny = a/*.c\n", CC, "a/b.c", MOD, 1, DENY, 1 },
	{ "deny = a/*.c\n", CC, "x/a/b.c", MOD, 1, ASK, 0 },
	{ "deny = a/*.c\n", CC, "a/x/b.c", MOD, 1, ASK, 0 },
	{ "deny = **/a/*.{c,h}\n", CC, "x/a/b.h", MOD, 1, DENY, 1 },
	{ "deny = .env*\n", CC, "app/.env.local", MOD, 1, DENY, 1 },
	{ "deny = /etc/**\n", CC, "/etc/hosts", MOD | OUT, 1, DENY, 1 },
	{ "deny = /etc/**\n", CC, "etc/hosts", MOD, 1, ASK, 0 },
	{ "deny = **/.ssh/**\n", CC, "/h/.ssh/k", MOD | OUT, 1, DENY, 1 },
	/* agents */
	{ "allow = agent:claude-code\n", CC, "a", MOD, 1, ALLOW, 1 },
	{ "allow = agent:claude\n", CC, "a", MOD, 1, ALLOW, 1 },
	{ "allow = agent:claude\n", "claudette", "a", MOD, 1, ASK, 0 },
	{ "allow = agent:code\n", CC, "a", MOD, 1, ASK, 0 },
	{ "deny = agent:{gemini,codex}\n", "codex-cli", "a", MOD, 1, DENY, 1 },
	{ "deny = agent:*\n", "whoever", "a", MOD, 1, DENY, 1 },
	/* kinds */
	{ "deny = kind:delete\n", CC, "a", DEL, 1, DENY, 1 },
	{ "deny = kind:delete\n", CC, "a", MOD, 1, ASK, 0 },
	{ "deny = kind:create,rename\n", CC, "a", NEW, 1, DENY, 1 },
	{ "deny = kind:create kind:test\n", CC, "t_test.c", NEW, 1, DENY, 1 },
	{ "deny = kind:create kind:test\n", CC, "t_test.c", MOD, 1, ASK, 0 },
	{ "allow = kind:generated\n", CC, "go.sum", MOD, 9999, ALLOW, 1 },
	{ "allow = kind:generated\n", CC, "go.mod", MOD, 1, ASK, 0 },
	/* sizes */
	{ "allow = lines<=0\n", CC, "a", MOD, 0, ALLOW, 1 },
	{ "deny = lines>=10 lines<20\n", CC, "a", MOD, 10, DENY, 1 },
	{ "deny = lines>=10 lines<20\n", CC, "a", MOD, 20, ASK, 0 },
	{ "deny = lines>1\n", CC, "a", MOD, UINT32_MAX, DENY, 1 },
	/* what is guarded is allowed only by its name */
	{ "allow = *\nask = *\n", CC, ".git/config", MOD, 1, ASK, 2 },
	{ "allow = .git/**\n", CC, ".git/config", MOD, 1, ASK, 0 },
	{ "allow = kind:settings\n", CC, ".git/config", MOD, 1, ALLOW, 1 },
	{ "allow = !kind:settings\n", CC, ".git/config", MOD, 1, ASK, 0 },
	{ "record = * | kind:settings\n", CC, ".mcp.json", MOD, 1, RECORD, 1 },
	{ "allow = kind:settings\n", CC, "/h/.bashrc", MOD | OUT, 1, ASK, 0 },
	{ "allow = kind:outside\n", CC, "/h/.bashrc", MOD | OUT, 1, ASK, 0 },
	{ "allow = kind:outside /tmp/**\n", CC, "/tmp/a", NEW | OUT, 1, ALLOW,
	  1 },
	{ "allow = kind:outside /tmp/**\n", CC, "/tnp/a", NEW | OUT, 1, ASK,
	  0 },
	{ "allow = kind:outside kind:settings\n", CC, "/h/.bashrc", MOD | OUT,
	  1, ALLOW, 1 },
	{ "deny = *\n", CC, "/etc/hosts", MOD | OUT, 1, DENY, 1 },
	/* a repository narrows and never widens */
	{ "record = *\n!ask = a\n", CC, "a", MOD, 1, ASK, 2 },
	{ "record = *\n!ask = a\n", CC, "b", MOD, 1, RECORD, 1 },
	{ "record = *\n!deny = a\n", CC, "a", MOD, 1, DENY, 2 },
	{ "!ask = *\ndeny = a\n", CC, "a", MOD, 1, DENY, 2 },
	{ "!ask = *\n!deny = a\nallow = *\n", CC, "a", MOD, 1, ASK, 1 },
	{ "ask = a\n!ask = *\n", CC, "a", MOD, 1, ASK, 1 },
	{ "!deny = kind:test\n", CC, "test/a", MOD, 1, DENY, 1 },
	{ "!deny = kind:test\n", CC, "src/a", MOD, 1, ASK, 0 },
};

static void add(struct dt_rules *rules, struct dt_str line, unsigned number)
{
	struct dt_rule rule = { .file = "f", .line = number };
	struct dt_str name;
	char text[100];

	rule.is_repository = line.ptr[0] == '!';
	line.ptr += rule.is_repository;
	line.len -= rule.is_repository;
	name = dt_str_trim(dt_str_cut(&line, '='));
	snprintf(text, sizeof(text), "%.*s", DT_STR_ARG(line));
	rule.text = text;
	while (!dt_str_is(name, dt_rule_actions[rule.action]))
		rule.action++;
	assert_ok(dt_rules_add(rules, &rule, NULL));
}

static struct dt_rules read_policy(const char *policy)
{
	struct dt_rules rules = { 0 };
	struct dt_str rest = dt_str(policy);

	for (unsigned number = 1; rest.len > 0; number++)
		add(&rules, dt_str_cut(&rest, '\n'), number);
	return rules;
}

static struct dt_ruling decide(const struct dt_rules *rules,
                               const struct one *one)
{
	struct dt_rule_subject subject = {
		.agent = one->agent,
		.path = one->path,
		.kinds = one->kinds | dt_rules_kinds_of(one->path),
		.lines = one->lines,
	};

	return dt_rules_decide(rules, &subject);
}

test(the_first_rule_that_fits_decides)
{
	_Static_assert(sizeof(cases) / sizeof(cases[0]) >= 60, "too few");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct one *one = &cases[i];
		struct dt_rules rules = read_policy(one->policy);
		struct dt_ruling ruling = decide(&rules, one);
		unsigned line = ruling.rule ? ruling.rule->line : 0;

		if (ruling.action != one->action || line != one->rule)
			fail_msg("%s%s: %s by %u", one->policy, one->path,
			         dt_rule_actions[ruling.action], line);
		dt_rules_done(&rules);
	}
}

test(nothing_is_allowed_while_a_rule_cannot_be_read)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct dt_rules rules = read_policy(cases[i].policy);
		struct dt_ruling ruling;

		rules.is_broken = true;
		ruling = decide(&rules, &cases[i]);
		if (cases[i].action < ASK) {
			assert_int_equal(ruling.action, ASK);
			assert_null(ruling.rule);
		} else {
			assert_int_equal(ruling.action, cases[i].action);
		}
		dt_rules_done(&rules);
	}
}

test(a_rule_that_allows_too_much_is_named)
{
	struct one one = { .agent = CC, .path = ".git/config", .kinds = MOD };
	struct dt_rules rules =
		read_policy("deny = x\nrecord = *\nallow = *\n");
	struct dt_ruling ruling = decide(&rules, &one);

	assert_int_equal(ruling.action, ASK);
	assert_null(ruling.rule);
	assert_int_equal(ruling.too_wide->line, 2);
	dt_rules_done(&rules);
}

test(a_repository_cannot_allow)
{
	struct dt_rules rules = { 0 };
	struct dt_rule rule = { .file = "f",
		                .text = "*",
		                .is_repository = true };

	for (rule.action = ALLOW; rule.action < ASK; rule.action++) {
		struct dt_fail fail = { 0 };

		assert_int_equal(dt_rules_add(&rules, &rule, &fail),
		                 DT_E_DENIED);
		assert_non_null(strstr(fail.msg, "only ask and deny"));
	}
	assert_int_equal(rules.count, 0);
	dt_rules_done(&rules);
}

test(what_is_no_rule_is_not_added)
{
	static const char *const wrong[] = { "",    " ",       "| a",
		                             "a |", "a | | b", "a kind:x" };
	struct dt_rules rules = { 0 };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct dt_rule rule = { .file = "f", .text = wrong[i] };
		struct dt_fail fail = { 0 };

		assert_int_equal(dt_rules_add(&rules, &rule, &fail), DT_E_ARGS);
		assert_string_not_equal(fail.msg, "");
	}
	assert_int_equal(rules.count, 0);
	dt_rules_done(&rules);
}

test(a_rule_is_printed_with_its_place)
{
	struct dt_rule rule = { ASK, "lines>200", "dovetail.conf", 3, false };
	struct dt_buf out;

	dt_buf_init(&out, DT_KIB);
	dt_rule_print(&rule, &out);
	assert_string_equal(dt_buf_z(&out), "dovetail.conf:3: ask = lines>200");
	dt_buf_done(&out);
}

test(a_path_tells_tests_generated_files_and_settings)
{
	static const struct {
		const char *path;
		unsigned kinds;
	} rows[] = {
		{ "src/a.c", 0 },
		{ "contest.py", 0 },
		{ "src/testing.c", 0 },
		{ "docs/test.md", 0 },
		{ "x.spec", 0 },
		{ "test/a.c", DT_RULE_TEST },
		{ "a/__tests__/b.js", DT_RULE_TEST },
		{ "a/b.test.tsx", DT_RULE_TEST },
		{ "a/FooTest.java", DT_RULE_TEST },
		{ "a/test_b.py", DT_RULE_TEST },
		{ "spec/a_spec.rb", DT_RULE_TEST },
		{ "conftest.py", DT_RULE_TEST },
		{ "package-lock.json", DT_RULE_GENERATED },
		{ "a/Cargo.lock", DT_RULE_GENERATED },
		{ "a/b.pb.go", DT_RULE_GENERATED },
		{ "a/b_pb2.py", DT_RULE_GENERATED },
		{ "web/app.min.js", DT_RULE_GENERATED },
		{ "dist/a.js", DT_RULE_GENERATED },
		{ "test/generated/a.c", DT_RULE_TEST | DT_RULE_GENERATED },
		{ ".git", DT_RULE_SETTINGS },
		{ ".git/hooks/pre-commit", DT_RULE_SETTINGS },
		{ "a/.git/config", DT_RULE_SETTINGS },
		{ ".gitignore", 0 },
		{ ".github/workflows/a.yml", 0 },
		{ ".claude/settings.json", DT_RULE_SETTINGS },
		{ ".cursor/mcp.json", DT_RULE_SETTINGS },
		{ ".gemini/settings.json", DT_RULE_SETTINGS },
		{ ".codex/config.toml", DT_RULE_SETTINGS },
		{ "opencode.json", DT_RULE_SETTINGS },
		{ ".husky/pre-commit", DT_RULE_SETTINGS },
		{ "a/.pre-commit-config.yaml", DT_RULE_SETTINGS },
		{ ".mcp.json", DT_RULE_SETTINGS },
		{ ".dovetail.conf", DT_RULE_SETTINGS },
		{ "/h/.config/dovetail/dovetail.conf", DT_RULE_SETTINGS },
		{ "/h/.bashrc", DT_RULE_SETTINGS },
		{ ".vscode/tasks.json", DT_RULE_SETTINGS },
		{ "a/.husky/pre-push", DT_RULE_SETTINGS },
		{ ".devcontainer/devcontainer.json", DT_RULE_SETTINGS },
		{ ".npmrc", DT_RULE_SETTINGS },
		{ "/h/.bash_aliases", DT_RULE_SETTINGS },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned kinds = dt_rules_kinds_of(rows[i].path);

		if (kinds != rows[i].kinds)
			fail_msg("%s: %x", rows[i].path, kinds);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_rule_that_fits_decides),
		cmocka_unit_test(
			nothing_is_allowed_while_a_rule_cannot_be_read),
		cmocka_unit_test(a_rule_that_allows_too_much_is_named),
		cmocka_unit_test(a_repository_cannot_allow),
		cmocka_unit_test(what_is_no_rule_is_not_added),
		cmocka_unit_test(a_rule_is_printed_with_its_place),
		cmocka_unit_test(
			a_path_tells_tests_generated_files_and_settings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
