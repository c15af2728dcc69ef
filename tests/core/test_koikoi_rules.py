"""The rules of koikoi by play, ruling by ruling."""

import pytest
from koikoi_scene import counter, deal_end, play, play_out, scene, scored, zone

from core_ext import State, variant_info
from core_ext.cards import parse_cards
from core_ext.errors import DeckError, IllegalActionError
from core_ext.shuffle import deck
from core_ext.table import first_draws

# Seat 0 can make akatan and then tanzaku, seat 1 aotan; nothing is turned that anybody takes for six turns.
RIBBONS = {
    "first": "1R 2R 3R 4R 5R 12x 12y 8x",
    "second": "6R 9R 10R 7R 11R 7y 4A 5A",
    "field": "1x 2x 3x 4x 5x 6x 9x 10x",
    "stock": "8A 11x 7x 12z 1y 2y 3y 6y",
}
AKATAN = "1R*1x 6R*6x 2R*2x 9R*9x 3R*3x"
# Nothing but akatan and aotan counts, so that no other yaku disturbs a hand that is played out.
QUIET = {f"points__{row.id}": 0 for row in variant_info("koikoi").yaku if row.id not in ("akatan", "aotan")}
SILENT = {**QUIET, "points__akatan": 0, "points__aotan": 0}


# The source's three examples


def test_sanko_and_stop_scores_6():
    state = scene("1L 3L 8L 11L 12L 1R 2R 3R", "4A 5A 6A 7A 9A 10A 11A 2A", "1x 2x 3x 8x 11x 12x 4x 5x", "6x 7x 9x 10x")
    play(state, "1L*1x 4A*4x 3L*3x 5A*5x 8L*8x stop")
    assert deal_end(state) == ("stop", 0, (6, 0))
    assert scored(state) == [("sanko", 6)]


def test_akatan_koi_and_then_tanzaku_scores_14():
    state = scene(**RIBBONS)
    play(state, f"{AKATAN} koi 7y*7x 4R*4x 4A 5R*5x stop")
    assert scored(state) == [("akatan", 6), ("tanzaku", 1)]
    assert deal_end(state) == ("stop", 0, (14, 0))


def test_tane_koi_and_the_others_inoshikacho_scores_10_for_the_other():
    state = scene(
        "2A 4A 5A 8A 9A 12x 12y 11A",
        "6A 7A 10A 1R 2R 12z 3R 11R",
        "2x 4x 5x 8x 9x 6x 7x 10x",
        "1x 3x 11x 12L 1y 3y 11L 2y 1L 3L",
    )
    play(state, "2A*2x 6A*6x 4A*4x 7A*7x 5A*5x 1R 8A*8x 2R 9A*9x koi 10A*10x stop")
    assert scored(state) == [("inoshikacho", 5)]
    assert deal_end(state) == ("stop", 1, (0, 10))


# Landing


def test_a_card_without_one_of_its_month_stays_and_with_one_takes_it():
    state = scene(**RIBBONS)
    assert state.legal_texts() == ["1R*1x", "2R*2x", "3R*3x", "4R*4x", "5R*5x", "8x", "12x", "12y"]
    play(state, "8x")
    assert zone(state, "field") == "1x 2x 3x 4x 5x 6x 9x 10x"
    assert zone(state, "pile", 0) == "8A 8x"
    play(state, "6R*6x")
    assert zone(state, "pile", 1) == "6R 6x"


def test_a_card_that_meets_two_takes_the_chosen_one_and_no_other():
    state = scene("1R 2R 3R 4R 5R 6R 7R 9R", "", "1L 1x 8A 8x 10A 10x 12L 12x", "11L")
    assert state.legal_texts()[:2] == ["1R*1L", "1R*1x"]
    play(state, "1R*1x")
    assert zone(state, "pile", 0) == "1R 1x"
    assert "1L" in zone(state, "field")


