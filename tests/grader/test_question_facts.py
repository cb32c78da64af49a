"""What the questions of mha-rope say is true: the facts that their texts rest on, computed."""

import math
import re
import statistics

import pytest
import torch

from grader.challenge import DEFAULT_ROOT
from grader.questions import QuestionBank, Variant

BANK = QuestionBank.load(DEFAULT_ROOT / "mha-rope" / "questions.toml")


def variant(question: str) -> Variant:
    return BANK.variant(question, "anna")


def numbers(question: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", variant(question).view.prompt)]


def test_score_memory_at_the_seeds_sizes_is_17_gb() -> None:
    variants = (BANK.variant("score-memory", student) for student in map(str, range(1000)))
    asked = next(v for v in variants if "32 sequences of 2048 tokens" in v.view.prompt and " 32 heads" in v.view.prompt)
    assert asked.right == pytest.approx(17.179869184)
    assert asked.mark("17.2 GB").status == asked.mark("16 GiB").status == "correct"
    assert asked.mark("8.6 GB").status == "incorrect"


def test_a_straight_reshape_gives_head_0_whole_tokens() -> None:
    seq, d_model, _, heads, d_head = numbers("reshape-without-transpose")[:5]
    tokens = torch.arange(seq).repeat_interleave(d_model).reshape(1, seq, d_model)
    head = tokens.reshape(1, heads, seq, d_head)[0, 0]
    assert head.unique().tolist() == list(range(seq // heads))
    right = next(o.text for o in variant("reshape-without-transpose").view.options if o.text.startswith("Only"))
    assert f"first {seq // heads} tokens, each cut into {heads} rows of {d_head}" in right


def test_the_same_score_comes_back_at_the_same_difference_only() -> None:
    from_ = numbers("same-score")[:2]
    generator = torch.Generator().manual_seed(0)
    query, key = torch.randn(2, 32, generator=generator, dtype=torch.complex128)
    frequencies = 10000 ** (-torch.arange(32, dtype=torch.float64) / 32)

    def score(m: int, n: int) -> float:
        return (
            (query * torch.exp(1j * m * frequencies) * (key * torch.exp(1j * n * frequencies)).conj()).sum().real.item()
        )

    asked = variant("same-score")
    same = [
        option.id
        for option in asked.view.options
        if math.isclose(score(*from_), score(*map(int, re.findall(r"\d+", option.text))), rel_tol=1e-9)
    ]
    assert same == [asked.right]


def test_scores_spread_as_the_root_of_a_heads_width() -> None:
    d_model, heads = numbers("spread-of-scores")[2:4]
    generator = torch.Generator().manual_seed(0)
    query, key = torch.randn(2, 20_000, d_model // heads, generator=generator)
    assert statistics.stdev((query * key).sum(-1).tolist()) == pytest.approx(
        variant("spread-of-scores").right, rel=0.03
    )


def test_the_angles_broadcast_against_the_queries_pairs() -> None:
    heads, d_head = numbers("shape-of-angles")[:2]
    queries, angles = torch.zeros(3, heads, 5, d_head), torch.zeros(3, 1, 5, d_head // 2)
    assert (queries[..., 0::2] * angles).shape == (3, heads, 5, d_head // 2)
    assert variant("shape-of-angles").right == f"(batch, 1, seq, {d_head // 2})"


def bank(slug: str) -> QuestionBank:
    return QuestionBank.load(DEFAULT_ROOT / slug / "questions.toml")


def chosen(asked: Variant) -> set[str]:
    """The texts of the right options."""
    assert isinstance(asked.right, list)
    return {option.text for option in asked.view.options if option.id in asked.right}


def test_masks_that_broadcast_are_those_that_torch_takes() -> None:
    for student in map(str, range(30)):
        asked = bank("mha-functional").variant("masks-that-broadcast", student)
        whole = tuple(int(number) for number in re.findall(r"\d+", asked.view.prompt))
        assert chosen(asked) == {option.text for option in asked.view.options if broadcasts(option.text, whole)}


def broadcasts(text: str, whole: tuple[int, ...]) -> bool:
    try:
        return torch.broadcast_shapes(tuple(map(int, re.findall(r"\d+", text))), whole) == whole
    except RuntimeError:
        return False


def attention(x: torch.Tensor, weights: list[torch.Tensor]) -> dict[str, torch.Tensor]:
    """One causal head, with all that happens on the way."""
    query, key, value = (x @ weight.T for weight in weights[:3])
    later = torch.ones(len(x), len(x), dtype=torch.bool).triu(1)
    given = (query @ key.T).masked_fill(later, -math.inf).softmax(-1)
    return {"query": query, "key": key, "value": value, "weights": given, "output": given @ value @ weights[3].T}


def test_gradients_of_a_causal_output_reach_what_the_question_says() -> None:
    asked = bank("mha-rope-causal").variant("where-the-gradient-reaches", "anna")
    place, seq = (int(number) for number in re.findall(r"\d+", asked.view.prompt)[:2])
    x = torch.randn(seq, 6, dtype=torch.float64, requires_grad=True)
    steps = attention(x, list(torch.randn(4, 6, 6, dtype=torch.float64)))
    kinds = {"input": x, "query": steps["query"], "key": steps["key"], "value": steps["value"]}
    found = dict(zip(kinds, torch.autograd.grad(steps["output"][place].sum(), list(kinds.values())), strict=True))
    for option in asked.view.options:
        kind, token = re.fullmatch(r"The (\w+) (?:at|of) token (\d+)", option.text).groups()
        assert (found[kind][int(token)].abs().max().item() == 0) is (option.text in chosen(asked))


def test_a_later_token_changes_what_the_question_says() -> None:
    asked = bank("mha-rope-causal").variant("what-a-later-token-changes", "anna")
    seq, _, changed = (int(number) for number in re.findall(r"\d+", asked.view.prompt))
    weights = list(0.3 * torch.randn(4, 6, 6, dtype=torch.float64))  # small: nobody's attention goes to one token alone
    x = torch.randn(seq, 6, dtype=torch.float64)
    other = x.clone()
    other[changed] = torch.randn(6)
    before, after = attention(x, weights), attention(other, weights)
    differs = {name: ~torch.isclose(before[name], after[name]).all(-1) for name in before}
    for option in asked.view.options:
        numbers = [int(number) for number in re.findall(r"\d+", option.text)]
        kind = next(name for name in ("output", "weight", "key") if name in option.text).replace("weight", "weights")
        assert differs[kind][numbers[0]].item() is (option.text in chosen(asked))


@pytest.mark.parametrize("slug", ["mha-homework", "tinytorch-attention"])
def test_the_first_output_of_a_causal_layer_trains_no_queries_and_keys(slug: str) -> None:
    question = "gradient-of-the-first-output" if slug == "mha-homework" else "gradients-of-the-first-output"
    weights = [torch.randn(6, 6, dtype=torch.float64, requires_grad=True) for _ in range(4)]
    output = attention(torch.randn(5, 6, dtype=torch.float64), weights)["output"][0].sum()
    zero = [gradient.abs().max().item() == 0 for gradient in torch.autograd.grad(output, weights)]
    assert zero == [True, True, False, False]
    assert {text[:1].lower() + text[2:3].lower() for text in chosen(bank(slug).variant(question, "anna"))} in (
        {"wq", "wk"},
        {"qp", "kp"},
    )


@pytest.mark.parametrize("bound", [10, 15, 20])
def test_numbers_that_hide_give_a_weight_of_zero(bound: int) -> None:
    asked = next(
        found
        for student in map(str, range(99))
        if f"-{bound} and" in (found := bank("mha-homework").variant("numbers-that-hide", student)).view.prompt
    )
    numbers = {"minus infinity": -math.inf, "torch.finfo(torch.float32).min": torch.finfo(torch.float32).min}
    for option in asked.view.options:
        hidden = numbers[option.text] if option.text in numbers else float(option.text)
        weights = torch.tensor([-float(bound), hidden]).softmax(0)
        assert (weights[1].item() == 0) is (option.text in chosen(asked))
