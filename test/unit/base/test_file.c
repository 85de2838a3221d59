/* Whole files and folders, as others left them and as we leave them. */
#include "unit.h"

#include "base/arena.h"
#include "base/file.h"
#include "tempdir.h"

#include <dirent.h>
#include <errno.h>

static struct dt_arena arena;

static int release(void **state)
{
	(void)state;
	dt_arena_done(&arena);
	return 0;
}

/* A path below the folder. */
static const char *at(void **state, const char *name)
{
	return dt_arena_printf(&arena, "%s/%s", (const char *)*state, name);
}

static mode_t mode_of(const char *path)
{
	struct stat st;

	assert_int_equal(lstat(path, &st), 0);
	return st.st_mode & 07777;
}

/* How many names the folder holds. */
static int count_names(const char *path)
{
	DIR *dir = opendir(path);
	int count = -2; /* "." and ".." */

	assert_non_null(dir);
	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

test(read_appends_the_whole_file)
{
	struct dt_buf buf;

	dt_buf_init(&buf, 100);
	tempdir_put(*state, "a", "one");
	tempdir_put(*state, "empty", "");
	assert_ok(dt_file_read(at(state, "a"), &buf, NULL));
	assert_ok(dt_file_read(at(state, "empty"), &buf, NULL));
	assert_ok(dt_file_read(at(state, "a"), &buf, NULL));
	assert_str(dt_buf_str(&buf), "oneone");
	dt_buf_done(&buf);
}

test(read_takes_a_file_of_exactly_the_limit_and_no_more)
{
	struct dt_fail fail = { 0 };
	struct dt_buf buf;

	tempdir_put(*state, "a", "12345");
	dt_buf_init(&buf, 5);
	assert_ok(dt_file_read(at(state, "a"), &buf, NULL));
	assert_str(dt_buf_str(&buf), "12345");
	dt_buf_done(&buf);
	dt_buf_init(&buf, 4);
	assert_int_equal(dt_file_read(at(state, "a"), &buf, &fail), DT_E_LIMIT);
	assert_non_null(strstr(fail.msg, "larger than 4 bytes"));
	/* The buffer is as it was. */
	assert_int_equal(buf.len, 0);
	dt_buf_add_z(&buf, "ok");
	assert_str(dt_buf_str(&buf), "ok");
	assert_int_equal(dt_file_read(at(state, "a"), &buf, NULL), DT_E_LIMIT);
	assert_str(dt_buf_str(&buf), "ok");
	dt_buf_done(&buf);
}

test(read_of_a_large_file_makes_no_larger_buffer)
{
	enum { SIZE = 300000 };
	char *text = dt_alloc(SIZE + 1);
	struct dt_buf buf;

	memset(text, 'x', SIZE);
	tempdir_put(*state, "a", text);
	dt_buf_init(&buf, SIZE);
	assert_ok(dt_file_read(at(state, "a"), &buf, NULL));
	assert_int_equal(buf.len, SIZE);
	assert_memory_equal(buf.ptr, text, SIZE);
	assert_int_equal(buf.cap, SIZE + 1);
	dt_buf_done(&buf);
	free(text);
}

test(read_takes_files_that_do_not_tell_their_size)
{
	struct dt_buf buf;

	dt_buf_init(&buf, 1000000);
	assert_ok(dt_file_read("/proc/self/maps", &buf, NULL));
	assert_true(buf.len > 100);
	assert_int_equal(buf.ptr[buf.len - 1], '\n');
	dt_buf_done(&buf);
	dt_buf_init(&buf, 10);
	assert_int_equal(dt_file_read("/proc/self/maps", &buf, NULL),
	                 DT_E_LIMIT);
	assert_int_equal(buf.len, 0);
	dt_buf_done(&buf);
}

test(read_says_what_is_missing_and_what_is_no_file)
{
	struct dt_fail fail = { 0 };
	struct dt_buf buf;

	dt_buf_init(&buf, 100);
	tempdir_put(*state, "a", "x");
	assert_int_equal(dt_file_read(at(state, "none"), &buf, &fail),
	                 DT_E_MISSING);
	assert_non_null(strstr(fail.msg, "/none is not there"));
	assert_int_equal(dt_file_read(at(state, "a/b"), &buf, NULL),
	                 DT_E_MISSING);
	assert_int_equal(dt_file_read(*state, &buf, NULL), DT_E_ARGS);
	assert_int_equal(mkfifo(at(state, "fifo"), 0600), 0);
	assert_int_equal(dt_file_read(at(state, "fifo"), &buf, NULL),
	                 DT_E_ARGS);
	assert_int_equal(dt_file_read("/dev/zero", &buf, NULL), DT_E_ARGS);
	assert_int_equal(buf.len, 0);
	dt_buf_done(&buf);
}

test(read_beneath_reads_below_and_nothing_else)
{
	struct dt_fail fail = { 0 };
	struct dt_buf buf;
	const char *root = at(state, "root");

	tempdir_mkdir(*state, "root");
	tempdir_put(*state, "root/a", "in");
	tempdir_put(*state, "secret", "out");
	tempdir_link(*state, "root/out", "../secret");
	dt_buf_init(&buf, 100);
	assert_ok(dt_file_read_beneath(root, "a", &buf, NULL));
	assert_str(dt_buf_str(&buf), "in");
	assert_int_equal(dt_file_read_beneath(root, "out", &buf, &fail),
	                 DT_E_DENIED);
	assert_non_null(strstr(fail.msg, "out leads out of"));
	assert_int_equal(dt_file_read_beneath(root, "../secret", &buf, NULL),
	                 DT_E_DENIED);
	assert_int_equal(dt_file_read_beneath(root, "none", &buf, NULL),
	                 DT_E_MISSING);
	assert_int_equal(dt_file_read_beneath(root, ".", &buf, NULL),
	                 DT_E_ARGS);
	assert_int_equal(dt_file_read_beneath(root, "", &buf, NULL), DT_E_ARGS);
	assert_str(dt_buf_str(&buf), "in");
	dt_buf_done(&buf);
}

test(read_named_tells_which_file_was_read)
{
	const char *path = NULL;
	struct dt_buf buf;
	const char *root = at(state, "root");

	tempdir_mkdir(*state, "root");
	tempdir_put(*state, "root/a", "in");
	tempdir_put(*state, "b", "out");
	tempdir_link(*state, "root/l", "a");
	tempdir_link(*state, "root/out", "../b");
	dt_buf_init(&buf, 100);
	assert_ok(dt_file_read_named(&arena, root, "l", &buf, &path, NULL));
	assert_string_equal(path, at(state, "root/a"));
	assert_int_equal(
		dt_file_read_named(&arena, root, "out", &buf, &path, NULL),
		DT_E_DENIED);
	assert_int_equal(
		dt_file_read_named(&arena, root, "none", &buf, &path, NULL),
		DT_E_MISSING);
	assert_str(dt_buf_str(&buf), "in");
	assert_ok(dt_file_read_named(&arena, NULL, at(state, "root/out"), &buf,
	                             &path, NULL));
	assert_string_equal(path, at(state, "b"));
	assert_str(dt_buf_str(&buf), "inout");
	assert_int_equal(dt_file_read_named(&arena, NULL, at(state, "none"),
	                                    &buf, &path, NULL),
	                 DT_E_MISSING);
	dt_buf_done(&buf);
}

static void assert_text(const char *path, const char *expected)
{
	struct dt_buf buf;

	dt_buf_init(&buf, 100);
	assert_ok(dt_file_read(path, &buf, NULL));
	assert_string_equal(dt_buf_z(&buf), expected);
	dt_buf_done(&buf);
}

test(write_creates_and_replaces_with_the_mode_asked_for)
{
	const char *path = at(state, "a");
	mode_t mask = umask(0077);

	assert_ok(dt_file_write(path, DT_STR("one"), 0644, NULL));
	assert_text(path, "one");
	assert_int_equal(mode_of(path), 0644);
	assert_ok(dt_file_write(path, DT_STR(""), 0600, NULL));
	assert_text(path, "");
	assert_int_equal(mode_of(path), 0600);
	assert_int_equal(count_names(*state), 1);
	umask(mask);
}

test(write_replaces_a_link_and_leaves_its_target)
{
	tempdir_put(*state, "target", "old");
	tempdir_link(*state, "link", "target");
	assert_ok(dt_file_write(at(state, "link"), DT_STR("new"), 0600, NULL));
	assert_text(at(state, "link"), "new");
	assert_text(at(state, "target"), "old");
}

test(a_reader_keeps_the_old_file_while_it_is_replaced)
{
	char text[4] = "";
	int fd;

	tempdir_put(*state, "a", "old");
	fd = open(at(state, "a"), O_RDONLY | O_CLOEXEC);
	assert_ok(dt_file_write(at(state, "a"), DT_STR("new"), 0600, NULL));
	assert_int_equal(read(fd, text, 3), 3);
	assert_string_equal(text, "old");
	close(fd);
}

test(write_that_fails_leaves_nothing_behind)
{
	struct dt_fail fail = { 0 };

	tempdir_mkdir(*state, "dir");
	tempdir_put(*state, "dir/file", "x");
	assert_int_equal(
		dt_file_write(at(state, "dir"), DT_STR("x"), 0600, &fail),
		DT_E_SYS);
	assert_non_null(strstr(fail.msg, "cannot write"));
	assert_int_equal(fail.sys_errno, EISDIR);
	assert_int_equal(
		dt_file_write(at(state, "none/a"), DT_STR("x"), 0600, NULL),
		DT_E_SYS);
	assert_int_equal(count_names(*state), 1);
}

test(a_name_of_the_greatest_length_can_be_written)
{
	char name[256];

	memset(name, 'n', 255);
	name[255] = '\0';
	assert_ok(dt_file_write(at(state, name), DT_STR("x"), 0600, NULL));
	assert_text(at(state, name), "x");
}

test(make_dirs_makes_all_that_is_missing)
{
	struct dt_fail fail = { 0 };
	mode_t mask = umask(0);

	assert_int_equal(mkdir(at(state, "open"), 0755), 0);
	assert_ok(dt_file_make_dirs(at(state, "open//a/b/"), NULL));
	assert_ok(dt_file_make_dirs(at(state, "open/a/b"), NULL));
	assert_ok(dt_file_make_dirs("/", NULL));
	assert_int_equal(mode_of(at(state, "open")), 0755);
	assert_int_equal(mode_of(at(state, "open/a")), 0700);
	assert_int_equal(mode_of(at(state, "open/a/b")), 0700);
	tempdir_put(*state, "file", "x");
	assert_int_equal(dt_file_make_dirs(at(state, "file/a"), &fail),
	                 DT_E_SYS);
	assert_int_equal(fail.sys_errno, EEXIST);
	assert_int_equal(dt_file_make_dirs(at(state, "file"), NULL), DT_E_SYS);
	umask(mask);
}

test(make_dirs_takes_links_to_folders_and_relative_paths)
{
	int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	assert_int_equal(chdir(*state), 0);
	tempdir_mkdir(*state, "dir");
	tempdir_link(*state, "link", "dir");
	assert_ok(dt_file_make_dirs("link/a", NULL));
	assert_true(dt_file_is_dir("dir/a"));
	assert_ok(dt_file_make_dirs("./b/../c", NULL));
	assert_true(dt_file_is_dir("c"));
	assert_int_equal(fchdir(here), 0);
	close(here);
}

test(a_private_dir_is_made_and_found_again)
{
	mode_t mask = umask(0);

	assert_ok(dt_file_private_dir(at(state, "a/b"), NULL));
	assert_ok(dt_file_private_dir(at(state, "a/b"), NULL));
	assert_ok(dt_file_private_dir(at(state, "a/b/"), NULL));
	assert_int_equal(mode_of(at(state, "a/b")), 0700);
	umask(mask);
}

test(a_dir_that_others_can_enter_is_refused)
{
	static const mode_t modes[] = { 0701, 0710, 0755, 0777, 01777 };
	const char *path = at(state, "dir");

	tempdir_mkdir(*state, "dir");
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		struct dt_fail fail = { 0 };

		assert_int_equal(chmod(path, modes[i]), 0);
		assert_int_equal(dt_file_private_dir(path, &fail), DT_E_DENIED);
		assert_non_null(strstr(fail.msg, "open to others"));
		assert_int_equal(mode_of(path), modes[i]);
	}
	assert_int_equal(chmod(path, 0700), 0);
	assert_ok(dt_file_private_dir(path, NULL));
}

