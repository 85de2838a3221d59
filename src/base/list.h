/* base/list.h - doubly linked lists whose links sit in the members. */
#ifndef DT_BASE_LIST_H
#define DT_BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>

/* A list head or a member's link.  A link in no list points to itself. */
struct dt_list {
	struct dt_list *next;
	struct dt_list *prev;
};

static inline void dt_list_init(struct dt_list *l)
{
	l->next = l->prev = l;
}

static inline bool dt_list_is_empty(const struct dt_list *l)
{
	return l->next == l;
}

static inline void dt_list_append(struct dt_list *head, struct dt_list *link)
{
	link->prev = head->prev;
	link->next = head;
	head->prev->next = link;
	head->prev = link;
}

/* Idempotent: removing a link twice does nothing. */
static inline void dt_list_remove(struct dt_list *link)
{
	link->prev->next = link->next;
	link->next->prev = link->prev;
	dt_list_init(link);
}

/* The struct around a link. */
#define DT_LIST_OF(link, type, member)                                         \
	((type *)((char *)(link)-offsetof(type, member)))

/* Walk in order; the current member may be removed and freed, no other. */
#define dt_list_each(var, head, type, member)                                  \
	for (type *var = DT_LIST_OF((head)->next, type, member),               \
	          *var##_next = DT_LIST_OF(var->member.next, type, member);    \
	     &var->member != (head); var = var##_next,                         \
	          var##_next = DT_LIST_OF(var->member.next, type, member))

#endif
