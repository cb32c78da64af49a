"""What twenty seeds put to a submission, as a digest for each challenge: equal ones are the same calls, bit for bit.

    python -m benchmarks.papers [SLUG ...]

Run in two checkouts, it says whether a change of words changed what is graded (`docs/fidelity.md`).
"""

import hashlib
import sys

import torch

from grader.challenge import Challenge, load_challenges
from grader.exercise import exercise_of
from grader.grade import calls_of
from worker.sandbox.frames import encode_call

SEEDS = range(1, 21)


def digest_of(challenge: Challenge) -> str:
    """Digests the papers and the traced calls of all seeds."""
    exercise, digest = exercise_of(challenge), hashlib.sha256()
    for seed in SEEDS:
        for call in calls_of(exercise, seed):
            digest.update(encode_call(call).encode())
    return digest.hexdigest()[:16]


def main() -> None:
    """Prints a line for each challenge: its slug, its version, the digest of what is put to it."""
    torch.set_num_threads(1)
    for slug, challenge in sorted(load_challenges().items()):
        if not sys.argv[1:] or slug in sys.argv[1:]:
            print(f"{slug:20} version {challenge.version} papers {digest_of(challenge)}", flush=True)


if __name__ == "__main__":
    main()
