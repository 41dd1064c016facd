/* Directories that only the user can have put code into; see private_directory.h. */
#define _GNU_SOURCE 1 /* O_NOFOLLOW */
#include "runtime/private_directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static teeny_privacy_report judge(const struct stat *status)
{
    teeny_privacy_report report = {.mode = status->st_mode & 07777, .owner = status->st_uid};
    if (status->st_uid != geteuid())
        report.privacy = TEENY_IS_FOREIGN;
    else if (S_ISLNK(status->st_mode))
        report.privacy = TEENY_IS_SYMLINK;
    else if (!S_ISDIR(status->st_mode))
        report.privacy = TEENY_IS_NO_DIRECTORY;
    else if (status->st_mode & (S_IWGRP | S_IWOTH))
        report.privacy = TEENY_IS_WRITABLE;
    return report;
}

static teeny_privacy_report not_usable(int error)
{
    return (teeny_privacy_report){.privacy = TEENY_NOT_USABLE, .error = error};
}

/* The name is judged first, for the reason; what was opened is judged again, since the name may
 * have changed its meaning in between. */
static int open_judged(int parent, const char *name, teeny_privacy_report *report)
{
    struct stat status;
    if (fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) < 0) {
        *report = not_usable(errno);
        return -1;
    }
    *report = judge(&status);
    if (report->privacy != TEENY_PRIVATE)
        return -1;
    int directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (directory < 0 || fstat(directory, &status) < 0)
        *report = not_usable(errno);
    else
        *report = judge(&status);
    if (report->privacy == TEENY_PRIVATE)
        return directory;
    if (directory >= 0)
        close(directory);
    return -1;
}

int teeny_private_directory_open(int parent, const char *name, teeny_privacy_report *out_report)
{
    teeny_privacy_report report;
    int directory = open_judged(parent, name, &report);
    if (out_report)
        *out_report = report;
    return directory;
}

/* 0700 whatever the host's umask is. */
static int make_directory(int parent, const char *name)
{
    return mkdirat(parent, name, 0700) < 0 ? -1 : fchmodat(parent, name, 0700, 0);
}

static void make_parents(int parent, const char *name)
{
    char *path = strdup(name);
    if (!path)
        return;
    for (char *at = path + 1; (at = strchr(at, '/')); at++) {
        *at = '\0';
        make_directory(parent, path); /* if this fails, so does what follows */
        *at = '/';
    }
    free(path);
}

int teeny_private_directory_make(int parent, const char *name, teeny_privacy_report *out_report)
{
    teeny_privacy_report report;
    int directory = open_judged(parent, name, &report);
    if (directory < 0 && report.privacy == TEENY_NOT_USABLE && report.error == ENOENT) {
        make_parents(parent, name);
        if (make_directory(parent, name) < 0 && errno != EEXIST)
            report = not_usable(errno);
        else
            directory = open_judged(parent, name, &report);
    }
    if (out_report)
        *out_report = report;
    return directory;
}
