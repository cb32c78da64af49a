"""Which sandbox a runner has: the one that its settings name."""

import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from worker.gpu import Gpu, open_gpu
from worker.gpu_pool import GpuPool
from worker.process_settings import Device
from worker.runner_settings import Backend, RunnerSettings
from worker.sandbox.allowed_packages import standard_tree
from worker.sandbox.backend import Sandbox, SandboxError
from worker.sandbox.cgroups import CgroupError, Cgroups, open_cgroups
from worker.sandbox.chroot import ChrootSandbox
from worker.sandbox.gpu import NoGpuError, find_gpu
from worker.sandbox.zygote_client import gpu_options, standard_options
from worker.sandbox.zygote_pool import ZygotePool

if TYPE_CHECKING:
    from worker.sandbox.containers import DockerSandbox

_NO_LIBRARY = "Docker's library for Python is missing: pip install 'assay[docker]'."
_log = logging.getLogger(__name__)
T = TypeVar("T")


def sandbox_for(settings: RunnerSettings, gpu: Gpu | None = None) -> Sandbox:
    """Makes the sandbox that the settings ask for, not started yet. With a GPU, its children are given that. Raises
    SandboxError when what it needs is missing.
    """
    match settings.sandbox:
        case Backend.ZYGOTE if gpu is not None:
            return GpuPool(_with_gpu(gpu_options), gpu, _cgroups_where_possible())
        case Backend.ZYGOTE:
            return ZygotePool(
                standard_options(imports_ahead=settings.imports_ahead),
                settings.zygotes,
                cgroups=_cgroups_where_possible(),
            )
        case Backend.CHROOT:
            return _chroot_sandbox(settings)
        case Backend.DOCKER:
            return _docker_sandbox(
                settings.docker_url, settings.docker_image, settings.docker_runtime, settings.docker_gpus
            )


def gpu_for(settings: RunnerSettings) -> Gpu | None:
    """The GPU that sandboxes are given, if any. Raises SandboxError, with what to do, when there is none."""
    if settings.device is Device.CPU:
        return None
    if settings.sandbox is Backend.DOCKER and not settings.docker_gpus:
        raise SandboxError("With ASSAY_RUNNER_SANDBOX=docker, containers get a GPU by ASSAY_RUNNER_DOCKER_GPUS=1.")
    return open_gpu(_with_gpu(lambda: find_gpu(standard_tree().folders)).number)


def _with_gpu(look: Callable[[], T]) -> T:
    try:
        return look()
    except NoGpuError as error:
        raise SandboxError(str(error)) from error


def containers_here() -> str:
    """Whether Docker could be used instead, and with which runtimes. Raises SandboxError with the reason why not."""
    settings = RunnerSettings(socket=Path(os.devnull))
    return _docker_sandbox(settings.docker_url, settings.docker_image).look()


def _chroot_sandbox(settings: RunnerSettings) -> ChrootSandbox:
    """Never for a runner that serves a judge: there, whoever gets out meets what is not theirs."""
    if settings.chroot_folder is None or not settings.end_with_stdin:
        raise SandboxError("The sandbox `chroot` is for `assay grade --chroot` alone: docs/gradescope.md.")
    return ChrootSandbox(settings.chroot_folder, imports_ahead=settings.imports_ahead)


def _docker_sandbox(url: str, image: str, runtime: str = "", gpus: int = 0) -> "DockerSandbox":
    try:
        from worker.sandbox.containers import DockerOptions, DockerSandbox  # noqa: PLC0415 - an extra, and slow
    except ImportError as error:
        raise SandboxError(_NO_LIBRARY) from error
    return DockerSandbox(DockerOptions(url, image, runtime, gpus))


def _cgroups_where_possible() -> Cgroups | None:
    """Without control groups the resource limits still bound everything; `assay doctor` says so."""
    try:
        return open_cgroups()
    except CgroupError as error:
        _log.info("no_cgroup_limits: %s", error)
        return None
