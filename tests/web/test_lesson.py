"""Koi-koi in a minute: its hands, its advice, and the page played by keyboard and by touch."""

import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from site_client import SiteUnderTest

from arena.web.lesson.advice import Advice, Choice, advice
from arena.web.lesson.hand import DEALS, SEAT, Deal, Hand, MoveError, moves_of, play
from arena.web.viewer.second_person import document_for

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PATIENCE_MS = 200_000
MAX_DECISIONS = 8


def advised(deal: Deal) -> tuple[list[Advice], list[Choice], Hand]:
    """The advice and the best choices of a deal, and the hand that came of them."""
    told: list[Advice] = []
    best: list[Choice] = []
    while (question := (hand := play(deal, [choice.place for choice in best])).question) is not None:
        told.append(advice(question))
        best.append(told[-1].choices[0])
    return told, best, hand


@pytest.mark.parametrize("deal", DEALS)
def test_who_follows_the_advice_of_a_hand_makes_a_yaku_says_koi_koi_and_wins_double(deal: Deal) -> None:
    told, best, hand = advised(deal)
    assert len(best) <= MAX_DECISIONS
    assert [choice.action.word for choice in best if choice.action.word] == ["koi", "stop"]
    assert all(choice.is_best and choice.reasons for choice in best)
    assert all(choice.action.takes for choice in best if not choice.action.word), "what is best can be seen to be good"
    assert hand.record.results[SEAT] >= 12 > hand.record.results[1] == 0
    said = ["".join(part for part in sentence if isinstance(part, str)) for one in told for sentence in one.sentences]
    assert any(re.match(r"You take|Then you lack only the .* for .*\(", sentence) for sentence in said)
    assert any(sentence.startswith("It makes ") for sentence in said)
    assert sum("koi-koi brings" in sentence for sentence in said) == 2


def test_a_hand_goes_on_from_any_decision_and_refuses_what_it_does_not_offer() -> None:
    moves: list[int] = []
    while (question := play(DEALS[0], moves).question) is not None:
        given = advice(question)
        assert sorted(choice.place for choice in given.choices) == list(range(len(question.legal)))
        assert all(choice.reasons for choice in given.choices)
        with pytest.raises(MoveError):
            play(DEALS[0], [*moves, len(question.legal)])
        moves.append(len(question.legal) - 1)
    assert play(DEALS[0], moves).record.results[SEAT] < 12, "it was not the best that was played"
    with pytest.raises(MoveError):
        play(DEALS[0], [*moves, 0])
    for text in ("-1", "1..2", "x", "1.", "٣", "100", "1e1"):
        with pytest.raises(MoveError):
            moves_of(text)


def test_a_learner_is_told_what_they_did_and_never_sees_the_other_hand() -> None:
    _, best, _ = advised(DEALS[0])
    shown = document_for(play(DEALS[0], [best[0].place]).record, SEAT)
    told = [line[1][0] for line in shown["lines"] if line[0] == SEAT]
    assert "play " in told
    assert not any(text.startswith("plays") for text in told)
    hands = [zone for zone in shown["zones"] if zone[0] == "hand" and zone[1] != SEAT]
    assert hands
    assert not any(cards for _, _, cards, _ in hands)


def test_addresses_of_no_hand_are_not_found(site: SiteUnderTest) -> None:
    assert site.get("/learn").status == site.get("/learn?deal=3&moves=0").status == 200
    for query in ("deal=0", "deal=4", "deal=x", "moves=99", "moves=1.2.3.4.5.6.7.8.9", "moves=" + "0." * 400 + "0"):
        assert site.get(f"/learn?{query}").status == 404, query
        assert site.get(f"/learn/steps?{query}").status == 404, query


def learner(
    browser: "Browser", site: SiteUnderTest, width: int, *, touch: bool = False, scripts: bool = True
) -> "Page":
    context = browser.new_context(
        viewport={"width": width, "height": 844}, has_touch=touch, java_script_enabled=scripts, color_scheme="dark"
    )
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.clock.install()
    page.goto(f"http://127.0.0.1:{site.port}/learn")
    return page


def come_to(page: "Page", decisions: int) -> None:
    """Let time pass, at which steps are shown, until the address has so many decisions."""
    while len(parse_qs(urlsplit(page.url).query).get("moves", [""])[0].split(".")) != decisions or "?" not in page.url:
        page.clock.run_for(1_000)


def test_a_hand_is_learned_by_keyboard_and_by_touch_to_its_end(browser: "Browser", site: SiteUnderTest) -> None:
    page = learner(browser, site, 1280)
    page.wait_for_selector("#lesson[data-ready]")
    moves = 0
    while page.query_selector("#moves .best"):
        assert page.locator("#table .advised").count() >= 1 or page.query_selector("#moves .best[data-cards='']")
        page.keyboard.press("1")
        moves += 1
        come_to(page, moves)
    assert page.inner_text("#moves-title") == "You win 20 points"
    assert page.evaluate("document.activeElement.textContent").startswith("Next hand")
    page.reload()
    assert page.inner_text("#moves-title") == "You win 20 points"
    page.get_by_role("link", name="Next hand").click()
    page.wait_for_selector("#lesson[data-deal='2']")
    page.context.close()

    phone = learner(browser, site, 390, touch=True)
    phone.wait_for_selector("#lesson[data-ready]")
    box = phone.locator("#table .hand .playable").first.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 44
    phone.locator("#table .hand .advised").tap()
    come_to(phone, 1)
    found = Axe().run(phone)
    assert not found.violations_count, found.generate_report()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    phone.context.close()

    plain = learner(browser, site, 390, scripts=False)
    plain.locator("#moves .best").click()
    plain.wait_for_url("**/learn?deal=1&moves=*")
    assert plain.inner_text("#said").startswith(("You play", "Bot plays"))
    plain.get_by_role("link", name="Take back").click()
    assert plain.inner_text("#said") == ""
    plain.context.close()
