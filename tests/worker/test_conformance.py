"""Every sandbox must pass this, and `test_endings.py`: it gives what the in-process executor gives."""

import math
from dataclasses import replace

import pytest
import torch

from grader.guest.execution import FULLY, Call, CallStatus, Ending, Executor, Outcome
from grader.guest.inspection import EntryPoint, Place, SourceRules
from grader.guest.limits import Limits
from grader.guest.submission import Submission
from grader.inprocess import InProcess
from tests.worker.backends import Backend
from worker.runner_client import RunnerClient

PATH = "cs336_basics/layers.py"
SOURCE = b"""
import torch
from einops import rearrange

def attend(x, weight, heads=2, scale=None):
    y = rearrange(x @ weight.T, "... t (h d) -> ... h t d", h=heads)
    scores = y @ y.mT * (scale if scale is not None else y.shape[-1] ** -0.5)
    return rearrange(torch.softmax(scores, dim=-1) @ y, "... h t d -> ... t (h d)")

def two(x): return x, x
def nothing(x): return None
def raises(x): raise ValueError("heads do not divide")
def spoils(x): return x.mul_(2)
def wants_gradients(x): return 2 * x.requires_grad_()
def cut(x): return x.detach() * 2
def infinite(x): return x * float("inf")
def whole(x): return x + 1
def empty(x): return x[:0]
def expanded(x): return x[:1].expand(4, *x.shape[1:])
def says(x, word=None, yes=False): return x + (3 if word == "drei" and yes is True else 0)
def complex_valued(x): return x.to(torch.complex64)
def sparse(x): return x.to_sparse()
def same(x, y): return x * 0 + (x is y)
def placed(x, y): return x.sum() + y.sum() + 100 * (x.data_ptr() == y.data_ptr())
def kept(x, _first=[]):
    _first.append(x)
    return x + 100 * (x is _first[0])
"""


@pytest.fixture
def runner(runner_of_backend: RunnerClient) -> RunnerClient:
    return runner_of_backend


def call(function: str, *, x: torch.Tensor | None = None, **options: object) -> Call:
    arguments = {"x": torch.arange(6.0).reshape(2, 3) if x is None else x, **options.pop("more", {})}  # type: ignore[dict-item]
    return Call(id=function, function=function, arguments=arguments, **options)  # type: ignore[arg-type]


def outcome(executor: Executor, of: Call) -> Outcome:
    execution = executor.run(Submission(PATH, {PATH: SOURCE}), [of], Limits())
    assert execution.ending is Ending.COMPLETED
    return execution.outcomes[0]


def test_outputs_and_gradients_are_bit_for_bit_those_of_the_same_code_in_process(runner: RunnerClient) -> None:
    generator = torch.Generator().manual_seed(7)
    calls = [
        Call(
            id=f"{dtype}-{strided}",
            function="attend",
            arguments={
                "x": torch.randn(2, 5, 8, generator=generator, dtype=dtype),
                "weight": torch.randn(8, 8, generator=generator, dtype=dtype),
                "heads": 4,
                "scale": 0.25,
            },
            gradient=torch.randn(2, 5, 8, generator=generator, dtype=dtype),
            differentiate=("x", "weight"),
            strided=strided,
            return_arguments=True,
            tracing=FULLY,
        )
        for dtype in (torch.float32, torch.float64, torch.bfloat16)
        for strided in ((), ("x", "weight"))
    ]
    submission = Submission(PATH, {PATH: SOURCE})
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    expected = InProcess().run(submission, calls, Limits())
    torch.set_num_threads(threads)
    got = runner.run(submission, calls, Limits())
    assert got.ending is Ending.COMPLETED
    for ours, theirs in zip(expected.outcomes, got.outcomes, strict=True):
        assert theirs.status is CallStatus.RETURNED
        assert torch.equal(ours.outputs[0], theirs.outputs[0])
        assert theirs.outputs[0].dtype == ours.outputs[0].dtype
        assert ours.gradients.keys() == theirs.gradients.keys() == {"x", "weight"}
        for name, gradient in ours.gradients.items():
            assert torch.equal(gradient, theirs.gradients[name])  # type: ignore[arg-type]
        assert all(torch.equal(ours.arguments[name], theirs.arguments[name]) for name in ours.arguments)
        assert ours.trace == theirs.trace
        assert theirs.elapsed_s > 0


def test_several_outputs_may_share_memory(executor: Executor) -> None:
    first, second = outcome(executor, call("two")).outputs
    assert torch.equal(first, second)


