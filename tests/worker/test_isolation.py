"""`assay doctor` tells the layers as they are."""

import pytest

from grader.guest.execution import SandboxUnavailable
from worker.isolation import CONTAINERS, probe
from worker.private_runner import private_runner


def test_every_layer_that_the_runner_relies_on_is_in_force_here(runner: object) -> None:
    """The runner serves, so they must be."""
    layers = {layer.name: layer for layer in probe()}
    missing = [
        layer for layer in layers.values() if not layer.in_force and layer.name not in ("cgroup limits", CONTAINERS)
    ]
    assert missing == []
    assert {"user namespace", "read-only root", "seccomp", "landlock", "resource limits"} <= set(layers)


def test_every_layer_says_why() -> None:
    assert all(layer.why for layer in probe())


def test_a_runner_does_not_start_below_the_level_that_is_asked_for() -> None:
    """gVisor's level is never the zygote's."""
    with (
        pytest.raises(SandboxUnavailable, match=r"isolation here is '\w+', and 'gvisor' is required"),
        private_runner(require_isolation="gvisor"),
    ):
        pass
