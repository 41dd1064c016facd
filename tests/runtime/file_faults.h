/* File system calls that fail, are the last ones of a killed process, or find the cache deleted.
 *
 * The linker puts file_faults.c in front of the library's own calls (--wrap). Only calls that go to
 * the cache directory count.
 */
#ifndef TEENY_TESTS_RUNTIME_FILE_FAULTS_H
#define TEENY_TESTS_RUNTIME_FILE_FAULTS_H

enum call {
    OPENAT,
    MKDIRAT,
    RENAMEAT,
    UNLINKAT,
    FSTATAT,
    FSTAT,
    FSYNC,
    WRITE,
    PWRITE,
    FLOCK,
    FCNTL,
    UTIMENSAT,
    ANY_CALL
};

enum action { NOTHING, FAIL_ONCE, FAIL_ON, DIE, DELETE_CACHE };

/* What is to happen at the how-manieth call of a kind. */
typedef struct file_faults {
    enum action action;
    enum call call;
    int nth;   /* from 1 */
    int error; /* an errno value, for those that fail */
    int seen;  /* how many calls there were; the caller clears it */
} file_faults;

extern file_faults plan;

#endif
