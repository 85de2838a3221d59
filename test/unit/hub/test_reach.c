/* test/unit/hub/test_reach.c - the gate's patterns as the real git takes them. */
#include "hub/reach.h"

#include "world.h"

#include <stdio.h>

static void configure(struct world *w, struct dt_workspace *ws,
                      const char *text)
{
	assert_ok(dt_file_make_dirs(w->hub.dirs.config, NULL));
	put_file(w->hub.dirs.conf, text);
	dt_hub_reload(&w->hub);
	dt_workspace_configure(ws);
}

/* What git lists by the pathspecs, of all that is in the project. */
static struct dt_str listed(struct world *w, struct dt_workspace *ws)
{
	struct dt_names specs = dt_reach_specs(&w->arena, ws);
	struct dt_buf command;
	struct dt_buf out;
	struct dt_str text;
	FILE *pipe;
	int c;

	dt_buf_init(&command, DT_MIB);
	dt_buf_init(&out, DT_MIB);
	dt_buf_addf(&command, "git -C %s ls-files -z --cached --others --",
	            w->project);
	for (size_t i = 0; i < specs.count; i++)
		dt_buf_addf(&command, " '%s'", specs.ptr[i]);
	pipe = popen(dt_buf_z(&command), "r");
	assert_non_null(pipe);
	while ((c = getc(pipe)) != EOF)
		dt_buf_add_char(&out, (char)c);
	assert_int_equal(pclose(pipe), 0);
	text = (struct dt_str){
		dt_arena_strndup(&w->arena, dt_buf_z(&out), out.len), out.len
	};
	dt_buf_done(&command);
	dt_buf_done(&out);
	return text;
}

static struct dt_workspace *open_project(struct world *w)
{
	assert_int_equal(system(text_of(w, "git init -q %s", w->project)), 0);
	return serve(w);
}

static const char *found(struct world *w, struct dt_workspace *ws)
{
	return dt_reach_find(&w->arena, ws, w->project, listed(w, ws));
}

world_test(every_file_that_is_kept_is_found)
{
	static const char *const names[] = {
		".env",
		".env.local",
		"prod.env",
		"a.PEM",
		"Server.key",
		"id_ed25519",
		".npmrc",
		"credentials",
		".credentials.yaml",
		"secrets.toml",
		"service-account-x.json",
		"x.tfstate",
		"sub/.env",
		"sub/deep/x.p12",
		"sub/.ssh/config",
		".aws/credentials",
		"home/.kube/config",
		"home/.config/gcloud/x",
	};
	struct world *w = *state;
	struct dt_workspace *ws = open_project(w);

	make_folder(w, "p/sub");
	make_folder(w, "p/sub/deep");
	make_folder(w, "p/sub/.ssh");
	make_folder(w, "p/.aws");
	make_folder(w, "p/home");
	make_folder(w, "p/home/.kube");
	make_folder(w, "p/home/.config");
	make_folder(w, "p/home/.config/gcloud");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *path = make_file(w, names[i], "x");

		if (!found(w, ws))
			fail_msg("%s", names[i]);
		assert_string_equal(found(w, ws), names[i]);
		unlink(path);
	}
}

world_test(what_is_harmless_is_not)
{
	struct world *w = *state;
	struct dt_workspace *ws = open_project(w);

	make_file(w, ".env.example", "x");
	make_file(w, "id_rsa.pub", "x");
	make_file(w, "main.c", "x");
	assert_null(found(w, ws));
	/* The pathspecs fit more than the gate does. */
	assert_true(listed(w, ws).len > 0);
}

world_test(patterns_of_the_person_count)
{
	struct world *w = *state;
	struct dt_workspace *ws = open_project(w);

	make_folder(w, "p/private");
	make_folder(w, "p/private/deep");
	make_file(w, "private/deep/x.c", "x");
	make_file(w, "a[1].txt", "x");
	assert_null(found(w, ws));
	configure(w, ws, "[context]\ndeny = private/**\n");
	assert_string_equal(found(w, ws), "private/deep/x.c");
	configure(w, ws, "[context]\ndeny = a[1].{txt,md}\n");
	assert_string_equal(found(w, ws), "a[1].txt");
	configure(w, ws,
	          text_of(w, "[context]\ndeny = %s/**/x.c\n", w->project));
	assert_string_equal(found(w, ws), "private/deep/x.c");
	configure(w, ws, "[context]\ndeny = **/{private,b{c,d}}/**\n");
	assert_string_equal(found(w, ws), "private/deep/x.c");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(every_file_that_is_kept_is_found),
		test_in_world(what_is_harmless_is_not),
		test_in_world(patterns_of_the_person_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
