"""Which sandbox a runner has: the one that its settings name."""

import logging
import os
from pathlib import Path

from worker.runner_settings import Backend, RunnerSettings
from worker.sandbox.backend import Sandbox, SandboxError
from worker.sandbox.cgroups import CgroupError, Fence, open_fence
from worker.sandbox.keeper import Keeper
from worker.sandbox.nursery import standard_options

try:
    from worker.sandbox.containers import DockerOptions, DockerSandbox
except ImportError:  # the extra `docker` is not installed; who asks for that sandbox is told
    DockerSandbox = None  # type: ignore[misc, assignment]

_NO_LIBRARY = "Docker's library for Python is missing: pip install 'assay[docker]'."
_log = logging.getLogger(__name__)


def sandbox_for(settings: RunnerSettings) -> Sandbox:
    """Not started yet. Raises SandboxError when what it needs is not installed."""
    match settings.sandbox:
        case Backend.ZYGOTE:
            return Keeper(standard_options(), settings.zygotes, fence=_fence_where_possible())
        case Backend.DOCKER:
            if DockerSandbox is None:
                raise SandboxError(_NO_LIBRARY)
            return DockerSandbox(
                DockerOptions(settings.docker_url, settings.docker_image, settings.docker_runtime, settings.docker_gpus)
            )


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