def test_a_turned_card_that_meets_two_is_asked_about_and_shown_to_all():
    state = scene("1R 2R 3R 4R 5R 6R 7R 9R", "1y 2A 2x 2y 3L 3x 3y 4A", "1L 1x 8A 8x 10A 10x 12L 12x", "8L")
    play(state, "2R")
    assert state.legal_texts() == ["*8A", "*8x"]
    assert state.current_player == 0
    assert zone(state, "turned", viewer=1) == "8L"
    play(state, "*8A")
    assert zone(state, "pile", 0) == "8L 8A"
    assert zone(state, "turned") == ""


def test_r8_the_fourth_card_takes_three_from_the_field():
    state = scene("1L 2R 3R 4R 5R 6R 7R 9R", "", "1R 1x 1y 8A 10A 10x 12L 12x", "11L")
    assert state.legal_texts()[0] == "1L*1R,1x,1y"
    play(state, "1L*1R,1x,1y")
    assert zone(state, "pile", 0) == "1L 1R 1x 1y"


def test_r8_a_turned_fourth_card_takes_three_from_the_field():
    state = scene("2A 2R 3R 4R 5R 6R 7R 9R", "", "1R 1x 1y 8A 10A 10x 12L 12x", "1L")
    play(state, "3R")
    assert zone(state, "pile", 0) == "1L 1R 1x 1y"


def test_r8_a_turned_third_card_of_the_month_just_taken_joins_the_pile():
    state = scene("1L 2R 3R 4R 5R 6R 7R 9R", "", "1x 8L 8A 8x 10A 10x 12L 12x", "1y")
    play(state, "1L*1x")
    assert zone(state, "pile", 0) == "1L 1x 1y"
    assert "1y" not in zone(state, "field")


def test_r8_without_kuitsuki_the_turned_third_card_stays_on_the_field():
    state = scene("1L 2R 3R 4R 5R 6R 7R 9R", "", "1x 8L 8A 8x 10A 10x 12L 12x", "1y", kuitsuki=False)
    play(state, "1L*1x")
    assert zone(state, "pile", 0) == "1L 1x"
    assert "1y" in zone(state, "field")


def test_r8_with_a_card_of_the_month_left_on_the_field_the_turned_one_takes_it():
    for kuitsuki in (True, False):
        state = scene("1L 2R 3R 4R 5R 6R 7R 9R", "", "1x 1R 8A 8x 10A 10x 12L 12x", "1y", kuitsuki=kuitsuki)
        play(state, "1L*1x")
        assert zone(state, "pile", 0) == "1L 1R 1x 1y"


def test_r8_a_turned_card_takes_the_played_one_that_stayed():
    state = scene("1L 2R 3R 4R 5R 6R 7R 9R", "", "8L 8A 8x 10A 10x 12L 12x 12y", "1y", kuitsuki=False)
    play(state, "1L")
    assert zone(state, "pile", 0) == "1L 1y"


# Hands


def test_r1_hands_are_hidden_from_the_other_seat_and_from_spectators():
    state = scene(**RIBBONS)
    assert zone(state, "hand", 0, viewer=0) == "1R 2R 3R 4R 5R 8x 12x 12y"
    assert zone(state, "hand", 0, viewer=1) == ""
    assert zone(state, "hand", 0) == zone(state, "hand", 1) == ""
    assert [item.count for item in state.spectate().zones if item.kind == "hand"] == [8, 8]


FOURS = {"first": "1L 1R 1x 1y 2A 3L 4A 5A", "second": "6A 6R 6x 6y 7A 8L 9A 10A", "field": "2R 3R 4R 5R 7R 8A 9R 10R"}


@pytest.mark.parametrize("dealer", [0, 1])
def test_r3_the_dealer_is_asked_for_teshi_first_and_then_the_other(dealer):
    state = scene(**FOURS, dealer=dealer)
    assert (state.current_player, state.legal_texts()) == (dealer, ["pass", "declare"])
    play(state, "pass")
    assert (state.current_player, state.legal_texts()) == (1 - dealer, ["pass", "declare"])
    play(state, "pass")
    assert (state.current_player, state.spectate().phase) == (dealer, "play")


