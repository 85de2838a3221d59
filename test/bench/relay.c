/*
 * bench-relay COMMAND... - bytes to and from a command, and nothing else.
 *
 * The least that somebody between two programs can cost.
 */
#include <poll.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>

#define CHUNK 131072

/* What is there to be read, passed on; false: there is an end. */
static bool pass(int from, int to)
{
	static char bytes[CHUNK];
	ssize_t len = read(from, bytes, sizeof(bytes));
	ssize_t done = 0;

	while (done < len) {
		ssize_t n = write(to, bytes + done, (size_t)(len - done));

		if (n < 0)
			return false;
		done += n;
	}
	return len > 0;
}

int main(int argc, char **argv)
{
	struct pollfd ends[2] = { { .events = POLLIN }, { .events = POLLIN } };
	int pair[2];
	bool goes_on = true;

	if (argc < 2 ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return 1;
	if (fork() == 0) {
		dup2(pair[1], STDIN_FILENO);
		dup2(pair[1], STDOUT_FILENO);
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	close(pair[1]);
	ends[1].fd = pair[0];
	while (goes_on && poll(ends, 2, -1) > 0) {
		if (ends[0].revents)
			goes_on = pass(STDIN_FILENO, pair[0]);
		if (goes_on && ends[1].revents)
			goes_on = pass(pair[0], STDOUT_FILENO);
	}
	return 0;
}
