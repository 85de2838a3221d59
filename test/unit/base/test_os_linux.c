/* What the kernel does for base/: see test_rand.c and test_beneath.c, too. */
#include "unit.h"

#include "base/os.h"
#include "tempdir.h"

#include <errno.h>

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_bytes_come_in_any_amount),
		test_in_tempdir(the_kernel_keeps_a_name_below_its_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
