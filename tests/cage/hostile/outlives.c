/* Runs at full speed from its first moment, and hides what it finds in its environment. */

#include <string.h>

int main(int count, char **arguments, char **environment) {
    for (char **entry = environment; *entry; entry++) memset(*entry, 'x', strlen(*entry));
    for (int index = 0; index < count; index++) memset(arguments[index], 'x', strlen(arguments[index]));
    for (volatile unsigned long count = 0;; count++) continue;
}
