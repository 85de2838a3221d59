/* test/unit/hub/test_gate.c - twin of src/hub/gate.c */
#include "agent.h"

#include "hub/gate.h"

/* A workspace at a folder `p`, which is all the patterns look at. */
struct scene {
	char dir[64];
	struct dt_arena arena;
	struct dt_workspace ws;
};

static int open_scene(void **state)
{
	struct scene *s = dt_alloc(sizeof(*s));
	const char *root;

	snprintf(s->dir, sizeof(s->dir), "/tmp/dovetail-gate-XXXXXX");
	assert_non_null(mkdtemp(s->dir));
	root = dt_arena_printf(&s->arena, "%s/p", s->dir);
	assert_int_equal(mkdir(root, 0700), 0);
	s->ws.config = dt_config_new();
	dt_documents_init(&s->ws.docs, &root, 1);
	*state = s;
	return 0;
}

static int close_scene(void **state)
{
	struct scene *s = *state;

	dt_documents_done(&s->ws.docs);
	dt_config_free(s->ws.config);
	nftw(s->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	dt_arena_done(&s->arena);
	free(s);
	return 0;
}

static void configure(struct scene *s, const char *lines, bool is_repository)
{
	char *text = dt_arena_printf(&s->arena, "[context]\n%s", lines);

	dt_config_read_text(s->ws.config,
	                    is_repository ? "/w/.dovetail.conf"
	                                  : "/h/c/dovetail.conf",
	                    dt_str(text), is_repository);
}

/* A path below the project, or an absolute one. */
static const char *path_of(struct scene *s, const char *name)
{
	if (*name == '/')
		return name;
	return dt_arena_printf(&s->arena, "%s/p/%s", s->dir, name);
}

static void assert_gate(struct scene *s, const char *name, bool is_denied)
{
	struct dt_fail fail = { 0 };
	enum dt_err err = dt_gate_check_path(&s->ws, path_of(s, name), &fail);

	if (err == (is_denied ? DT_E_DENIED : DT_E_OK))
		return;
	fail_msg("%s %s: %s", name, err ? "is denied" : "passes", fail.msg);
}

static void assert_sentence(struct scene *s, const char *name,
                            const char *sentence)
{
	struct dt_fail fail = { 0 };

	assert_int_equal(dt_gate_check_path(&s->ws, path_of(s, name), &fail),
	                 DT_E_DENIED);
	assert_string_equal(fail.msg, sentence);
}

/* the patterns that are built in */

static const char *const denied[] = {
	".env",
	".env.local",
	".env.production",
	".env~",
	".envrc",
	"prod.env",
	"deep/down/.env",
	".ENV",
	".Env.Local",
	"server.pem",
	"tls/server.KEY",
	"a.p12",
	"a.pfx",
	"a.p8",
	"putty.ppk",
	"release.keystore",
	"release.jks",
	"vault.kdbx",
	"id_rsa",
	"id_rsa.bak",
	"id_ed25519",
	"id_ecdsa_sk",
	"ID_RSA",
	".netrc",
	".npmrc",
	".pypirc",
	".pgpass",
	".git-credentials",
	".htpasswd",
	"credentials",
	"credentials.json",
	".credentials.json",
	"config/credentials.yml",
	"secrets.yaml",
	"SECRETS.TOML",
	"service-account.json",
	"service_account-prod.json",
	"terraform.tfstate",
	"terraform.tfstate.backup",
	"prod.tfvars",
	"kubeconfig",
	".ssh/config",
	"home/.ssh/known_hosts",
	".aws/config",
	".gnupg/pubring.kbx",
	".config/gcloud/x/y.db",
	".kube/config",
	".docker/config.json",
	/* a folder's own name, as what is in it */
	".ssh",
	".SSH",
	"home/.ssh/",
	"a/../.ssh/.",
	".gnupg",
	".aws",
	".config/gcloud",
	"/home/me/.ssh",
	/* not in the workspace */
	"/home/me/.ssh/config",
	"/home/me/.aws/credentials",
	"/etc/ssl/private/a.key",
	"/elsewhere/.env",
	/* odd spellings */
	"./.env",
	"a/../.env",
	"a/b/../../.env",
	".//.env",
	".env/",
	"../p/.env",
	".ssh/../.ssh/config",
};

static const char *const passes[] = {
	".env.example",
	".env.sample",
	".env.template",
	".env.local.example",
	"prod.env.example",
	".ENV.Example",
	"id_rsa.pub",
	"id_ed25519.pub",
	"environment.ts",
	"vite-env.d.ts",
	"env",
	"env.c",
	"src/.envelope/a",
	"keys.c",
	"key",
	"monkey",
	"pem.go",
	"credentials.py",
	"credentials_test.go",
	"credentials/handler.c",
	"secrets.py",
	"secrets/README.md",
	"identity.c",
	"id.c",
	"ssh/config",
	"ssh",
	".config",
	".kube",
	".ssh/id_rsa.pub",
	"config.json",
	"docker/config.json",
	"package.json",
	"a b.txt",
	"",
	"../q/a.c",
	"/etc/passwd",
	"/",
};

static void names_are_told_apart(void **state)
{
	struct scene *s = *state;

	for (size_t i = 0; i < sizeof(denied) / sizeof(denied[0]); i++)
		assert_gate(s, denied[i], true);
	for (size_t i = 0; i < sizeof(passes) / sizeof(passes[0]); i++)
		assert_gate(s, passes[i], false);
}

static void the_sentence_names_the_pattern_and_its_place(void **state)
{
	struct scene *s = *state;

	configure(s, "deny = x.c\n", false);
	configure(s, "\ndeny = y/**\n", true);
	assert_sentence(s, "a/.env",
	                "a/.env is kept from agents: .env* is denied (built "
	                "in)");
	assert_sentence(s, "/q/x.c",
	                "/q/x.c is kept from agents: x.c is denied "
	                "(dovetail.conf:2)");
	assert_sentence(s, "y/z",
	                "y/z is kept from agents: y/** is denied "
	                "(.dovetail.conf:3)");
}

/* Names are held against them in lower case. */
static void assert_lower(const char *glob)
{
	for (const char *c = glob; *c; c++)
		assert_false(*c >= 'A' && *c <= 'Z');
}

static void every_built_in_pattern_is_one_and_in_the_manual(void **state)
{
	struct dt_buf page;

	(void)state;
	dt_buf_init(&page, DT_MIB);
	assert_ok(dt_file_read(DT_MAN_DIR "/dovetail.conf.5", &page, NULL));
	for (const char *const *glob = dt_gate_denied; *glob; glob++) {
		assert_lower(*glob);
		assert_ok(dt_config_globs_check(dt_str(*glob), NULL));
		assert_non_null(strstr(dt_buf_z(&page), *glob));
	}
	for (const char *const *glob = dt_gate_harmless; *glob; glob++) {
		assert_lower(*glob);
		assert_ok(dt_config_globs_check(dt_str(*glob), NULL));
		assert_non_null(strstr(dt_buf_z(&page), *glob));
	}
	dt_buf_done(&page);
}

/* the person's and the repository's */

static void patterns_of_a_persons_own_count_too(void **state)
{
	struct scene *s = *state;

	configure(s, "deny = *.Secret notes/** /var/log/**\n", false);
	assert_gate(s, "a/b.SECRET", true);
	assert_gate(s, "notes/a", true);
	assert_gate(s, "Notes/a/b", true);
	assert_gate(s, "sub/notes/a", false);
	assert_gate(s, "/var/log/syslog", true);
	assert_gate(s, "var/log/syslog", false);
	assert_gate(s, ".env", true);
	assert_gate(s, "a.c", false);
}

static void a_folder_counts_as_what_is_in_it(void **state)
{
	struct scene *s = *state;

	configure(s, "deny = private notes/** a/b drafts/*\n", false);
	configure(s, "deny = theirs/**\n", true);
	assert_gate(s, "private", true);
	assert_gate(s, "private/x/y.c", true);
	assert_gate(s, "sub/Private/y.c", true);
	assert_gate(s, "privately/y.c", false);
	assert_gate(s, "notes", true);
	assert_gate(s, "sub/notes", false);
	assert_gate(s, "a/b/c", true);
	assert_gate(s, "a", false);
	assert_gate(s, "drafts", true);
	assert_gate(s, "theirs", true);
	/* A pattern without a slash is of folders in the workspace. */
	configure(s, "deny = tmp\n", false);
	assert_gate(s, "a.c", false);
	assert_gate(s, "tmp/a.c", true);
	assert_gate(s, "", false);
}

static void a_folder_that_is_allowed_as_a_whole_passes(void **state)
{
	struct scene *s = *state;

	configure(s, "deny = x/** y/**\nallow = x/** y/* **/.ssh/**\n", false);
	assert_gate(s, "x", false);
	assert_gate(s, "x/a", false);
	assert_gate(s, ".ssh", false);
	/* What is deeper in it is denied still. */
	assert_gate(s, "y/a", false);
	assert_gate(s, "y/a/b", true);
	assert_gate(s, "y", true);
	configure(s, "deny = x/**\nallow = x\n", true);
	assert_gate(s, "x", true);
}

static void what_is_in_a_folder_is_judged_without_its_name(void **state)
{
	struct scene *s = *state;
	struct dt_fail fail = { 0 };

	configure(s, "deny = private\n", false);
	assert_ok(
		dt_gate_check_folder(&s->ws, path_of(s, "credentials"), NULL));
	assert_ok(dt_gate_check_folder(&s->ws, path_of(s, "src"), NULL));
	assert_ok(dt_gate_check_folder(&s->ws, path_of(s, ""), NULL));
	assert_int_equal(
		dt_gate_check_folder(&s->ws, path_of(s, "a/private"), NULL),
		DT_E_DENIED);
	assert_int_equal(
		dt_gate_check_folder(&s->ws, path_of(s, ".ssh/deep"), &fail),
		DT_E_DENIED);
	assert_non_null(strstr(fail.msg, ".ssh/deep is kept from agents"));
}

static void exceptions_are_the_persons(void **state)
{
	struct scene *s = *state;

	configure(s,
	          "deny = *.x\nallow = test/*.pem keep.x .env.ci "
	          "**/.ssh/config\n",
	          false);
	assert_gate(s, "test/a.pem", false);
	assert_gate(s, "a.pem", true);
	assert_gate(s, "keep.x", false);
	assert_gate(s, "drop.x", true);
	assert_gate(s, ".env.ci", false);
	assert_gate(s, ".ssh/config", false);
	assert_gate(s, ".ssh/id_rsa", true);
	assert_gate(s, "/home/me/.ssh/config", false);
}

static void a_repository_can_only_deny(void **state)
{
	struct scene *s = *state;

	configure(s, "allow = *\n", false);
	configure(s, "deny = prod.key\nallow = *.pem\n", true);
	assert_gate(s, "a.key", false);
	assert_gate(s, "prod.key", true);
	assert_gate(s, "a.pem", false);
}

static void nothing_passes_while_a_line_cannot_be_read(void **state)
{
	struct scene *s = *state;

	configure(s, "deny = {\n", true);
	assert_gate(s, "a.c", false);
	configure(s, "deny = {\n", false);
	assert_sentence(s, "a.c",
	                "everything is kept from agents while [context] in "
	                "dovetail.conf cannot be read: `dovetail status` says "
	                "what is wrong");
}

/* links */

static void make_link(struct scene *s, const char *name, const char *target)
{
	assert_int_equal(symlink(target, path_of(s, name)), 0);
}

static void links_are_no_way_around_a_pattern(void **state)
{
	struct scene *s = *state;

	assert_int_equal(mkdir(path_of(s, "sub"), 0700), 0);
	assert_int_equal(mkdir(path_of(s, ".ssh"), 0700), 0);
	assert_int_equal(mkdir(path_of(s, ".ssh/deep"), 0700), 0);
	put_file(path_of(s, "plain"), "");
	put_file(path_of(s, ".env"), "");
	make_link(s, "notes.txt", ".env");
	make_link(s, "sub/up.txt", "../.env");
	make_link(s, "again.txt", "notes.txt");
	make_link(s, ".env.example", ".env");
	make_link(s, "keys", ".ssh");
	make_link(s, "deeper", "keys/deep");
	make_link(s, "absolute", path_of(s, ".env"));
	make_link(s, "dangling", "missing/id_rsa");
	make_link(s, "loop", "loop");
	/* A name on the way is enough: what it leads to is called otherwise. */
	make_link(s, ".env.prod", "plain");
	make_link(s, "over.txt", ".env.prod");
	make_link(s, "harmless", "plain");
	assert_gate(s, "notes.txt", true);
	assert_gate(s, "sub/up.txt", true);
	assert_gate(s, "again.txt", true);
	assert_gate(s, ".env.example", true);
	assert_gate(s, "keys/config", true);
	assert_gate(s, "keys", true);
	assert_gate(s, "deeper/config", true);
	assert_gate(s, "absolute", true);
	assert_gate(s, "dangling", true);
	assert_gate(s, "loop", true);
	assert_gate(s, ".env.prod", true);
	assert_gate(s, "over.txt", true);
	assert_gate(s, "harmless", false);
	assert_gate(s, "plain", false);
	/* For the kernel this is .ssh/x, as text it is x. */
	assert_gate(s, "deeper/../x", true);
	assert_sentence(s, "again.txt",
	                "again.txt is kept from agents: it leads to .env, and "
	                ".env* is denied (built in)");
}

/* mutes */

world_test(agents_of_the_configuration_are_muted)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);

	make_folder(w, "c/dovetail");
	connect_agent(ws, w);
	assert_false(dt_gate_is_muted(last_session(ws)));
	put_file(w->hub.dirs.conf, "[context]\nmute = aider claude\n");
	dt_hub_reload(&w->hub);
	assert_true(dt_gate_is_muted(last_session(ws)));
	put_file(w->hub.dirs.conf, "[context]\nmute = aider\n");
	dt_hub_reload(&w->hub);
	assert_false(dt_gate_is_muted(last_session(ws)));
}

#define GATE_TEST(name)                                                        \
	cmocka_unit_test_setup_teardown(name, open_scene, close_scene)

int main(void)
{
	const struct CMUnitTest tests[] = {
		GATE_TEST(names_are_told_apart),
		GATE_TEST(the_sentence_names_the_pattern_and_its_place),
		GATE_TEST(every_built_in_pattern_is_one_and_in_the_manual),
		GATE_TEST(patterns_of_a_persons_own_count_too),
		GATE_TEST(a_folder_counts_as_what_is_in_it),
		GATE_TEST(a_folder_that_is_allowed_as_a_whole_passes),
		GATE_TEST(what_is_in_a_folder_is_judged_without_its_name),
		GATE_TEST(exceptions_are_the_persons),
		GATE_TEST(a_repository_can_only_deny),
		GATE_TEST(nothing_passes_while_a_line_cannot_be_read),
		GATE_TEST(links_are_no_way_around_a_pattern),
		test_in_world(agents_of_the_configuration_are_muted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
