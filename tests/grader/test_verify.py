"""The exercise proves its own tests: this is `assay challenge verify`, cheats and timing in the real sandbox."""

from grader.challenge import Challenge
from grader.verify import verify
from worker.private_runner import private_runner


def test_mha_rope_holds_every_check(mha_rope: Challenge) -> None:
    with private_runner() as sandbox:
        checks = list(verify(mha_rope, sandbox))
    broken = [f"{check.name}: {check.detail}" for check in checks if not check.holds]
    assert not broken
    names = {check.name.partition(" ")[0] for check in checks}
    assert names >= {"reference", "starter", "accepted", "misconception", "families", "cheat", "questions", "secrets"}
