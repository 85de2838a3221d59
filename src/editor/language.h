/* editor/language.h - which language a file is written in, by its name. */
#ifndef DT_EDITOR_LANGUAGE_H
#define DT_EDITOR_LANGUAGE_H

/* A language id as VS Code and LSP name them; "plaintext" when unknown. */
const char *dt_language_of(const char *path);

#endif
