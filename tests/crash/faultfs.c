/* A disk that fails: laid over the C library by LD_PRELOAD, it spoils the writing of files whose path begins as told.
 *
 * The program itself says when, through these functions (ctypes finds them in the process):
 *
 *   faultfs_watch(path)       files whose path begins with this one are on the bad disk
 *   faultfs_arm(at, what, on) the call number `at` from now on fails as `what` says; with `on`, all after it as well
 *   faultfs_disarm()          the disk is good again
 *   faultfs_calls()           how many calls there were since `faultfs_arm`
 *
 * A call is one that changes a file or waits for the disk: write, pwrite, fsync, fdatasync, ftruncate, fallocate.
 * What can happen to it:
 *
 *   1 no space    ENOSPC, nothing is written
 *   2 I/O error   EIO, nothing is written; a sync fails after the data may have reached the disk
 *   3 short       half is written and said to be; the next call finds no space
 *   4 death       the process is killed before the call does anything
 *   5 torn death  half is written, then the process is killed
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { GOOD, NO_SPACE, IO_ERROR, SHORT, DEATH, TORN_DEATH };

static char watched[4096];
static volatile long calls, failing_at;
static volatile int what, from_then_on;

void faultfs_watch(const char *path)
{
    strncpy(watched, path, sizeof watched - 1);
}

void faultfs_arm(long at, int fault, int on)
{
    calls = 0;
    failing_at = at;
    from_then_on = on;
    what = fault;
}

void faultfs_disarm(void)
{
    what = GOOD;
}

long faultfs_calls(void)
{
    return calls;
}

static int is_watched(int fd)
{
    char link[64], path[4096];
    ssize_t length;
    int before = errno;

    if (!watched[0])
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    length = readlink(link, path, sizeof path - 1);
    errno = before;
    if (length < 0)
        return 0;
    path[length] = 0;
    return strncmp(path, watched, strlen(watched)) == 0;
}

/* What happens to the call that is being made on this file. */
static int fate(int fd)
{
    long call;

    if (!is_watched(fd))
        return GOOD;
    call = __sync_add_and_fetch(&calls, 1);
    if (what == GOOD || call < failing_at)
        return GOOD;
    if (call == failing_at)
        return what;
    if (what == SHORT && (from_then_on || call == failing_at + 1))
        return NO_SPACE;
    return from_then_on ? what : GOOD;
}

static int die(void)
{
    kill(getpid(), SIGKILL);
    pause();
    return -1;
}

static int fail(int fault)
{
    if (fault == DEATH || fault == TORN_DEATH)
        return die();
    errno = fault == IO_ERROR ? EIO : ENOSPC;
    return -1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static ssize_t write_half(ssize_t (*real)(int, const void *, size_t), int fd, const void *data, size_t size, int fault)
{
    ssize_t written = real(fd, data, size / 2);
    return fault == TORN_DEATH ? die() : written;
}

ssize_t write(int fd, const void *data, size_t size)
{
    int fault = fate(fd);
    if (fault == GOOD)
        return REAL(write)(fd, data, size);
    if (size > 1 && (fault == SHORT || fault == TORN_DEATH))
        return write_half(REAL(write), fd, data, size, fault);
    return fail(fault);
}

static ssize_t pwrite_half(
    ssize_t (*real)(int, const void *, size_t, off_t), int fd, const void *data, size_t size, off_t at, int fault)
{
    ssize_t written = real(fd, data, size / 2, at);
    return fault == TORN_DEATH ? die() : written;
}

#define PWRITE(name, offset)                                               \
    ssize_t name(int fd, const void *data, size_t size, offset at)         \
    {                                                                      \
        int fault = fate(fd);                                              \
        if (fault == GOOD)                                                 \
            return REAL(name)(fd, data, size, at);                         \
        if (size > 1 && (fault == SHORT || fault == TORN_DEATH))           \
            return pwrite_half(REAL(pwrite), fd, data, size, at, fault);   \
        return fail(fault);                                                \
    }

PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

/* A disk that fails to sync has often written the data all the same: so it is here. */
#define SYNC(name)                                 \
    int name(int fd)                               \
    {                                              \
        int fault = fate(fd);                      \
        return fault == GOOD ? REAL(name)(fd) : fail(fault); \
    }

SYNC(fsync)
SYNC(fdatasync)

#define TRUNCATE(name, offset)                             \
    int name(int fd, offset length)                        \
    {                                                      \
        int fault = fate(fd);                              \
        return fault == GOOD ? REAL(name)(fd, length) : fail(fault); \
    }

TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

int fallocate(int fd, int mode, off_t at, off_t length)
{
    int fault = fate(fd);
    return fault == GOOD ? REAL(fallocate)(fd, mode, at, length) : fail(fault);
}

int fallocate64(int fd, int mode, off64_t at, off64_t length)
{
    int fault = fate(fd);
    return fault == GOOD ? REAL(fallocate64)(fd, mode, at, length) : fail(fault);
}
