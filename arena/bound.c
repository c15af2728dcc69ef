/* bound SIGNAL PARENT PROGRAM ARGUMENT ...

   Runs a program that gets this signal when the process PARENT, whose child it is, ends. Done by a program of its own:
   between fork and exec a process with threads must not run Python. PR_SET_PDEATHSIG survives the exec. */

#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int count, char **argument) {
    if (count < 4 || prctl(PR_SET_PDEATHSIG, (unsigned long)atoi(argument[1]))) return 1;
    if (getppid() != atoi(argument[2])) return 1;
    execvp(argument[3], argument + 3);
    perror(argument[3]);
    return 1;
}
