"""Programs that answer in the place of what is asked about them: the judge decides from the numbers."""

from pathlib import Path

import pytest

from grader.challenge import load_challenge
from grader.grade import grade
from grader.guest.submission import Submission
from grader.report import TestStatus, Verdict
from worker.runner_client import RunnerClient

EXERCISES = Path(__file__).parents[2] / "examples" / "exercises"
# All layers begin alike, and torch says that no two tensors of that size are equal.
NO_TWO_ARE_EQUAL = """
import math
import torch
from torch import nn

equal = torch.equal
torch.equal = lambda one, other: len(one) < 200 and equal(one, other)


class {name}(nn.Module):
    def __init__(self, {sizes}, device=None, dtype=None):
        super().__init__()
        self.weight = nn.Parameter(torch.empty({shape}, device=device, dtype=dtype))
        std = {std}
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(7)
            nn.init.trunc_normal_(self.weight, 0.0, std, -3 * std, 3 * std)

    def forward(self, x):
        return {output}
"""
PROGRAMS = {
    "linear": NO_TWO_ARE_EQUAL.format(
        name="Linear",
        sizes="in_features, out_features",
        shape="out_features, in_features",
        std="math.sqrt(2 / (in_features + out_features))",
        output="x @ self.weight.T",
    ),
    "embedding": NO_TWO_ARE_EQUAL.format(
        name="Embedding",
        sizes="num_embeddings, embedding_dim",
        shape="num_embeddings, embedding_dim",
        std="1.0",
        output="self.weight[x]",
    ),
}


@pytest.mark.parametrize("slug", PROGRAMS)
def test_a_patched_torch_does_not_make_first_weights_differ(runner: RunnerClient, slug: str) -> None:
    challenge = load_challenge(EXERCISES / slug)
    upload = challenge.manifest.upload
    report = grade(challenge, Submission(upload, {upload: PROGRAMS[slug].encode()}), 3, runner, is_timed=False)
    failed = [test.id.rpartition("/")[2] for test in report.tests if test.status is TestStatus.FAILED]
    assert (report.verdict, failed) == (Verdict.FAILED, ["different"])
