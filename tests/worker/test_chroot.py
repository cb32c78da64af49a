"""The weakest level is for one export alone: nobody gets it by mistake."""

import os
from pathlib import Path

import pytest

from assay.isolation_option import LEVELS
from grader.guest.execution import SandboxUnavailable
from tests.worker.test_runner import runner_command
from worker.private_runner import private_runner
from worker.sandbox.backend import Isolation


def test_it_is_below_all_others_and_no_command_takes_it() -> None:
    assert not any(Isolation.SHARED.is_at_least(level) for level in Isolation if level is not Isolation.SHARED)
    assert Isolation.SHARED.value not in LEVELS.choices


def test_a_runner_that_serves_judges_does_not_start_with_it(tmp_path: Path) -> None:
    told = {"ASSAY_RUNNER_SANDBOX": "chroot", "ASSAY_RUNNER_CHROOT_FOLDER": str(tmp_path)}
    done = runner_command(tmp_path, ASSAY_RUNNER_REQUIRE_ISOLATION="shared", **told)
    assert done.returncode == 3
    assert "for `assay grade --chroot` alone" in done.stderr


@pytest.mark.skipif(os.getuid() != 0, reason="an ordinary user is refused before it is looked at")
def test_a_root_that_is_not_laid_out_is_refused_with_a_sentence(tmp_path: Path) -> None:
    settings = {"sandbox": "chroot", "chroot_folder": str(tmp_path), "require_isolation": "shared"}
    with (
        pytest.raises(SandboxUnavailable, match="is not a link to the folder of that name"),
        private_runner(**settings),
    ):
        raise AssertionError("it served")
