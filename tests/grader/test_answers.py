"""Answers as people type them are marked, or sent back with the form expected; nothing breaks the marking."""

import math
import re
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.challenge import DEFAULT_ROOT
from grader.questions import AnswerFormatError, LineVariant, MarkStatus, QuestionBank
from grader.questions.printed import same_output
from tests.grader.example_bank import EXAMPLE


@pytest.mark.parametrize(
    ("written", "status"),
    [
        ("{mb} MB", "correct"),
        ("{mb}", "correct"),
        ("= {mb}MB", "correct"),
        ("~{mb} mb", "correct"),
        ("{bytes:,} B", "correct"),
        ("{bytes} bytes", "correct"),
        ("{bytes:.4e} bytes", "correct"),
        ("{mb} x 10^6 B", "correct"),
        ("{mib:.2f} MiB", "correct"),
        ("{mb}e-3 GB", "correct"),
        ("{mib:.2f} MB", "incorrect"),
        ("{mb} MiB", "incorrect"),
        ("{mb} GB", "incorrect"),
        ("-{mb}", "incorrect"),
        ("{mib:.2f}", "partial"),
        ("{bytes:,}", "partial"),
    ],
)
def test_numbers_are_read_as_people_write_them(written: str, status: str) -> None:
    variant = EXAMPLE.variant("size-of-the-keys", "anna")
    size = int(float(str(variant.right)) * 10**6)
    text = written.format(mb=variant.right, bytes=size, mib=size / 2**20)
    assert variant.mark(text).status == status


def test_a_json_number_is_a_number() -> None:
    variant = EXAMPLE.variant("size-of-the-keys", "anna")
    assert variant.mark(variant.right).status is MarkStatus.CORRECT
    assert variant.mark(7).status is MarkStatus.INCORRECT


@pytest.mark.parametrize(
    "malformed",
    [
        "",
        "many",
        "17,2",
        "1,23,456",
        "17.2 seconds",
        "1 2 3 MB",
        "2^34",
        "nan",
        "inf",
        "1e999",
        "1/0",
        "9" * 101,
        True,
        None,
        [],
        {},
        10**400,
        float("nan"),
        float("inf"),
        "1.2.3",
    ],
)
def test_what_is_no_number_is_sent_back_with_the_form_expected(malformed: object) -> None:
    with pytest.raises(AnswerFormatError, match=r"MB.*\.$"):
        EXAMPLE.variant("size-of-the-keys", "anna").mark(malformed)


@pytest.mark.parametrize(
    "written",
    [
        "(batch, {h}, seq, seq)",
        "batch,{h},seq,seq",
        "[B, {h}, T, T]",
        "torch.Size([b,{h},L,t,])",
        "(B, 2*{h}/2, T, T)",
        "( Batch ,{h} , (seq) , seq*1 )",
        "(batch_size, {h}//1, seq + 0, heads*seq/{h})",
        "(batch),{h},seq,(seq)",
    ],
)
def test_shapes_are_compared_by_value(written: str) -> None:
    variant = EXAMPLE.variant("shape-of-scores", "anna")
    heads = re.findall(r"\d+", str(variant.right))[0]
    assert variant.mark(written.format(h=heads)).status is MarkStatus.CORRECT


@pytest.mark.parametrize(
    "written", ["(batch, 10007, seq, seq)", "(batch, seq, seq)", "()", "(seq, heads, batch, batch)"]
)
def test_other_shapes_are_wrong(written: str) -> None:
    assert EXAMPLE.variant("shape-of-scores", "anna").mark(written).status is MarkStatus.INCORRECT


@pytest.mark.parametrize(
    "malformed",
    [
        "(batch, 2x, seq)",
        "(batch;4)",
        "(a, b)",
        "(4, , 4)",
        "(batch, __import__('os'))",
        "(batch.real, 4)",
        "(1/0)",
        4,
        "9" * 300,
        "(batch, 2**9, 4)",
        "(4",
        "B \u00d7 4",
        None,
        [4],
        "(lambda, 1)",
        "(batch(4))",
        "(1 2)",
        "(-)",
        "(007)",
    ],
)
def test_what_is_no_shape_is_sent_back_with_the_form_expected(malformed: object) -> None:
    with pytest.raises(AnswerFormatError, match=r"batch, seq"):
        EXAMPLE.variant("shape-of-scores", "anna").mark(malformed)


