"""Symptoms of a call, lightly and fully, and how it can be altered."""

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from grader.guest.execution import FULLY, LIGHTLY, Call, CallStatus, Outcome, Trace, Tracing
from grader.guest.loading import Program
from grader.guest.perform import perform
from grader.guest.threads import watch_new_threads
from grader.guest.tracing import BLINDED, INSIDE
from grader.inprocess import fresh_module

PATH = "seen.py"


def seen(source: str, **how: object) -> Outcome:
    """What comes of calling `f` in this source with some numbers."""
    program = Program(fresh_module(PATH, source.encode()), own=frozenset({PATH}))
    call = Call("one", "f", {"x": torch.arange(24.0).reshape(2, 3, 4)}, **how)  # type: ignore[arg-type]
    return perform(call, program)


def functions(source: str) -> frozenset[str]:
    trace = seen(source, tracing=LIGHTLY).trace
    assert trace is not None
    return trace.torch_functions


def test_a_light_trace_sees_the_library_however_it_is_reached() -> None:
    for how in (
        "F.scaled_dot_product_attention(x, x, x)",
        "functools.partial(F.scaled_dot_product_attention, x, x)(x)",
        "list(map(F.scaled_dot_product_attention, [x], [x], [x]))[0]",
        "torch.ops.aten.scaled_dot_product_attention.default(x, x, x)",
        "torch._C._nn.scaled_dot_product_attention(x, x, x)",
    ):
        ran = functions(f"import functools, torch\nimport torch.nn.functional as F\ndef f(x): return {how}\n")
        assert any("scaled_dot_product_attention" in name for name in ran), how


def test_a_light_trace_sees_no_library_where_there_is_none() -> None:
    ran = functions("def f(x): return (x @ x.mT).softmax(-1) @ x\n")
    assert "softmax" in ran
    assert not any("attention" in name for name in ran)


def test_what_does_not_bear_to_be_traced_is_called_without() -> None:
    outcome = seen(
        "from torch.overrides import _get_current_function_mode as mode\n"
        "def f(x):\n    if mode() is not None: raise RuntimeError('seen')\n    return x\n",
        tracing=LIGHTLY,
    )
    assert outcome.status is CallStatus.RETURNED
    assert outcome.trace is None


def test_only_what_gives_the_result_yields_it() -> None:
    outcome = seen(
        "def weights(x): return (x @ x.mT).softmax(-1)\n"
        "def core(x): return (weights(x) @ x).transpose(0, 1).double()\n"
        "def f(x): return core(x).transpose(0, 1).float()\n",
        tracing=FULLY,
    )
    assert outcome.trace is not None
    assert outcome.trace.own_functions == {"weights", "core", "f"}
    assert outcome.trace.yielding == {"core", "f"}


def test_values_are_the_same_in_any_order_and_precision_and_of_complex_numbers() -> None:
    outcome = seen(
        "import torch\n"
        "def turned(x): return torch.polar(x, x).flip(0)\n"
        "def doubled(x): return torch.view_as_real(turned(x)).double()\n"
        "def bent(x): return doubled(x) * torch.where(doubled(x) < 20, 1.01, 1)\n"
        "def f(x): return torch.view_as_real(turned(x)).flip(1) + 0 * bent(x).float()\n",
        tracing=FULLY,
    )
    assert outcome.trace is not None
    assert outcome.trace.yielding == {"turned", "doubled", "f"}


def test_to_watch_a_long_sequence_costs_little_more_than_to_compute_it() -> None:
    """A softmax of one's own returns all scores, twelve million numbers here, which nobody sorts."""
    program = Program(
        fresh_module(
            PATH,
            b"def softmax(x): return (x - x.amax(-1, True)).softmax(-1)\ndef f(x): return softmax(x @ x.mT) @ x\n",
        ),
        own=frozenset({PATH}),
    )
    call = Call("one", "f", {"x": torch.randn(48, 500, 4)})

    def seconds(call: Call) -> float:
        started = time.process_time()
        assert perform(call, program).status is CallStatus.RETURNED
        return time.process_time() - started

    plain = min(seconds(call) for _ in range(3))
    assert min(seconds(replace(call, tracing=FULLY)) for _ in range(3)) < 5 * plain


