"""mha-module and mha-homework: the known values of the seed, and what the harness understands."""

from dataclasses import replace
from types import ModuleType

import pytest
import torch
from torch import Tensor

from grader.challenge import DEFAULT_ROOT, load_challenge
from grader.comparison.compare import compare
from grader.exercise import Exercise, exercise_of
from grader.guest.execution import Call, CallStatus, Outcome
from grader.guest.loading import Program
from grader.guest.perform import perform
from grader.inprocess import fresh_module
from grader.paper.case import Aspect, Case

EXERCISES = {slug: exercise_of(load_challenge(DEFAULT_ROOT / slug)) for slug in ("mha-module", "mha-homework")}
MODULE = EXERCISES["mha-module"]

# What the notebook prints under manual_seed(123), to the four decimals that it shows.
PRINTED = {
    "seeded/example": [
        [0.3190, 0.4858],
        [0.2943, 0.3897],
        [0.2856, 0.3593],
        [0.2693, 0.3873],
        [0.2639, 0.3928],
        [0.2575, 0.4028],
    ],
    "seeded/example-wrapper": [
        [-0.4519, 0.2216, 0.4772, 0.1063],
        [-0.5874, 0.0058, 0.5891, 0.3257],
        [-0.6300, -0.0632, 0.6202, 0.3860],
        [-0.5675, -0.0843, 0.5478, 0.3589],
        [-0.5526, -0.0981, 0.5321, 0.3428],
        [-0.5299, -0.1081, 0.5077, 0.3493],
    ],
}


@pytest.mark.parametrize("slug", EXERCISES)
def test_the_reference_gives_the_printed_values(slug: str) -> None:
    exercise = EXERCISES[slug]
    known = [case for case in exercise.paper(1).cases if case.id in PRINTED]
    assert len(known) == (2 if slug == "mha-module" else 1)
    for case, outcome in zip(known, exercise.expected(known), strict=True):
        rows = torch.tensor(PRINTED[case.id], dtype=torch.float64)
        (output,) = outcome.outputs
        torch.testing.assert_close(output, torch.stack((rows, rows)), atol=5.1e-5, rtol=0)


@pytest.mark.parametrize("slug", EXERCISES)
def test_the_specification_shows_the_printed_values(slug: str) -> None:
    spec = EXERCISES[slug].challenge.spec()
    shown = [name for name in PRINTED if slug == "mha-module" or name == "seeded/example"]
    for row in (row for name in shown for row in PRINTED[name]):
        assert f"`[{', '.join(f'{value:.4f}' for value in row)}]`" in spec


LAYERS = {
    "linear": "self.{q} = nn.Linear(d_in, d_out, bias=qkv_bias)",
    "parameter": "self.{q} = nn.Parameter(torch.zeros(d_in, d_out))",
    "turned": "self.{q} = nn.Parameter(torch.zeros(d_out, d_in))",
    "nested": "self.{q} = nn.Sequential(nn.Linear(d_in, d_out, bias=qkv_bias))",
}
USES = {"linear": "self.{q}(x)", "parameter": "x @ self.{q}", "turned": "x @ self.{q}.mT", "nested": "self.{q}(x)"}


def single_head(layers: str, projections: str) -> ModuleType:
    """A CausalAttention with these layers."""
    source = f"""
import torch
from torch import nn

class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        {layers}

    def forward(self, x):
        q, k, v = {projections}
        scores = q @ k.mT / q.shape[-1] ** 0.5
        later = torch.ones_like(scores, dtype=torch.bool).triu(1)
        return scores.masked_fill(later, -torch.inf).softmax(-1) @ v
"""
    return fresh_module("attention.py", source.encode())


def put(exercise: Exercise, module: ModuleType, case: str) -> tuple[Outcome, Outcome]:
    """What the module gives in this case, and what it should give."""
    (found,) = (one for one in exercise.paper(1).cases if one.id == case)
    program = Program(module, exercise.program_with().harness)
    return perform(found.call, program), exercise.expected([found])[0]


NAMES = [
    ("W_query", "W_key", "W_value"),
    ("W_q", "W_k", "W_v"),
    ("q_proj", "k_proj", "v_proj"),
    ("to_q", "to_k", "to_v"),
    ("WQ", "WK", "WV"),
    ("queries", "keys", "values"),
    ("linear_q", "linear_k", "linear_v"),
    ("queryProjection", "keyProjection", "valueProjection"),
    ("w_qs", "w_ks", "w_vs"),
    ("qlinear", "klinear", "vlinear"),
]