test(a_link_or_a_file_is_no_private_dir)
{
	tempdir_mkdir(*state, "dir");
	tempdir_put(*state, "file", "x");
	tempdir_link(*state, "link", "dir");
	tempdir_link(*state, "dangling", "none");
	assert_int_equal(dt_file_private_dir(at(state, "link"), NULL),
	                 DT_E_DENIED);
	assert_int_equal(dt_file_private_dir(at(state, "link//"), NULL),
	                 DT_E_DENIED);
	assert_int_equal(dt_file_private_dir(at(state, "dangling"), NULL),
	                 DT_E_DENIED);
	assert_false(dt_file_is_dir(at(state, "none")));
	assert_int_equal(dt_file_private_dir(at(state, "file"), NULL),
	                 DT_E_DENIED);
}

test(a_dir_of_somebody_else_is_refused)
{
	struct dt_fail fail = { 0 };

	tempdir_mkdir(*state, "dir");
	if (chown(at(state, "dir"), 12345, (gid_t)-1) != 0)
		skip(); /* only root can give it away */
	assert_int_equal(dt_file_private_dir(at(state, "dir"), &fail),
	                 DT_E_DENIED);
	assert_non_null(strstr(fail.msg, "belongs to user 12345"));
}

test(is_dir_follows_links)
{
	tempdir_put(*state, "file", "x");
	tempdir_link(*state, "link", ".");
	tempdir_link(*state, "dangling", "none");
	assert_true(dt_file_is_dir(*state));
	assert_true(dt_file_is_dir(at(state, "link")));
	assert_false(dt_file_is_dir(at(state, "file")));
	assert_false(dt_file_is_dir(at(state, "dangling")));
	assert_false(dt_file_is_dir(at(state, "none")));
}

