/*
 * base/limits.h - every limit of the program, once.  A buffer, queue or list
 * takes its limit from here at birth; what hits one answers with a sentence
 * that names it.  The table in hub/config.c has those a person may change; for
 * them the value here is the default or, where there is none, it is there.
 */
#ifndef DT_BASE_LIMITS_H
#define DT_BASE_LIMITS_H

#define DT_KIB 1024u
#define DT_MIB (1024u * 1024u)

/* data/ */
#define DT_LIMIT_JSON_DEPTH 512
#define DT_LIMIT_JSON_NODES (4u * DT_MIB) /* values and keys of one document */

/* wire/ */
#define DT_LIMIT_MESSAGE (64u * DT_MIB) /* one message, either direction */
#define DT_LIMIT_HTTP_HEAD (16u * DT_KIB)
#define DT_LIMIT_HTTP_HEADERS 64
#define DT_LIMIT_HTTP_BODY (64u * DT_MIB)

/* loop/ */
#define DT_LIMIT_ENVIRONMENT (4u * DT_MIB) /* of a process we look at */

/* link/ */
#define DT_LIMIT_QUEUE_HIGH (1u * DT_MIB)  /* stop reading the source above */
#define DT_LIMIT_QUEUE_LOW (256u * DT_KIB) /* and go on below */
#define DT_LIMIT_QUEUE (256u * DT_MIB) /* a peer that never reads is cut here */
#define DT_LIMIT_HEAD_MS 10000         /* a request head takes no longer */
#define DT_LIMIT_IDLE_HTTP_MS 60000
#define DT_LIMIT_CONNECTIONS 512         /* of a workspace, by HTTP */
#define DT_LIMIT_HTTP_SESSION_MS 7200000 /* an MCP session without a request */
#define DT_LIMIT_PING_MS 30000
#define DT_LIMIT_PING_MISSED 3
#define DT_LIMIT_FAILED_HANDSHAKES 20 /* a second; then 429 */

/* rpc/ */
#define DT_LIMIT_BATCH 100 /* messages in one array */

/* tool/, hub/ */
#define DT_LIMIT_ARGUMENTS (1u * DT_MIB) /* but for file texts */
#define DT_LIMIT_MENTIONS 16             /* that wait for an agent */
#define DT_LIMIT_MENTION_MS 60000
#define DT_LIMIT_MUTES 64
#define DT_LIMIT_AUDITS 256                /* lines that may still change */
#define DT_LIMIT_SUBSCRIPTIONS 200         /* to resources, a session */
#define DT_LIMIT_LISTENS 100               /* requests held open for changes */
#define DT_LIMIT_REVIEWS 256               /* waiting, a session */
#define DT_LIMIT_CHANGES 200               /* files of one review */
#define DT_LIMIT_EDITS 1000                /* of one file */
#define DT_LIMIT_EDIT_TEXT (512u * DT_MIB) /* gone over for all of a review */
#define DT_LIMIT_REPLY_TEXTS (4u * DT_MIB) /* what a verdict tells */
#define DT_LIMIT_UNATTENDED_MS 600000      /* a review nobody waits for */
#define DT_LIMIT_UNATTENDED 64        /* verdicts nobody has asked for yet */
#define DT_LIMIT_FILE (64u * DT_MIB)  /* a text we read */
#define DT_LIMIT_SUBSCRIBERS 16       /* of /events, a workspace */
#define DT_LIMIT_EVENTS_BEAT_MS 15000 /* two without room: a slow reader */
#define DT_LIMIT_OPEN_FILES 1000      /* a workspace */
#define DT_LIMIT_RESOURCE DT_MIB      /* a file that is read as a resource */
#define DT_LIMIT_LIST_BYTES (32u * DT_MIB) /* names of files of one root */
#define DT_LIMIT_LIST_FILES 200000         /* looked at where there is no git */
#define DT_LIMIT_LIST_DEPTH 32             /* folders in folders, there */
#define DT_LIMIT_LISTED 10000              /* names in one answer */
#define DT_LIMIT_COMPLETIONS 100           /* of one value (MCP's own) */

#endif
