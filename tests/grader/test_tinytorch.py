"""tinytorch, our own small runtime, held against torch; and the harness that calls what is written over it."""

import importlib
import re
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch

from grader.challenge import Challenge
from grader.exercise import Exercise, exercise_of
from grader.grade import grade
from grader.guest.execution import Call, CallStatus, Outcome
from grader.guest.limits import Limits
from grader.guest.submission import Submission
from grader.inprocess import InProcess
from grader.questions import QuestionBank
from grader.report import Verdict
from tests.installed import installed

SLUG = "tinytorch-attention"
DRAWN = np.random.default_rng(11)


@pytest.fixture(scope="module")
def challenge() -> Challenge:
    return installed()[SLUG]


@pytest.fixture(scope="module")
def exercise(challenge: Challenge) -> Exercise:
    return exercise_of(challenge)


@pytest.fixture(scope="module", autouse=True)
def tinytorch(exercise: Exercise) -> ModuleType:
    """The package as a student imports it, from where the challenge keeps it."""
    assert exercise.reference  # served from now on
    return importlib.import_module("tinytorch.core.tensor")


@pytest.fixture
def tensor(tinytorch: ModuleType) -> Callable[..., Any]:
    return tinytorch.Tensor


OPERATIONS: dict[str, tuple[Callable[..., Any], tuple[tuple[int, ...], ...]]] = {
    "add": (lambda a, b: a + b, ((2, 3), (2, 3))),
    "add, broadcast": (lambda a, b: a + b, ((4, 2, 3), (3,))),
    "add, both broadcast": (lambda a, b: a + b, ((4, 1, 3), (2, 1))),
    "add a number": (lambda a: 2.5 + a + 1, ((2, 3),)),
    "subtract": (lambda a, b: a - b, ((2, 1, 3), (5, 1))),
    "subtract from a number": (lambda a: 1.0 - a, ((2, 3),)),
    "multiply": (lambda a, b: a * b, ((2, 3), (1, 3))),
    "multiply by a number": (lambda a: 3 * a * 0.5, ((2, 3),)),
    "divide": (lambda a, b: a / (b * b + 1.0), ((2, 3), (2, 1))),
    "divide a number": (lambda a: 2.0 / (a * a + 1.0), ((2, 3),)),
    "negate": (lambda a: -a, ((2, 3),)),
    "power": (lambda a: (a * a + 0.5) ** 1.5, ((2, 3),)),
    "root": (lambda a: (a * a + 0.5).sqrt(), ((2, 3),)),
    "exp": (lambda a: a.exp(), ((2, 3),)),
    "matmul": (lambda a, b: a.matmul(b), ((3, 4), (4, 2))),
    "matmul, batches": (lambda a, b: a @ b, ((2, 5, 3, 4), (2, 5, 4, 2))),
    "matmul, broadcast": (lambda a, b: a @ b, ((2, 1, 3, 4), (5, 4, 2))),
    "matmul, a matrix for all": (lambda a, b: a @ b, ((2, 3, 4), (4, 2))),
    "transpose": (lambda a: a.transpose(1, 2) * a.transpose(-3, -1).sum(), ((2, 3, 4),)),
    "reshape": (lambda a: a.reshape(4, -1), ((2, 3, 4),)),
    "reshape, a tuple": (lambda a: a.reshape((3, 8)), ((2, 3, 4),)),
    "index": (lambda a: a[1], ((2, 3, 4),)),
    "slice": (lambda a: a[:, 1:, ::2] * 2.0, ((2, 3, 4),)),
    "index twice": (lambda a: a[[0, 0, 1]], ((2, 3),)),
    "used twice": (lambda a: a * a + a, ((2, 3),)),
    "a long way": (lambda a: ((a.exp() + 1.0).sqrt() * a).transpose(0, 1) @ a, ((2, 3),)),
}
REDUCTIONS = ("sum", "mean", "max")
AXES = (None, 0, -1, (0, 2))