static int open_folder(const char *path)
{
	int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	assert_true(folder >= 0);
	return folder;
}

test(read_at_takes_a_file_of_the_folder_and_no_link)
{
	int folder = open_folder(*state);
	struct dt_buf text;

	dt_buf_init(&text, 100);
	tempdir_put(*state, "a", "text");
	tempdir_link(*state, "link", "a");
	assert_ok(dt_file_read_at(folder, "a", &text, NULL));
	assert_string_equal(dt_buf_z(&text), "text");
	assert_int_equal(dt_file_read_at(folder, "link", &text, NULL),
	                 DT_E_DENIED);
	assert_int_equal(dt_file_read_at(folder, "none", &text, NULL),
	                 DT_E_MISSING);
	assert_int_equal(dt_file_read_at(folder, ".", &text, NULL), DT_E_ARGS);
	assert_int_equal(text.len, 4);
	dt_buf_done(&text);
	close(folder);
}

test(write_at_makes_a_new_file_and_replaces_none)
{
	int folder = open_folder(*state);
	mode_t old_mask = umask(027);
	struct dt_fail why = { 0 };

	assert_ok(
		dt_file_write_at(folder, "a", DT_STR("x"), 0666, false, NULL));
	assert_int_equal(mode_of(at(state, "a")), 0640);
	assert_ok(dt_file_write_at(folder, "b", DT_STR(""), 0666, true, NULL));
	assert_int_equal(mode_of(at(state, "b")), 0666);
	umask(old_mask);
	assert_int_equal(
		dt_file_write_at(folder, "a", DT_STR("y"), 0666, false, &why),
		DT_E_SYS);
	assert_int_equal(why.sys_errno, EEXIST);
	assert_text(at(state, "a"), "x");
	close(folder);
}

