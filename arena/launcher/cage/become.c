/* become USER GROUP LIMIT MOST ... -- PROGRAM ARGUMENT ...

   Runs a program as the user and group of these numbers, in no other group, with hard and soft limits of MOST for each
   RLIMIT of this number: what setpriv and prlimit do, which take a millisecond each to start. */

#include "bare.h"

#include <sys/resource.h>

/* When a system call has failed: ends with one line on standard error, of the call and the number of its error. */
static void need(long result, const char *what) {
    char line[64], *at = line;
    if (result >= 0) return;
    for (const char *from = "become: "; *from;) *at++ = *from++;
    while (*what) *at++ = *what++;
    for (const char *from = " failed with error "; *from;) *at++ = *from++;
    if (-result >= 100) *at++ = '0' + -result / 100;
    if (-result >= 10) *at++ = '0' + -result / 10 % 10;
    *at++ = '0' + -result % 10;
    *at++ = '\n';
    call(SYS_write, 2, (long)line, at - line);
    call(SYS_exit_group, 1, 0, 0);
}

/* `stack` is where the kernel puts the number of arguments, the arguments, and after a null the environment. */
__attribute__((used)) static void begin(long *stack) {
    char **end = (char **)(stack + 1) + *stack, **argument = (char **)(stack + 2);
    long user = number(*argument++);
    long group = number(*argument++);
    need(call(SYS_setgroups, 0, 0, 0), "setgroups");
    need(call(SYS_setresgid, group, group, group), "setresgid");
    need(call(SYS_setresuid, user, user, user), "setresuid");
    for (; **argument != '-'; argument += 2) {
        unsigned long most = number(argument[1]);
        struct rlimit limit = {most, most};
        need(call(SYS_prlimit64, 0, number(*argument), (long)&limit), "prlimit");
    }
    argument++;
    need(call(SYS_execve, (long)*argument, (long)argument, (long)(end + 1)), "execve");
}

BEGIN