@pytest.fixture
def _threads_are_watched() -> Iterator[None]:
    watch_new_threads()
    yield
    threading.setprofile(None)  # type: ignore[arg-type]  # typeshed knows functions alone


@pytest.mark.usefixtures("_threads_are_watched")
def test_a_thread_that_lives_through_calls_is_seen_in_each() -> None:
    source = (
        "import concurrent.futures\npool = concurrent.futures.ThreadPoolExecutor(1)\n"
        "def double(x): return 2 * x\ndef f(x): return pool.submit(double, x).result()\n"
    )
    program = Program(fresh_module(PATH, source.encode()), own=frozenset({PATH}))
    call = Call("first", "f", {"x": torch.ones(2)}, tracing=LIGHTLY)
    perform(call, program)
    outcome = perform(Call("second", "f", {"x": torch.ones(2)}, tracing=FULLY), program)
    program.module.pool.shutdown()
    assert outcome.trace is not None
    assert "double" in outcome.trace.own_functions


def test_an_altered_function_gives_something_else() -> None:
    source = "def double(x): return 2 * x\ndef f(x): return double(x) + 1\n"
    plain, altered = seen(source), seen(source, tracing=Tracing(altered=("double",)))
    assert altered.trace is not None
    assert altered.trace.altered == 1
    assert not torch.allclose(plain.outputs[0], altered.outputs[0])


def observed(source: str) -> Trace:
    trace = seen(source, tracing=FULLY).trace
    assert trace is not None
    return trace


@pytest.mark.parametrize(
    "way",
    [
        "x.numpy()",
        "np.asarray(x)",
        "x.tolist()",
        "bytes(x.untyped_storage())",
        "np.stack([y.numpy() for y in x])",
        "x.view(torch.int32).numpy()",
        "x.clone().apply_(abs)",
        "SHARED.copy_(x)",
        "torch.add(x, 1, out=SHARED)",
        "FILE.copy_(x)",
    ],
)
def test_values_that_leave_torch_are_noticed(way: str, tmp_path: Path) -> None:
    source = (
        "import numpy as np\nimport torch\nSHARED = torch.from_numpy(np.zeros((2, 3, 4), np.float32))\n"
        f"FILE = torch.from_file('{tmp_path}/shared', shared=True, size=24).view(2, 3, 4)\nOWN = torch.zeros(2, 3, 4)\n"
        "def f(x):\n    {}\n    return x + 1\n"
    )
    assert observed(source.format(way)).taken_out
    assert not observed(source.format("np.asarray(x.shape), x[0, 0].tolist(), x[0, 0].long().numpy()")).taken_out
    assert not observed(source.format("OWN.copy_(SHARED)")).taken_out


@pytest.mark.parametrize(
    "way",
    [
        "torch.tensor(x.tolist())",
        "torch.from_numpy(x.numpy() + 0)",
        "torch.as_tensor(np.asarray(x))",
        "torch.from_dlpack(x.__dlpack__())",
        "torch.frombuffer(bytearray(bytes(x.untyped_storage())), dtype=torch.float32).reshape(x.shape)",
        "pickle.loads(pickle.dumps(x))",
        "torch.from_numpy(x.view(torch.int32).numpy().view(np.float32).copy())",
        "torch.from_numpy(shared(x))",
        "torch.tensor(applied(x)).reshape(x.shape)",
    ],
)
def test_a_result_that_is_worked_out_elsewhere_changes_with_what_leaves_torch(way: str) -> None:
    source = (
        "import pickle, numpy as np, torch\n"
        "MEMORY = np.zeros((2, 3, 4), np.float32)\nSHARED = torch.from_numpy(MEMORY)\n"
        "def shared(x):\n    SHARED.copy_(x)\n    return MEMORY.copy()\n"
        "def applied(x):\n    taken = []\n"
        "    x.clone().apply_(lambda number: taken.append(number) or number)\n    return taken\n"
        f"def f(x):\n    return 2 * ({way})\n"
    )
    assert not torch.equal(seen(source).outputs[0], seen(source, tracing=Tracing(alters_taken_out=True)).outputs[0])