def _agrees(tensor: Callable[..., Any], ours: Callable[..., Any], theirs: Callable[..., Any], shapes: tuple) -> None:
    """Values and gradients, in float64, for an upstream gradient of any values."""
    arrays = [DRAWN.standard_normal(shape) for shape in shapes]
    mine = [tensor(array, requires_grad=True) for array in arrays]
    leaves = [torch.tensor(array, requires_grad=True) for array in arrays]
    made, right = ours(*mine), theirs(*leaves)
    assert made.shape == tuple(right.shape)
    np.testing.assert_allclose(made.data, right.detach().numpy(), rtol=1e-12, atol=1e-12)
    upstream = DRAWN.standard_normal(made.shape)
    made.backward(upstream)
    right.backward(torch.tensor(upstream))
    for leaf, one in zip(leaves, mine, strict=True):
        assert one.grad.shape == one.shape
        assert one.grad.dtype == np.float64
        np.testing.assert_allclose(one.grad, leaf.grad.numpy(), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_agrees_with_torch_in_values_and_gradients(name: str, tensor: Callable[..., Any]) -> None:
    operation, shapes = OPERATIONS[name]
    _agrees(tensor, operation, operation, shapes)


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", AXES, ids=str)
@pytest.mark.parametrize("name", REDUCTIONS)
def test_a_reduction_agrees_with_torch(name: str, axis: Any, keepdims: bool, tensor: Callable[..., Any]) -> None:
    dims = tuple(range(3)) if axis is None else axis
    right = {"sum": torch.sum, "mean": torch.mean, "max": torch.amax}[name]
    _agrees(
        tensor,
        lambda a: getattr(a, name)(axis=axis, keepdims=keepdims),
        lambda a: right(a, dim=dims, keepdim=keepdims),
        ((2, 3, 4),),
    )


def test_equal_maxima_share_the_gradient(tensor: Callable[..., Any]) -> None:
    a = tensor([[1.0, 3.0, 3.0]], requires_grad=True)
    a.max(axis=1).backward([2.0])
    np.testing.assert_array_equal(a.grad, [[0.0, 1.0, 1.0]])


def test_transpose_swaps_the_last_two_axes_unless_told_otherwise(tensor: Callable[..., Any]) -> None:
    assert tensor(np.zeros((2, 3, 4, 5))).transpose().shape == (2, 3, 5, 4)
    assert tensor(np.zeros((2, 3, 4, 5))).transpose(1, 2).shape == (2, 4, 3, 5)


@pytest.mark.parametrize("dim", [-1, 1])
def test_softmax_agrees_with_torch_and_does_not_overflow(dim: int, tensor: Callable[..., Any]) -> None:
    softmax = importlib.import_module("tinytorch.core.activations").Softmax()
    _agrees(tensor, lambda a: softmax(a, dim=dim), lambda a: torch.softmax(a, dim), ((2, 3, 4),))
    shares = softmax.forward(tensor([[1000.0, -1000.0, 1000.0]])).data
    np.testing.assert_allclose(shares, [[0.5, 0.0, 0.5]])


def test_a_linear_layer_agrees_with_torch(tensor: Callable[..., Any]) -> None:
    layer = importlib.import_module("tinytorch.core.layers").Linear(4, 3)
    assert (layer.weight.shape, layer.bias.shape) == ((4, 3), (3,))
    assert layer.parameters() == [layer.weight, layer.bias]
    weight, bias = DRAWN.standard_normal((4, 3)), DRAWN.standard_normal(3)
    layer.weight.data, layer.bias.data = weight, bias
    x = tensor(DRAWN.standard_normal((2, 5, 4)), requires_grad=True)
    layer(x).backward(np.ones((2, 5, 3)))
    ours = [x.grad, layer.weight.grad, layer.bias.grad]
    leaves = [torch.tensor(array, requires_grad=True) for array in (x.data, weight, bias)]
    torch.nn.functional.linear(leaves[0], leaves[1].T, leaves[2]).sum().backward()
    for found, leaf in zip(ours, leaves, strict=True):
        np.testing.assert_allclose(found, leaf.grad.numpy(), rtol=1e-10)


def test_a_linear_layer_without_bias_has_one_parameter() -> None:
    layer = importlib.import_module("tinytorch.core.layers").Linear(4, 3, bias=False)
    assert layer.bias is None
    assert layer.parameters() == [layer.weight]


def test_float64_arrays_stay_what_they_are_and_all_else_becomes_float32(tensor: Callable[..., Any]) -> None:
    wide = tensor(np.zeros((2, 2)))
    assert wide.dtype == np.float64
    assert (wide * 0.1).dtype == np.float64
    narrow = tensor([[1.0, 2.0]])
    assert narrow.dtype == np.float32
    assert tensor(np.arange(3)).dtype == np.float32
    assert (narrow * np.float64(0.1) / np.sqrt(2)).dtype == np.float32


def test_arrays_and_tensors_go_together_on_either_side(tensor: Callable[..., Any]) -> None:
    a, b = tensor([[1.0, 2.0]], requires_grad=True), np.array([[3.0, 4.0]])
    (b * a + b / a - a + b @ a.transpose()).sum().backward()
    assert a.grad is not None
    with pytest.raises(TypeError):
        np.exp(a)


def test_gradients_add_up_until_they_are_cleared(tensor: Callable[..., Any]) -> None:
    a = tensor([1.0, 2.0], requires_grad=True)
    for _ in range(2):
        (a * 3.0).sum().backward()
    np.testing.assert_array_equal(a.grad, [6.0, 6.0])
    a.zero_grad()
    assert a.grad is None


def test_what_has_no_history_says_so(tensor: Callable[..., Any]) -> None:
    a = tensor([1.0], requires_grad=True)
    with pytest.raises(RuntimeError, match=r"did \.data cut the graph"):
        tensor(a.data * 2).backward()


@pytest.mark.parametrize(
    ("operation", "words"),
    [
        (lambda t: t((2, 4, 64)) @ t((2, 4, 64)), "inner dimensions 64 and 4 differ"),
        (lambda t: t((3,)) @ t((3, 2)), "at least two axes"),
        (lambda t: t((2, 8, 4, 4)) + t((2, 4, 4)), "axis -3 is 8 on the left and 2 on the right"),
        (lambda t: t((3, 2, 4)) @ t((2, 4, 5)), "axis -1 is 3 on the left and 2 on the right"),
        (lambda t: t((2, 3)).reshape(4, 2), "with 6 elements into (4, 2)"),
        (lambda t: t((2, 3)).reshape(-1, -1), "cannot reshape"),
        (lambda t: t((2, 3)).transpose(1, 2), "no axis 2 in (2, 3)"),
        (lambda t: t((2, 3)).backward(np.ones((3, 2))), "(3, 2)"),
        (lambda t: t((2, 3)).backward(), "needs a gradient"),
    ],
)
def test_shapes_that_do_not_fit_are_told_with_their_sizes(
    operation: Callable[..., Any], words: str, tensor: Callable[..., Any]
) -> None:
    with pytest.raises((ValueError, RuntimeError), match=re.escape(words)):
        operation(lambda shape: tensor(np.ones(shape), requires_grad=True))


@pytest.mark.parametrize("other", [None, "1", [1.0]])
def test_only_numbers_go_together_with_tensors(other: object, tensor: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match="not with"):
        tensor([1.0]) + other


def test_a_tensor_of_a_tensor_is_refused(tensor: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match="a Tensor already"):
        tensor(tensor([1.0]))


# What students take home


def test_the_library_can_be_taken_home_without_the_harness(challenge: Challenge) -> None:
    assert {path.partition("/")[0] for path in challenge.libraries} == {"tinytorch"}
    assert "class Tensor:" in challenge.libraries["tinytorch/core/tensor.py"]
    assert "harness.py" in challenge.support


def test_a_copy_that_was_sent_along_gives_way_to_ours(challenge: Challenge, exercise: Exercise) -> None:
    """Also an altered one: a runtime of one's own would hide a loop from whoever counts its calls."""
    main = exercise.baseline().source
    copies = dict.fromkeys((*challenge.libraries, "tinytorch.py"), b"raise RuntimeError")
    sent = Submission("attention.py", {"attention.py": main, "helper.py": b"", "harness.py": b"", **copies})
    laid_out = sent.beside(challenge.support)
    assert laid_out.files == {"attention.py": main, "helper.py": b"", "harness.py": b""}
    assert grade(challenge, sent, 1, InProcess()).verdict is Verdict.PASSED


# The harness


def _outcome(challenge: Challenge, source: str, call: Call) -> Outcome:
    submission = Submission("attention.py", {"attention.py": source.encode()}, challenge.support)
    (outcome,) = InProcess().run(submission, [call], Limits()).outcomes
    return outcome


def _attention_call(**more: Any) -> Call:
    generator = torch.Generator().manual_seed(3)
    given = {name: torch.randn(2, 4, 6, generator=generator) for name in ("Q", "K", "V")}
    return Call("a", "scaled_dot_product_attention", given, **more)


def _layer_call(exercise: Exercise, **more: Any) -> Call:
    case = next(case for case in exercise.paper(1).cases if case.id == "head-masks/other-than-heads")
    return Call("m", "MultiHeadAttention", {**case.call.arguments, **more})


def _accepted(exercise: Exercise) -> str:
    return exercise.baseline().source.decode()


def test_what_the_harness_misses_is_told_without_the_name_of_an_exception(
    exercise: Exercise, challenge: Challenge
) -> None:
    source = _accepted(exercise).replace("q_proj", "w_q").encode()
    report = grade(challenge, Submission("attention.py", {"attention.py": source}), 1, InProcess())
    messages = {test.id: test.message for test in report.tests}
    assert messages["heads/4"] == "Your MultiHeadAttention has no attribute q_proj."
    assert report.verdict is Verdict.FAILED


def test_gradients_cross_the_bridge_as_torchs_own_attention_gives_them(
    challenge: Challenge, exercise: Exercise
) -> None:
    upstream = torch.randn(2, 4, 6, generator=torch.Generator().manual_seed(4))
    call = _attention_call(gradient=upstream, differentiate=("Q", "K", "V"))
    outcome = _outcome(challenge, _accepted(exercise), call)
    leaves = [value.clone().requires_grad_() for value in call.arguments.values()]
    right = torch.nn.functional.scaled_dot_product_attention(*leaves)
    right.backward(upstream)
    torch.testing.assert_close(outcome.outputs[0], right.detach(), rtol=1e-5, atol=1e-6)
    torch.testing.assert_close(outcome.outputs[1].sum(-1), torch.ones(2, 4))
    for name, leaf in zip("QKV", leaves, strict=True):
        torch.testing.assert_close(outcome.gradients[name], leaf.grad, rtol=1e-4, atol=1e-6)


def test_the_layer_agrees_with_torchs_multihead_attention(challenge: Challenge, exercise: Exercise) -> None:
    call = _layer_call(exercise)
    given = call.arguments
    theirs = torch.nn.MultiheadAttention(given["embed_dim"], given["num_heads"], batch_first=True)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([given[f"{name}_proj_weight"].T for name in "qkv"]))
        theirs.in_proj_bias.copy_(torch.cat([given[f"{name}_proj_bias"] for name in "qkv"]))
        theirs.out_proj.weight.copy_(given["out_proj_weight"].T)
        theirs.out_proj.bias.copy_(given["out_proj_bias"])
    hidden = (given["mask"] == 0).repeat_interleave(given["num_heads"], dim=0)
    right, _ = theirs(given["x"], given["x"], given["x"], attn_mask=hidden)
    outcome = _outcome(challenge, _accepted(exercise), call)
    torch.testing.assert_close(outcome.outputs[0], right.detach(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("self.q_proj = Linear(embed_dim, embed_dim)", "self.wq = Linear(embed_dim, embed_dim)", "no attribute q_proj"),
        (
            "self.v_proj = Linear(embed_dim, embed_dim)",
            "self.v_proj = Linear(embed_dim, embed_dim, bias=False)",
            "v_proj.bias",
        ),
        ("self.out_proj = Linear(embed_dim, embed_dim)", "self.out_proj = Linear(1, embed_dim)", "out_proj.weight"),
        ("return self.out_proj.forward(joined)", "return joined, None", "returned a tuple where a Tensor is expected"),
        ("return self.out_proj.forward(joined)", "return joined.data", "returned a ndarray"),
    ],
)
def test_what_the_harness_misses_it_says_in_a_sentence(
    old: str, new: str, words: str, challenge: Challenge, exercise: Exercise
) -> None:
    source = _accepted(exercise)
    assert old in source
    outcome = _outcome(challenge, source.replace(old, new), _layer_call(exercise))
    assert outcome.status is CallStatus.RAISED
    assert outcome.problem is not None
    assert outcome.problem.type == "LookupError"
    assert words in outcome.problem.message