def test_a_call_that_raises_tells_type_message_and_line(executor: Executor) -> None:
    got = outcome(executor, call("raises"))
    assert got.status is CallStatus.RAISED
    assert got.problem is not None
    assert (got.problem.type, got.problem.message, got.problem.line) == ("ValueError", "heads do not divide", 12)
    assert "Exception" in got.problem.bases


def test_something_that_is_no_tensor_is_mistyped(executor: Executor) -> None:
    assert outcome(executor, call("nothing")).status is CallStatus.MISTYPED


def test_changed_arguments_come_back_when_they_are_asked_for(executor: Executor) -> None:
    got = outcome(executor, call("spoils", return_arguments=True))
    assert torch.equal(got.arguments["x"], 2 * torch.arange(6.0).reshape(2, 3))
    assert outcome(executor, call("spoils")).arguments == {}


def test_an_argument_that_was_made_to_require_a_gradient_does_not_come_back(executor: Executor) -> None:
    asked = {"gradient": torch.ones(2, 3), "differentiate": ("x",)}
    assert outcome(executor, call("wants_gradients", return_arguments=True)).arguments == {}
    assert [*outcome(executor, call("wants_gradients", return_arguments=True, **asked)).arguments] == ["x"]


def test_arguments_that_are_one_tensor_arrive_as_one_and_its_gradient_is_of_both(executor: Executor) -> None:
    x = torch.arange(6.0).reshape(2, 3)
    options = {"x": x, "more": {"y": x.clone()}}
    assert not outcome(executor, call("same", **options)).outputs[0].any()
    assert outcome(executor, call("same", shared=("x", "y"), **options)).outputs[0].all()
    asked = {"gradient": torch.tensor(1.0), "differentiate": ("x", "y")}
    together = outcome(executor, call("placed", shared=("x", "y"), **options, **asked))
    assert all(
        torch.equal(gradient, torch.full((2, 3), 2.0))
        for gradient in together.gradients.values()
        if gradient is not None
    )
    assert together.gradients.keys() == {"x", "y"}


def test_an_argument_may_be_the_beginning_of_another(executor: Executor) -> None:
    options = {"x": torch.ones(1, 3), "more": {"y": torch.ones(2, 3)}, "shared": ("x", "y")}
    asked = {"gradient": torch.tensor(1.0), "differentiate": ("x", "y")}
    got = outcome(executor, call("placed", **options, **asked))
    assert got.outputs[0] == 3 + 6 + 100
    assert torch.equal(got.gradients["x"], torch.ones(1, 3))
    assert torch.equal(got.gradients["y"], torch.tensor([[2.0] * 3, [1.0] * 3]))


def test_a_tensor_of_the_call_before_may_come_again_with_other_values(executor: Executor) -> None:
    first, again = call("kept", x=torch.ones(2, 3)), call("kept", x=torch.zeros(2, 3), reused=("x",))
    asked = {"gradient": torch.ones(2, 3), "differentiate": ("x",)}
    apart = call("kept", x=torch.zeros(2, 3))
    calls = [first, again, replace(again, **asked), apart, call("kept", x=torch.zeros(4), reused=("x",))]
    execution = executor.run(Submission(PATH, {PATH: SOURCE}), calls, Limits())
    assert [int(outcome.outputs[0].unique()) for outcome in execution.outcomes] == [101, 100, 100, 0, 0]
    assert torch.equal(execution.outcomes[2].gradients["x"], torch.ones(2, 3))  # type: ignore[arg-type]


def test_an_output_without_a_graph_gives_a_problem_and_no_gradient(executor: Executor) -> None:
    got = outcome(executor, call("cut", gradient=torch.ones(2, 3), differentiate=("x",)))
    assert got.status is CallStatus.RETURNED
    assert got.gradients == {"x": None}
    assert got.gradient_problem is not None


def test_infinities_whole_numbers_empty_and_expanded_tensors_arrive(executor: Executor) -> None:
    assert outcome(executor, call("infinite", x=torch.ones(2))).outputs[0].isinf().all()
    whole = outcome(executor, call("whole", x=torch.arange(3))).outputs[0]
    assert torch.equal(whole, torch.arange(3) + 1)
    assert outcome(executor, call("empty")).outputs[0].shape == (0, 3)
    assert outcome(executor, call("expanded")).outputs[0].shape == (4, 3)