def test_what_is_only_printed_may_be_altered() -> None:
    source = (
        "def f(x):\n    print(x.numpy(), x.tolist(), x.data_ptr(), x.untyped_storage().nbytes())\n    return 2 * x\n"
    )
    assert torch.equal(seen(source).outputs[0], seen(source, tracing=Tracing(alters_taken_out=True)).outputs[0])


CUSTOM = """
import torch
@torch.library.custom_op("observe_test::mine", mutates_args=())
def mine(x: torch.Tensor) -> torch.Tensor: return x * 2
def f(x): return mine(x)
"""


def test_an_operator_of_their_own_is_no_place_that_can_be_seen() -> None:
    close = observed(CUSTOM)
    light = seen("import torch\ndef f(x): return torch.ops.observe_test.mine(x)\n", tracing=LIGHTLY).trace
    assert light is not None
    for trace in (close, light):
        assert any("observe_test" in name for name in trace.unseen)


@pytest.mark.parametrize(
    "inside",
    [
        "class Own(torch.Tensor):\n"
        "    @classmethod\n"
        "    def __torch_dispatch__(cls, func, types, args=(), kwargs=None): return torch.ones(2)\n"
        "def f(x): return torch.neg(torch.Tensor._make_wrapper_subclass(Own, (2,)))\n",
        "put = classmethod(eval('lambda *given: torch.ones(2)'))\n"
        "Own = type('Own', (torch.Tensor,), {'__torch_dispatch__': put})\n"
        "def f(x): return torch.neg(torch.Tensor._make_wrapper_subclass(Own, (2,)))\n",
        "def mine(x): return x * 2\n"
        "library = torch.library.Library('observe_test', 'FRAGMENT')\n"
        "library.define('kernel{n}(Tensor x) -> Tensor'); library.impl('kernel{n}', mine, 'CPU')\n"
        "def f(x): return torch.ops.observe_test.kernel{n}(x)\n",
    ],
)
def test_their_code_inside_an_operation_is_noticed(inside: str) -> None:
    assert INSIDE in observed("import torch\n" + inside.replace("{n}", "1")).unseen
    assert observed("import torch\ndef f(x): return torch.vmap(lambda y: y * 2)(x).apply_(abs)\n").unseen == frozenset()


WAITS_IN_C = """
import threading, torch
from collections import deque
from queue import SimpleQueue
asked, answered = SimpleQueue(), SimpleQueue()
work = map(answered.put, map(torch.neg, iter(asked.get, None)))
threading.Thread(target=deque, args=(work,), daemon=True).start()
def f(x):
    for _ in range({times}):
        asked.put(x)
        x = answered.get()
    return x
"""
IN_A_POOL = """
import torch
from concurrent.futures import ThreadPoolExecutor
def f(x):
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work, x).result()
"""
BY_OPERATORS = "def work(x):\n    for _ in range({times}): x = x * 2\n    return x\n"


@pytest.mark.parametrize(
    "source",
    [
        WAITS_IN_C,
        IN_A_POOL + BY_OPERATORS,
        IN_A_POOL + f"exec(compile({BY_OPERATORS!r}, '/elsewhere.py', 'exec'))",
        IN_A_POOL + "def work(x): return list(map(torch.neg, [x] * {times}))[0]",
    ],
)
@pytest.mark.usefixtures("_threads_are_watched")
def test_a_loop_in_another_thread_counts_however_it_is_written(source: str) -> None:
    few, many = (observed(source.replace("{times}", str(times))) for times in (2, 12))
    assert many.operations - few.operations >= 10
    assert few.unseen == frozenset()


@pytest.mark.usefixtures("_threads_are_watched")
def test_a_light_trace_sees_the_library_in_another_thread() -> None:
    assert "neg" in functions(WAITS_IN_C.replace("{times}", "1"))


