"""The sandbox of a GPU as far as it can be tried without one: what is found on a made-up machine, what a
child is given and what it is not, and when a GPU is out of service.
"""

import json
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from grader.guest.limits import Limits
from grader.guest.submission import Submission
from tests.patience import wait_until
from tests.worker.test_runner import runner_command
from worker.gpu_pool import GpuPool
from worker.process_settings import Device
from worker.runner_settings import Backend, RunnerSettings
from worker.sandbox.allowed_packages import _with_dependencies
from worker.sandbox.backend import CHECK_LIMITS, Child, SandboxError
from worker.sandbox.gpu import GpuBindings, NoGpuError, find_gpu
from worker.sandbox.jobs import run_job
from worker.sandbox.options import Options
from worker.sandbox.seccomp import compile_filter
from worker.sandbox.supervisor import Session
from worker.sandbox.zygote_client import standard_options
from worker.sandboxes import gpu_for
from worker.selftest import check_isolation

LIBRARIES = ("/usr/lib/x86_64-linux-gnu",)


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """The root of a machine with two GPUs."""
    for path in (
        *("dev/nvidia1", "dev/nvidia0", "dev/nvidiactl", "dev/nvidia-uvm", "dev/nvidia-uvm-tools", "dev/sda"),
        *("dev/nvidia-modeset", "dev/nvidia-caps/nvidia-cap1", "proc/devices", "proc/driver/nvidia/params"),
        *("proc/meminfo", "sys/devices/pci0000:00/x", "sys/devices/system/node/online", "sys/kernel/secret"),
        "usr/lib/x86_64-linux-gnu/libcuda.so.1",
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    return tmp_path


def test_a_gpu_is_found_with_all_that_cuda_needs_and_no_more(machine: Path) -> None:
    found = find_gpu(LIBRARIES, machine)
    assert found == GpuBindings(
        number=0,
        devices=(
            *("/dev/nvidia0", "/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools"),
            "/dev/nvidia-caps/nvidia-cap1",
        ),
        readable=("/proc/driver/nvidia", "/proc/devices", "/sys/devices/system/node", "/sys/devices/pci0000:00"),
    )
    assert found.environment == {"CUDA_CACHE_DISABLE": "1"}


def test_libraries_in_an_unusual_folder_are_bound_and_searched(machine: Path) -> None:
    shutil.move(machine / "usr/lib/x86_64-linux-gnu", machine / "usr/local/nvidia/lib64")
    found = find_gpu(LIBRARIES, machine)
    assert found.library_folder == "/usr/local/nvidia/lib64"
    assert found.environment["LD_LIBRARY_PATH"] == found.library_folder


def test_the_libraries_that_torch_asks_for_as_extras_are_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As torch has it from 2.10 on: torch -> cuda-toolkit[cublas] -> nvidia-cublas."""
    for name, needs in {
        "torch-like": ["cuda-like[cublas,nvrtc]==13.0; platform_system == 'Linux'", "docs; extra == 'docs'"],
        "cuda-like": ["nvidia-cublas==13; extra == 'cublas'", "nvidia-cufft==13; extra == 'cufft'"],
        **{name: [] for name in ("nvidia-cublas", "nvidia-cufft", "docs")},
    }.items():
        folder = tmp_path / f"{name.replace('-', '_')}-1.dist-info"
        folder.mkdir()
        lines = [f"Metadata-Version: 2.1\nName: {name}\nVersion: 1", *(f"Requires-Dist: {need}" for need in needs)]
        (folder / "METADATA").write_text("\n".join(lines))
    monkeypatch.syspath_prepend(tmp_path)
    assert set(_with_dependencies(("torch_like",))) == {"torch_like", "cuda_like", "nvidia_cublas"}


@pytest.mark.parametrize(
    ("missing", "said"),
    [
        ("dev/nvidia[01]", "There is no GPU here: /dev/nvidia0 is missing"),
        ("dev/nvidiactl", "/dev/nvidiactl is missing beside the GPU"),
        ("dev/nvidia-uvm", "`nvidia-modprobe -u -c 0` makes it"),
        ("usr/lib/*/libcuda.so.1", "libcuda.so.1 is in none of"),
    ],
)
def test_what_is_missing_is_told_with_what_to_do(machine: Path, missing: str, said: str) -> None:
    for path in machine.glob(missing):
        path.unlink()
    with pytest.raises(NoGpuError, match=said):
        find_gpu(LIBRARIES, machine)


def test_the_runner_refuses_to_start_for_a_gpu_where_there_is_none(tmp_path: Path) -> None:
    if Path("/dev/nvidia0").exists():
        pytest.skip("this machine has a GPU")
    done = runner_command(tmp_path, ASSAY_RUNNER_DEVICE="cuda")
    assert done.returncode == 3
    assert done.stderr.startswith("There is no GPU here: /dev/nvidia0 is missing. Install NVIDIA's driver")


def test_containers_are_not_given_a_gpu_by_half() -> None:
    settings = RunnerSettings(socket=Path("unused"), sandbox=Backend.DOCKER, device=Device.CUDA)
    with pytest.raises(SandboxError, match="ASSAY_RUNNER_DOCKER_GPUS=1"):
        gpu_for(settings)


# --- a child of such a sandbox, with another device in the GPU's place ----------------------------------------------

STAND_IN = GpuBindings(0, ("/dev/zero",), ("/proc/devices", "/sys/devices/system/cpu"))
SOURCE = b"""
import fcntl, json, os, socket, threading
seen = {}
def attempt(name, action):
    try:
        seen[name] = "worked: " + repr(action())[:100]
    except OSError as error:
        seen[name] = type(error).__name__
def name_a_thread():
    with open(f"/proc/self/task/{threading.get_native_id()}/comm", "w") as file:
        return file.write("cuda")
attempt("a thread's name", name_a_thread)
attempt("a thread's name by number", lambda: open("/proc/1/task/2/comm", "w").write("x"))
attempt("status", lambda: "Mems_allowed" in open("/proc/self/status").read())
attempt("processors", lambda: os.listdir("/sys/devices/system/cpu"))
attempt("devices", lambda: len(open("/proc/devices").read()))
attempt("the device", lambda: os.read(os.open("/dev/zero", os.O_RDWR), 1))
attempt("another event", lambda: os.eventfd(0))
attempt("a request", lambda: fcntl.ioctl(os.open("/dev/zero", os.O_RDWR), 0x46C8, 0))
attempt("list processes", lambda: os.listdir("/proc"))
attempt("process 2", lambda: open("/proc/2/status").read())
attempt("its own addresses", lambda: "rw-p" in open("/proc/self/maps").read())
attempt("environment", lambda: open("/proc/self/environ").read())
attempt("the kernel", lambda: os.listdir("/sys/kernel"))
attempt("write to sysfs", lambda: open("/sys/devices/system/cpu/online", "w"))
attempt("new file in proc", lambda: open("/proc/self/new", "w"))
attempt("much in proc", lambda: open("/proc/self/status", "w").write("x" * (1 << 20)))
attempt("other devices", lambda: open("/dev/sda"))
attempt("fork", os.fork)
ours = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
attempt("a socket that nobody can reach", lambda: (ours.bind(chr(0) + "cuda-uvmfd-1-1"), ours.listen(128)))
attempt("who connects", ours.accept)
theirs = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
attempt("the daemon that is not there", lambda: theirs.connect("/tmp/nvidia-mps/control"))
attempt("its credentials", lambda: theirs.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1))
attempt("another option", lambda: theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20))
attempt("a message", lambda: theirs.send(b"x"))
attempt("a socket in a folder", lambda: theirs.bind("socket"))
attempt("another kind of socket", lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
attempt("a socket of a network", lambda: socket.socket(socket.AF_INET, socket.SOCK_SEQPACKET))
attempt("a socket of the kernel", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW))
print(json.dumps(seen))
"""
ALLOWED = {
    *("a thread's name", "a thread's name by number", "status", "processors", "devices", "the device", "another event"),
    *("its own addresses", "a socket that nobody can reach", "its credentials"),
}


@dataclass
class FakeGpu:
    """A GPU whose memory a test sets."""

    name: str = "Fake 9000"
    total_bytes: int = 80 << 30
    used: int = 1 << 30

    def used_bytes(self) -> int:
        return self.used


def options() -> Options:
    return replace(standard_options(), seccomp=compile_filter(on_gpu=True), gpu=STAND_IN)


@pytest.fixture(scope="module")
def gpu() -> FakeGpu:
    return FakeGpu()


class Rounds:
    """Counts how often the pool has put everything in order."""

    def __init__(self) -> None:
        self.count = 0

    def note(self) -> None:
        self.count += 1

    def wait_for_another(self) -> None:
        """One that began after this was called: the next may be under way already."""
        wanted = self.count + 2
        wait_until(lambda: self.count >= wanted)


@pytest.fixture(scope="module")
def rounds() -> Rounds:
    return Rounds()


@pytest.fixture(scope="module")
def pool(gpu: FakeGpu, rounds: Rounds) -> Iterator[GpuPool]:
    pool = GpuPool(options(), gpu, clean_s=0.2)
    try:
        pool.start(check_isolation)
        threading.Thread(target=pool.tend, args=(rounds.note,), daemon=True).start()
        yield pool
    finally:
        pool.stop()


def looked_around(child: Child) -> dict[str, str]:
    session = Session(child)
    session.await_ready()
    session.exchange(run_job(Submission("layers.py", {"layers.py": SOURCE})).encode())
    seen: dict[str, str] = json.loads(session.end().log)
    return seen


def test_a_child_with_a_gpu_passes_the_self_test_and_can_do_what_a_driver_needs_and_no_more(
    pool: GpuPool,
) -> None:
    """The pool has put its first child to the self-test already; one with those limits makes no context."""
    seen = looked_around(pool.child(CHECK_LIMITS))
    assert {name for name, how in seen.items() if how.startswith("worked")} == ALLOWED
    assert seen["the daemon that is not there"] == "FileNotFoundError"  # as the driver expects it: it goes on without
    assert seen["a request"] == "OSError"  # by the device, which knows none: it was let through
    assert "Fake 9000: its driver's devices" in pool.description


def test_a_context_that_cannot_be_made_is_our_fault_and_says_why(pool: GpuPool) -> None:
    session = Session(pool.child(Limits()))
    with pytest.raises(SandboxError, match="a child could not be confined"):
        session.await_ready()
    session.abandon()


def test_no_child_is_made_ready_while_another_holds_the_gpu(pool: GpuPool, rounds: Rounds) -> None:
    first = pool.child(CHECK_LIMITS)
    try:
        wait_until(lambda: not pool._warm)
        rounds.wait_for_another()
        assert not pool._warm
    finally:
        first.close()
    wait_until(lambda: CHECK_LIMITS in pool._warm)


def test_a_gpu_that_is_not_clean_is_out_of_service_until_it_is(pool: GpuPool, gpu: FakeGpu) -> None:
    child = pool.child(CHECK_LIMITS)
    gpu.used += 4 << 30
    pool.child(CHECK_LIMITS).close()  # what the GPU holds now may be the first child's
    child.close()
    wait_until(lambda: "is out of service: 4096 MiB of its memory are taken" in refusal(pool))
    gpu.used -= 4 << 30
    wait_until(lambda: not refusal(pool))


def refusal(pool: GpuPool) -> str:
    """What it says when it is asked for a child; empty when it gives one."""
    try:
        pool.child(CHECK_LIMITS).close()
    except SandboxError as error:
        return str(error)
    return ""