def test_r3_the_first_to_declare_wins_the_month_with_6():
    state = play(scene(**FOURS), "declare")
    assert deal_end(state) == ("declare", 0, (6, 0))
    assert scored(state) == [("teshi", 6)]
    assert (state.month, state.dealer) == (2, 0)


def test_the_others_teshi_pays_teshi_points():
    state = play(scene(**FOURS, teshi_points=11), "pass declare")
    assert deal_end(state) == ("declare", 1, (0, 11))
    declared = next(event for event in state.events(-1) if event.kind == "declare")
    assert declared.cards == parse_cards("6A 6R 6x 6y")


def test_a_seat_without_four_of_a_month_is_not_asked():
    state = scene("1L 1R 1x 2x 2A 3L 4A 5A", FOURS["second"], FOURS["field"])
    assert state.current_player == 1
    play(state, "pass")
    assert state.current_player == 0


def test_teshi_can_be_switched_off():
    assert scene(**FOURS, teshi=False).spectate().phase == "play"
    assert scene(**FOURS, teshi=False).legal_texts()[0] == "1L"


# The field


FOUR_ON_FIELD = ("1L 2A 2R 3L 4A 5A 6A 7A", "1R 2x 2y 3R 4R 5R 6R 7R", "9A 9R 9x 9y 10A 10R 11L 12L")


def test_r6_four_of_a_month_on_the_field_are_dealt_again_with_the_same_dealer():
    state = scene(*FOUR_ON_FIELD, dealer=1)
    assert deal_end(state) == ("redeal", -1, (0, 0))
    assert (state.month, state.attempt, state.dealer, state.balances()) == (1, 1, 1, (0, 0))


def test_r6_attempt_14_is_dealt_again_and_attempt_15_stands_with_the_four_for_the_dealer():
    again = scene(*FOUR_ON_FIELD, attempt=14)
    assert again.attempt == 15
    state = scene(*FOUR_ON_FIELD, attempt=15, dealer=1)
    assert (state.month, state.attempt) == (1, 15)
    assert zone(state, "pile", 1) == "9A 9R 9x 9y"
    assert zone(state, "field") == "10A 10R 11L 12L"


def test_r6_teshi_is_asked_only_in_a_deal_that_stands():
    hands = ("1L 1R 1x 1y 2A 3L 4A 5A", "2x 2y 3R 4R 5R 6R 7R 8A", "9A 9R 9x 9y 10A 10R 11L 12L")
    redealt = scene(*hands)
    assert [event.kind for event in redealt.events(0)][:2] == ["deal", "month_end"]
    standing = scene(*hands, field_four="dealer_takes")
    assert standing.legal_texts() == ["pass", "declare"]


def test_with_dealer_takes_the_four_are_the_dealers_and_play_goes_on():
    state = scene(*FOUR_ON_FIELD, field_four="dealer_takes")
    assert zone(state, "pile", 0) == "9A 9R 9x 9y"
    assert (state.attempt, state.current_player) == (0, 0)
    given = next(event for event in state.events(1) if event.kind == "field_four")
    assert given.taken == parse_cards("9A 9R 9x 9y")


def test_eight_cards_of_two_months_on_the_field_all_go_to_the_dealer():
    state = scene("", "", "3L 3R 3x 3y 9A 9R 9x 9y", field_four="dealer_takes", teshi=False)
    assert zone(state, "field") == ""
    assert zone(state, "pile", 0) == "3L 3R 3x 3y 9A 9R 9x 9y"
    assert counter(state, "points", 0) == 5


def test_three_of_a_month_on_the_field_are_played_on():
    state = scene("1L 2A 2R 3L 4A 5A 6A 7A", "9y 2x 2y 3R 4R 5R 6R 7R", "9A 9R 9x 10x 10A 10R 11L 12L")
    assert (state.attempt, len(zone(state, "field").split())) == (0, 8)