@pytest.mark.parametrize("malformed", ["z", "", "ab", 1, None, ["a"], True])
def test_a_choice_is_one_of_the_letters(malformed: object) -> None:
    with pytest.raises(AnswerFormatError, match="a, b, c"):
        EXAMPLE.variant("what-a-head-sees", "anna").mark(malformed)


@pytest.mark.parametrize("malformed", ["a b c d", ["a", "b", "c"], ["a", "a", "b", "c"], [1, 2, 3, 4], [[]], None, {}])
def test_an_order_names_every_step_once(malformed: object) -> None:
    with pytest.raises(AnswerFormatError, match="a, b, c, d"):
        EXAMPLE.variant("order-of-attention", "anna").mark(malformed)


def test_an_order_earns_a_share_for_each_step_in_its_place() -> None:
    variant = EXAMPLE.variant("order-of-attention", "anna")
    one, two, three, four = variant.right
    assert variant.mark([one.upper(), f" {two}", three, four]).status is MarkStatus.CORRECT
    mark = variant.mark([three, four, one, two])
    assert (mark.status, mark.score) == (MarkStatus.PARTIAL, pytest.approx(0.67))
    assert variant.mark([four, three, two, one]).status is MarkStatus.INCORRECT


def test_several_choices_earn_the_right_ones_less_the_wrong_ones() -> None:
    variant = EXAMPLE.variant("what-more-heads-cost", "anna")
    one, two = variant.right
    (other,) = {"a", "b", "c"} - {one, two}
    assert variant.mark([one, two]).status is variant.mark(f"{two.upper()}, {one}").status is MarkStatus.CORRECT
    half = variant.mark([one])
    assert (half.status, half.score) == (MarkStatus.PARTIAL, 1.0)
    assert half.feedback.startswith("Still missing: 1. ")
    for worthless in ([other], [one, other], [one, two, other]):
        mark = variant.mark(worthless)
        assert (mark.status, mark.score) == (MarkStatus.INCORRECT, 0.0)
        assert "The weights of the projections: All heads together" in mark.feedback


@pytest.mark.parametrize("malformed", ["", [], "ab", "a a", ["a", "a"], "z", [1], [[]], None, {}, 7])
def test_several_choices_are_letters(malformed: object) -> None:
    with pytest.raises(AnswerFormatError, match="a, b, c"):
        EXAMPLE.variant("what-more-heads-cost", "anna").mark(malformed)


@pytest.mark.parametrize(
    ("printed", "written", "same"),
    [
        ("[18, 19]", "18,19", True),
        ("[18, 19]", "( 18 19 )", True),
        ("[18, 19]", "tensor([18, 19])", True),
        ("[18, 19]", "[19, 18]", False),
        ("[18, 19]", "1819", False),
        ("[18, 19]", "[[18, 19]]", False),
        ("torch.Size([2, 3])", "(2, 3)", True),
        ("torch.Size([2, 3])", "torch.size([2,3])", True),
        ("torch.Size([2, 3]) torch.Size([4])", "[2, 3] [4]", True),
        ("[[1, 2], [3, 4]]", "1 2 3 4", False),
        ("[[1, 2], [3, 4]]", "((1, 2), (3, 4))", True),
        ("tensor([0.2500, 0.7500], grad_fn=<MulBackward0>)", "[.25, .75]", True),
        ("0.3333333432674408", "0.333", True),
        ("0.3333333432674408", "0.34", False),
        ("1000", "1001", False),
        ("-5", "- 5", False),
        ("-5", "-5", True),
        ("7", "[7]", False),
        ("True\nFalse", "true false", True),
        ("'a' 'b'", "a b", True),
        ("RuntimeError", "runtimeerror", True),
        ("None", "0", False),
        ("1e-05", "0.00001", True),
        ("[]", "()", True),
    ],
)
def test_output_is_compared_as_a_person_would(printed: str, written: str, same: bool) -> None:
    assert same_output(written, printed) is same


