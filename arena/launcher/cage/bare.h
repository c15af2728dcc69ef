/* System calls of programs that do without a C library, and so start in no time. */

#include <sys/syscall.h>

#if defined(__x86_64__)
static long call(long number, long first, long second, long third) {
    register long fourth __asm__("r10") = 0;
    __asm__ volatile("syscall"
                     : "+a"(number)
                     : "D"(first), "S"(second), "d"(third), "r"(fourth)
                     : "rcx", "r11", "memory");
    return number;
}
/* Where a program starts that has a function `begin`, to which it hands the stack. */
#define BEGIN __asm__(".globl _start\n_start: xor %ebp, %ebp\n mov %rsp, %rdi\n and $-16, %rsp\n call begin\n");
#elif defined(__aarch64__)
static long call(long number, long first, long second, long third) {
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = first;
    register long x1 __asm__("x1") = second;
    register long x2 __asm__("x2") = third;
    register long x3 __asm__("x3") = 0;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
    return x0;
}
#define BEGIN __asm__(".globl _start\n_start: mov x29, xzr\n mov x0, sp\n bl begin\n");
#endif

static inline long number(const char *text) {
    long value = 0;
    while (*text) value = 10 * value + (*text++ - '0');
    return value;
}

/* When a system call has failed: ends with one line on standard error, of the call and the number of its error. */
static inline void need(long result, const char *what) {
    char line[256], *at = line;
    if (result >= 0) return;
    while (*what) *at++ = *what++;
    for (const char *from = " failed with error "; *from;) *at++ = *from++;
    if (-result >= 100) *at++ = '0' + -result / 100;
    if (-result >= 10) *at++ = '0' + -result / 10 % 10;
    *at++ = '0' + -result % 10;
    *at++ = '\n';
    call(SYS_write, 2, (long)line, at - line);
    call(SYS_exit_group, 1, 0, 0);
}
