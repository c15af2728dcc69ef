"""What yaku are called: their readings, which are their ids in letters, and their names in English."""

ENGLISH_NAMES = {
    "akatan": "red poetry ribbons",
    "akatan_aotan": "red poetry and blue ribbons",
    "ameshiko": "four lights with the rain man",
    "aotan": "blue ribbons",
    "goko": "five lights",
    "goun": "five clouds",
    "hanami": "cherry viewing",
    "inoshikacho": "boar, deer, butterflies",
    "kami_goko": "upper five lights",
    "kami_no_tane": "upper animals",
    "kami_tanzaku": "upper ribbons",
    "kasu": "chaff",
    "kotori": "small birds",
    "kusa": "grasses",
    "nanatan": "seven ribbons",
    "omote_sugawara": "front Sugawara",
    "otori": "large birds",
    "sanko": "three lights",
    "shiko": "four lights",
    "shimo_goko": "lower five lights",
    "shimo_no_tane": "lower animals",
    "shimo_sanko": "lower three lights",
    "shimo_tanzaku": "lower ribbons",
    "suyaku": "plain row",
    "tan": "ribbons",
    "tan_sanko": "three lights and ribbons",
    "tane": "animals",
    "tane_sanko": "three lights and animals",
    "tanzaku": "ribbons",
    "teppo": "the gun",
    "tsukihanami": "moon and cherry viewing",
    "tsukimi": "moon viewing",
    "yontan": "four ribbons",
}


def reading(yaku: str) -> str:
    """Return how a yaku is read: `omote sugawara`."""
    return yaku.replace("_", " ")


def english(yaku: str) -> str:
    """Return what a yaku is called in English, "" for one that has no such name here."""
    return ENGLISH_NAMES.get(yaku, "")