# What makes a yaku


def test_a_yaku_already_in_the_pile_asks_nothing_until_one_is_new_or_worth_more():
    state = scene(**RIBBONS)
    play(state, f"{AKATAN} koi 7y*7x 4R*4x")
    assert (state.current_player, state.spectate().phase) == (1, "play")


def test_a_count_yaku_that_grows_is_made_again():
    state = scene(**{**RIBBONS, "first": "1R 2R 3R 4R 5R 10R 12x 8x", "second": "6R 9R 7R 11R 7y 4A 5A 12y"})
    play(state, f"{AKATAN} koi 7y*7x 4R*4x 4A 5R*5x koi 5A 10R*10x")
    made = [(event.name, *event.values) for event in state.events(-1) if event.kind == "yaku"]
    assert made == [("akatan", 6), ("tanzaku", 1), ("tanzaku", 2)]
    assert state.legal_texts() == ["stop", "koi"]


LIGHTS = ("1L 3L 8L 12L 11L 2A 4A 5A", "1R 3R 2R 4R 5R 6R 7R 9R", "1x 3x 8x 12x 11x 6x 9x 10x", "7x 2x 4x 5x 10y")


def light_play(**options) -> State:
    """Seat 0 has 四光 and has said koi; it is to take the rain man."""
    others = {"points__tanzaku": 0, "points__akatan": 0, "points__aotan": 0, "points__kasu": 0, "points__tane": 0}
    state = scene(*LIGHTS, **others, **options)
    taken = {"1L", "3L", "8L", "12L", "11L"}
    state = play(state, "1L*1x")
    while "11L" not in zone(state, "pile", 0):
        legal = state.legal_texts()
        if state.current_player == 0 and legal != ["stop", "koi"]:
            mine = [text for text in legal if text.split("*")[0] in taken]
            play(state, min(mine, key=lambda text: text.startswith("11L"), default=legal[0]))
        else:
            play(state, "koi" if "koi" in legal else legal[0])
    return state


def test_goko_in_place_of_shiko_is_made_even_where_it_is_no_dearer():
    state = light_play(points__goko=10, points__shiko=10)
    assert [event.name for event in state.events(-1) if event.kind == "yaku"][-1] == "goko"
    assert state.legal_texts() == ["stop", "koi"]


def test_a_cheaper_goko_beside_shiko_is_not_made():
    state = light_play(points__goko=9, points__shiko=10)
    assert [event.name for event in state.events(-1) if event.kind == "yaku"][-1] == "shiko"
    assert state.spectate().phase == "play"


def test_r7_tanzaku_in_place_of_yontan_is_made_though_it_is_worth_less():
    state = scene(**RIBBONS, yontan=True, points__akatan=0)
    play(state, f"{AKATAN} 7y*7x 4R*4x")
    assert [event.name for event in state.events(-1) if event.kind == "yaku"] == ["yontan"]
    play(state, "koi 4A 5R*5x")
    assert [event.name for event in state.events(-1) if event.kind == "yaku"] == ["yontan", "tanzaku"]
    play(state, "stop")
    assert scored(state) == [("tanzaku", 1)]


def test_cards_given_to_the_dealer_are_there_before_the_first_turn_and_make_nothing():
    state = scene("", "", "3L 3R 3x 3y 9A 9R 9x 9y", field_four="dealer_takes", teshi=False)
    play(state, state.legal_texts()[0])
    assert not [event for event in state.events(-1) if event.kind == "yaku"]


# Stop and koi


def test_r9_a_koi_does_not_end_the_game_and_the_other_may_say_koi_too():
    state = play(scene(**RIBBONS), f"{AKATAN} koi 10R*10x")
    assert state.legal_texts() == ["stop", "koi"]
    play(state, "koi")
    assert (counter(state, "koi", 0), counter(state, "koi", 1)) == (1, 1)
    assert (counter(state, "stake", 0), counter(state, "stake", 1)) == (6, 6)


