"""Every way for a session to end: each limit, each death, each forged frame. The time is always bounded.

Every sandbox must pass this, and `test_conformance.py`.
"""

# ruff: noqa: E501  (the submissions are texts; a broken line in one would read worse)

import struct
import threading
import time
from collections.abc import Callable
from dataclasses import replace

import pytest
import torch

from grader.guest.execution import FULLY, Call, CallStatus, Ending, Execution, SandboxUnavailable
from grader.guest.limits import WAIT_S, Limits
from grader.guest.problem import LATE_CALL, LATE_IMPORT, WAITING, Problem
from grader.guest.submission import Submission
from tests.patience import is_within, wait_until
from tests.worker.backends import Backend
from worker.runner_client import RunnerClient

Run = Callable[..., Execution]
PATH = "cs336_basics/layers.py"
CALL = Call("one", "f", {"x": torch.ones(3)})
DOUBLE = "def f(x): return 2 * x\n"
RESULT_FD = 4


@pytest.fixture
def runner(runner_of_backend: RunnerClient) -> RunnerClient:
    return runner_of_backend


def test_a_module_that_raises_has_not_been_imported(run: Run) -> None:
    execution = run("import torch\n\nraise ValueError('no')\n", CALL)
    assert execution.ending is Ending.IMPORT_FAILED
    assert execution.problem is not None
    assert (execution.problem.type, execution.problem.message, execution.problem.line) == ("ValueError", "no", 3)
    assert [outcome.status for outcome in execution.outcomes] == [CallStatus.NOT_RUN]


@pytest.mark.parametrize("statement", ["raise SystemExit(0)", "import sys; sys.exit()", "exit_now()", "import nosuch"])
def test_leaving_the_module_by_an_exception_is_a_failed_import(run: Run, statement: str) -> None:
    assert run(statement, CALL).ending is Ending.IMPORT_FAILED


def test_an_exception_that_cannot_be_described_is_a_failed_import(run: Run) -> None:
    source = "class E(Exception):\n    def __str__(self): raise SystemExit\nraise E\n"
    assert run(source, CALL).ending is Ending.IMPORT_FAILED


@pytest.mark.parametrize("status", [0, 1, 110])
def test_os_exit_is_an_exit_with_its_status_and_never_the_services_fault(run: Run, status: int) -> None:
    execution = run(f"import os\nos._exit({status})\n", CALL)
    assert execution.ending is Ending.EXITED
    assert f"exit status {status}" in execution.detail


@pytest.mark.parametrize("statement", ["import os; os.closerange(3, 64)", "import json; json.dumps = None"])
def test_who_leaves_no_way_to_answer_is_not_told_to_remove_an_exit(run: Run, statement: str) -> None:
    assert run(statement, CALL).ending is Ending.PROTOCOL


def test_outcomes_before_the_end_are_kept(run: Run) -> None:
    source = "import os\ncount = 0\ndef f(x):\n    global count\n    count += 1\n    return x if count < 3 else os._exit(0)\n"
    execution = run(source, *[Call(str(i), "f", {"x": torch.ones(1)}) for i in range(4)])
    assert execution.ending is Ending.EXITED
    assert [outcome.status for outcome in execution.outcomes] == [
        CallStatus.RETURNED,
        CallStatus.RETURNED,
        CallStatus.NOT_RUN,
        CallStatus.NOT_RUN,
    ]


def test_sys_exit_in_a_call_is_an_outcome(run: Run) -> None:
    execution = run("import sys\ndef f(x): sys.exit(0)\n", CALL, CALL)
    assert execution.ending is Ending.COMPLETED
    assert all(outcome.status is CallStatus.RAISED for outcome in execution.outcomes)


@pytest.mark.parametrize(
    "body",
    [
        "while True: pass",
        "import time; time.sleep(1000)",
        "import signal\nfor s in range(1, 32):\n  try: signal.signal(s, signal.SIG_IGN)\n  except OSError: pass\nwhile True: pass",
        "import os\nos.write(4, b'x')\nimport time; time.sleep(1000)",
        "import threading\nthreading.Thread(target=lambda: [0 for _ in iter(int, 1)]).start()\nwhile True: pass",
    ],
    ids=["loop", "sleep", "signals ignored", "half a frame", "thread"],
)
def test_the_deadline_ends_everything(run: Run, backend: Backend, body: str) -> None:
    waits_for_processors_s = 0.0 if "sleep" in body else 30.0  # given back at most, where others want them too
    endings = []
    limit_s = 1.6 + waits_for_processors_s + backend.slower_s
    assert is_within(limit_s, lambda: endings.append(run(body, CALL, wall_s=0.6).ending))
    assert set(endings) == {Ending.OUT_OF_TIME}


