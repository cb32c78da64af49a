"""Which sandbox a runner has: the one that its settings name."""

import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from worker.card import Card, open_card
from worker.card_keeper import CardKeeper
from worker.runner_settings import Accelerator, Backend, RunnerSettings
from worker.sandbox.backend import Sandbox, SandboxError
from worker.sandbox.cgroups import CgroupError, Fence, open_fence
from worker.sandbox.gpu import NoGpuError, find_gpu
from worker.sandbox.keeper import Keeper
from worker.sandbox.nursery import gpu_options, standard_options
from worker.sandbox.packages import standard_tree

try:
    from worker.sandbox.containers import DockerOptions, DockerSandbox
except ImportError:  # the extra `docker` is not installed; who asks for that sandbox is told
    DockerSandbox = None  # type: ignore[misc, assignment]

_NO_LIBRARY = "Docker's library for Python is missing: pip install 'assay[docker]'."
_log = logging.getLogger(__name__)
T = TypeVar("T")


def sandbox_for(settings: RunnerSettings, card: Card | None = None) -> Sandbox:
    """Not started yet. With a card, its sandboxes are given that. Raises SandboxError when what it needs is missing."""
    match settings.sandbox:
        case Backend.ZYGOTE if card is not None:
            return CardKeeper(_with_card(gpu_options), card, _fence_where_possible())
        case Backend.ZYGOTE:
            return Keeper(standard_options(), settings.zygotes, fence=_fence_where_possible())
        case Backend.DOCKER:
            if DockerSandbox is None:
                raise SandboxError(_NO_LIBRARY)
            return DockerSandbox(
                DockerOptions(settings.docker_url, settings.docker_image, settings.docker_runtime, settings.docker_gpus)
            )


def card_for(settings: RunnerSettings) -> Card | None:
    """The card that sandboxes are given, if any. Raises SandboxError, with what to do, when there is none."""
    if settings.device is Accelerator.CPU:
        return None
    if settings.sandbox is Backend.DOCKER and not settings.docker_gpus:
        raise SandboxError("With ASSAY_RUNNER_SANDBOX=docker, containers get a card by ASSAY_RUNNER_DOCKER_GPUS=1.")
    return open_card(_with_card(lambda: find_gpu(standard_tree().folders)).number)


def _with_card(look: Callable[[], T]) -> T:
    try:
        return look()
    except NoGpuError as error:
        raise SandboxError(str(error)) from error


def containers_here() -> str:
    """Whether Docker could be used instead, and with which runtimes. Raises SandboxError with the reason why not."""
    if DockerSandbox is None:
        raise SandboxError(_NO_LIBRARY)
    settings = RunnerSettings(socket=Path(os.devnull))
    return DockerSandbox(DockerOptions(settings.docker_url, settings.docker_image)).look()


def _fence_where_possible() -> Fence | None:
    """Without control groups the resource limits still bound everything; `assay doctor` says so."""
    try:
        return open_fence()
    except CgroupError as error:
        _log.info("no_cgroup_limits: %s", error)
        return None
