/* What the kernel does for base/: see test_rand.c and test_beneath.c, too. */
#include "unit.h"

#include "base/os.h"
#include "tempdir.h"

#include <errno.h>
#include <stdio.h>

test(random_bytes_come_in_any_amount)
{
	uint8_t small[2][16] = { { 0 }, { 0 } };
	uint8_t *large = dt_alloc(1000000);
	size_t zeroes = 0;

	assert_true(dt_os_random(NULL, 0));
	assert_true(dt_os_random(small[0], 16));
	assert_true(dt_os_random(small[1], 16));
	assert_memory_not_equal(small[0], small[1], 16);
	/* One call to the kernel may give less than was asked for. */
	assert_true(dt_os_random(large, 1000000));
	for (size_t i = 900000; i < 1000000; i++)
		zeroes += large[i] == 0;
	assert_true(zeroes < 1000);
	free(large);
}

test(the_kernel_keeps_a_name_below_its_root)
{
	int root_fd = open(*state, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int fd = -1;

	assert_true(root_fd >= 0);
	tempdir_put(*state, "file", "x");
	tempdir_link(*state, "magic", "/proc/self/cwd");
	if (!dt_os_open_beneath(root_fd, "file", O_RDONLY, &fd)) {
		assert_int_equal(errno, ENOSYS);
		close(root_fd);
		skip();
	}
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	close(fd);
	fd = -1;
	assert_false(dt_os_open_beneath(root_fd, "../x", O_RDONLY, &fd));
	assert_int_equal(errno, EXDEV);
	assert_false(dt_os_open_beneath(root_fd, "magic", O_RDONLY, &fd));
	assert_int_equal(errno, EXDEV);
	assert_false(dt_os_open_beneath(root_fd, "none", O_RDONLY, &fd));
	assert_int_equal(errno, ENOENT);
	assert_int_equal(fd, -1);
	close(root_fd);
}

test(the_kernel_tells_a_path_without_links)
{
	static const char *const with[] = { "link",        "link/file",
		                            "loop",        "gone",
		                            "folder/none", "folder/file/" };
	char path[4096];

	tempdir_mkdir(*state, "folder");
	tempdir_put(*state, "folder/file", "x");
	tempdir_link(*state, "link", "folder");
	tempdir_link(*state, "loop", "loop");
	tempdir_link(*state, "gone", "none");
	(void)snprintf(path, sizeof(path), "%s/folder/file",
	               (const char *)*state);
	if (!dt_os_has_no_links(path)) {
		assert_int_equal(errno, ENOSYS);
		skip();
	}
	for (size_t i = 0; i < sizeof(with) / sizeof(with[0]); i++) {
		(void)snprintf(path, sizeof(path), "%s/%s",
		               (const char *)*state, with[i]);
		if (dt_os_has_no_links(path))
			fail_msg("%s has none", with[i]);
	}
	assert_false(dt_os_has_no_links("/proc/self/cwd"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_bytes_come_in_any_amount),
		test_in_tempdir(the_kernel_keeps_a_name_below_its_root),
		test_in_tempdir(the_kernel_tells_a_path_without_links),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
