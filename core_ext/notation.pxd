# The action codes that the four matching games share. A variant's own codes begin at ACTION_TAIL.
cdef enum:
    ACTION_PLAY = 0        # + 5 * card + how
    ACTION_TURNED = 240    # + the field card taken
    ACTION_STOP = 288
    ACTION_KOI = 289
    ACTION_CANCEL = 290
    ACTION_PASS = 291
    ACTION_DECLARE = 292
    ACTION_TAIL = 293