def test_r4_when_only_the_loser_has_said_koi_its_points_are_not_added():
    state = play(scene(**RIBBONS), f"{AKATAN} koi 10R*10x stop")
    assert deal_end(state) == ("stop", 1, (0, 12))


def test_r4_both_said_koi_pools_both_sums_then_multiplies():
    state = play(scene(**RIBBONS), f"{AKATAN} koi 10R*10x koi 4R*4x 7R*7x 5R*5x stop")
    assert scored(state) == [("akatan", 6), ("tanzaku", 1)]
    assert deal_end(state) == ("stop", 0, ((7 + 6) * 2, 0))


@pytest.mark.parametrize("multiplier", [3, 4])
def test_r7_koi_may_multiply_by_3_or_4(multiplier):
    state = play(scene(**RIBBONS, koi_multiplier=multiplier), f"{AKATAN} koi 10R*10x stop")
    assert deal_end(state) == ("stop", 1, (0, 6 * multiplier))


@pytest.mark.parametrize(("multiplier", "times"), [(2, 4), (3, 9)])
def test_r7_with_koi_escalates_every_koi_of_either_seat_multiplies_again(multiplier, times):
    state = scene(**RIBBONS, koi_escalates=True, koi_multiplier=multiplier)
    play(state, f"{AKATAN} koi 10R*10x koi 4R*4x 7R*7x 5R*5x")
    assert counter(state, "multiplier") == times
    play(state, "stop")
    assert deal_end(state) == ("stop", 0, ((7 + 6) * times, 0))


def test_r9_points_are_not_cut_to_a_scale_of_7():
    state = play(scene(**RIBBONS, points__akatan=90), f"{AKATAN} stop")
    assert deal_end(state) == ("stop", 0, (90, 0))


def test_with_no_hand_card_left_stop_is_automatic_and_nobody_is_asked():
    state = scene(
        **{**RIBBONS, "stock": "8A 11x 7x 12z 1y 2y 6y 9y 10y 4y 5y 1L 2A 6A 7A 8L 8y 9A 10A"}, **QUIET, months=1
    )
    while not state.is_over:
        legal = state.legal_texts()
        assert legal != ["stop", "koi"]
        play(state, next((text for text in legal if text != "3R*3x"), "3R*3x"))
    assert [event.kind for event in state.events(-1)[-6:]] == [
        "turn",
        "yaku",
        "stop",
        "score",
        "month_end",
        "match_end",
    ]
    assert deal_end(state) == ("stop", 0, (6, 0))


# Months that run out


def test_run_out_without_a_koi_is_drawn_and_the_dealer_stays():
    state = play_out(scene(**RIBBONS, dealer=1, **SILENT))
    assert deal_end(state) == ("run_out", -1, (0, 0))
    assert (state.month, state.dealer) == (2, 1)


def test_r5_run_out_after_koi_of_both_pays_each_its_own_stake_once():
    state = play_out(play(scene(**RIBBONS, **QUIET), f"{AKATAN} koi 10R*10x koi"))
    assert deal_end(state) == ("run_out", -1, (6, 6))
    assert state.balances() == (6, 6)
    assert (state.month, state.dealer) == (2, 0)


def test_r5_run_out_pays_the_points_of_the_last_koi_and_the_dearer_seat_wins():
    cards = {**RIBBONS, "second": "6R 9R 10R 7R 7y 4A 5A 11A"}
    state = play(scene(**cards, **QUIET | {"points__tanzaku": 1}), f"{AKATAN} koi 10R*10x koi 4R*4x 7R*7x 5R*5x koi")
    assert (counter(state, "stake", 0), counter(state, "koi", 0)) == (7, 2)
    assert deal_end(play_out(state)) == ("run_out", 0, (7, 6))
    assert scored(state) == []


def test_run_out_after_one_koi_pays_that_seat_alone_and_it_deals_next():
    options = QUIET | {"points__akatan": 0}
    state = play_out(play(scene(**RIBBONS, **options, dealer=0), f"{AKATAN} 10R*10x koi"))
    assert deal_end(state) == ("run_out", 1, (0, 6))
    assert (state.month, state.dealer) == (2, 1)


