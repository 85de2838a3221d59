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

/* base/ */
#define DT_LIMIT_DIFFED (4u * DT_MIB)    /* compared by line, by the daemon */
#define DT_LIMIT_SEQUENCE (64u * DT_KIB) /* a terminal's escape sequence */

/* data/ */
#define DT_LIMIT_JSON_DEPTH 512
#define DT_LIMIT_JSON_NODES (4u * DT_MIB) /* values and keys of one document */

/* wire/ */
#define DT_LIMIT_MESSAGE (64u * DT_MIB) /* one message, either direction */
#define DT_LIMIT_HTTP_HEAD (16u * DT_KIB)
#define DT_LIMIT_HTTP_HEADERS 64
#define DT_LIMIT_HTTP_BODY (64u * DT_MIB)

#define DT_LIMIT_FRAMED_HEAD (4u * DT_KIB) /* of a message of LSP */

/* loop/ */
#define DT_LIMIT_CHILD_ERRORS (4u * DT_KIB) /* kept of its standard error */
#define DT_LIMIT_ENVIRONMENT (8u * DT_MIB)  /* Linux gives nobody more */

#define DT_LIMIT_ANCESTORS 256u /* of a process whose owner is asked for */
#define DT_LIMIT_KNOWN 1024     /* processes remembered as an agent's */

#define DT_LIMIT_RESULT_PROMISED                                               \
	(64u * DT_KIB)               /* what a result counts while it is made */
#define DT_LIMIT_UNREAD_MS 60000     /* who takes nothing for so long is cut */
#define DT_LIMIT_UNREAD_FULL_MS 1000 /* the same while others wait for room */
#define DT_LIMIT_COMMANDS_OUTPUT (8u * DT_MIB) /* waits for our own commands */

#define DT_LIMIT_TYPED                                                         \
	(64u * DT_KIB) /* that a program in a terminal reads not */

/* link/ */
#define DT_LIMIT_QUEUE_HIGH (1u * DT_MIB)  /* stop reading the source above */
#define DT_LIMIT_QUEUE_LOW (256u * DT_KIB) /* and go on below */
#define DT_LIMIT_QUEUE (256u * DT_MIB) /* a peer that never reads is cut here */
#define DT_LIMIT_AWAY (8u * DT_MIB)    /* waits for a peer to come back */
#define DT_LIMIT_HEAD_MS 10000         /* a request head takes no longer */
#define DT_LIMIT_IDLE_HTTP_MS 60000
#define DT_LIMIT_CONNECTIONS 512         /* of a workspace, by HTTP */
#define DT_LIMIT_STRANGERS 64            /* those without the token */
#define DT_LIMIT_STRANGER_MS 100         /* its time to show it, at least */
#define DT_LIMIT_COMMANDS 256            /* connected to the control socket */
#define DT_LIMIT_HTTP_SESSION_MS 7200000 /* an MCP session without a request */
#define DT_LIMIT_PING_MS 30000
#define DT_LIMIT_PING_MISSED 3
#define DT_LIMIT_FAILED_HANDSHAKES 20 /* a second; then 429 */

/* rpc/ */
#define DT_LIMIT_BATCH 100                   /* messages in one array */
#define DT_LIMIT_BATCH_ANSWERS (8u * DT_MIB) /* to all of them together */

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
#define DT_LIMIT_TRANSACTIONS 10           /* open, a session */
#define DT_LIMIT_TRANSACTION_MS 600000     /* one that nobody touches */
#define DT_LIMIT_STAGED (128u * DT_MIB)    /* texts of a transaction */
#define DT_LIMIT_SEARCHED_FILE (8u * DT_MIB) /* larger ones are passed over */
#define DT_LIMIT_REPLY_TEXTS (4u * DT_MIB)   /* what a verdict tells */
#define DT_LIMIT_ANSWER_MS 1000       /* a form answered sooner: by no person */
#define DT_LIMIT_UNATTENDED_MS 600000 /* a review nobody waits for */
/* How long an agent has to write what was accepted, before the history says that
 * it did not: a CLI that was told, and a model that has to call a tool first. */
#define DT_LIMIT_SETTLE_MS 10000
#define DT_LIMIT_SETTLE_LATER_MS 300000
#define DT_LIMIT_HOOK_INPUT (160u * DT_MIB) /* what a hook is told */
#define DT_LIMIT_CUT (2u * DT_MIB)    /* of each text of a change that is cut */
#define DT_LIMIT_FOLLOWED 256         /* changes that agents are to write */
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
#define DT_LIMIT_FOUND 200                 /* lines that a search tells */
#define DT_LIMIT_CONTEXT 5                 /* lines around each of them */
#define DT_LIMIT_FOUND_LINE 1000           /* bytes of one such line */
#define DT_LIMIT_NOTE (16u * DT_KIB)       /* left for the next agent */
#define DT_LIMIT_IMPORT_DEPTH 10           /* of a tree of imports */
#define DT_LIMIT_IMPORT_FILES 500          /* read for it */
#define DT_LIMIT_CLIPBOARD (256u * DT_KIB) /* of what was copied */
#define DT_LIMIT_LOCATIONS 1000            /* places in one answer */
#define DT_LIMIT_PREVIEW 200               /* bytes of a line beside a place */
#define DT_LIMIT_SYMBOLS 5000              /* in one answer */
#define DT_LIMIT_TOKENS 5000               /* words, hints, folds; the same */
#define DT_LIMIT_LENSES 100                /* each is asked for by itself */
#define DT_LIMIT_SERVER_FAILURES 16        /* told beside what others found */
#define DT_LIMIT_LANGUAGES 4               /* servers are started to search */
#define DT_LIMIT_OUTPUT (512u * DT_KIB)    /* of a command, each of the two */
#define DT_LIMIT_COMMAND_MS 1800000        /* a command takes no longer */
#define DT_LIMIT_COMPLETIONS 100           /* of one value (MCP's own) */
#define DT_LIMIT_TERMINALS 10              /* of a session */
#define DT_LIMIT_SCREEN DT_MIB             /* text kept of a terminal */
#define DT_LIMIT_SCREEN_LINES 5000u        /* and lines */
#define DT_LIMIT_SCREEN_LINE (16u * DT_KIB)    /* characters of one of them */
#define DT_LIMIT_TERMINAL_TEXT (256u * DT_KIB) /* of it in one answer */
#define DT_LIMIT_REPLAY (256u * DT_KIB) /* of it that who looks in is shown */
#define DT_LIMIT_COMPLETIONS 100        /* of one value (MCP's own) */

