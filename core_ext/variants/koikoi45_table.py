"""The data of ``koikoi45``: yaku, dealt hands, options, actions."""

from collections.abc import Mapping

from core_ext.cards import ANIMALS, CARD_NAMES, CHAFF, DRY_LIGHTS, LIGHTS, RIBBONS, parse_cards
from core_ext.info import OptionInfo, OptionValue, VariantInfo, Yaku, rows_under
from core_ext.notation import MATCHING_ACTIONS
from core_ext.secrecy import OF_A_DEAL, Secret, Slots, dealt_hands, in_turn

CARDS = 45
"""The deck: all but 12x 12y 12z."""
MONTHS = 12

COUNTED_AS_CHAFF = tuple(sorted([*(card for card in CHAFF if card < CARDS), *parse_cards("9A 12L")]))

YAKU = (
    Yaku("goko", "五光", LIGHTS, 10, group="light"),
    Yaku("shiko", "四光", DRY_LIGHTS, 8, group="light"),
    Yaku("ameshiko", "雨四光", LIGHTS, 7, need=4, must=parse_cards("11L"), group="light"),
    Yaku("sanko", "三光", DRY_LIGHTS, 5, need=3, group="light"),
    Yaku("tsukihanami", "月花見", parse_cards("3L 8L 9A"), 10, beats=("hanami", "tsukimi")),
    Yaku("hanami", "花見", parse_cards("3L 9A"), 5),
    Yaku("tsukimi", "月見", parse_cards("8L 9A"), 5),
    Yaku("inoshikacho", "猪鹿蝶", parse_cards("6A 7A 10A"), 5),
    Yaku("akatan", "赤短", parse_cards("1R 2R 3R"), 5),
    Yaku("aotan", "青短", parse_cards("6R 9R 10R"), 5),
    Yaku("tane", "タネ", ANIMALS, 1, need=5, per_extra=1),
    Yaku("tan", "タン", RIBBONS, 1, need=5, per_extra=1),
    Yaku("kasu", "カス", COUNTED_AS_CHAFF, 1, need=10, per_extra=1),
)

CUP_YAKU = ("tsukihanami", "hanami", "tsukimi")
"""Rows that the rain can take away."""

DEALT_HANDS = ("teshi", "nikoniko")
EXCHANGE = "exchange"
"""The name of a pass that declines an exchange."""

TITLES = (("teshi", "手四"), ("nikoniko", "ニコニコ"))
_NAMES = {row.id: row.name for row in YAKU} | dict(TITLES)
_POINTS = {row.id: row.points for row in YAKU} | dict.fromkeys(DEALT_HANDS, 6)

OPTIONS = (
    OptionInfo(
        "birth_months", "ints", (0, 0), "the month in which each seat was born, 0 for none", high=MONTHS, length=2
    ),
    OptionInfo(
        "kasu_koi",
        "choice",
        "grow",
        "カス brings the choice to stop when it is made or grows, or at the end of every turn",
        choices=("grow", "every_turn"),
    ),
    *(
        OptionInfo(f"points.{name}", "int", points, f"points of {_NAMES[name]}; 0 switches it off", high=100)
        for name, points in _POINTS.items()
    ),
)

EXCHANGE_ACTIONS = tuple(
    text
    for month in range(1, MONTHS)
    for text in (
        f"exchange:{month}",
        *(f"exchange:{month}:{CARD_NAMES[card]}" for card in range(4 * month - 4, 4 * month)),
    )
)
"""Five a month: with three of it in hand, or with four, by the card that is kept out. Month 12 has one card alone."""


def _after_a_deal(dealer: int, _dealer: int, seats: int) -> Slots:
    """Every seat could be asked for its dealt hand, and then whether it exchanges, the dealer last."""
    return dealt_hands(dealer, dealer, seats) + tuple((seat, "exchange") for seat in in_turn(dealer + 1, seats))


def _after_an_exchange(seat: int, dealer: int, seats: int) -> Slots:
    """The seat could be asked about a new dealt hand and another exchange, and those after it about theirs."""
    still_to_exchange = in_turn(seat, seats)[: 1 + (dealer - seat) % seats]
    return ((seat, "dealt_hand"), *((asked, "exchange") for asked in still_to_exchange))


INFO = VariantInfo(
    id="koikoi45",
    name="四十五枚こいこい",
    rules_version=2,
    seats=(2, 2, 2),
    cards=CARDS,
    actions=MATCHING_ACTIONS + EXCHANGE_ACTIONS,
    options=OPTIONS,
    yaku=YAKU,
    dealt_hands=DEALT_HANDS,
    terms=(EXCHANGE,),
    titles=TITLES,
    recalls=True,
    secrets=(Secret("deal", _after_a_deal, OF_A_DEAL), Secret("exchange", _after_an_exchange, frozenset({"stock"}))),
)


def rows(options: Mapping[str, OptionValue]) -> tuple[Yaku, ...]:
    """The yaku as they count under these options; a row that is off has no points."""
    return rows_under(YAKU, options)
