/* base/clock.h - time. */
#ifndef DT_BASE_CLOCK_H
#define DT_BASE_CLOCK_H

#include <stdint.h>

/* Monotonic; stands still while the machine sleeps, as the loop's timers do. */
uint64_t dt_clock_ms(void);
uint64_t dt_clock_ns(void);

/* Since 1970, for people and for the store. */
int64_t dt_clock_wall_ms(void);

#define DT_CLOCK_TEXT 25
/* "2026-11-15T02:01:37.123Z" */
void dt_clock_format(int64_t wall_ms, char out[DT_CLOCK_TEXT]);

#endif
