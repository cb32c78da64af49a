"""The exercise proves its own tests: this is `assay challenge verify`, with trusted code in process."""

from grader.challenge import Challenge
from grader.inprocess import InProcess
from grader.verify import verify


def test_mha_rope_holds_every_check(mha_rope: Challenge) -> None:
    checks = list(verify(mha_rope, InProcess()))
    broken = [f"{check.name}: {check.detail}" for check in checks if not check.holds]
    assert not broken
    names = {check.name.partition(" ")[0] for check in checks}
    assert names >= {"reference", "starter", "accepted", "misconception", "families", "secrets"}
