/*
 * What a process does to the files of one folder, seen between it and the C library: each step is told, and any step
 * can be made to fail. Loaded by LD_PRELOAD. POWER_ROOT is the folder, POWER_TAPE the file that is told to.
 *
 * A record of the tape: a letter, three numbers, the length of what follows, and what follows (see disk.py).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REAL(name) real_##name = real_##name ? real_##name : dlsym(RTLD_NEXT, #name)
#define FILES 1024

static int tape = -1;
static const char *root;
static char watched[FILES];
static int countdown, failure, lasting, of_reading, paused;
static int steps[2]; /* that change something; that read */

static ssize_t (*real_write)(int, const void *, size_t);

/* For the program under test: the n-th step from here (1: the next) fails, it alone or all after it; 0: none. Either
 * steps that change something, or such that read. */
void power_fail(int n, int error, int all, int reading) {
    countdown = n;
    failure = error;
    lasting = all;
    of_reading = reading;
}

/* Whether nothing is to be counted, nor to fail, for a while. */
void power_pause(int pause) {
    paused = pause;
}

/* How many steps there have been. */
int power_steps(int reading) {
    return steps[reading];
}

static void tell(char what, int64_t a, int64_t b, int64_t c, const void *data, size_t length) {
    struct __attribute__((packed)) { char what; int64_t a, b, c, length; } head = {what, a, b, c, (int64_t)length};
    REAL(write);
    if (tape < 0)
        return;
    if (real_write(tape, &head, sizeof head) != sizeof head || real_write(tape, data, length) != (ssize_t)length)
        abort();
}

/* For the program under test: put a word of its own on the tape. */
void power_say(const char *word) {
    tell('!', 0, 0, 0, word, strlen(word));
}

__attribute__((constructor)) static void start(void) {
    const char *path = getenv("POWER_TAPE");
    int (*real_open)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
    root = getenv("POWER_ROOT");
    if (root && path)
        tape = real_open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

/* Whether a path, seen from a folder, lies in ours; its name seen from there. */
static const char *ours(int folder, const char *path) {
    static char whole[2 * PATH_MAX];
    char link[64], base[PATH_MAX] = "";
    ssize_t length = 0;
    if (!root || !path)
        return NULL;
    if (path[0] != '/' && folder != AT_FDCWD) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
        length = readlink(link, base, sizeof base - 1);
        base[length > 0 ? length : 0] = 0;
        snprintf(whole, sizeof whole, "%s/%s", base, path);
    } else {
        snprintf(whole, sizeof whole, "%s", path);
    }
    length = strlen(root);
    if (strncmp(whole, root, length) || (whole[length] && whole[length] != '/'))
        return NULL;
    return whole[length] ? whole + length + 1 : ".";
}

/* Whether this step fails now. */
static int fails_now(int reading) {
    if (paused)
        return 0;
    steps[reading]++;
    if (countdown <= 0 || of_reading != reading || --countdown > 0)
        return 0;
    countdown = lasting;
    errno = failure;
    return 1;
}

static int fails(void) {
    return fails_now(0);
}

static int opened(int fd, int flags, int folder, const char *path) {
    const char *name = fd < 0 || fd >= FILES ? NULL : ours(folder, path);
    if (fd >= 0 && fd < FILES)
        watched[fd] = 0;
    if (name) {
        watched[fd] = 1;
        tell('o', fd, flags, 0, name, strlen(name));
    }
    return fd;
}

