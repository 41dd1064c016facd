/* Directories that only the user can have put code into; see private_directory.h. */
#define _GNU_SOURCE 1 /* O_NOFOLLOW */
#include "runtime/cache/private_directory.h"

#include "base/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static teeny_privacy_report judge(const struct stat *status)
{
    teeny_privacy_report report = {
        .mode = status->st_mode & 07777,
        .owner = status->st_uid,
        .device = status->st_dev,
        .inode = status->st_ino,
        .modified = (int64_t)status->st_mtim.tv_sec * 1000000000 + status->st_mtim.tv_nsec,
    };
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

const char *teeny_privacy_phrase(teeny_privacy privacy)
{
    static const char *const phrases[] = {
        [TEENY_IS_FOREIGN] = "it belongs to another user",
        [TEENY_IS_SYMLINK] = "it is a symbolic link",
        [TEENY_IS_NO_DIRECTORY] = "it is no directory",
        [TEENY_IS_WRITABLE] = "others may write to it",
    };
    return privacy < TEENY_IS_FOREIGN ? NULL : phrases[privacy];
}

static teeny_privacy_report not_usable(int error)
{
    return (teeny_privacy_report){.privacy = TEENY_NOT_USABLE, .error = error};
}

/* Why a name could not be opened as a directory. */
static teeny_privacy_report explain(int parent, const char *name, int error)
{
    struct stat status;
    if (fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
        return not_usable(errno);
    teeny_privacy_report report = judge(&status);
    return report.privacy == TEENY_PRIVATE ? not_usable(error) : report;
}

/* What was opened is judged, not its name, which may change its meaning at any time. */
static int open_judged(int parent, const char *name, teeny_privacy_report *report)
{
    struct stat status;
    int directory = teeny_directory_open(parent, name);
    if (directory < 0) {
        *report = explain(parent, name, errno);
        return -1;
    }
    *report = fstat(directory, &status) < 0 ? not_usable(errno) : judge(&status);
    if (report->privacy == TEENY_PRIVATE)
        return directory;
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

static void make_parents(int parent, const char *name)
{
    char *path = strdup(name);
    if (!path)
        return;
    for (char *at = path + 1; (at = strchr(at, '/')); at++) {
        *at = '\0';
        teeny_directory_make(parent, path); /* if this fails, so does what follows */
        *at = '/';
    }
    free(path);
}

static bool is_missing(const teeny_privacy_report *report)
{
    return report->privacy == TEENY_NOT_USABLE && report->error == ENOENT;
}

/* What was just made may be deleted before it is opened. */
int teeny_private_directory_make(int parent, const char *name, teeny_privacy_report *out_report)
{
    enum { ATTEMPTS = 3 };
    teeny_privacy_report report;
    int directory = open_judged(parent, name, &report);
    for (int attempt = 0; attempt < ATTEMPTS && directory < 0 && is_missing(&report); attempt++) {
        make_parents(parent, name);
        int error = teeny_directory_make(parent, name);
        if (error && error != EEXIST)
            report = not_usable(error);
        else
            directory = open_judged(parent, name, &report);
    }
    if (out_report)
        *out_report = report;
    return directory;
}
