"""House options: what is allowed, and what is said when something is not."""

import pickle

import pytest

from core_ext import State, variant_info
from core_ext.errors import OptionError
from core_ext.info import OptionInfo, VariantInfo
from core_ext.options import resolve

KOIKOI = variant_info("koikoi")
LISTED = VariantInfo(
    "listed", "", 1, (2, 2, 2), 48, (), (OptionInfo("births", "ints", (0, 0), "", high=12, length=2),), ()
)


@pytest.mark.parametrize("option", KOIKOI.options, ids=lambda option: option.name)
def test_every_default_is_allowed_and_said_in_a_line(option):
    assert resolve(KOIKOI, {option.name: option.default})[option.name] == option.default
    assert option.doc
    assert "\n" not in option.doc


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("months", 0, "1 to 120"),
        ("months", True, "1 to 120"),
        ("months", "12", "1 to 120"),
        ("months", 12.0, "1 to 120"),
        ("months", None, "1 to 120"),
        ("target", 0, "1 to 100000, or null"),
        ("field_four", "again", "redeal or dealer_takes"),
        ("teshi", 1, "true or false"),
        ("koi_multiplier", 5, "2 or 3 or 4"),
        ("koi_multiplier", True, "2 or 3 or 4"),
        ("points.goko", -1, "0 to 100"),
        ("points.goko", 101, "0 to 100"),
        ("sanko", ["exact"], "exact or any_dry"),
    ],
)
def test_a_value_that_is_not_allowed_is_refused_by_name_with_what_is(name, value, allowed):
    with pytest.raises(OptionError, match="is not allowed") as refused:
        State.new("koikoi", {name: value})
    assert refused.value.name == name
    assert f"option {name}: {value!r}" in str(refused.value)
    assert str(refused.value).endswith(f"it takes {allowed}")


def test_an_unknown_option_is_refused_with_those_there_are():
    with pytest.raises(OptionError, match=r"koikoi has no option 'rounds'; its options are months, target") as refused:
        State.new("koikoi", {"rounds": 3})
    assert refused.value.name == "rounds"
    assert pickle.loads(pickle.dumps(refused.value)).name == "rounds"


def test_a_variant_without_options_says_so():
    with pytest.raises(OptionError, match=r"kyogi has no option 'months'; it has none"):
        State.new("kyogi", {"months": 3})


@pytest.mark.parametrize("given", [["months"], [("months", 3)], "months", {"months"}, 3, True, [], ""])
def test_options_that_are_no_mapping_are_refused(given):
    with pytest.raises(OptionError, match="options are values by name, not "):
        State.new("koikoi", given)


@pytest.mark.parametrize("value", [[1, 12], (0, 0)])
def test_a_list_of_numbers_is_kept_as_a_tuple(value):
    assert resolve(LISTED, {"births": value})["births"] == tuple(value)


@pytest.mark.parametrize("value", [[1], [1, 13], [1, True], "12", 5, None])
def test_a_list_of_another_length_or_range_is_refused(value):
    with pytest.raises(OptionError, match="2 numbers from 0 to 12"):
        resolve(LISTED, {"births": value})


def test_options_are_equal_to_a_dict_of_the_same_and_to_what_they_were_pickled_from():
    options = resolve(KOIKOI, {"months": 3})
    assert options == dict(options)
    assert options != resolve(KOIKOI, {"months": 4})
    again = pickle.loads(pickle.dumps(options))
    assert (again, hash(again)) == (options, hash(options))
    assert resolve(KOIKOI, options) is options
