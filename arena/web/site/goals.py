"""What one plays for in each variant, in a few sentences for who has never seen it, with cards to look at."""

from typing import NamedTuple


class Goal(NamedTuple):
    """Sentences, and the cards of a picture with its caption."""

    sentences: tuple[str, ...]
    cards: tuple[str, ...]
    caption: str


GOALS = {
    "koikoi": Goal(
        (
            "Two players take cards from the table, and want sets of cards that score: yaku.",
            "There are twelve months of four cards each, and a card takes another one of its month.",
            "On your turn you lay a card from your hand, then turn one from the stock; each takes what it matches.",
            "When you have made a yaku you stop and take its points, or say koi-koi (come on) and play on for more.",
            "If the other player then makes one first and stops, your points are lost.",
        ),
        ("3L", "9A"),
        "The curtain and the sake cup: cherry viewing.",
    ),
    "koikoi45": Goal(
        (
            "This is koi-koi with 45 cards, played for higher and higher stakes.",
            "You take cards of the same month from the table, and make sets that score.",
            "Whoever makes one stops and is paid, or says koi-koi and plays on for more.",
            "Each month has a multiplier, which every light on the first table doubles, and every koi-koi.",
            "After twelve months more mon win.",
        ),
        ("8L", "9A"),
        "The moon and the sake cup: moon viewing.",
    ),
    "kyogi": Goal(
        (
            "This is koi-koi as it is played in competitions, with more yaku and nothing multiplied.",
            "You take cards of the same month from the table, and make sets that score.",
            "When you have made one you stop and win the month with what all your sets are worth, or play on.",
            "Whoever wins all three months of a season gets five points more.",
            "After twelve months the higher total wins; if totals are equal, another season is played.",
        ),
        ("6A", "7A", "10A"),
        "Butterflies, boar and deer: inoshikacho.",
    ),
    "hachihachi": Goal(
        (
            "Three players take cards of the same month from the table; every captured card is worth points.",
            "All cards together are worth 264, so 88 each, and what you have above 88 the others pay you.",
            "Lucky hands and rare sets are paid for besides.",
            "With a set you stop and are paid, or go on for a better one with yours at stake.",
            "After twelve months more points win.",
        ),
        ("1L", "3L", "8L", "11L", "12L"),
        "The five lights, at 20 points each.",
    ),
    "sangohana": Goal(
        (
            "Two to four players draw a card and throw one away, as in rummy or mahjong.",
            "You hold seven cards, and win with eight: three of one kind and five of another.",
            "The rarer the kinds, the more each of the others pays you.",
            "You win by the card that you have drawn, or by one that somebody else has just thrown away.",
            "After the last month more chips win.",
        ),
        ("2A", "6A", "7A", "1R", "3R", "6R", "9R", "10R"),
        "Three animals and five ribbons: upper ribbons, a hand that wins.",
    ),
}