@pytest.mark.parametrize(
    ("returned", "words"),
    [("output", "returned one Tensor"), ("output, attention_weights, scores", "returned 3 things")],
)
def test_attention_returns_two_tensors(returned: str, words: str, challenge: Challenge, exercise: Exercise) -> None:
    source = _accepted(exercise).replace("return output, attention_weights", f"return {returned}")
    outcome = _outcome(challenge, source, _attention_call())
    assert outcome.problem is not None
    assert words in outcome.problem.message


@pytest.mark.parametrize("change", ["Q.data[...] = 0.0", "Q.data = Q.data * 2", "Q.data = Q.data[..., :1]"])
def test_a_changed_argument_shows_however_it_was_changed(change: str, challenge: Challenge, exercise: Exercise) -> None:
    source = _accepted(exercise).replace(
        "return output, attention_weights", f"{change}\n    return output, attention_weights"
    )
    call = _attention_call(return_arguments=True)
    outcome = _outcome(challenge, source, call)
    assert not torch.equal(outcome.arguments["Q"], call.arguments["Q"])
    assert torch.equal(outcome.arguments["K"], call.arguments["K"])


def test_the_example_of_the_spec_runs_and_gives_what_it_says(challenge: Challenge, exercise: Exercise) -> None:
    """Every line of the code block with a `#` behind it tells what it prints."""
    (block,) = re.findall(r"```python example\n(.*?)```", challenge.spec(), re.DOTALL)
    space: dict[str, Any] = {}
    exec(_accepted(exercise), space)
    printed: list[str] = []
    space["print"] = lambda shown: printed.append(str(shown))
    exec(block.replace("from attention import scaled_dot_product_attention", ""), space)
    told = re.findall(r"print\(.*\)  # (.*)", block)
    assert len(told) == 4
    assert [_numbers(line) for line in printed] == [_numbers(line) for line in told]