def test_the_deadline_is_for_the_whole_session(run: Run) -> None:
    def returned() -> int:
        execution = run("import time\ndef f(x):\n    time.sleep(0.5); return x\n", *[CALL] * 10, wall_s=1.75)
        assert execution.ending is Ending.OUT_OF_TIME
        return [outcome.status for outcome in execution.outcomes].count(CallStatus.RETURNED)

    # On a busy machine, time is given back and there are more, or the others took it and there are fewer.
    assert any(returned() in (2, 3) for _ in range(5))


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("import torch\nwhile True:\n    pass\n", 2),
        ("import torch\ndef g(x):\n    while True: x = x + 1\ndef f(x): return g(x)\n", 3),
        (
            "def g(x):\n    return x + 1\ndef f(x):\n    while True:\n        for _ in range(9):\n            x = g(x)\n",
            4,
        ),
        ("import itertools\ndef f(x):\n    for _ in itertools.count(): x = x + 1\n", 3),
        ("def f(x):\n    while True:\n        try: x.sum()\n        except BaseException: pass\n", 2),
        ("def f(x):\n    return x\nfor _ in range(10**12):\n    f(_)\n", 3),
    ],
    ids=["import", "helper", "calls a helper", "for", "catches everything", "for in the import"],
)
def test_what_does_not_finish_is_told_with_its_line(
    run: Run, source: str, line: int, request: pytest.FixtureRequest
) -> None:
    execution = run(source, CALL, wall_s=90.0, cpu_s=60.0, call_cpu_s=1.0)
    assert execution.ending is Ending.OUT_OF_TIME
    assert execution.problem is not None
    assert execution.problem.line == line
    assert execution.problem.message == "did not finish within 1 s of processor time"
    assert execution.problem.type == (LATE_IMPORT if "import" in request.node.callspec.id else LATE_CALL)
    assert [outcome.status for outcome in execution.outcomes] == [CallStatus.NOT_RUN]


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("import time\ndef f(x):\n    while True:\n        time.sleep(0.1)\n", 4),
        ("import threading\ndef wait(): threading.Event().wait()\nwait()\ndef f(x): return x\n", 2),
    ],
    ids=["a call", "the import"],
)
def test_what_only_waits_is_told_with_its_line(run: Run, source: str, line: int) -> None:
    assert run("def f(x): return x\n", CALL, wall_s=90.0, cpu_s=60.0).ending is Ending.COMPLETED
    time.sleep(1 + WAIT_S / 2)  # the next child was forked ahead, and has waited for longer than a tick
    execution = run(source, CALL, wall_s=90.0, cpu_s=60.0)
    assert execution.ending is Ending.OUT_OF_TIME
    assert execution.problem == Problem(WAITING, "waited for 10 s", line=line)


def test_what_waits_for_a_processor_or_for_its_turn_does_not_only_wait(run: Run) -> None:
    source = "import time\ndef f(x):\n    time.sleep(4); return x\n"
    execution = run(source, *[CALL] * 4, wall_s=90.0, cpu_s=60.0)
    assert [outcome.status for outcome in execution.outcomes] == [CallStatus.RETURNED] * 4


def test_many_calls_may_together_take_longer_than_one(run: Run) -> None:
    source = "import time\ndef f(x):\n    end = time.process_time() + 0.8\n    while time.process_time() < end: pass\n    return x\n"
    assert run(source, *[CALL] * 3, wall_s=90.0, cpu_s=60.0, call_cpu_s=1.0).ending is Ending.COMPLETED


@pytest.mark.parametrize("change", ["SIG_IGN", "SIG_DFL"])
def test_who_will_not_hear_of_it_ends_at_the_hard_limit(run: Run, change: str) -> None:
    execution = run(
        f"import signal\nsignal.signal(signal.SIGXCPU, signal.{change})\nwhile True: pass\n", wall_s=90.0, cpu_s=2.0
    )
    assert execution.ending in (Ending.OUT_OF_TIME, Ending.KILLED)


