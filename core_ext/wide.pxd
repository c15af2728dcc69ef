# Instructions that newer processors have beside those that the core is compiled for: where they pay, a function is
# there twice, and which of the two is called is decided when its module is loaded.
cdef extern from *:
    """
    #if defined(__x86_64__) && defined(__GNUC__)
    #include <immintrin.h>
    #define HANAFUDA_WIDE __attribute__((target("avx512bw,avx512vl")))
    #define HANAFUDA_CAN_BE_WIDE (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
    #else
    #define HANAFUDA_CAN_BE_WIDE 0
    #endif

    #include <stdlib.h>

    /* HANAFUDA_NARROW=1 in the environment: as on a processor that has none of them. */
    static inline int hanafuda_is_wide(void)
    {
        return HANAFUDA_CAN_BE_WIDE && !getenv("HANAFUDA_NARROW");
    }
    """
    bint is_wide "hanafuda_is_wide"() noexcept
