/* What happens when teenyc itself is at fault: a crash, an assertion or a fatal error of a library.
 *
 * The process says which pass or stage it was in and how to see it again, leaves no output behind,
 * and exits with 70. */
#ifndef TEENY_DRIVER_FAULTS_H
#define TEENY_DRIVER_FAULTS_H

enum { FAULT_EXIT = 70 };

/* Catches fatal signals, on a stack of their own, and gives the program a larger stack. `words` are
 * main's own, kept by reference. */
void faults_install(int count, char **words);

/* What is being done from now on: a pass or stage, a string that stays. */
void faults_activity(const char *activity);

/* While `input` is read, what it makes grow beyond all measure is no fault: a stack overflow says
 * that the input is nested too deeply, and memory is limited. NULL: it was read. */
void faults_reading(const char *input);

/* A file to remove in case of a fault, and where somebody stops the process; NULL: none. */
void faults_temporary(const char *path);

/* Reports a fault with its reason and ends the process. */
_Noreturn void faults_fatal(const char *reason);

#endif
