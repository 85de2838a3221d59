/* backend/code_place.h - where a question about code is really asked. */
#ifndef DT_BACKEND_CODE_PLACE_H
#define DT_BACKEND_CODE_PLACE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "editor/code.h"

/* So many lines away from a place its symbol is looked for. */
#define DT_CODE_NEAR_LINES 10

/*
 * Those who ask miscount.  Where the place has a symbol and that is not there,
 * the nearest one of that name is taken, on its line first, and of "a::b", "a.b"
 * and "a->b" the last part; without a symbol a blank is taken for the word before
 * it, else behind it.  place->at is changed and `moved` says so; its note is in
 * the arena.  Where only the line is known, the symbol is anywhere on it, and
 * where not even that, anywhere in the file.  DT_E_MISSING: no such symbol
 * nearby; DT_E_ARGS: no such line.
 */
enum dt_err dt_code_settle(struct dt_arena *arena, struct dt_str text,
                           struct dt_code_place *place,
                           struct dt_code_moved *moved,
                           struct dt_fail *fail) DT_MUST_CHECK;

/* The same for a place inside the parentheses of a call: on the name that is
 * called, it goes behind the parenthesis; blanks stay. */
enum dt_err dt_code_settle_call(struct dt_arena *arena, struct dt_str text,
                                struct dt_code_place *place,
                                struct dt_code_moved *moved,
                                struct dt_fail *fail) DT_MUST_CHECK;

/*
 * Where the name is that is called with the parentheses around a place, its last
 * letter; the place itself where there are none.
 */
struct dt_position dt_code_callee(struct dt_str text, struct dt_position at);

#endif
