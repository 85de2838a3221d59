/*
 * test/programs/link_swap.c - names exchanged in a tight loop: link-swap COUNT
 * ONE OTHER [ONE OTHER ...]
 *
 * Each pair changes places at least COUNT times, and then until standard input
 * ends; then the number of exchanges is printed.  Between two of them a name is
 * never without a file, so whoever reads meanwhile always reads something.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define TURN 1000 /* exchanges between two looks at the input */

static bool is_over(void)
{
	struct pollfd input = { .fd = 0, .events = POLLIN };

	return poll(&input, 1, 0) != 0;
}

/* Every pair once. */
static bool swap_all(int argc, char **argv)
{
	for (int i = 2; i < argc; i += 2) {
		if (renameat2(AT_FDCWD, argv[i], AT_FDCWD, argv[i + 1],
		              RENAME_EXCHANGE)) {
			perror(argv[i]);
			return false;
		}
	}
	return true;
}

int main(int argc, char **argv)
{
	unsigned long least = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	unsigned long count = 0;

	if (argc < 4 || argc % 2)
		return 2;
	while (count < least || !is_over()) {
		for (int i = 0; i < TURN; i++) {
			if (!swap_all(argc, argv))
				return 1;
		}
		count += TURN;
	}
	printf("%lu\n", count * (unsigned long)(argc - 2) / 2);
	return 0;
}
