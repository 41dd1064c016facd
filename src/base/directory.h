/* Directories, relative to an open one: opened, made, and walked.
 *
 * A directory descriptor (or AT_FDCWD) and a name say which one is meant. No symbolic link is
 * followed in the name's last part, and what is opened is closed on exec.
 */
#ifndef TEENY_BASE_DIRECTORY_H
#define TEENY_BASE_DIRECTORY_H

/* Opens it to look into. A descriptor, or -1 with errno set. */
int teeny_directory_open(int parent, const char *name);

/* Makes it, with mode 0700 whatever the host's umask is. Returns 0 or an errno value. */
int teeny_directory_make(int parent, const char *name);

/* What is done with a name: 0 goes on, an errno value ends the walk. */
typedef int teeny_directory_visitor(int directory, const char *name, void *context);

/* Calls `visit` with the open directory and each name in it but "." and ".."; it may remove what it
 * is given. Returns 0, what ended the walk, or the errno value of why the names could not be read.
 */
int teeny_directory_walk(int directory, teeny_directory_visitor *visit, void *context);

#endif
