/* Freed twice on one path. */
#include <stdlib.h>

int twice(int count);
int twice(int count)
{
	char *text = malloc(10);

	if (!text)
		return 1;
	if (count > 3)
		free(text);
	free(text);
	return 0;
}