def test_a_call_that_is_traced_fully_has_the_time_of_its_session(run: Run) -> None:
    source = "import time\ndef f(x):\n    end = time.process_time() + 2.5\n    while time.process_time() < end: pass\n    return x\n"
    call = replace(CALL, tracing=FULLY)
    assert run(source, call, wall_s=90.0, cpu_s=60.0, call_cpu_s=1.0).ending is Ending.COMPLETED


def test_the_judges_own_time_is_not_charged(runner: RunnerClient) -> None:
    submission = Submission(PATH, {PATH: DOUBLE.encode()})
    execution = runner.run(submission, [CALL] * 3, Limits(wall_s=3.0), lambda _: time.sleep(1.2))
    assert execution.ending is Ending.COMPLETED
    assert execution.wall_s < 3.0


def test_the_time_of_a_call_is_measured_outside(run: Run) -> None:
    source = "import time\ndef f(x):\n    time.sleep(0.2)\n    time.time = time.monotonic = time.perf_counter = lambda: 0.0\n    return x\n"
    assert run(source, CALL).outcomes[0].elapsed_s > 0.2


def test_processor_time_of_all_threads_together_is_limited(run: Run) -> None:
    source = (
        "import threading, torch\ndef burn():\n    x = torch.ones(200, 200)\n    while True: x @ x\n"
        "threads = [threading.Thread(target=burn) for _ in range(3)]\n[t.start() for t in threads]\nburn()\n"
    )
    execution = run(source, CALL, wall_s=30.0, cpu_s=1.0)
    assert execution.ending is Ending.OUT_OF_TIME
    assert "processor time" in execution.detail


def test_a_crash_is_told_with_its_signal(run: Run) -> None:
    execution = run("import ctypes\ndef f(x): ctypes.string_at(0)\n", CALL)
    assert execution.ending is Ending.KILLED
    assert "SIGSEGV" in execution.detail


@pytest.mark.parametrize("allocation", ["bytearray(1 << 30)", "torch.ones(1 << 28)", "[0] * (1 << 30)"])
def test_too_much_memory_is_an_outcome_that_says_so(run: Run, allocation: str) -> None:
    source = f"import torch\ndef f(x):\n    y = {allocation}\n    return x\ndef g(x): return x\n"
    execution = run(source, CALL, Call("g", "g", {"x": torch.ones(1)}), memory_bytes=256 << 20)
    assert execution.outcomes[0].problem is not None
    assert execution.outcomes[0].problem.out_of_memory
    assert execution.outcomes[1].status is CallStatus.RETURNED


def test_memory_that_is_kept_leaves_no_room_for_the_next_call(run: Run) -> None:
    source = """
import ctypes, mmap
held = []
def f(x):
    try:
        while True: held.append(bytearray(1 << 20))
    except MemoryError:
        pass
    try:
        while True: held.append(bytearray(1 << 10))
    except MemoryError:
        return x
"""
    large = Call("large", "f", {"x": torch.ones(1 << 20)})
    execution = run(source, CALL, large, memory_bytes=64 << 20)
    problems = [outcome.problem for outcome in execution.outcomes if outcome.problem]
    assert execution.ending is Ending.OUT_OF_MEMORY or problems[0].out_of_memory


def test_a_result_too_large_for_the_budget_ends_the_session(run: Run) -> None:
    source = "import torch\ndef f(x): return torch.zeros(1 << 20)\n"
    execution = run(source, CALL, output_bytes=1 << 20)
    assert execution.ending is Ending.OUTPUT_TOO_LARGE


def test_the_budget_is_for_all_results_together(run: Run) -> None:
    source = "import torch\ndef f(x): return torch.zeros(100_000)\n"
    execution = run(source, *[CALL] * 5, output_bytes=1 << 20)
    assert execution.ending is Ending.OUTPUT_TOO_LARGE
    assert [outcome.status for outcome in execution.outcomes].count(CallStatus.RETURNED) == 2


def test_output_beyond_the_limit_is_dropped_and_the_rest_goes_on(run: Run) -> None:
    execution = run(f"print('x' * 1_000_000)\n{DOUBLE}", CALL, log_bytes=1000)
    assert execution.ending is Ending.COMPLETED
    assert execution.log == "x" * 1000


def test_a_flood_of_output_is_ended(run: Run) -> None:
    execution = run("import os\nwhile True: os.write(1, b'x' * 65536)\n", CALL)
    assert execution.ending is Ending.OUTPUT_TOO_LARGE
    assert len(execution.log) <= 64 << 10