@pytest.mark.parametrize("malformed", ["", "  ", None, True, ["1"], {}, "1" * 1001])
def test_what_is_no_output_is_sent_back(malformed: object) -> None:
    with pytest.raises(AnswerFormatError, match="what is printed"):
        EXAMPLE.variant("numbers-of-a-head", "anna").mark(malformed)


@pytest.mark.parametrize(
    ("written", "line"),
    [
        ("scores / 2", "    scaled = scores / 2"),
        ("  scaled=scores / 2 ", "    scaled = scores / 2"),
        ("scaled = scores / 2", "    scaled = scores / 2"),
        ("scaled_scores / 2", "    scaled = scaled_scores / 2"),
    ],
)
def test_a_line_may_be_written_out(written: str, line: str) -> None:
    variant = EXAMPLE.variant("scale-the-scores", "anna")
    assert isinstance(variant, LineVariant)
    assert variant.filled(written).splitlines()[3] == line


@pytest.mark.parametrize("malformed", ["", "   ", 7, None, ["text"], "a" * 10_001])
def test_a_text_has_words(malformed: object) -> None:
    with pytest.raises(AnswerFormatError, match="own words"):
        EXAMPLE.variant("why-scale", "anna").mark(malformed)


ANSWER = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=250),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
NUMBERLIKE = st.text(alphabet="0123456789 .,_eE+-/*^x\u00d7\u2212()=~MGiBk\u0663\u00b2", max_size=40)
SHAPELIKE = st.text(alphabet="BTseqbatch0123456789 ,()[]+-*/._'\"\n\\#\u00d7\u00e9", max_size=210)


@settings(max_examples=400, deadline=None)
@given(answer=ANSWER | NUMBERLIKE | SHAPELIKE)
def test_no_answer_whatever_breaks_the_marking(answer: object) -> None:
    for variant in EXAMPLE.variants("anna"):
        with suppress(AnswerFormatError):
            mark = variant.mark(answer)
            assert 0 <= mark.score <= mark.max_score


@settings(max_examples=200, deadline=None)
@given(value=st.floats(min_value=1e-6, max_value=1e15), spec=st.sampled_from(["r", ".6e", ",.4f", "_.3f", ".10f"]))
def test_a_number_is_read_however_python_writes_it(value: float, spec: str) -> None:
    text = repr(value) if spec == "r" else format(value, spec)
    assert EXAMPLE.variant("size-of-the-keys", "anna").mark(text).max_score == 1


@pytest.mark.parametrize(
    ("question", "unit", "each"),
    [
        ("your-code-on-a-gpu", "s", 1e-3),
        ("your-code-on-a-gpu", "µs", 1e3),
        ("your-code-on-a-gpu", "microseconds", 1e3),
        ("angle-of-a-pair", "degrees", 180 / math.pi),
        ("score-memory", "GiB", 10**9 / 2**30),
        ("score-memory", "MB", 1e3),
    ],
)
def test_times_angles_and_bytes_are_converted(question: str, unit: str, each: float) -> None:
    variant = QuestionBank.load(DEFAULT_ROOT / "mha-rope" / "questions.toml").variant(question, "anna")
    assert isinstance(variant.right, float)
    assert variant.mark(f"{variant.right * each} {unit}").status is MarkStatus.CORRECT
    assert variant.mark(f"{variant.right * each * 1.1} {unit}").status is MarkStatus.INCORRECT
    half = variant.mark(f"{variant.right * each}")
    assert half.status is MarkStatus.PARTIAL
    with pytest.raises(AnswerFormatError, match="different kind of unit"):
        variant.mark(f"{variant.right} flops")
