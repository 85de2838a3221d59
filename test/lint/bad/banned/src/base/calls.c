/*
 * strcpy() in a comment is a word, and so is "strcat(" in a literal.
 */
void calls(char *to, const char *from)
{
	my_strcpy(to, "strcat(", ')');
	strcpy(to, from);
	_exit(0); // not this kind of comment
	exit (0);
}

#define NONE ((const char *const[]){ NULL })
static const char *const *const fine = NONE;

const char *const *outlives(int is_none)
{
	if (is_none)
		return NONE;
	return (const char *const[]){ "a", NULL };
}