def test_what_was_printed_before_a_death_is_kept(run: Run) -> None:
    execution = run("import sys, os\nprint('out')\nprint('err', file=sys.stderr)\nos._exit(0)\n", CALL)
    assert sorted(execution.log.split()) == ["err", "out"]


def frame(header: bytes, body: bytes = b"") -> bytes:
    return struct.pack("<IQ", len(header), len(body)) + header + body


IMPORTED = frame(b'{"kind":"imported"}')
OUTCOME = (
    b'{"kind":"outcome","id":"one","status":"returned","outputs":1,"gradients":{},"arguments":[],'
    b'"problem":null,"gradient_problem":null,"trace":null}'
)


@pytest.mark.lengthy
@pytest.mark.parametrize(
    "written",
    [
        b"\xff" * 100,
        b"garbage that is no frame",
        struct.pack("<IQ", 1 << 31, 1 << 60),
        frame(b"[]"),
        frame(b"not json"),
        frame(b"[" * 60_000),
        frame(b'{"kind":"outcome"}'),
        frame(b'{"kind":"imported"}') * 2,
        frame(b'{"kind":"import_failed","problem":null}'),
        frame(b'{"kind":"import_failed","problem":{"type":3}}'),
        frame(b'{"kind":"ended","ending":"completed"}'),
    ],
    ids=["ones", "words", "huge", "list", "not json", "deep json", "outcome", "twice", "none", "mistyped", "ended"],
)
def test_garbage_instead_of_the_import_is_a_breach_of_protocol(run: Run, written: bytes) -> None:
    execution = run(f"import os\nos.write({RESULT_FD}, {written!r})\nwhile True: pass\n", CALL, wall_s=3.0)
    assert execution.ending in (Ending.PROTOCOL, Ending.OUTPUT_TOO_LARGE)
    assert execution.outcomes[0].status is CallStatus.NOT_RUN


@pytest.mark.lengthy
@pytest.mark.parametrize(
    "written",
    [
        frame(OUTCOME),
        frame(OUTCOME.replace(b'"one"', b'"two"'), b"x"),
        frame(OUTCOME.replace(b'"outputs":1', b'"outputs":-1')),
        frame(OUTCOME.replace(b'"outputs":1', b'"outputs":true')),
        frame(OUTCOME.replace(b'"outputs":1', b'"outputs":1e9')),
        frame(OUTCOME.replace(b'"returned"', b'"not_run"')),
        frame(OUTCOME.replace(b'"returned"', b'["returned"]')),
        frame(OUTCOME.replace(b'"gradients":{}', b'"gradients":{"x":true}')),
        frame(OUTCOME.replace(b'"gradients":{}', b'"gradients":[1]')),
        frame(OUTCOME.replace(b'"arguments":[]', b'"arguments":["x"]')),
        frame(OUTCOME.replace(b'"problem":null', b'"problem":{"type":"' + b"T" * 9000 + b'"}', 1)),
        frame(OUTCOME, struct.pack("<Q", 1 << 62) + b"{}"),
        frame(OUTCOME, struct.pack("<Q", 2) + b"{}"),
        frame(OUTCOME, struct.pack("<Q", 56) + b'{"o.0":{"dtype":"F32","shape":[9],"data_offsets":[0,4]}}' + b"\0" * 4),
        frame(OUTCOME, struct.pack("<Q", 56) + b'{"o.0":{"dtype":"C64","shape":[1],"data_offsets":[0,8]}}' + b"\0" * 8),
        frame(OUTCOME, struct.pack("<Q", 56) + b'{"o.9":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}' + b"\0" * 4),
    ],
)
def test_a_forged_outcome_is_a_breach_of_protocol(run: Run, written: bytes) -> None:
    source = f"import os\ndef f(x):\n    os.write({RESULT_FD}, {written!r})\n    while True: pass\n"
    execution = run(source, CALL, wall_s=3.0)
    assert execution.ending is Ending.PROTOCOL
    assert execution.outcomes[0].status is CallStatus.NOT_RUN


def test_one_answer_too_many_is_a_breach_of_protocol(run: Run) -> None:
    """The answer to the last call is followed by another, as far as both are read at once."""
    source = (
        "import os, sys\n"
        "def f(x):\n"
        f"    sent = {frame(OUTCOME)!r}\n"
        f"    os.write({RESULT_FD}, sent + sent)\n"
        "    while True: pass\n"
    )
    execution = run(source, CALL, wall_s=3.0)
    assert execution.ending is Ending.PROTOCOL


