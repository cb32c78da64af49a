"""What is seen of a call, at a glance and closely, and how it can be disturbed."""

import torch

from grader.execution import Call, CallStatus, Outcome
from grader.inprocess import fresh_module
from grader.loading import Program
from grader.perform import perform

PATH = "seen.py"


def seen(source: str, **how: object) -> Outcome:
    """What comes of calling `f` in this source with some numbers."""
    program = Program(fresh_module(PATH, source.encode()), own=frozenset({PATH}))
    call = Call("one", "f", {"x": torch.arange(24.0).reshape(2, 3, 4)}, **how)  # type: ignore[arg-type]
    return perform(call, program)


def functions(source: str) -> frozenset[str]:
    observation = seen(source, glance=True).observation
    assert observation is not None
    return observation.torch_functions


def test_a_glance_sees_the_library_however_it_is_reached() -> None:
    for how in (
        "F.scaled_dot_product_attention(x, x, x)",
        "functools.partial(F.scaled_dot_product_attention, x, x)(x)",
        "list(map(F.scaled_dot_product_attention, [x], [x], [x]))[0]",
        "torch.ops.aten.scaled_dot_product_attention.default(x, x, x)",
        "torch._C._nn.scaled_dot_product_attention(x, x, x)",
    ):
        ran = functions(f"import functools, torch\nimport torch.nn.functional as F\ndef f(x): return {how}\n")
        assert any("scaled_dot_product_attention" in name for name in ran), how


def test_a_glance_sees_no_library_where_there_is_none() -> None:
    ran = functions("def f(x): return (x @ x.mT).softmax(-1) @ x\n")
    assert "softmax" in ran
    assert not any("attention" in name for name in ran)


def test_what_raises_under_a_glance_is_called_without() -> None:
    outcome = seen(
        "from torch.overrides import _get_current_function_mode as mode\n"
        "def f(x):\n    if mode() is not None: raise RuntimeError('seen')\n    return x\n",
        glance=True,
    )
    assert outcome.status is CallStatus.RETURNED
    assert outcome.observation is None


def test_only_what_gives_the_result_yields_it() -> None:
    outcome = seen(
        "def weights(x): return (x @ x.mT).softmax(-1)\n"
        "def core(x): return (weights(x) @ x).transpose(0, 1).double()\n"
        "def f(x): return core(x).transpose(0, 1).float()\n",
        observe=True,
    )
    assert outcome.observation is not None
    assert outcome.observation.own_functions == {"weights", "core", "f"}
    assert outcome.observation.yielding == {"core", "f"}


def test_a_thread_that_lives_through_calls_is_seen_in_each() -> None:
    source = (
        "import concurrent.futures\npool = concurrent.futures.ThreadPoolExecutor(1)\n"
        "def double(x): return 2 * x\ndef f(x): return pool.submit(double, x).result()\n"
    )
    program = Program(fresh_module(PATH, source.encode()), own=frozenset({PATH}))
    call = Call("first", "f", {"x": torch.ones(2)}, glance=True)
    perform(call, program)
    outcome = perform(Call("second", "f", {"x": torch.ones(2)}, observe=True), program)
    program.module.pool.shutdown()
    assert outcome.observation is not None
    assert "double" in outcome.observation.own_functions


def test_a_disturbed_function_gives_something_else() -> None:
    source = "def double(x): return 2 * x\ndef f(x): return double(x) + 1\n"
    plain, disturbed = seen(source), seen(source, disturb=("double",))
    assert disturbed.observation is not None
    assert disturbed.observation.disturbed == 1
    assert not torch.allclose(plain.outputs[0], disturbed.outputs[0])