def _numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"[\d.]+", text)]


def test_importing_the_package_leaves_no_trace_of_the_judge() -> None:
    """Students read these files and run them at home: they need NumPy and nothing of ours."""
    names = [name for name in sys.modules if name.partition(".")[0] == "tinytorch"]
    assert names
    for name in names:
        module = sys.modules[name]
        assert not {"grader", "torch"} & {
            value.__name__ for value in vars(module).values() if isinstance(value, ModuleType)
        }


# What the questions say is true


def _asked(challenge: Challenge, question: str) -> tuple[Any, list[int]]:
    variant = QuestionBank.load(challenge.questions_path).variant(question, "anna")
    return variant, [int(number) for number in re.findall(r"(?<![\d.])\d+(?![\d.]*\d)", variant.view.prompt)]


def test_a_reshape_in_the_wrong_order_gives_a_head_the_feature_that_the_answer_names(challenge: Challenge) -> None:
    variant, (width, _, heads, head_dim, *_, head, _, place) = _asked(challenge, "first-numbers-of-a-head")
    features = np.arange(width).reshape(head_dim, -1)
    assert variant.right == features[place, head]
    assert features.shape[1] == width // head_dim
    assert heads


def test_the_bias_of_the_keys_has_no_gradient_and_that_of_the_queries_has(
    exercise: Exercise, challenge: Challenge
) -> None:
    of = ("q_proj_bias", "k_proj_bias")
    given = _layer_call(exercise, mask=None).arguments
    upstream = torch.randn(given["x"].shape, generator=torch.Generator().manual_seed(5))
    call = Call("g", "MultiHeadAttention", given, gradient=upstream, differentiate=of)
    gradients = _outcome(challenge, _accepted(exercise), call).gradients
    assert gradients["k_proj_bias"].abs().max() < 1e-4 * gradients["q_proj_bias"].abs().max()


