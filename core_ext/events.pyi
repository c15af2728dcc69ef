EVENT_KINDS: tuple[str, ...]
"""What can happen, in all variants. Where no seat is named it is the one that acts; ``values`` is empty unless named.

``draw``: a card is drawn for the first deal.
``dealer``: the seat is found to deal by the field; values: the seat that would have dealt.
``deal``: a deal by the seat; cards: the field as dealt; values: month, attempt.
``field``: cards: the lights on the dealt field; values: what the month is multiplied by. Where a field has a name:
values: the points of a kan on it, and the kan that it adds to each yaku.
``field_four``: cards of it go to the dealer.
``pass``: a question that others do not know of was declined; seen by the seat alone.
``declare``: a dealt hand; cards: those shown; name: its id; values: points.
``exchange``: of three cards one goes under the stock; cards: that one; values: its month; others see neither.
``play``: a hand card is played. ``turn``: the stock's top card is turned; it takes nothing yet if two can be taken.
``take``: the turned card takes the chosen one, or the last discard goes to the hand.
``stock``: a card from the stock goes to the hand; others do not see it. ``discard``: a hand card is discarded.
``yaku``: a yaku is made or grew; cards: of the pile; name: its id; values: points.
``koi``, ``stop``: values: what the pile is worth. ``cancel``, ``decline``: a koi is cancelled, or not.
``rain``: cards: the rain man, taken when the pile held a cup yaku; the other seat has the choice.
``win``: a hand is complete; cards: all of it; taken: the discard that it was won on; name: its own; values: points,
times of its five, times of its three, points added.
``score``: a row of what decided the deal, for the seat; name: yaku or dealt hand; values: points.
``total``: how the seat's score follows from those rows, where it is not their sum: (points + added) × times, which each
of so many seats pays (0: it is made, not paid); values: points, added, times, payers.
``pay``: what was paid beside that, or where seats pay each other all that was; name: what for; values: by seat.
``month_end``: the deal has ended; seat: the winner or -1; name: one of ENDINGS; values: score by seat.
``match_end``: the match is over; values: result by seat.
"""