#define OPEN(name)                                                                     \
    int name(const char *path, int flags, ...) {                                       \
        static int (*real_##name)(const char *, int, ...);                             \
        va_list rest;                                                                  \
        va_start(rest, flags);                                                         \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;        \
        va_end(rest);                                                                  \
        REAL(name);                                                                    \
        if ((flags & (O_CREAT | O_ACCMODE)) && ours(AT_FDCWD, path) && fails())        \
            return -1;                                                                 \
        return opened(real_##name(path, flags, mode), flags, AT_FDCWD, path);          \
    }
#define OPENAT(name)                                                                   \
    int name(int folder, const char *path, int flags, ...) {                           \
        static int (*real_##name)(int, const char *, int, ...);                        \
        va_list rest;                                                                  \
        va_start(rest, flags);                                                         \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;        \
        va_end(rest);                                                                  \
        REAL(name);                                                                    \
        if ((flags & (O_CREAT | O_ACCMODE)) && ours(folder, path) && fails())          \
            return -1;                                                                 \
        return opened(real_##name(folder, path, flags, mode), flags, folder, path);    \
    }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

static int mine(int fd) {
    return fd >= 0 && fd < FILES && watched[fd];
}

ssize_t write(int fd, const void *data, size_t length) {
    REAL(write);
    if (!mine(fd))
        return real_write(fd, data, length);
    if (fails())
        return -1;
    off_t at = lseek(fd, 0, SEEK_CUR);
    ssize_t done = real_write(fd, data, length);
    if (done > 0)
        tell('w', fd, at, 0, data, done);
    return done;
}

#define PWRITE(name, offset)                                                           \
    ssize_t name(int fd, const void *data, size_t length, offset at) {                 \
        static ssize_t (*real_##name)(int, const void *, size_t, offset);              \
        REAL(name);                                                                    \
        if (!mine(fd))                                                                 \
            return real_##name(fd, data, length, at);                                  \
        if (fails()) {                                                                 \
            if (failure != ENOSPC || length < 1024)                                    \
                return -1;                                                             \
            length = 512; /* a disk that has room for some of it */                    \
        }                                                                              \
        ssize_t done = real_##name(fd, data, length, at);                              \
        if (done > 0)                                                                  \
            tell('w', fd, at, 0, data, done);                                          \
        return done;                                                                   \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t read(int fd, void *data, size_t length) {
    static ssize_t (*real_read)(int, void *, size_t);
    REAL(read);
    return mine(fd) && fails_now(1) ? -1 : real_read(fd, data, length);
}

#define PREAD(name, offset)                                                            \
    ssize_t name(int fd, void *data, size_t length, offset at) {                       \
        static ssize_t (*real_##name)(int, void *, size_t, offset);                    \
        REAL(name);                                                                    \
        return mine(fd) && fails_now(1) ? -1 : real_##name(fd, data, length, at);      \
    }
PREAD(pread, off_t)
PREAD(pread64, off64_t)

#define ON_FILE(name, letter, parameters, values, a, b)                                \
    int name parameters {                                                              \
        static int (*real_##name) parameters;                                          \
        REAL(name);                                                                    \
        if (mine(fd) && fails())                                                       \
            return -1;                                                                 \
        int result = real_##name values;                                               \
        if (mine(fd) && result == 0)                                                   \
            tell(letter, a, b, 0, NULL, 0);                                            \
        return result;                                                                 \
    }
ON_FILE(ftruncate, 't', (int fd, off_t size), (fd, size), fd, size)
ON_FILE(ftruncate64, 't', (int fd, off64_t size), (fd, size), fd, size)
ON_FILE(fsync, 's', (int fd), (fd), fd, 0)
ON_FILE(fdatasync, 's', (int fd), (fd), fd, 0)

int close(int fd) {
    static int (*real_close)(int);
    REAL(close);
    if (mine(fd)) {
        watched[fd] = 0;
        tell('c', fd, 0, 0, NULL, 0);
    }
    return real_close(fd);
}

/* What changes a folder: a letter, the name, and for a second name the length of the first. */
static int changed(char letter, int result, int folder, const char *path, int other_folder, const char *other) {
    static char both[4 * PATH_MAX];
    const char *name;
    size_t first = 0;
    if (result != 0 || !(name = ours(folder, path)))
        return result;
    snprintf(both, sizeof both, "%s", name);
    first = strlen(both);
    if (other && (name = ours(other_folder, other)))
        snprintf(both + first, sizeof both - first, "%s", name);
    tell(letter, first, 0, 0, both, strlen(both));
    return result;
}

#define ON_FOLDER(name, letter, parameters, values, folder, path, other_folder, other) \
    int name parameters {                                                              \
        static int (*real_##name) parameters;                                          \
        REAL(name);                                                                    \
        if (ours(folder, path) && fails())                                             \
            return -1;                                                                 \
        return changed(letter, real_##name values, folder, path, other_folder, other); \
    }
ON_FOLDER(unlink, 'u', (const char *path), (path), AT_FDCWD, path, 0, NULL)
ON_FOLDER(rmdir, 'u', (const char *path), (path), AT_FDCWD, path, 0, NULL)
ON_FOLDER(unlinkat, 'u', (int folder, const char *path, int flags), (folder, path, flags), folder, path, 0, NULL)
ON_FOLDER(mkdir, 'm', (const char *path, mode_t mode), (path, mode), AT_FDCWD, path, 0, NULL)
ON_FOLDER(mkdirat, 'm', (int folder, const char *path, mode_t mode), (folder, path, mode), folder, path, 0, NULL)
ON_FOLDER(link, 'l', (const char *path, const char *to), (path, to), AT_FDCWD, path, AT_FDCWD, to)
ON_FOLDER(linkat, 'l', (int a, const char *path, int b, const char *to, int flags), (a, path, b, to, flags), a, path, b, to)
ON_FOLDER(rename, 'r', (const char *path, const char *to), (path, to), AT_FDCWD, path, AT_FDCWD, to)
ON_FOLDER(renameat, 'r', (int a, const char *path, int b, const char *to), (a, path, b, to), a, path, b, to)
