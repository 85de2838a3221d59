/* base/clock.c - the kernel's clocks, and the one way a time is written. */
#include "base/clock.h"

#include <stdio.h>
#include <time.h>

/* The first and the last millisecond whose year has four digits. */
#define FIRST_MS (-30610224000000)
#define LAST_MS 253402300799999

uint64_t dt_clock_ms(void)
{
	return dt_clock_ns() / 1000000;
}

uint64_t dt_clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

int64_t dt_clock_wall_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void dt_clock_format(int64_t wall_ms, char out[DT_CLOCK_TEXT])
{
	struct tm tm;
	time_t seconds;
	int ms;

	if (wall_ms < FIRST_MS)
		wall_ms = FIRST_MS;
	if (wall_ms > LAST_MS)
		wall_ms = LAST_MS;
	ms = (int)(wall_ms % 1000);
	if (ms < 0)
		ms += 1000; /* before 1970 the seconds round down as well */
	seconds = (time_t)((wall_ms - ms) / 1000);
	gmtime_r(&seconds, &tm);
	strftime(out, DT_CLOCK_TEXT, "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(out + 19, DT_CLOCK_TEXT - 19, ".%03uZ", (unsigned)ms % 1000);
}
