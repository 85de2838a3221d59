#include "unit.h"

#include "base/file.h"
#include "base/path.h"
#include "base/str.h"
#include "hub/daemon_record.h"
#include "hub/dirs.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static struct dt_arena arena;

static int start(void **state)
{
	(void)state;
	setenv("HOME", "/home/ann", 1);
	unsetenv("XDG_RUNTIME_DIR");
	unsetenv("XDG_STATE_HOME");
	unsetenv("XDG_CONFIG_HOME");
	return 0;
}

static int end(void **state)
{
	(void)state;
	dt_arena_done(&arena);
	return 0;
}

static struct dt_dirs find(void)
{
	struct dt_dirs dirs;

	assert_ok(dt_dirs_find(&arena, &dirs, NULL));
	return dirs;
}

test(without_xdg_everything_is_below_home_and_tmp)
{
	struct dt_dirs dirs = find();
	char run[64];

	/* Another HOME than the user's own is a world of its own. */
	snprintf(run, sizeof(run), "/tmp/dovetail-%u-", (unsigned)getuid());
	assert_string_equal(dirs.home, "/home/ann");
	assert_memory_equal(dirs.run, run, strlen(run));
	assert_int_equal(strlen(dirs.run), strlen(run) + 8);
	assert_string_equal(dirs.state, "/home/ann/.local/state/dovetail");
	assert_string_equal(dirs.config, "/home/ann/.config/dovetail");
	assert_string_equal(dirs.log,
	                    "/home/ann/.local/state/dovetail/dovetail.log");
	assert_string_equal(dirs.database,
	                    "/home/ann/.local/state/dovetail/dovetail.db");
	assert_string_equal(dirs.conf,
	                    "/home/ann/.config/dovetail/dovetail.conf");
}

test(xdg_variables_move_each_folder)
{
	struct dt_dirs dirs;

	setenv("XDG_RUNTIME_DIR", "/run/user/7", 1);
	setenv("XDG_STATE_HOME", "/var/ann/", 1);
	setenv("XDG_CONFIG_HOME", "/etc/ann", 1);
	dirs = find();
	assert_string_equal(dirs.socket, "/run/user/7/dovetail/control.sock");
	assert_string_equal(dirs.lock, "/run/user/7/dovetail/daemon.lock");
	assert_string_equal(dirs.state, "/var/ann/dovetail");
	assert_string_equal(dirs.conf, "/etc/ann/dovetail/dovetail.conf");
}

test(an_empty_or_relative_variable_counts_as_not_set)
{
	struct dt_dirs dirs;

	setenv("XDG_STATE_HOME", "state", 1);
	setenv("XDG_CONFIG_HOME", "", 1);
	dirs = find();
	assert_string_equal(dirs.state, "/home/ann/.local/state/dovetail");
	assert_string_equal(dirs.config, "/home/ann/.config/dovetail");
}

test(without_home_the_user_database_is_asked)
{
	const struct passwd *user = getpwuid(getuid());
	struct dt_fail fail = { 0 };
	struct dt_dirs dirs;

	unsetenv("HOME");
	if (user) {
		assert_string_equal(find().home, user->pw_dir);
	} else {
		assert_int_equal(dt_dirs_find(&arena, &dirs, &fail),
		                 DT_E_STATE);
		assert_non_null(strstr(fail.msg, "HOME"));
	}
}

test(the_run_folder_of_a_login_comes_before_tmp)
{
	const struct passwd *user = getpwuid(getuid());
	char login[64];
	char run[sizeof(login) + sizeof("/dovetail")];
	struct stat st;

	if (!user)
		skip();
	setenv("HOME", user->pw_dir, 1);
	snprintf(run, sizeof(run), "/tmp/dovetail-%u", (unsigned)getuid());
	snprintf(login, sizeof(login), "/run/user/%u", (unsigned)getuid());
	if (!stat(login, &st) && st.st_uid == getuid() && !(st.st_mode & 077))
		snprintf(run, sizeof(run), "%s/dovetail", login);
	/* A daemon of the person's own would be found first. */
	if (!strcmp(find().home, user->pw_dir) && access(find().lock, F_OK))
		assert_string_equal(find().run, run);
}

static const char *make_home(void)
{
	static char home[32];

	snprintf(home, sizeof(home), "/tmp/dt-dirs-XXXXXX");
	assert_non_null(mkdtemp(home));
	setenv("HOME", home, 1);
	return home;
}