@pytest.mark.parametrize("names", NAMES, ids=[names[0] for names in NAMES])
@pytest.mark.parametrize("kind", LAYERS)
def test_weights_are_given_by_role_whatever_layers_are_called(names: tuple[str, ...], kind: str) -> None:
    layers = "; ".join(LAYERS[kind].format(q=name) for name in names)
    module = single_head(layers, ", ".join(USES[kind].format(q=name) for name in names))
    outcome, expected = put(MODULE, module, "causal-attention/shorter")
    assert outcome.problem is None
    torch.testing.assert_close(outcome.outputs[0].double(), expected.outputs[0], atol=1e-4, rtol=0)


@pytest.mark.parametrize("kind", ["linear", "parameter", "turned"])
def test_weights_are_given_as_they_are_kept_where_d_in_and_d_out_are_equal(kind: str) -> None:
    names = NAMES[0]
    layers = "; ".join(LAYERS[kind].format(q=name) for name in names)
    module = single_head(layers, ", ".join(USES[kind].format(q=name) for name in names))
    program = Program(module, MODULE.program_with().harness)
    square = [case for case in MODULE.paper(1).cases if is_plain(case) and is_square(case)]
    assert square
    for case, expected in zip(square, MODULE.expected(square), strict=True):
        assert compare(case, expected, perform(case.call, program)).mismatch is None, case.title


def is_square(case: Case) -> bool:
    weight = case.call.arguments.get("query_weight")
    return isinstance(weight, Tensor) and weight.shape[0] == weight.shape[1]


def is_plain(case: Case) -> bool:
    """What the single heads here can do: they have no biases and no dropout, and cannot be loaded."""
    asked = case.call.arguments
    has_dropout = asked.get("training") and asked["dropout"]
    return case.call.function == "CausalAttention" and not asked.get("qkv_bias") and not has_dropout


@pytest.mark.parametrize(
    ("name", "order"), [("qkv", "q, k, v"), ("kqv", "k, q, v"), ("W_qkv", "q, k, v"), ("c_attn", "q, k, v")]
)
@pytest.mark.parametrize("case", ["causal-attention/alone", "causal-attention/bias"])
def test_one_layer_for_all_three_is_filled_in_the_order_of_its_name(name: str, order: str, case: str) -> None:
    module = single_head(
        f"self.{name} = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)",
        f"(lambda {order}: (q, k, v))(*self.{name}(x).chunk(3, dim=-1))",
    )
    outcome, expected = put(MODULE, module, case)
    assert outcome.problem is None
    torch.testing.assert_close(outcome.outputs[0].double(), expected.outputs[0], atol=1e-4, rtol=0)


def test_layers_that_nobody_can_tell_apart_are_named_in_a_sentence() -> None:
    layers = "; ".join(f"self.{name} = nn.Linear(d_in, d_out)" for name in ("first", "second", "third"))
    outcome, _ = put(
        MODULE, single_head(layers, "self.first(x), self.second(x), self.third(x)"), "causal-attention/alone"
    )
    assert outcome.problem is not None
    assert outcome.problem.type == "LookupError"
    assert outcome.problem.message == (
        "No layer for the query or key or value was found in your CausalAttention: it has first.weight, first.bias, "
        "second.weight, second.bias, third.weight, third.bias. Name the layers W_query, W_key and W_value, so that "
        "tests can give them weights."
    )


def test_a_class_that_is_no_module_is_told_so() -> None:
    module = fresh_module("attention.py", b"class CausalAttention:\n    def __init__(self, *sizes, **named): pass\n")
    outcome, _ = put(MODULE, module, "causal-attention/alone")
    assert outcome.problem is not None
    assert outcome.problem.message == "CausalAttention is not an nn.Module: derive the class from nn.Module."


def test_random_numbers_of_the_process_are_left_alone() -> None:
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    put(MODULE, MODULE.reference, "seeded/example")
    assert torch.equal(torch.rand(3), expected)


def test_gradients_reach_the_given_weights() -> None:
    for name in ("query", "output", "query-bias", "output-bias"):
        outcome, expected = put(MODULE, MODULE.reference, f"weight-gradients/{name}")
        assert outcome.status is CallStatus.RETURNED
        for weight, gradient in expected.gradients.items():
            assert gradient is not None
            assert gradient.abs().amax() > 1e-3
            torch.testing.assert_close(outcome.gradients[weight].double(), gradient, atol=1e-3, rtol=1e-4)


