/* become USER GROUP LIMIT MOST ... -- PROGRAM ARGUMENT ...

   Runs a program as the user and group of these numbers, in no other group, with hard and soft limits of MOST for each
   RLIMIT of this number: what setpriv and prlimit do, which take a millisecond each to start. */

#include "bare.h"

#include <sys/resource.h>

/* `stack` is where the kernel puts the number of arguments, the arguments, and after a null the environment. */
__attribute__((used)) static void begin(long *stack) {
    char **end = (char **)(stack + 1) + *stack, **argument = (char **)(stack + 2);
    long user = number(*argument++);
    long group = number(*argument++);
    need(call(SYS_setgroups, 0, 0, 0), "become: setgroups");
    need(call(SYS_setresgid, group, group, group), "become: setresgid");
    need(call(SYS_setresuid, user, user, user), "become: setresuid");
    for (; **argument != '-'; argument += 2) {
        unsigned long most = number(argument[1]);
        struct rlimit limit = {most, most};
        need(call(SYS_prlimit64, 0, number(*argument), (long)&limit), "become: prlimit");
    }
    argument++;
    need(call(SYS_execve, (long)*argument, (long)argument, (long)(end + 1)), "become: execve");
}

BEGIN
