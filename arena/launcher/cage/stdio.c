/* stdio INPUT OUTPUT GATE PROGRAM ARGUMENT ...

   Runs a program whose standard input and output are these descriptors. What starts it has others there, so that no
   copy of a pipe is left when the program has closed it.

   It says by an empty line that it is there, waits until the node writes to the gate, and runs nothing where the node
   closes it, which the kernel does when the node ends. It says so when it is bound to the life of bubblewrap, and that
   to the node's: what the node writes after it has read the line, it writes to a process that ends with it. */

#include "bare.h"

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
    char byte;
    call(SYS_write, 1, (long)"\n", 1);
    if (call(SYS_read, gate, (long)&byte, 1) != 1) call(SYS_exit_group, 1, 0, 0);
    call(SYS_close, gate, 0, 0);
    long result = call(SYS_execve, (long)*argument, (long)argument, (long)(end + 1));
    say("cannot run ");
    say(*argument);
    say(words(-result));
    call(SYS_exit_group, 1, 0, 0);
}

BEGIN
