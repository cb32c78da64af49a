"""mha-module and mha-homework: the known values of the seed, and what the harness understands."""

from dataclasses import replace
from types import ModuleType

import pytest
import torch

from grader.challenge import DEFAULT_ROOT, load_challenge
from grader.compare import compare
from grader.execution import Call, CallStatus, Outcome
from grader.exercise import Exercise, exercise_of
from grader.inprocess import fresh_module
from grader.loading import Program
from grader.paper import Aspect
from grader.perform import perform

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
    assert outcome.problem.message == "CausalAttention is no nn.Module: derive the class from nn.Module."


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
    (case,) = (case for case in MODULE.paper(1).cases if case.id == "dropout/random")
    by_name = {mistake.name: mistake for mistake in MODULE.misconceptions}

    def fates(*names: str) -> list[float]:
        (answers,) = perform(case.call, MODULE.program_with(*(by_name[name] for name in names))).outputs
        return [round(answer, 2) for answer in answers.tolist()]

    assert fates() == [1, 1, 1.4, 0.3, 0.4, 0.4, 0.4, 0.4, 0.4]
    for name, expected in (
        ("dropout-ignored", [1, 0, 1, 0, 0, 0, 0, 0, 0]),
        ("dropout-inverted", [1, 1, 3.55, 0.7, 0.4, 0.4, 0.4, 0.4, 0.4]),
        ("dropout-not-rescaled", [1, 1, 1, 0.3, 0.4, 0.4, 0.4, 0.4, 0.4]),
        ("dropout-on-context", [0, 1, 1.4, 0.3, 0.4, 0.4, 0.4, 0.4, 0.4]),
        ("dropout-on-values", [0, 1, 1.4, 0.3, 0.4, 0.4, 0, 0.4, 0.4]),
        ("dropout-shared.heads", [1, 1, 1.4, 0.3, 0.4, 0.4, 0.4, 0, 0.4]),
        ("dropout-shared.queries", [1, 1, 1.4, 0.3, 0.4, 0.4, 0, 0.4, 0.4]),
        ("dropout-shared.whole-heads", [1, 1, 1.4, 0.3, 0.4, 0.4, 0, 0.4, 0]),
    ):
        assert fates(name) == expected, name


@pytest.mark.parametrize(
    "redrawn",
    [
        pytest.param("dropped.clone()", id="same"),
        pytest.param("torch.nn.functional.dropout(weights, 0.5)", id="drawn anew"),
    ],
)
def test_a_backward_pass_with_other_dropped_weights_is_found(redrawn: str) -> None:
    source = f"""
import math
import torch
from torch import nn

class Dropped(torch.autograd.Function):
    @staticmethod
    def forward(ctx, weights, values):
        dropped = torch.nn.functional.dropout(weights, 0.5)
        ctx.save_for_backward(weights, dropped, {redrawn}, values)
        return dropped @ values

    @staticmethod
    def backward(ctx, gradient):
        weights, dropped, again, values = ctx.saved_tensors
        return gradient @ values.mT * (dropped > 0) * 2, again.mT @ gradient

class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3))

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = queries @ keys.mT / math.sqrt(queries.shape[-1])
        later = torch.ones_like(scores, dtype=torch.bool).triu(1)
        return Dropped.apply(scores.masked_fill(later, -torch.inf).softmax(-1), values)
"""
    (case,) = (case for case in MODULE.paper(1).cases if case.id == "causal-attention/slope")
    outcome, expected = put(MODULE, fresh_module("attention.py", source.encode()), case.id)
    assert (compare(case, expected, outcome).flaw is None) is (redrawn == "dropped.clone()")


@pytest.mark.parametrize("before", ["fewer tokens", "more tokens", "no graph", "the other mode", "other weights"])
def test_what_a_module_was_used_for_before_changes_nothing_in_the_reference(before: str) -> None:
    (case,) = (case for case in MODULE.paper(1).cases if case.id == "heads/4")
    used = replace(case.call, arguments={**case.call.arguments, "before": before})
    outputs = [perform(call, MODULE.program_with()).outputs[0] for call in (case.call, used)]
    torch.testing.assert_close(*outputs)


def test_a_projection_that_is_kept_from_one_call_to_the_next_is_found() -> None:
    layers = "self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3))"
    kept = "(self.__dict__.setdefault('kept', self.W_query.weight.clone()) @ x.mT).mT, self.W_key(x), self.W_value(x)"
    (case,) = (case for case in MODULE.paper(1).cases if case.id == "causal-attention/alone")
    used = replace(case.call, arguments={**case.call.arguments, "before": "other weights"})
    program = Program(single_head(layers, kept), MODULE.program_with().harness)
    (expected,) = MODULE.expected([case])
    assert compare(case, expected, perform(case.call, program)).flaw is None
    assert compare(case, expected, perform(used, program)).flaw is not None


@pytest.mark.parametrize("turned", [False, True])
def test_square_parameters_are_filled_as_their_module_keeps_them(turned: bool) -> None:
    shape, use = ("d_in, d_out", "x @ self.{}") if turned else ("d_out, d_in", "x @ self.{}.mT")
    names = ("W_query", "W_key", "W_value")
    layers = "; ".join(f"self.{name} = nn.Parameter(torch.rand({shape}))" for name in names)
    module = single_head(layers, ", ".join(use.format(name) for name in names))
    (case,) = (case for case in MODULE.paper(1).cases if case.id == "causal-attention/alone")
    given = {**case.call.arguments, "d_out": 10}
    given |= {f"{role}_weight": torch.randn(10, 10) / 3 for role in ("query", "key", "value")}
    square = replace(case, call=replace(case.call, arguments=given))
    (expected,) = MODULE.expected([square])
    outcome = perform(square.call, Program(module, MODULE.program_with().harness))
    assert compare(square, expected, outcome).flaw is None


def test_sizes_that_do_not_fit_are_refused_when_the_module_is_made() -> None:
    late = MODULE.reference_source.replace(b"        check_heads(d_out, num_heads)\n", b"", 1).replace(
        b"        return mix_heads(",
        b"        check_heads(self.W_query.out_features, self.num_heads)\n        return mix_heads(",
    )
    outcome, _ = put(MODULE, fresh_module("attention.py", late), "contract/indivisible")
    assert outcome.status is CallStatus.RETURNED


@pytest.mark.parametrize("slug", EXERCISES)
def test_no_part_of_the_harness_is_a_library_of_the_exercise(slug: str) -> None:
    challenge = EXERCISES[slug].challenge
    assert set(challenge.support) == {"harness.py", "harness_parameters.py"}
    assert not challenge.libraries
    assert not EXERCISES[slug].program_with().support


def test_homework_asks_for_one_class_and_for_nothing_about_the_others() -> None:
    homework = EXERCISES["mha-homework"]
    functions = {call.function for call in (*(c.call for c in homework.paper(2).cases), *homework.structure_calls(2))}
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
