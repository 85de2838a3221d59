void quits(void)
{
	exit(1);
	puts("http://");
}