test(a_tree_is_removed_and_what_its_links_lead_to_is_not)
{
	const char *kept = at(state, "kept");
	const char *tree = at(state, "tree");

	assert_ok(dt_file_make_dirs(at(state, "tree/a/b"), NULL));
	assert_ok(dt_file_make_dirs(kept, NULL));
	assert_ok(dt_file_write(at(state, "kept/x"), DT_STR("x"), 0600, NULL));
	assert_ok(
		dt_file_write(at(state, "tree/a/x"), DT_STR("x"), 0600, NULL));
	assert_int_equal(symlink(kept, at(state, "tree/a/b/link")), 0);
	dt_file_remove_tree(tree);
	assert_int_equal(access(tree, F_OK), -1);
	assert_int_equal(access(at(state, "kept/x"), F_OK), 0);
	dt_file_remove_tree(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(read_appends_the_whole_file),
		test_in_tempdir(
			read_takes_a_file_of_exactly_the_limit_and_no_more),
		test_in_tempdir(read_of_a_large_file_makes_no_larger_buffer),
		test_in_tempdir(read_takes_files_that_do_not_tell_their_size),
		test_in_tempdir(read_says_what_is_missing_and_what_is_no_file),
		test_in_tempdir(read_beneath_reads_below_and_nothing_else),
		test_in_tempdir(read_named_tells_which_file_was_read),
		test_in_tempdir(
			write_creates_and_replaces_with_the_mode_asked_for),
		test_in_tempdir(write_replaces_a_link_and_leaves_its_target),
		test_in_tempdir(
			a_reader_keeps_the_old_file_while_it_is_replaced),
		test_in_tempdir(write_that_fails_leaves_nothing_behind),
		test_in_tempdir(a_name_of_the_greatest_length_can_be_written),
		test_in_tempdir(make_dirs_makes_all_that_is_missing),
		test_in_tempdir(
			make_dirs_takes_links_to_folders_and_relative_paths),
		test_in_tempdir(a_private_dir_is_made_and_found_again),
		test_in_tempdir(a_dir_that_others_can_enter_is_refused),
		test_in_tempdir(a_link_or_a_file_is_no_private_dir),
		test_in_tempdir(a_dir_of_somebody_else_is_refused),
		test_in_tempdir(is_dir_follows_links),
		test_in_tempdir(read_at_takes_a_file_of_the_folder_and_no_link),
		test_in_tempdir(write_at_makes_a_new_file_and_replaces_none),
		test_in_tempdir(
			a_tree_is_removed_and_what_its_links_lead_to_is_not),
	};

	return cmocka_run_group_tests(tests, NULL, release);
}