def test_dropout_is_told_apart_by_what_it_drops() -> None:
    reference = MODULE.program_with()
    (case,) = (case for case in MODULE.paper(1).cases if case.id == "dropout/half")
    assert perform(case.call, reference).outputs[0].tolist() == [1, 1, 1, 1, 2]
    for name, fates in (
        ("dropout-ignored", [0, 0, 0, 0, 1]),
        ("dropout-on-context", [1, 0, 1, 1, 2]),
        ("dropout-on-output", [1, 0, 1, 1, 2]),
        ("dropout-not-rescaled", [0, 0, 1, 0, 1]),
    ):
        wrong = perform(case.call, MODULE.program_with(MISTAKES[name])).outputs[0].tolist()
        assert wrong == fates, name


MISTAKES = {mistake.name: mistake for mistake in MODULE.misconceptions}
# By how much is enlarged what is kept; then weights as a whole, share, sequences, heads, queries, keys, calls, no_grad,
# eval(), gradients.
DROPPINGS = {
    "dropout-ignored": [1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1],
    "dropout-inverted": [4, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1],
    "dropout-not-rescaled": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
    "dropout-on-context": [1.3125, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1],
    "dropout-shared.queries-of-a-head": [1.3125, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1],
    "dropout-shared.weights-of-a-query": [1.3125, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1],
    "dropout-twice.context": [1.75, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1],
    "kept-between-calls.dropout": [1.3125, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1],
    "detached-gradient.of.values": [1.3125, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0],
}


def test_which_of_several_weights_are_dropped_is_told_apart() -> None:
    (case,) = (case for case in MODULE.paper(1).cases if case.id == "dropout/share-0.25")
    right = perform(case.call, MODULE.program_with()).outputs[0]
    assert right.tolist() == pytest.approx([1.3125, *[1] * 10])
    for name, answers in DROPPINGS.items():
        wrong = perform(case.call, MODULE.program_with(MISTAKES[name])).outputs[0]
        assert wrong.tolist() == pytest.approx(answers), name


def test_a_module_must_refuse_sizes_when_it_is_made() -> None:
    class Late(MODULE.reference.MultiHeadAttention):  # type: ignore[name-defined, misc]
        def __init__(
            self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool
        ) -> None:
            super().__init__(d_in, d_out, context_length, dropout, 1, qkv_bias)
            self.asked_for = num_heads

        def forward(self, x: Tensor) -> Tensor:
            raise ValueError(self.asked_for)

    module = ModuleType("late")
    module.MultiHeadAttention = Late  # type: ignore[attr-defined]
    outcome, _ = put(MODULE, module, "contract/indivisible")
    assert outcome.status is CallStatus.RETURNED


def test_homework_asks_for_one_class_and_for_nothing_about_the_others() -> None:
    homework = EXERCISES["mha-homework"]
    functions = {asked.call.function for asked in (*homework.paper(2).cases, *homework.structure_calls(2))}
    assert functions == {"MultiHeadAttention"}
    assert not [mistake.id for mistake in homework.misconceptions if mistake.id.startswith("wrapper")]
    assert len(homework.misconceptions) >= 12


def test_a_call_needs_no_weights_to_count_them() -> None:
    sizes = {"d_in": 5, "d_out": 6, "context_length": 4, "dropout": 0.0, "num_heads": 2, "qkv_bias": True}
    call = Call("", "MultiHeadAttention", {**sizes, "x": torch.rand(1, 2, 5), "measure": "parameters"})
    (count,) = perform(call, MODULE.program_with()).outputs
    assert count.item() == 3 * (5 * 6 + 6) + 6 * 6 + 6


@pytest.mark.parametrize(("returned", "told"), [("None", "returned None"), ("(x, None)", "returned a tuple")])
def test_a_module_that_returns_no_tensor_is_told_so_whatever_is_asked_of_it(returned: str, told: str) -> None:
    source = f"""
from torch import nn

class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3))
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, x):
        return {returned}
"""
    module = fresh_module("attention.py", source.encode())
    for case in MODULE.paper(1).cases:
        is_asked = case.call.function == "MultiHeadAttention" and Aspect.OUTPUT in case.aspects and not case.raises
        if is_asked and "parameters" not in case.id:
            outcome, expected = put(MODULE, module, case.id)
            assert told in compare(case, expected, outcome).message, case.id


def test_a_wrong_number_of_weights_is_told_as_that() -> None:
    (case,) = (case for case in MODULE.paper(1).cases if case.id == "contract/parameters")
    (expected,) = MODULE.expected([case])
    wrong = replace(expected, outputs=(expected.outputs[0].float() + 24,))
    assert compare(case, expected, wrong).message.startswith("The number of trainable weights is")
