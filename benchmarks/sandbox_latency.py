"""How long a session of a dozen small calls takes through the runner, and how many a second two clients get.

python benchmarks/sandbox_latency.py [--sandbox docker] [--sessions 60] [--seconds 8]
"""

import argparse
import statistics
import threading
import time

import torch

from grader.guest.execution import Call, Ending
from grader.guest.limits import Limits
from grader.guest.submission import Submission
from worker.private_runner import private_runner
from worker.runner_client import RunnerClient

PATH = "cs336_basics/layers.py"
SOURCE = b"""
import torch
from einops import rearrange

def attend(x, q, k, v, o, heads):
    q, k, v = (rearrange(x @ w.T, "... t (h d) -> ... h t d", h=heads) for w in (q, k, v))
    weights = torch.softmax(q @ k.mT * q.shape[-1] ** -0.5, dim=-1)
    return rearrange(weights @ v, "... h t d -> ... t (h d)") @ o.T
"""
SUBMISSION = Submission(PATH, {PATH: SOURCE})
NAMES = ("x", "q", "k", "v", "o")
SANDBOXES = {
    "zygote": {},
    "docker": {"sandbox": "docker", "docker_runtime": "runc"},
    "gvisor": {"sandbox": "docker", "docker_runtime": "runsc"},
}


def dozen_calls() -> list[Call]:
    """Forward and backward; 0.7 MB in, 0.8 MB out."""
    calls = []
    for number in range(12):
        d_model, heads = (32, 64, 96, 64)[number % 4], (1, 2, 4, 8)[number % 4]
        arguments = {name: torch.randn(d_model, d_model) for name in NAMES}
        arguments["x"] = torch.randn(2, 8 + number, d_model)
        calls.append(
            Call(
                id=str(number),
                function="attend",
                arguments={**arguments, "heads": heads},
                gradient=torch.randn(2, 8 + number, d_model),
                differentiate=NAMES,
            )
        )
    return calls


def session(runner: RunnerClient, calls: list[Call]) -> float:
    started = time.perf_counter()
    execution = runner.run(SUBMISSION, calls, Limits())
    assert execution.ending is Ending.COMPLETED, execution
    return time.perf_counter() - started


def throughput(runner: RunnerClient, calls: list[Call], clients: int, seconds: float) -> float:
    """Sessions a second that `clients` threads get together."""
    counts = [0] * clients
    end = time.perf_counter() + seconds

    def work(client: int) -> None:
        while time.perf_counter() < end:
            session(runner, calls)
            counts[client] += 1

    threads = [threading.Thread(target=work, args=(client,)) for client in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sandbox", choices=SANDBOXES, default="zygote")
    parser.add_argument("--sessions", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=8.0)
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    calls = dozen_calls()
    started = time.perf_counter()
    with private_runner(**SANDBOXES[chosen.sandbox]) as runner:
        print(f"runner ready after {time.perf_counter() - started:.1f} s: {runner.description}")
        for _ in range(min(5, chosen.sessions)):
            session(runner, calls)
        times = sorted(1000 * session(runner, calls) for _ in range(chosen.sessions))
        p95 = statistics.quantiles(times, n=20)[-1]
        print(f"{len(times)} sessions of {len(calls)} calls, one after the other:")
        print(f"  p50 {statistics.median(times):.0f} ms, p95 {p95:.0f} ms, fastest {times[0]:.0f} ms")
        print(f"2 clients: {throughput(runner, calls, 2, chosen.seconds):.1f} sessions a second")


if __name__ == "__main__":
    main()
