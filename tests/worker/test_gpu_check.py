"""`make gpu-check` as far as it goes without a GPU: its checks with a CPU in its place, and what it says here."""

import platform
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.gpu_check import __main__ as gpu_check
from benchmarks.gpu_check.__main__ import ALL, NO_GPU, run_check
from benchmarks.gpu_check.bench import Bench, Failed, NotRun
from benchmarks.gpu_check.checks import IN_SANDBOX
from grader.challenge import load_challenge
from grader.exercise import exercise_of
from grader.gpu_stage import LIMITS
from grader.guest.execution import Executor, SandboxUnavailable
from tests.not_run import NOT_RUN, note
from tests.small_stage import CPU, challenges_with_small_stage
from worker.gpu import NvidiaGpu
from worker.runner_client import RunnerClient

QUICK = replace(LIMITS, wall_s=20.0, cpu_s=20.0, memory_bytes=1 << 30, processes=16)
OF_A_GPU_ALONE = {"a result left on another device", "a context that is lost"}


@pytest.fixture(scope="module")
def bench(runner: RunnerClient, tmp_path_factory: pytest.TempPathFactory) -> Bench:
    root = challenges_with_small_stage(tmp_path_factory.mktemp("challenges"))
    exercise = exercise_of(load_challenge(root / "mha-rope"))
    return Bench(exercise, runner, lambda: CPU, lambda: 0, 0, QUICK, even=6.0, patience_s=2.0)


@pytest.mark.parametrize("name", IN_SANDBOX)
def test_a_check_holds_with_a_cpu_in_the_place_of_the_gpu(name: str, bench: Bench) -> None:
    state, detail = run_check(lambda: IN_SANDBOX[name](bench))
    if "the times are unreliable" in detail:
        pytest.skip(detail)  # other work on this machine was noticed, as it should be
    assert state == ("NOT RUN" if name in OF_A_GPU_ALONE else "ok"), detail


def test_a_check_that_finds_something_fails(bench: Bench) -> None:
    def breaks(_: Bench) -> str:
        raise Failed("4 GiB are left")

    assert run_check(lambda: breaks(bench)) == ("FAILED", "4 GiB are left")
    dirty = replace(bench, used_bytes=lambda: 4 << 30)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("benchmarks.gpu_check.bench.CLEAN_S", 0.1)
        state, detail = run_check(lambda: IN_SANDBOX["a child that ends itself"](dirty))
    assert (state, detail) == ("FAILED", "4096 MiB of the GPU are still taken 0 s later")


class WithGpu(Executor):
    """A runner that says it has a GPU, and whose checks of one take no time."""

    def __init__(self, runner: RunnerClient) -> None:
        self.open = runner.open  # type: ignore[method-assign]

    description = "a CPU in a GPU's place"
    device = CPU


def test_the_whole_prints_each_check_and_a_table_with_the_machines_name(
    bench: Bench, runner: RunnerClient, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gpu = NvidiaGpu(None, "Fake 9000", 80 << 30, "1.2")
    plain = bench.stage(bench.exercise.baseline())
    wrong = plain.model_copy(update={"is_right": False, "time": None, "message": "Right on the CPU; ..."})
    for name, value in {
        "here": lambda: gpu,
        "in_a_process_of_its_own": lambda: {"einops_heads": plain},
        "figures": lambda *_: {"einops_heads": plain, "broken": wrong},
        "private_runner": lambda **_: nullcontext(WithGpu(runner)),
        "IN_SANDBOX": {"one that holds": lambda _: "yes", "one that cannot": check_that_cannot},
    }.items():
        monkeypatch.setattr(gpu_check, name, value)
    monkeypatch.setattr(NvidiaGpu, "used_bytes", lambda _: 0)
    assert gpu_check.main() == 1
    printed = capsys.readouterr().out
    assert f"{platform.node()}: Fake 9000, 85.9 GB, driver 1.2, torch " in printed
    assert "ok       the sandbox starts with the GPU, and passes its self-test: a CPU in a GPU's place" in printed
    assert "NOT RUN  one that cannot: not here" in printed
    assert "FAILED   the figures, in the sandbox: not right: broken" in printed
    assert printed.count("| `einops_heads` | float32, bfloat16 | ") == 2
    assert "\n`broken`: Right on the CPU; ..." in printed
    assert printed.endswith("\n4 checks passed, 1 failed, 1 were not run.\n")


def check_that_cannot(_: Bench) -> str:
    raise NotRun("not here")


def test_where_the_sandbox_cannot_start_it_says_so_and_looks_for_the_layer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    @contextmanager
    def refuses(**_: str) -> Iterator[RunnerClient]:
        raise SandboxUnavailable("no namespaces")
        yield

    monkeypatch.setattr(gpu_check, "private_runner", refuses)
    monkeypatch.setattr(gpu_check, "explain", lambda: "with every system call: a context was made")
    monkeypatch.setattr(NvidiaGpu, "used_bytes", lambda _: 0)
    told = gpu_check.Told()
    gpu_check._check_sandbox(NvidiaGpu(None, "Fake 9000", 1, "1.2"), told, lambda **_: "")
    assert told.counts == {"ok": 0, "FAILED": 1, "NOT RUN": len(ALL) - 2}
    assert "no namespaces\nwith every system call: a context was made" in capsys.readouterr().out


def test_without_a_gpu_it_names_what_was_not_run_and_ends_otherwise(request: pytest.FixtureRequest) -> None:
    left = f"{len(ALL)} checks wait for `make gpu-check` on a machine with a GPU"
    note(request.config, "gpu", NOT_RUN + left)
    if Path("/dev/nvidia0").exists():
        pytest.skip("this machine has a GPU")
    command = [sys.executable, "-m", "benchmarks.gpu_check"]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False)
    assert done.returncode == NO_GPU
    assert done.stdout.startswith("No GPU can be used: There is no GPU here: /dev/nvidia0 is missing.")
    assert f"These {len(ALL)} checks were NOT RUN:" in done.stdout
    assert all(f"\n  {name}" in done.stdout for name in ALL)
