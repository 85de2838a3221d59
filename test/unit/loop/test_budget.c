/* test/unit/loop/test_budget.c - output shared out among those who may not read. */
#include "loop/budget.h"

#include "base/limits.h"
#include "sockets.h"

#include <time.h>

#define LIMIT (8u * DT_MIB)

struct fake {
	struct dt_draw draw;
	uint64_t taken;
	int gone;
	int place; /* among all that ever went */
	int cut;
};

static uint64_t fake_taken(const struct dt_draw *draw)
{
	return ((const struct fake *)draw)->taken;
}

static void fake_go(struct dt_draw *draw)
{
	static int order;

	((struct fake *)draw)->gone++;
	((struct fake *)draw)->place = ++order;
}

static void fake_cut(struct dt_draw *draw, const char *why)
{
	assert_non_null(strstr(why, "read nothing"));
	((struct fake *)draw)->cut++;
	dt_draw_leave(draw);
}

static const struct dt_draw_events fake_events = {
	.taken = fake_taken,
	.go = fake_go,
	.cut = fake_cut,
};

struct world {
	struct dt_loop *loop;
	struct dt_budget *budget;
	struct dt_timer *life; /* an idle loop does not turn */
	struct fake a;
	struct fake b;
	struct fake c;
};

static void on_life(struct dt_timer *timer, void *owner)
{
	(void)timer;
	(void)owner;
}

static void begin(struct world *w)
{
	*w = (struct world){ .loop = dt_loop_new() };
	w->budget = dt_budget_new(w->loop, LIMIT, "a test", "limits.test");
	w->life = dt_timer_new(w->loop, on_life, NULL);
	dt_timer_repeat(w->life, 3600000);
	dt_draw_init(&w->a.draw, w->budget, &fake_events);
	dt_draw_init(&w->b.draw, w->budget, &fake_events);
	dt_draw_init(&w->c.draw, w->budget, &fake_events);
}

static void turn(struct world *w, int times)
{
	while (times-- > 0)
		uv_run(dt_loop_uv(w->loop), UV_RUN_NOWAIT);
}

static void turn_for(struct world *w, unsigned ms)
{
	for (unsigned i = 0; i < ms / 5; i++) {
		turn(w, 1);
		usleep(5000);
	}
}

static void done(struct world *w)
{
	dt_draw_leave(&w->a.draw);
	dt_draw_leave(&w->b.draw);
	dt_draw_leave(&w->c.draw);
	assert_int_equal(dt_budget_used(w->budget), 0);
	dt_timer_free(w->life);
	dt_budget_free(w->budget);
	dt_loop_free(w->loop);
}

test(below_half_everybody_may)
{
	struct world w;

	begin(&w);
	dt_draw_hold(&w.a.draw, LIMIT / 2 - 1);
	assert_true(dt_draw_may(&w.a.draw));
	assert_true(dt_draw_may(&w.b.draw));
	turn(&w, 5);
	assert_int_equal(w.a.gone + w.b.gone, 0);
	done(&w);
}

test(above_half_only_who_has_read_all)
{
	struct world w;

	begin(&w);
	dt_draw_hold(&w.a.draw, LIMIT / 2);
	turn(&w, 1);
	assert_false(dt_draw_may(&w.a.draw));
	assert_true(dt_draw_may(&w.b.draw));
	turn(&w, 5);
	assert_int_equal(w.a.gone, 0);
	dt_draw_hold(&w.a.draw, 0);
	turn(&w, 5);
	assert_int_equal(w.a.gone, 1);
	done(&w);
}

test(the_last_quarter_is_for_those_known_to_read)
{
	struct world w;

	begin(&w);
	for (int i = 0; i < 16; i++) {
		turn(&w, 1);
		assert_true(dt_draw_may(&w.b.draw));
	}
	dt_draw_hold(&w.a.draw, LIMIT / 4 * 3);
	turn(&w, 1);
	assert_true(dt_draw_may(&w.b.draw));
	assert_false(dt_draw_may(&w.c.draw));
	dt_draw_hold(&w.a.draw, LIMIT);
	assert_false(dt_draw_may(&w.b.draw));
	/* Who waits is called once, in order. */
	dt_draw_hold(&w.a.draw, 1);
	turn(&w, 3);
	assert_int_equal(w.c.gone, 1);
	assert_int_equal(w.b.gone, 1);
	assert_int_equal(w.b.place, w.c.place + 1);
	done(&w);
}

