/* stdio INPUT OUTPUT GATE FILTERS COUNTING PROGRAM ARGUMENT ...

   Runs a program whose standard input and output are these descriptors. What starts it has others there, so that no
   copy of a pipe is left when the program has closed it.

   The file FILTERS holds two seccomp filters, of which the first has COUNTING rules. What the kernel asks about the
   calls that the first one counts, it asks the node, which gets the descriptor for it through the gate, a socket.

   It sends that with an empty line to say that it is there, waits until the node writes to the gate, and runs nothing
   where the node closes it, which the kernel does when the node ends. It says so when it is bound to the life of
   bubblewrap, and that to the node's: what the node writes after it has read the line, it writes to a process that ends
   with it. */

#include "bare.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/socket.h>

#define ASKS "to have the kernel ask about calls (SECCOMP_FILTER_FLAG_NEW_LISTENER, Linux 5.5 or later)"
#define MOST_RULES 4096 /* BPF_MAXINSNS, of each filter */

/* For errors that are an author's, what strerror says. */
static const char *words(long error) {
    switch (error) {
    case 2: return ": No such file or directory\n";
    case 8: return ": Exec format error\n";
    case 13: return ": Permission denied\n";
    default: return ": it is no program of this machine\n";
    }
}

static void say(const char *text) {
    long length = 0;
    while (text[length]) length++;
    call(SYS_write, 2, (long)text, length);
}

/* Installs a filter; returns a descriptor, where the flags ask for one. */
static long install(long flags, struct sock_filter *rules, long count, const char *what) {
    struct sock_fprog program = {count, rules};
    long result = call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, (long)&program);
    need(result, what);
    return result;
}

/* Installs the filters, and sends a descriptor through the gate with an empty line. */
static void confine(long gate, long file, long counting) {
    static struct sock_filter rules[2 * MOST_RULES];
    long size = call(SYS_pread64, file, (long)rules, sizeof rules);
    need(size, "pread");
    long listener = install(SECCOMP_FILTER_FLAG_NEW_LISTENER, rules, counting, ASKS);
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr header;
    } control = {.header = {CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS}};
    *(int *)CMSG_DATA(&control.header) = listener;
    struct iovec line = {"\n", 1};
    struct msghdr message = {.msg_iov = &line, .msg_iovlen = 1, .msg_control = &control};
    message.msg_controllen = sizeof control;
    need(call(SYS_sendmsg, gate, (long)&message, MSG_NOSIGNAL), "sendmsg");
    call(SYS_close, listener, 0, 0);
    call(SYS_close, file, 0, 0);
    install(0, rules + counting, size / sizeof *rules - counting, "seccomp");
}

/* `stack` is where the kernel puts the number of arguments, the arguments, and after a null the environment. */
__attribute__((used)) static void begin(long *stack) {
    char **end = (char **)(stack + 1) + *stack, **argument = (char **)(stack + 2);
    for (long target = 0; target < 2; target++) {
        long descriptor = number(*argument++);
        if (descriptor == target) continue;
        call(SYS_dup3, descriptor, target, 0);
        call(SYS_close, descriptor, 0, 0);
    }
    long gate = number(*argument++);
    long filters = number(*argument++);
    confine(gate, filters, number(*argument++));
    char byte;
    if (call(SYS_read, gate, (long)&byte, 1) != 1) call(SYS_exit_group, 1, 0, 0);
    call(SYS_close, gate, 0, 0);
    long result = call(SYS_execve, (long)*argument, (long)argument, (long)(end + 1));
    say("cannot run ");
    say(*argument);
    say(words(-result));
    call(SYS_exit_group, 1, 0, 0);
}

BEGIN
