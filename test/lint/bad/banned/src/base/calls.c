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
