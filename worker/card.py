"""A graphics card as NVML tells of it, from outside every sandbox: what it is, and how much of its memory is taken."""

from dataclasses import dataclass
from typing import Any, Protocol

import pynvml

from worker.sandbox.backend import SandboxError


class Card(Protocol):
    """One card. Tests have another implementation."""

    @property
    def name(self) -> str: ...

    @property
    def total_bytes(self) -> int: ...

    def used_bytes(self) -> int:
        """Of everybody. Raises SandboxError."""


@dataclass(frozen=True)
class NvidiaCard:
    """Get it from `open_card`."""

    handle: Any
    name: str
    total_bytes: int
    driver: str

    def used_bytes(self) -> int:
        try:
            return int(pynvml.nvmlDeviceGetMemoryInfo(self.handle).used)
        except pynvml.NVMLError as error:
            raise SandboxError(f"the card does not answer: {error}") from error


def open_card(number: int) -> NvidiaCard:
    """The card that is /dev/nvidia<number>. Makes no CUDA context. Raises SandboxError."""
    try:
        pynvml.nvmlInit()
        handles = [pynvml.nvmlDeviceGetHandleByIndex(index) for index in range(pynvml.nvmlDeviceGetCount())]
        # A container that is given one card of several sees that one alone, under another number than the machine's.
        chosen = [handle for handle in handles if pynvml.nvmlDeviceGetMinorNumber(handle) == number] or handles
        return NvidiaCard(
            handle=chosen[0],
            name=str(pynvml.nvmlDeviceGetName(chosen[0])),
            total_bytes=int(pynvml.nvmlDeviceGetMemoryInfo(chosen[0]).total),
            driver=str(pynvml.nvmlSystemGetDriverVersion()),
        )
    except (pynvml.NVMLError, IndexError) as error:
        raise SandboxError(f"NVIDIA's driver does not tell of a card: {error}.") from error
