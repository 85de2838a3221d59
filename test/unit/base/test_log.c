/* The log: one line each, and no peer can forge one. */
#include "unit.h"

#include "base/log.h"
#include "base/str.h"
#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static char text[8192];

/* Everything written to the pipe so far. */
static const char *drain(const int pipe_fd[2])
{
	ssize_t n = read(pipe_fd[0], text, sizeof(text) - 1);

	text[n > 0 ? n : 0] = '\0';
	return text;
}

static int open_pipe(void **state)
{
	static int fds[2];

	*state = fds;
	return pipe2(fds, O_CLOEXEC | O_NONBLOCK);
}

static int close_pipe(void **state)
{
	const int *fds = *state;

	dt_log_set(DT_LOG_WARN, STDERR_FILENO);
	close(fds[0]);
	close(fds[1]);
	return 0;
}

test(a_line_has_time_level_and_text)
{
	const int *fds = *state;

	dt_log_set(DT_LOG_INFO, fds[1]);
	dt_log(DT_LOG_INFO, "port %d", 80);
	drain(fds);
	assert_int_equal(strlen(text), 24 + strlen(" info port 80\n"));
	assert_int_equal(text[4], '-');
	assert_int_equal(text[10], 'T');
	assert_int_equal(text[23], 'Z');
	assert_string_equal(text + 24, " info port 80\n");
}

test(lines_above_the_level_are_dropped)
{
	const int *fds = *state;

	dt_log_set(DT_LOG_WARN, fds[1]);
	assert_int_equal(dt_log_level(), DT_LOG_WARN);
	dt_log(DT_LOG_INFO, "no");
	dt_log(DT_LOG_DEBUG, "no");
	assert_string_equal(drain(fds), "");
	dt_log(DT_LOG_WARN, "yes");
	assert_string_equal(drain(fds) + 24, " warn yes\n");
	dt_log(DT_LOG_ERROR, "yes");
	assert_string_equal(drain(fds) + 24, " error yes\n");
	dt_log_set(DT_LOG_DEBUG, fds[1]);
	dt_log(DT_LOG_DEBUG, "yes");
	assert_string_equal(drain(fds) + 24, " debug yes\n");
}

test(control_characters_are_shown)
{
	const int *fds = *state;

	dt_log_set(DT_LOG_WARN, fds[1]);
	dt_log(DT_LOG_WARN, "%s", "a\nb\r\x1b[31m\x7f\t");
	assert_string_equal(drain(fds) + 24,
	                    " warn a<U+000A>b<U+000D><U+001B>[31m<U+007F>"
	                    "<U+0009>\n");
	/* U+009B starts a sequence as ESC [ does; U+00A0 looks like a space. */
	dt_log(DT_LOG_WARN, "%s",
	       "\xc2\x9b"
	       "31m \xc2\xa0 \xc3\x9f");
	assert_string_equal(drain(fds) + 24,
	                    " warn <U+009B>31m <U+00A0> \xc3\x9f\n");
}

test(a_long_line_is_cut_between_characters_and_ends)
{
	const int *fds = *state;
	char long_text[4096];

	dt_log_set(DT_LOG_WARN, fds[1]);
	for (size_t shift = 0; shift < 4; shift++) {
		memset(long_text, 'x', shift);
		for (size_t i = shift; i + 4 < sizeof(long_text); i += 3)
			memcpy(long_text + i, "\xe2\x82\xac", 4);
		dt_log(DT_LOG_WARN, "%s", long_text);
		drain(fds);
		assert_true(strlen(text) > 500);
		assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
		assert_true(dt_utf8_is_valid(dt_str(text)));
	}
	memset(long_text, '\n', sizeof(long_text) - 1);
	long_text[sizeof(long_text) - 1] = '\0';
	dt_log(DT_LOG_WARN, "%s", long_text);
	drain(fds);
	assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
}

test(logging_keeps_errno_even_when_it_cannot_write)
{
	dt_log_set(DT_LOG_WARN, -1);
	errno = ENOENT;
	dt_log(DT_LOG_WARN, "nobody hears this");
	assert_int_equal(errno, ENOENT);
}

test(panic_says_it_and_aborts)
{
	const int *fds = *state;
	int status;
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		dt_log_set(DT_LOG_ERROR, fds[1]);
		dt_panic("bad %s", "luck");
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
	assert_string_equal(drain(fds) + 24, " error bad luck\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_has_time_level_and_text),
		cmocka_unit_test(lines_above_the_level_are_dropped),
		cmocka_unit_test(control_characters_are_shown),
		cmocka_unit_test(
			a_long_line_is_cut_between_characters_and_ends),
		cmocka_unit_test(logging_keeps_errno_even_when_it_cannot_write),
		cmocka_unit_test(panic_says_it_and_aborts),
	};

	return cmocka_run_group_tests(tests, open_pipe, close_pipe);
}