test(a_result_on_its_way_counts)
{
	struct world w;
	size_t promised = 0;

	begin(&w);
	while (dt_budget_used(w.budget) < LIMIT)
		promised += dt_budget_promise(w.budget);
	turn(&w, 1);
	assert_false(dt_draw_may(&w.a.draw));
	dt_budget_redeem(w.budget, promised);
	turn(&w, 2);
	assert_int_equal(w.a.gone, 1);
	assert_int_equal(dt_budget_promise(NULL), 0);
	dt_budget_redeem(NULL, 0);
	done(&w);
}

test(who_keeps_others_waiting_and_does_not_read_is_cut)
{
	struct world w;

	begin(&w);
	dt_budget_set_patience(w.budget, 60000, 100);
	dt_draw_hold(&w.a.draw, LIMIT / 2);
	dt_draw_hold(&w.b.draw, LIMIT / 2 - 1);
	turn_for(&w, 600);
	assert_int_equal(w.a.cut + w.b.cut, 0); /* nobody waits */
	assert_false(dt_draw_may(&w.c.draw));
	for (int i = 0; i < 30; i++) {
		w.b.taken++; /* it reads, slowly */
		turn_for(&w, 20);
	}
	assert_int_equal(w.a.cut, 1);
	assert_int_equal(w.b.cut, 0);
	assert_int_equal(w.c.gone, 1);
	done(&w);
}

test(who_reads_nothing_for_long_is_cut_though_nobody_waits)
{
	struct world w;

	begin(&w);
	dt_budget_set_patience(w.budget, 100, 100);
	dt_draw_hold(&w.a.draw, 1);
	turn_for(&w, 600);
	assert_int_equal(w.a.cut, 1);
	done(&w);
}

test(without_a_limit_nobody_waits_or_is_cut)
{
	struct world w;

	begin(&w);
	dt_budget_set_limit(w.budget, 0);
	dt_budget_set_patience(w.budget, 10, 10);
	dt_draw_hold(&w.a.draw, 100 * LIMIT);
	turn_for(&w, 400);
	assert_true(dt_draw_may(&w.a.draw));
	assert_int_equal(w.a.cut, 0);
	done(&w);
}

test(a_long_turn_of_the_loop_ends_for_everybody)
{
	uint64_t until = (uint64_t)clock() * 1000 / CLOCKS_PER_SEC + 20;
	struct world w;

	begin(&w);
	turn(&w, 1);
	assert_true(dt_draw_may(&w.a.draw));
	usleep(20000); /* that is no work */
	assert_true(dt_draw_may(&w.a.draw));
	while ((uint64_t)clock() * 1000 / CLOCKS_PER_SEC < until)
		;
	assert_false(dt_draw_may(&w.a.draw));
	turn(&w, 2);
	assert_int_equal(w.a.gone, 1);
	assert_true(dt_draw_may(&w.a.draw));
	done(&w);
}

test(what_is_held_moves_to_another_budget)
{
	struct dt_budget *other;
	struct world w;

	begin(&w);
	other = dt_budget_new(w.loop, LIMIT, "another", NULL);
	dt_draw_hold(&w.a.draw, LIMIT);
	assert_false(dt_draw_may(&w.a.draw));
	dt_draw_move(&w.a.draw, other);
	assert_int_equal(dt_budget_used(w.budget), 0);
	assert_int_equal(dt_budget_used(other), LIMIT);
	dt_draw_hold(&w.a.draw, 0);
	turn(&w, 2);
	assert_int_equal(w.a.gone, 1);
	dt_budget_free(other);
	done(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(below_half_everybody_may),
		cmocka_unit_test(above_half_only_who_has_read_all),
		cmocka_unit_test(the_last_quarter_is_for_those_known_to_read),
		cmocka_unit_test(a_result_on_its_way_counts),
		cmocka_unit_test(
			who_keeps_others_waiting_and_does_not_read_is_cut),
		cmocka_unit_test(
			who_reads_nothing_for_long_is_cut_though_nobody_waits),
		cmocka_unit_test(without_a_limit_nobody_waits_or_is_cut),
		cmocka_unit_test(a_long_turn_of_the_loop_ends_for_everybody),
		cmocka_unit_test(what_is_held_moves_to_another_budget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