/* backend/ */
#define DT_LIMIT_LSP_MESSAGE (32u * DT_MIB) /* one message of a server */
#define DT_LIMIT_LSP_TEXT (8u * DT_MIB)     /* a file servers are asked about */
#define DT_LIMIT_LSP_SERVERS 16             /* a workspace */
#define DT_LIMIT_LSP_FILES 64               /* open in one server */
#define DT_LIMIT_LSP_REQUESTS 256           /* under way at one server */
#define DT_LIMIT_LSP_IDLE_MINUTES 10        /* then it is stopped */
#define DT_LIMIT_LSP_START_MS 60000         /* until it must be ready */
#define DT_LIMIT_LSP_STOP_MS 2000           /* from "shutdown" to the end */
#define DT_LIMIT_LSP_PAUSE_MS 1000          /* after the first crash */
#define DT_LIMIT_LSP_SILENT_MS 60000        /* no word for so long, and ... */
#define DT_LIMIT_LSP_LATE 3        /* so many deadlines passed: it hangs */
#define DT_LIMIT_LSP_NEWS_MS 1500  /* for a report that may not come */
#define DT_LIMIT_LSP_HUSH_MS 8000  /* the same for who has more time */
#define DT_LIMIT_LSP_PART_MS 300   /* between parts of a report */
#define DT_LIMIT_LSP_YOUNG_MS 4000 /* and may know nothing yet */
#define DT_LIMIT_LSP_SOURCES 2000  /* files a server is told of */
#define DT_LIMIT_LSP_BEGIN_MS 1000 /* until it says that it looks at them */
#define DT_LIMIT_LSP_CRASHES 5
#define DT_LIMIT_LSP_CRASHES_MS 180000 /* so many in this time: given up */
#define DT_LIMIT_LSP_WATCHERS 256      /* patterns that a server registers */
#define DT_LIMIT_LSP_OPENED 16         /* that changed, at once in a server */
#define DT_LIMIT_LSP_PROGRESS 16       /* tasks of a server that are told */
#define DT_LIMIT_PROBLEM_CHARS 500     /* of one problem's text */
#define DT_LIMIT_PROBLEMS 1000         /* of one file, by one source */
#define DT_LIMIT_PROBLEM_FILES 500     /* with problems that are known */

/* git and gh */
#define DT_LIMIT_GIT_OUTPUT (8u * DT_MIB) /* what git prints, that is read */
#define DT_LIMIT_GIT_TEXT (128u * DT_KIB) /* of a patch or a log of CI, told */
#define DT_LIMIT_GIT_ENTRIES 1000 /* files, branches ... in one answer */
#define DT_LIMIT_GIT_FILES 1000   /* named in one call */
#define DT_LIMIT_GIT_LINES 500    /* whose commit is told, in one answer */
#define DT_LIMIT_GIT_COMMITS 5000 /* looked at for hotspots */
#define DT_LIMIT_GIT_MESSAGE (64u * DT_KIB) /* of a commit */

/* who looks for problems */
#define DT_LIMIT_LOOKS 32                 /* files that are looked at again */
#define DT_LIMIT_LOOK_MS 30000            /* one look of a language server */
#define DT_LIMIT_LINT_MS 60000            /* one run of a linter */
#define DT_LIMIT_LINT_AT_ONCE 4           /* linters */
#define DT_LIMIT_LINT_RUNS 128            /* whose findings are kept */
#define DT_LIMIT_LINT_FILES 64            /* one run was asked about */
#define DT_LIMIT_LINT_PROBLEMS 2000       /* of one run */
#define DT_LIMIT_LINT_BYTES (8u * DT_MIB) /* it may print */
#define DT_LIMIT_LINT_FLAGS (8u * DT_MIB) /* a compile_commands.json */
#define DT_LIMIT_WATCH_MS 120000          /* watchDiagnostics waits */

/* files that change */
#define DT_LIMIT_WATCH_FOLDERS 16384 /* watched, a workspace */
#define DT_LIMIT_WATCH_CHANGES 10000 /* that wait to be told; then a scan */
#define DT_LIMIT_WATCH_FRESH 200     /* new folders at once; then the same */
#define DT_LIMIT_WATCH_IDLE_MS 60000 /* watched on when nobody needs it */
#define DT_LIMIT_WATCHES 10          /* of watchFiles, a session */
#define DT_LIMIT_WATCH_KEPT 500      /* changes kept for one of them */
#define DT_LIMIT_WATCH_OWN_MS 600000 /* one of the person, not asked about */

#endif
