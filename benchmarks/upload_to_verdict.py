"""From upload to verdict: `make bench`. One student, one submission after the other, over HTTP, the worker warm.

The time runs from before the POST until the event stream has told the verdict. Figures depend on the machine: quote the
command and the machine with them.
"""

import argparse
import os
import platform
import statistics
import time
from pathlib import Path

import httpx

from benchmarks.service import Service, service

ROOT = Path(__file__).resolve().parents[1]
FILES = ("correct.py", "rope_on_v.py")


def client_of(up: Service) -> httpx.Client:
    headers = {"Authorization": f"Bearer {up.student_token}"}
    return httpx.Client(base_url=f"{up.address}/api/v1", headers=headers, timeout=60, trust_env=False)


def seconds_to_verdict(client: httpx.Client, source: bytes) -> float:
    """Waits politely when the server says that it is too fast for one student."""
    while True:
        started = time.perf_counter()
        response = client.post("/submissions", files={"file": ("layers.py", source)}, data={"challenge": "mha-rope"})
        if response.status_code != httpx.codes.TOO_MANY_REQUESTS:
            break
        time.sleep(float(response.headers["Retry-After"]))
    response.raise_for_status()
    with client.stream("GET", f"/submissions/{response.json()['id']}/events") as events:
        for line in events.iter_lines():
            if line.startswith("event: verdict"):
                return time.perf_counter() - started
    raise SystemExit("the event stream ended without a verdict")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=12, help="submissions of each file")
    rounds = parser.parse_args().rounds
    print(f"{platform.platform()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    with service() as up, client_of(up) as client:
        for name in FILES:
            source = (ROOT / "examples" / name).read_bytes()
            seconds_to_verdict(client, source)  # the first one warms what is left to warm
            # each round is another file: the same content could be answered from what is known
            times = [seconds_to_verdict(client, source + f"\n# {i}\n".encode()) for i in range(rounds)]
            slowest = max(times)
            print(f"{name:14} median {statistics.median(times):.2f} s, slowest {slowest:.2f} s, {rounds} submissions")


if __name__ == "__main__":
    main()
