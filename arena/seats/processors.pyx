# cython: language_level=3
"""Places to think, of which there are fewer than there may be bots that are asked."""
import asyncio
from collections import OrderedDict

cdef object running_loop = asyncio.get_running_loop

LOOK_S = 0.01
PATIENCE_S = 0.1
WORK = 0.1
AWAKE_S = 0.001
cdef double SHARE = 0.05    # how much of the event loop's time may be taken by looking


cdef class Processors:
    def __init__(self, Py_ssize_t count):
        self.count = count
        self.holders = {}
        self.waiting = OrderedDict()
        self.asleep = {}

    @property
    def taken(self):
        return len(self.holders)

    cpdef bint take(self, thinker) except -1:
        if not self.free():
            return False
        self.seize(thinker)
        return True

    cpdef seize(self, thinker):
        self.holders[thinker] = None
        if not self.looking:
            self.looking = True
            running_loop().call_later(LOOK_S, self.look)

    cdef bint free(self):
        """Whether nobody has to wait for one."""
        return len(self.holders) < self.count

    cpdef wait(self, thinker):
        self.waiting[thinker] = None

    cpdef release(self, thinker):
        del self.holders[thinker]
        if self.waiting and self.free():
            following, _ = self.waiting.popitem(last=False)
            self.holders[following] = None
            following.on_free()

    cpdef forget(self, thinker):
        self.waiting.pop(thinker, None)
        self.asleep.pop(thinker, None)

    def look(self):
        """Find out who of those asleep has woken, and who of the holders sleeps."""
        loop = running_loop()
        began = loop.time()
        try:
            for thinker, used_s in [*self.asleep.items()]:
                if thinker.used_s() - used_s > AWAKE_S:
                    del self.asleep[thinker]
                    thinker.wake()
            for thinker in [*self.holders]:
                if thinker in self.holders:
                    self.measure(thinker, began)
        finally:
            self.looking = bool(self.holders or self.asleep)
            if self.looking:
                loop.call_later(max(LOOK_S, (loop.time() - began) / SHARE), self.look)

    def measure(self, holder, double now):
        """Take the place of a holder who sleeps. What it has used is not read at the first look."""
        mark = self.holders[holder]
        if mark is None:
            self.holders[holder] = now, None
            return
        since, before = mark
        if before is not None and now - since < PATIENCE_S:
            return
        used_s = holder.used_s()
        if before is None or used_s - before > WORK * (now - since):
            self.holders[holder] = now, used_s
        else:
            self.asleep[holder] = used_s
            holder.sleep()
            self.release(holder)