def test_behind_new_tensors_only_values_and_output_learn(exercise: Exercise, challenge: Challenge) -> None:
    cut = "attention_weights = Tensor(Softmax()(scores, dim=-1).data)"
    source = _accepted(exercise).replace("attention_weights = Softmax()(scores, dim=-1)", cut)
    of = tuple(f"{name}_proj_weight" for name in ("q", "k", "v", "out"))
    given = _layer_call(exercise).arguments
    call = Call("g", "MultiHeadAttention", given, gradient=torch.ones(given["x"].shape), differentiate=of)
    gradients = _outcome(challenge, source, call).gradients
    assert [gradients[name] is None for name in of] == [True, True, False, False]


def test_where_the_products_of_attention_overtake_the_projections(challenge: Challenge) -> None:
    variant, (width, *_) = _asked(challenge, "where-scores-overtake")
    tokens = int(variant.right)
    assert 4 * tokens * width**2 == 2 * tokens**2 * width


def test_what_is_only_welcome_costs_its_own_points_and_names_nothing(challenge: Challenge, exercise: Exercise) -> None:
    sent = exercise.baseline()
    old = b"    return output, attention_weights"
    assert old in sent.source
    refused = b"    assert mask is None or mask.ndim < 4 or len(mask.data) == len(Q.data)\n"
    source = sent.source.replace(old, refused + old, 1)
    report = grade(challenge, Submission(sent.main, {sent.main: source}, sent.support), 7, InProcess())
    lost = {test.group for test in report.tests if test.status.value != "passed"}
    assert lost == {"other-shapes"}
    assert report.verdict is Verdict.PASSED
    assert report.efficiency is not None
    assert not report.diagnoses
    assert report.guidance is None