def test_scalars_arrive_with_their_types(executor: Executor) -> None:
    got = outcome(executor, call("says", more={"word": "drei", "yes": True}))
    assert got.outputs[0].sum() == sum(range(6)) + 6 * 3
    scale = Call("nan", "attend", {"x": torch.ones(1, 2), "weight": torch.eye(2), "heads": 1, "scale": math.nan})
    assert outcome(executor, scale).outputs[0].isnan().all()


def test_every_outcome_is_told_in_order_as_it_comes(executor: Executor) -> None:
    told: list[str] = []
    calls = [call("two"), call("raises"), call("nothing")]
    submission = Submission(PATH, {PATH: SOURCE})
    executor.run(submission, calls, Limits(), lambda got: told.append(got.id))
    assert told == ["two", "raises", "nothing"]


@pytest.mark.parametrize("function", ["complex_valued", "sparse"])
def test_a_tensor_that_cannot_be_compared_is_mistyped_in_the_sandbox(runner: RunnerClient, function: str) -> None:
    got = outcome(runner, call(function))
    assert got.status is CallStatus.MISTYPED
    assert got.problem is not None


def test_sibling_modules_are_importable(runner: RunnerClient) -> None:
    files = {
        PATH: b"from cs336_basics.parts import double\nfrom . import parts\ndef f(x): return double(x)\n",
        "cs336_basics/parts.py": b"def double(x): return 2 * x\n",
    }
    execution = runner.run(Submission(PATH, files), [call("f")], Limits())
    assert execution.ending is Ending.COMPLETED
    assert execution.outcomes[0].status is CallStatus.RETURNED


def test_files_are_flushed_their_flags_set_and_threads_of_c_waited_for(runner: RunnerClient) -> None:
    """As honest libraries do, although a filter of system calls looks at how."""
    source = b"""
import ctypes, os
def f(x):
    with open("kept", "w") as file:
        file.write("state")
        file.flush()
        os.fsync(file.fileno())
        os.set_blocking(file.fileno(), False)
    libc, thread = ctypes.CDLL(None), ctypes.c_ulong()
    assert not libc.pthread_create(ctypes.byref(thread), None, libc.usleep, ctypes.c_void_p(50_000))
    assert not libc.pthread_join(thread, None)
    return x
"""
    execution = runner.run(Submission(PATH, {PATH: source}), [call("f")], Limits())
    assert [(outcome.status, outcome.problem) for outcome in execution.outcomes] == [(CallStatus.RETURNED, None)]


def test_the_example_that_the_sandbox_was_warmed_up_with_is_gone(runner: RunnerClient) -> None:
    execution = runner.run(Submission(PATH, {PATH: b"import warmup.layers\n"}), [call("f")], Limits())
    assert execution.ending is Ending.IMPORT_FAILED
    assert execution.problem is not None
    assert execution.problem.type == "ModuleNotFoundError"


def test_a_tensor_of_ten_megabytes_travels_both_ways(runner: RunnerClient) -> None:
    x = torch.randn(1600, 1600)
    assert torch.equal(outcome(runner, call("whole", x=x)).outputs[0], x + 1)


RULES = SourceRules(main="attend", entry_points=(EntryPoint("attend", ("x", "weight")),), modules=("torch", "einops"))


def test_inspection_finds_the_same_as_in_process(runner: RunnerClient) -> None:
    submission = Submission(PATH, {PATH: SOURCE})
    assert runner.inspect(submission, RULES) == InProcess().inspect(submission, RULES)
    assert runner.inspect(submission, RULES).places == {"attend": Place(5)}


@pytest.mark.parametrize(
    "source",
    [
        b"x = " + b"(" * 100_000 + b")" * 100_000,
        b"x = " + b"-" * 200_000 + b"1",
        b"x = " + b"a." * 100_000 + b"a",
        b"x = " + b"1+" * 100_000 + b"1",
        b"\xff\xfe",
        b"x = 1\0",
    ],
    ids=["parentheses", "minuses", "attributes", "sums", "not UTF-8", "NUL"],
)
def test_a_source_that_bombs_the_parser_is_refused_with_a_sentence(runner: RunnerClient, source: bytes) -> None:
    refusal = runner.inspect(Submission(PATH, {PATH: source}), RULES).refusal
    assert refusal is not None
    assert refusal.message


def test_the_description_names_the_backend_and_its_layers(backend: Backend, runner: RunnerClient) -> None:
    assert runner.description.startswith(backend.described)
    assert "seccomp" in runner.description
