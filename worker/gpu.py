"""A GPU as NVML tells of it, from outside every sandbox: what it is, and how much of its memory is taken."""

from dataclasses import dataclass
from typing import Any, Protocol

import pynvml

from worker.sandbox.backend import SandboxError


class Gpu(Protocol):
    """One GPU. Tests have another implementation."""

    @property
    def name(self) -> str:
        """The name that NVIDIA gives the GPU."""

    @property
    def total_bytes(self) -> int:
        """All the memory that it has."""

    def used_bytes(self) -> int:
        """Asks how much memory all processes together hold. Raises SandboxError."""


@dataclass(frozen=True)
class NvidiaGpu:
    """A GPU of this machine, asked through NVML. Get it from `open_gpu`."""

    handle: Any
    name: str
    total_bytes: int
    driver: str

    def used_bytes(self) -> int:
        """How much of its memory is in use, by whomever. Raises SandboxError when the driver does not answer."""
        try:
            return int(pynvml.nvmlDeviceGetMemoryInfo(self.handle).used)
        except pynvml.NVMLError as error:
            raise SandboxError(f"the GPU does not answer: {error}") from error


def open_gpu(number: int) -> NvidiaGpu:
    """Finds the GPU that is /dev/nvidia<number>, without a CUDA context. Raises SandboxError."""
    try:
        pynvml.nvmlInit()
        handles = [pynvml.nvmlDeviceGetHandleByIndex(index) for index in range(pynvml.nvmlDeviceGetCount())]
        # A container that is given one GPU of several sees that one alone, under another number than the machine's.
        chosen = [handle for handle in handles if pynvml.nvmlDeviceGetMinorNumber(handle) == number] or handles
        return NvidiaGpu(
            handle=chosen[0],
            name=str(pynvml.nvmlDeviceGetName(chosen[0])),
            total_bytes=int(pynvml.nvmlDeviceGetMemoryInfo(chosen[0]).total),
            driver=str(pynvml.nvmlSystemGetDriverVersion()),
        )
    except (pynvml.NVMLError, IndexError) as error:
        raise SandboxError(f"NVIDIA's driver does not tell of a GPU: {error}.") from error
