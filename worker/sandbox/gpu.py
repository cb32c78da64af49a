"""What a sandbox needs on top so that CUDA works in it: found on the machine, bound read-only. Knows no torch.

Where each line comes from, and what has not been tried: docs/gpu.md.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

DRIVER_LIBRARY: Final = "libcuda.so.1"
PROC: Final = "/proc"
OWN_PROC: Final = f"{PROC}/self"  # a child's own: a few files of ours, no process
# A thread of the driver gives itself a name in /proc/self/task/N/comm, and the driver fails when it cannot.
THREADS: Final = 256
# Of /proc/self, as it stands before the driver starts: without the second, cuInit says "out of memory".
READ_OF_ITSELF: Final = ("status", "maps")
_DEVICE: Final = re.compile(r"nvidia(\d+)")
# Beside the GPU itself: control, unified memory and its tools (opened by drivers from 570 on).
_CONTROL: Final = ("nvidiactl", "nvidia-uvm", "nvidia-uvm-tools")
# Where a driver's libraries may lie that are not in a system's folder: some clouds' Kubernetes, WSL.
_LIBRARY_FOLDERS: Final = ("/usr/local/nvidia/lib64", "/usr/local/nvidia/lib", "/usr/lib/wsl/lib")
# Read when a context is made: which processors and memory are near, which devices there are, which driver it is.
# Nothing about any process.
_READ: Final = (
    *("/proc/driver/nvidia", "/proc/driver/nvidia-uvm", "/proc/devices", "/proc/cpuinfo"),
    *("/sys/devices/system/node", "/sys/devices/system/cpu", "/sys/bus/pci", "/sys/module/nvidia"),
    *("/sys/module/nvidia_uvm", "/sys/class/drm"),
)


class NoGpuError(Exception):
    """There is no GPU here that a sandbox could be given: a sentence for the operator."""


@dataclass(frozen=True)
class GpuBindings:
    """Absolute paths. `devices` are character devices, opened for reading and writing; `readable` are bound as they
    are; `library_folder`, if any, is bound too, and where the loader looks for the driver.
    """

    number: int
    devices: tuple[str, ...]
    readable: tuple[str, ...]
    library_folder: str | None = None

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "GpuBindings":
        """Reads what `asdict` made of it, after a journey as JSON."""
        return cls(data["number"], tuple(data["devices"]), tuple(data["readable"]), data["library_folder"])

    @property
    def environment(self) -> dict[str, str]:
        """Variables for the process that imports torch. No cache of kernels: nothing of one child reaches the next."""
        told = {"CUDA_CACHE_DISABLE": "1"}
        return told if self.library_folder is None else {**told, "LD_LIBRARY_PATH": self.library_folder}


def find_gpu(system_folders: tuple[str, ...], root: Path = Path("/")) -> GpuBindings:
    """Finds the first GPU of this machine. `system_folders` hold libraries, and are bound anyway. Raises NoGpuError."""
    gpus = sorted(int(found[1]) for path in root.glob("dev/nvidia*") if (found := _DEVICE.fullmatch(path.name)))
    if not gpus:
        raise NoGpuError(
            "There is no GPU here: /dev/nvidia0 is missing. Install NVIDIA's driver; in a container, ask for the GPU "
            "(docker run --gpus, the profile gpu of docker-compose.yml, nvidia.com/gpu in Kubernetes)."
        )
    for name in _CONTROL[:2]:
        if not (root / "dev" / name).exists():
            raise NoGpuError(f"/dev/{name} is missing beside the GPU: `nvidia-modprobe -u -c 0` makes it, as root.")
    names = (f"nvidia{gpus[0]}", *_CONTROL)
    slices = sorted(f"nvidia-caps/{path.name}" for path in root.glob("dev/nvidia-caps/*"))  # of a GPU in MIG mode
    return GpuBindings(
        number=gpus[0],
        devices=tuple(f"/dev/{name}" for name in (*names, *slices) if (root / "dev" / name).exists()),
        readable=tuple(path for path in (*_READ, *_buses(root)) if _under(root, path).exists()),
        library_folder=_library_folder(system_folders, root),
    )


def _buses(root: Path) -> list[str]:
    """What the links in /sys/bus/pci lead to."""
    return sorted(f"/sys/devices/{path.name}" for path in root.glob("sys/devices/pci*"))


def _library_folder(system_folders: tuple[str, ...], root: Path) -> str | None:
    """None where the loader finds the driver by itself."""
    if any((_under(root, folder) / DRIVER_LIBRARY).exists() for folder in system_folders):
        return None
    for folder in _LIBRARY_FOLDERS:
        if (_under(root, folder) / DRIVER_LIBRARY).exists():
            return folder
    looked = ", ".join((*system_folders, *_LIBRARY_FOLDERS))
    raise NoGpuError(
        f"The driver's library {DRIVER_LIBRARY} is in none of {looked}. In a container, NVIDIA's container toolkit "
        "puts it there."
    )


def _under(root: Path, path: str) -> Path:
    return root / path.removeprefix("/")