def test_r7_oyaken_points_pay_the_dealer_of_a_month_run_out_without_a_koi():
    state = play_out(scene(**RIBBONS, dealer=1, oyaken_points=3, **SILENT))
    assert deal_end(state) == ("run_out", 1, (0, 3))
    assert state.dealer == 1


def test_r7_oyaken_points_are_not_paid_once_somebody_has_said_koi():
    options = QUIET | {"points__aotan": 0}
    state = play_out(play(scene(**RIBBONS, **options, oyaken_points=3), f"{AKATAN} koi"))
    assert deal_end(state) == ("run_out", 0, (6, 0))


# From month to month


def test_the_winner_of_a_month_deals_the_next():
    state = play(scene(**RIBBONS), f"{AKATAN} koi 10R*10x stop")
    assert (state.month, state.attempt, state.dealer, state.current_player) == (2, 0, 1, 1)


def test_the_match_ends_after_its_months_and_the_higher_total_wins():
    state = play(scene(**RIBBONS, months=1), f"{AKATAN} stop")
    assert state.is_over
    assert (state.current_player, state.legal_actions()) == (-1, [])
    assert (state.returns(), state.placing()) == ((6, 0), (1, 2))


def test_equal_points_are_a_draw():
    state = play_out(play(scene(**RIBBONS, months=1, **QUIET), f"{AKATAN} koi 10R*10x koi"))
    assert state.returns() == (6, 6)
    assert state.placing() == (1, 1)


def test_the_match_ends_after_the_month_in_which_a_seat_reaches_the_target():
    assert play(scene(**RIBBONS, target=6), f"{AKATAN} stop").is_over
    assert not play(scene(**RIBBONS, target=7), f"{AKATAN} stop").is_over
    assert play(scene(**RIBBONS, target=12), f"{AKATAN} koi 10R*10x stop").is_over
    assert not play(scene(**RIBBONS, target=13), f"{AKATAN} koi 10R*10x stop").is_over


def test_a_redeal_is_no_month_of_the_match():
    assert not scene(*FOUR_ON_FIELD, months=1).is_over


def test_the_earlier_month_deals_first_and_equal_months_draw_again_from_the_same_deck():
    assert first_draws(parse_cards("5x 2A"), 2) == ([(0, 18), (1, 4)], 1)
    draws, dealer = first_draws(parse_cards("5x 5y 1L 1R 3x 9A"), 2)
    assert [seat for seat, _ in draws] == [0, 1, 0, 1, 0, 1]
    assert dealer == 0


def test_when_ties_use_the_deck_up_the_first_seat_still_in_deals():
    draws, dealer = first_draws(parse_cards("5x 5y 1L 1R"), 2)
    assert (len(draws), dealer) == (4, 0)
    assert first_draws(parse_cards("5x 3y 3x 9A 1L 1R"), 3) == ([(0, 18), (1, 11), (2, 10), (1, 32), (2, 0)], 2)
    assert first_draws(parse_cards("5x 3y 3x 9A"), 3)[1] == 1


def test_cards_that_there_are_not_cannot_be_drawn():
    for deck_ in ((), (60,) * 40, (-1, 2)):
        with pytest.raises(DeckError):
            first_draws(deck_, 2)


def test_a_matchs_first_draws_are_the_month_0_decks():
    state = State.new("koikoi", None, "draws")
    drawn = [(event.seat, event.cards[0]) for event in state.events(-1) if event.kind == "draw"]
    draws, dealer = first_draws(deck("draws", 0, 0), 2)
    assert (drawn, state.dealer) == (draws, dealer)


def test_an_illegal_word_is_refused():
    with pytest.raises(IllegalActionError, match=r"koi \(289\) is not legal now; legal is 1R"):
        play(scene(**RIBBONS), "koi")
