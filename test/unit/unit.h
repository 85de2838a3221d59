/* test/unit/unit.h - what every unit test includes. */
#ifndef DT_TEST_UNIT_H
#define DT_TEST_UNIT_H

/* cmocka wants these four before its own header. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/err.h"

/* A test is a sentence: test(ws_refuses_an_unmasked_client_frame). */
#define test(name) static void name(void **state __attribute__((unused)))

#define assert_ok(call) assert_int_equal((call), DT_E_OK)

/* assert_str(slice, "literal") */
#define assert_str(s, literal)                                                 \
	do {                                                                   \
		assert_int_equal((s).len, sizeof(literal) - 1);                \
		assert_memory_equal((s).ptr, literal, sizeof(literal) - 1);    \
	} while (0)

#endif
