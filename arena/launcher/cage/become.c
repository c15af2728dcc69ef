/* become USER LIMIT MOST ... -- PROGRAM ARGUMENT ...

   Runs a program as the user and group of this number, in no other group, with hard and soft limits of MOST for each
   RLIMIT of this number: what setpriv and prlimit do, which take a millisecond each to start. */

#include "bare.h"

#include <sys/resource.h>

static long number(const char *text) {
    long value = 0;
    while (*text) value = 10 * value + (*text++ - '0');
    return value;
}

/* Ends with one line on standard error when a system call has failed. */
static void need(long result, const char *what) {
    long length = 0;
    if (result >= 0) return;
    while (what[length]) length++;
    call(SYS_write, 2, (long)what, length);
    call(SYS_exit_group, 1, 0, 0);
}

/* `stack` is where the kernel puts the number of arguments, the arguments, and after a null the environment. */
__attribute__((used)) static void begin(long *stack) {
    char **end = (char **)(stack + 1) + *stack, **argument = (char **)(stack + 2);
    long user = number(*argument++);
    need(call(SYS_setgroups, 0, 0, 0), "become: the groups cannot be left\n");
    need(call(SYS_setresgid, user, user, user), "become: the group cannot be changed\n");
    need(call(SYS_setresuid, user, user, user), "become: the user cannot be changed\n");
    for (; **argument != '-'; argument += 2) {
        unsigned long most = number(argument[1]);
        struct rlimit limit = {most, most};
        need(call(SYS_prlimit64, 0, number(*argument), (long)&limit), "become: a limit cannot be set\n");
    }
    argument++;
    need(call(SYS_execve, (long)*argument, (long)argument, (long)(end + 1)), "become: the program cannot be run\n");
}

#if defined(__x86_64__)
__asm__(".globl _start\n_start: xor %ebp, %ebp\n mov %rsp, %rdi\n and $-16, %rsp\n call begin\n");
#elif defined(__aarch64__)
__asm__(".globl _start\n_start: mov x29, xzr\n mov x0, sp\n bl begin\n");
#endif
