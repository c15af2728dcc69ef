# Threads that share work out by parts: each takes those of a range of its own, the same one every time, whose data its
# processor still has at hand; then what is left of the others' ranges.
#
# The caller works too, so that work is never later than without the others. A thread that has nothing to do looks out
# for work for a short while, and then sleeps. After a fork the child has none of them: `team_is_ours` says so.
cdef extern from *:
    """
    #include <pthread.h>
    #include <sched.h>
    #include <signal.h>
    #include <stdlib.h>
    #include <unistd.h>

    #define TEAM_LOOKOUT 4000   /* looks for new work before a thread sleeps: some 100 microseconds */
    #define TEAM_PATIENCE 2000  /* looks for the others' end before the processor is given away */

    typedef void (*team_work)(void *about, int first, int end);

    /* The range of a thread; two of them never lie in one line of the processor's cache. */
    typedef struct {
        int next, end;  /* the next part that is free, and where the range ends */
        char apart[56];
    } TeamRange;

    typedef struct {
        pthread_mutex_t lock;
        pthread_cond_t wake;
        pid_t owner;
        int count;      /* of threads beside the caller's that have not ended */
        int sleeping, stopped;
        unsigned round; /* of work: raised when there is new work */
        int left;       /* items that are not done */
        int items, part;
        int ranges, joined;
        team_work work;
        void *about;
        TeamRange range[];
    } Team;

    static inline void team_rest(void)
    {
    #if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
    #elif defined(__aarch64__)
        __asm__ volatile("yield");
    #endif
    }

    static inline void team_take(Team *team, int own)
    {
        for (int i = 0; i < team->ranges; i++) {
            TeamRange *range = &team->range[(own + i) % team->ranges];
            for (;;) {
                int first = __atomic_fetch_add(&range->next, team->part, __ATOMIC_ACQ_REL);
                int end = first + team->part < range->end ? first + team->part : range->end;
                if (first >= range->end)
                    break;
                team->work(team->about, first, end);
                __atomic_fetch_sub(&team->left, end - first, __ATOMIC_ACQ_REL);
            }
        }
    }

    static inline int team_first(const Team *team, int range)
    {
        return (int)((long long)team->items * range / team->ranges);
    }

    static void team_thread(void *given)
    {
        Team *team = given;
        unsigned seen = 0;
        int own = __atomic_add_fetch(&team->joined, 1, __ATOMIC_RELAXED);   /* 0 is the caller's */
        for (;;) {
            int looks = 0;
            while (__atomic_load_n(&team->round, __ATOMIC_ACQUIRE) == seen && looks < TEAM_LOOKOUT) {
                team_rest();
                looks++;
            }
            if (looks == TEAM_LOOKOUT) {
                pthread_mutex_lock(&team->lock);
                __atomic_fetch_add(&team->sleeping, 1, __ATOMIC_SEQ_CST);
                while (__atomic_load_n(&team->round, __ATOMIC_SEQ_CST) == seen)
                    pthread_cond_wait(&team->wake, &team->lock);
                __atomic_fetch_sub(&team->sleeping, 1, __ATOMIC_SEQ_CST);
                pthread_mutex_unlock(&team->lock);
            }
            if (__atomic_load_n(&team->stopped, __ATOMIC_ACQUIRE)) {
                pthread_mutex_lock(&team->lock);
                team->count--;
                pthread_cond_broadcast(&team->wake);
                pthread_mutex_unlock(&team->lock);
                return;
            }
            seen = __atomic_load_n(&team->round, __ATOMIC_ACQUIRE);
            team_take(team, own);
        }
    }

    static inline void team_wake(Team *team)
    {
        pthread_mutex_lock(&team->lock);
        if (team->sleeping)
            pthread_cond_broadcast(&team->wake);
        pthread_mutex_unlock(&team->lock);
    }

    /* Ends the threads; in a child of a fork there are none. */
    static void team_end(Team *team)
    {
        if (!team)
            return;
        if (team->owner == getpid()) {
            __atomic_store_n(&team->stopped, 1, __ATOMIC_RELEASE);
            __atomic_fetch_add(&team->round, 1, __ATOMIC_RELEASE);
            team_wake(team);
            pthread_mutex_lock(&team->lock);
            while (team->count)
                pthread_cond_wait(&team->wake, &team->lock);
            pthread_mutex_unlock(&team->lock);
            pthread_cond_destroy(&team->wake);
            pthread_mutex_destroy(&team->lock);
        }
        free(team);
    }

    /* As many threads beside the caller's, for so many items; NULL where they cannot be had. */
    static Team *team_begin(int count, int items, int part)
    {
        sigset_t all, before;
        int started = 0;
        Team *team = calloc(1, sizeof *team + (count + 1) * sizeof(TeamRange));
        if (!team)
            return NULL;
        team->owner = getpid();
        team->items = items;
        team->part = part;
        team->ranges = count + 1;
        for (int i = 0; i < team->ranges; i++)
            team->range[i].next = team->range[i].end = team_first(team, i + 1);
        pthread_mutex_init(&team->lock, NULL);
        pthread_cond_init(&team->wake, NULL);
        sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, &before); /* signals are the caller's */
        /* By Python's own means: pthread_create would ask for a C library of 2021. */
        team->count = count;
        while (started < count && PyThread_start_new_thread(team_thread, team) != (unsigned long)-1)
            started++;
        sigprocmask(SIG_SETMASK, &before, NULL);
        if (started == count)
            return team;
        pthread_mutex_lock(&team->lock);
        team->count -= count - started;
        pthread_mutex_unlock(&team->lock);
        team_end(team);
        return NULL;
    }

    static inline int team_is_ours(const Team *team)
    {
        return team && team->owner == getpid();
    }

    /* Does the work on all items; returns when all of it is done. */
    static void team_do(Team *team, team_work work, void *about)
    {
        int looks = 0;
        team->work = work;
        team->about = about;
        __atomic_store_n(&team->left, team->items, __ATOMIC_RELAXED);
        for (int i = 0; i < team->ranges; i++)
            __atomic_store_n(&team->range[i].next, team_first(team, i), __ATOMIC_RELEASE);
        __atomic_fetch_add(&team->round, 1, __ATOMIC_SEQ_CST);
        if (__atomic_load_n(&team->sleeping, __ATOMIC_SEQ_CST))
            team_wake(team);
        team_take(team, 0);
        while (__atomic_load_n(&team->left, __ATOMIC_ACQUIRE)) {
            team_rest();
            if (++looks > TEAM_PATIENCE)
                sched_yield();
        }
    }
    """
    ctypedef void (*team_work)(void* about, int first, int end) noexcept nogil
    ctypedef struct Team:
        pass
    Team* team_begin(int count, int items, int part) noexcept nogil
    void team_end(Team* team) noexcept nogil
    bint team_is_ours(const Team* team) noexcept nogil
    void team_do(Team* team, team_work work, void* about) noexcept nogil