def test_what_is_written_once_nobody_watches_is_not_what_the_call_gave() -> None:
    source = (
        "import torch\n"
        "class Later:\n"
        "    def __init__(self, result): self.result = result\n"
        "    @property\n"
        "    def data(self): self.result.fill_(7.0)\n"
        "    def __del__(self): self.data\n"
        "def put_off(result): return Later(result)\n"
        "def f(x):\n    result = torch.zeros(3)\n    put_off(result)\n    return result\n"
    )
    assert torch.equal(seen(source).outputs[0], torch.full((3,), 7.0))
    assert torch.equal(seen(source, tracing=FULLY).outputs[0], torch.zeros(3))


def test_who_takes_the_hook_away_is_noticed() -> None:
    source = "import sys\ndef f(x):\n    {}\n    return x + 1\n"
    assert BLINDED in observed(source.format("getattr(sys, 'setpro' + 'file')(None)")).unseen
    assert observed(source.format("pass")).unseen == frozenset()


AMID_AN_INITIALISER = """
import torch
from collections import deque
from torch.nn import init

class Mode:
    def __init__(self, lower):
        self.lower = lower

def f(x):
    rows = [x[0]] * 20
    {lower}
    try:
        init._calculate_correct_fan(x[0], Mode(lower))
    except ValueError:
        pass
    return x
"""


@pytest.mark.parametrize(
    "lower",
    [
        "lower = lambda: deque(row @ row.mT for row in rows)",
        "import functools; lower = functools.partial(deque, map(torch.mul, rows, rows))",
        "lower = lambda: [row.mul_(2.0).sub_(row) for row in rows]",
        "import functools; lower = functools.partial(deque, map(torch.Tensor.mul_, rows, rows))",
    ],
)
def test_work_amid_an_initialiser_counts(lower: str) -> None:
    assert observed(AMID_AN_INITIALISER.replace("{lower}", lower)).operations > 20


def test_what_an_initialiser_draws_again_does_not_count() -> None:
    counted = {
        observed(
            "import torch\nfrom torch.nn import init\n"
            f"def f(x): init.trunc_normal_(torch.empty({size}), 0.0, 1.0, -1.0, 1.0); return x\n"
        ).operations
        for size in (1, 100, 100_000)
    }
    assert len(counted) == 1


def test_the_librarys_python_is_named() -> None:
    source = "import torch\ndef f(x):\n    import torch.testing\n    return torch.nn.Linear(4, 4)(x)\n"
    ran = observed(source).torch_functions
    assert "Linear.forward" in ran
    assert "Linear.__init__" not in ran


def test_a_tensor_class_puts_nothing_off() -> None:
    source = (
        "import torch\n"
        "class Late(torch.Tensor):\n"
        "    @classmethod\n"
        "    def __torch_function__(cls, func, types, args=(), kwargs=None): return torch.ones(2, 3, 4)\n"
        "def f(x): return torch.zeros(2, 3, 4).as_subclass(Late)\n"
    )
    outcome = seen(source)
    assert type(outcome.outputs[0]) is torch.Tensor
    assert torch.equal(outcome.outputs[0], torch.zeros(2, 3, 4))


@pytest.mark.parametrize("line", ["'seven'", "-7", "10 ** 9", "None"])
def test_a_line_that_cannot_be_is_no_line(line: str) -> None:
    problem = seen(f"def f(x): raise SyntaxError('x', ('{PATH}', {line}, 1, ''))\n").problem
    assert problem is not None
    assert problem.line == 1


def test_what_a_tensor_class_does_while_it_is_split_counts() -> None:
    """The slices of a split are one step of the student's; other operations in its name are not."""
    source = (
        "import torch\n"
        "class Own(torch.Tensor):\n"
        "    @classmethod\n"
        "    def __torch_function__(cls, func, types, args=(), kwargs=None):\n"
        "        with torch._C.DisableTorchFunctionSubclass():\n"
        "            return [args[0] * n for n in range({times})] if func is torch.Tensor.tensor_split else "
        "func(*args, **(kwargs or {}))\n"
        "def f(x):\n"
        "    x.as_subclass(Own).tensor_split(2)\n"
        "    return x + 1\n"
    )
    few, many = (observed(source.replace("{times}", str(times))).operations for times in (2, 12))
    assert many - few == 10
    few, many = (observed(f"def f(x): return x.flatten().tensor_split({parts})[0] + 1").operations for parts in (2, 12))
    assert many == few
