/* link/link.c - what all carriers share. */
#include "link/link.h"

#include "base/limits.h"

/* A message of this size leaves memory behind that is worth giving back. */
#define LARGE (128u * DT_KIB)

void dt_link_start(struct dt_link *link, const struct dt_link_events *events,
                   void *owner)
{
	link->events = events;
	link->owner = owner;
	if (link->carrier->start)
		link->carrier->start(link);
}

void dt_link_set_tap(struct dt_link *link, dt_link_tap *tap, void *owner)
{
	link->tap = tap;
	link->tap_owner = owner;
}

static void note_size(const struct dt_link *link, struct dt_str message)
{
	if (message.len >= LARGE)
		dt_loop_release_soon(link->loop);
}

void dt_link_send(struct dt_link *link, struct dt_str message)
{
	note_size(link, message);
	if (link->tap)
		link->tap(link, false, message, link->tap_owner);
	link->carrier->send(link, message);
}

void dt_link_close(struct dt_link *link, enum dt_link_end end,
                   const char *reason)
{
	link->carrier->close(link, end, reason);
}

bool dt_link_is_clogged(struct dt_link *link)
{
	if (!link->carrier->stream)
		return link->carrier->is_clogged(link);
	return dt_stream_queued(link->carrier->stream(link)) >
	       DT_LIMIT_QUEUE_HIGH;
}

void dt_link_deliver(struct dt_link *link, struct dt_str message)
{
	note_size(link, message);
	if (link->tap)
		link->tap(link, true, message, link->tap_owner);
	link->events->on_message(link, message, link->owner);
}

void dt_link_deliver_end(struct dt_link *link, const struct dt_fail *why)
{
	if (link->tap)
		link->tap(link, true, (struct dt_str){ 0 }, link->tap_owner);
	/* The owner may still send, in vain; nobody listens to that. */
	dt_link_set_tap(link, NULL, NULL);
	if (link->events)
		link->events->on_closed(link, why, link->owner);
}