def test_what_went_well_before_a_breach_of_protocol_is_kept_and_the_rest_is_not_run(run: Run) -> None:
    """Nobody waits for the calls after the one that broke off: they would take all the time there is."""
    source = (
        "import os, time\n"
        "asked = 0\n"
        "def f(x):\n"
        "    global asked\n"
        "    asked += 1\n"
        "    if asked == 2:\n"
        f"        os.write({RESULT_FD}, {frame(OUTCOME)!r})\n"
        "    if asked > 2:\n"
        "        time.sleep(8)\n"
        "    return x\n"
    )
    execution = run(source, *[CALL] * 4, wall_s=10.0)
    assert execution.ending is Ending.PROTOCOL
    assert [outcome.status for outcome in execution.outcomes] == [CallStatus.RETURNED, *[CallStatus.NOT_RUN] * 3]
    assert execution.wall_s < 5


def test_an_answer_before_its_question_is_a_breach_of_protocol(run: Run) -> None:
    source = f"import os, threading, time\ndef f(x):\n    threading.Timer(0.05, os.write, ({RESULT_FD}, {IMPORTED!r})).start()\n    return x\n"
    submission_calls = [CALL, CALL, CALL]
    execution = run(
        source + "import time\n_f = f\ndef f(x):\n    y = _f(x); time.sleep(0.2); return y\n", *submission_calls
    )
    assert execution.ending is Ending.PROTOCOL


def test_closing_the_result_channel_and_going_on_ends_the_session(run: Run, backend: Backend) -> None:
    """Docker does not tell that a container has closed one of its streams."""
    execution = run(f"import os\nos.close({RESULT_FD})\nwhile True: pass\n", CALL, wall_s=3.0)
    assert execution.ending is (Ending.OUT_OF_TIME if backend.is_container else Ending.PROTOCOL)


def test_a_forged_value_is_just_a_value(run: Run) -> None:
    source = "import grader.guest.perform as p, torch\np.perform = None\nprint('patched')\n" + DOUBLE
    execution = run(source, CALL)
    assert execution.ending is Ending.COMPLETED


def test_sessions_run_side_by_side_and_do_not_mix(runner: RunnerClient, backend: Backend) -> None:
    results: dict[int, Execution] = {}
    count = 6 if backend.is_container else 12  # more than there are places

    def one(number: int) -> None:
        source = f"def f(x): return x * {number}\n".encode()
        results[number] = runner.run(Submission(PATH, {PATH: source}), [CALL] * 3, Limits())

    threads = [threading.Thread(target=one, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, execution in results.items():
        assert execution.ending is Ending.COMPLETED
        assert all(torch.equal(outcome.outputs[0], torch.full((3,), float(number))) for outcome in execution.outcomes)
    assert len(results) == count


def test_a_judge_that_goes_away_frees_its_place(runner: RunnerClient) -> None:
    class Gone(Exception):
        pass

    def leave(_: object) -> None:
        raise Gone

    submission = Submission(PATH, {PATH: DOUBLE.encode()})
    for _ in range(6):
        with pytest.raises(Gone):
            runner.run(submission, [CALL, CALL], Limits(), leave)
    assert runner.run(submission, [CALL], Limits()).ending is Ending.COMPLETED


def test_limits_beyond_reason_are_refused(runner: RunnerClient) -> None:
    with pytest.raises(SandboxUnavailable, match="limits"):
        runner.run(Submission(PATH, {PATH: b""}), [], Limits(wall_s=1e9))


MARK = """
import torch, builtins, sys, einops
torch.MARK = builtins.MARK = einops.MARK = "from-an-earlier-submission"
sys.modules["mark"] = torch
open("mark", "w").write("from-an-earlier-submission")
"""
LOOK = """
import torch, builtins, sys, einops, os
print([hasattr(m, "MARK") for m in (torch, builtins, einops)], "mark" in sys.modules, os.listdir("."))
"""


def test_no_session_finds_anything_of_the_one_before(run: Run) -> None:
    for _ in range(2):
        assert run(MARK).ending is Ending.COMPLETED
        assert run(LOOK).log == "[False, False, False] False []\n"


def test_no_process_is_left_behind(run: Run, runner: RunnerClient, backend: Backend) -> None:
    for source in (
        "while True: pass",
        "import threading, time\nthreading.Thread(target=time.sleep, args=(99,)).start()",
        "import os; os._exit(0)",
    ):
        run(source, wall_s=0.3)
    wait_until(lambda: len(backend.sandboxed(runner)) <= backend.waiting)