def test_an_attention_function_that_is_called_for_show_is_noticed_where_a_welcome_shape_fails(
    challenge: Challenge, exercise: Exercise
) -> None:
    """Whether its result matters was looked at only where every test had passed."""
    source = _accepted(exercise).replace("def scaled_dot_product_attention", "def twin")
    source = source.replace(
        "attended, _ = scaled", "scaled_dot_product_attention(Q, K, V, mask=mask)\n        attended, _ = scaled"
    )
    source = source.replace("attended, _ = scaled_dot_product_attention", "attended, _ = twin")
    source += "\n\ndef scaled_dot_product_attention(Q, K, V, mask=None):\n    assert mask is None or mask.ndim < 4 or "
    source += (
        "len(mask.data) == len(Q.data)\n    output, weights = twin(Q, K, V, mask)\n    return output * 1.0, weights\n"
    )
    sent = Submission("attention.py", {"attention.py": source.encode()}, challenge.support)
    report = grade(challenge, sent, 7, InProcess(), is_timed=False)
    assert [rule.rule for rule in report.structure if rule.status.value == "failed"] == ["uses-own-attention"]


def test_a_call_that_asks_for_the_gradient_of_what_it_was_given_has_changed_it(
    challenge: Challenge, exercise: Exercise
) -> None:
    source = _accepted(exercise).replace("    d_k = Q.shape[-1]", "    K.requires_grad = True\n    d_k = Q.shape[-1]")
    outcome = _outcome(challenge, source, _attention_call(return_arguments=True))
    assert outcome.arguments["K"].isnan().all()
    assert not outcome.arguments["Q"].isnan().any()


def test_what_is_kept_by_the_tensor_it_came_from_is_found_stale(challenge: Challenge, exercise: Exercise) -> None:
    """The same Tensors and the same arrays, with other numbers in them."""
    source = (
        _accepted(exercise)
        + """

remembered, plain = {}, MultiHeadAttention.forward


def forward(self, x, mask=None):
    key = id(mask)
    if key not in remembered:
        remembered[key] = mask, Tensor(mask.data.copy())
    return plain(self, x, remembered[key][1])


MultiHeadAttention.forward = forward
"""
    )
    call = _layer_call(exercise, look_at="output after other data")
    right, found = (_outcome(challenge, text, call) for text in (_accepted(exercise), source))
    assert not torch.allclose(right.outputs[0], found.outputs[0])
    assert torch.equal(right.outputs[0], _outcome(challenge, _accepted(exercise), _layer_call(exercise)).outputs[0])