static int live(const char *home, const char *state, const char *config)
{
	const struct dt_daemon_record record = {
		.run = "/odd/run/dovetail",
		.state = state,
		.config = config,
		.pid = getpid(),
	};
	int fd = -1;

	assert_ok(dt_daemon_record_take(home, &record, &fd, NULL));
	return fd;
}

test(the_folders_of_a_daemon_that_lives_are_the_ones)
{
	const char *home = make_home();
	int fd = live(home, "/odd/state", "/odd/config");
	struct dt_dirs dirs = find();

	assert_string_equal(dirs.socket, "/odd/run/dovetail/control.sock");
	assert_string_equal(dirs.database, "/odd/state/dovetail.db");
	assert_string_equal(dirs.conf, "/odd/config/dovetail.conf");
	/* For who has other variables, too: it is the only one there is. */
	setenv("XDG_RUNTIME_DIR", "/run/user/7", 1);
	setenv("XDG_STATE_HOME", "/var/ann/", 1);
	dirs = find();
	assert_string_equal(dirs.lock, "/odd/run/dovetail/daemon.lock");
	assert_string_equal(dirs.state, "/odd/state");
	close(fd);
	dirs = find();
	assert_string_equal(dirs.run, "/run/user/7/dovetail");
	assert_string_equal(dirs.state, "/var/ann/dovetail");
	dt_file_remove_tree(home);
}

test(rules_of_the_last_daemon_are_found_without_the_variable)
{
	const char *home = make_home();
	const char *config = dt_path_join(&arena, home, "odd");
	const char *usual = dt_path_join(&arena, home, ".config/dovetail");

	close(live(home, "/none", config));
	assert_string_equal(find().config, usual);
	assert_ok(dt_file_make_dirs(config, NULL));
	assert_ok(dt_file_write(dt_path_join(&arena, config, "dovetail.conf"),
	                        DT_STR(""), 0600, NULL));
	assert_string_equal(find().config, config);
	assert_string_equal(
		find().state,
		dt_path_join(&arena, home, ".local/state/dovetail"));
	setenv("XDG_CONFIG_HOME", "/etc/ann", 1);
	assert_string_equal(find().config, "/etc/ann/dovetail");
	unsetenv("XDG_CONFIG_HOME");
	assert_ok(dt_file_make_dirs(usual, NULL));
	assert_ok(dt_file_write(dt_path_join(&arena, usual, "dovetail.conf"),
	                        DT_STR(""), 0600, NULL));
	assert_string_equal(find().config, usual);
	dt_file_remove_tree(home);
}

test(a_socket_path_that_no_socket_can_have_is_refused)
{
	struct dt_fail fail = { 0 };
	struct dt_dirs dirs;
	char path[120];

	/* 107 bytes fit, with a NUL behind them. */
	memset(path, 'x', sizeof(path));
	path[0] = '/';
	path[107 - strlen("/dovetail/control.sock")] = '\0';
	setenv("XDG_RUNTIME_DIR", path, 1);
	assert_int_equal(strlen(find().socket), 107);

	path[strlen(path)] = 'x';
	path[107 - strlen("/dovetail/control.sock") + 1] = '\0';
	setenv("XDG_RUNTIME_DIR", path, 1);
	assert_int_equal(dt_dirs_find(&arena, &dirs, &fail), DT_E_LIMIT);
	assert_non_null(strstr(fail.msg, "XDG_RUNTIME_DIR"));
}

int main(void)
{
#define DIRS_TEST(name) cmocka_unit_test_setup_teardown(name, start, end)
	const struct CMUnitTest tests[] = {
		DIRS_TEST(without_xdg_everything_is_below_home_and_tmp),
		DIRS_TEST(xdg_variables_move_each_folder),
		DIRS_TEST(an_empty_or_relative_variable_counts_as_not_set),
		DIRS_TEST(without_home_the_user_database_is_asked),
		DIRS_TEST(the_run_folder_of_a_login_comes_before_tmp),
		DIRS_TEST(the_folders_of_a_daemon_that_lives_are_the_ones),
		DIRS_TEST(
			rules_of_the_last_daemon_are_found_without_the_variable),
		DIRS_TEST(a_socket_path_that_no_socket_can_have_is_refused),
	};

	return cmocka_run_group_tests_name("hub/dirs", tests, NULL, NULL);
}
