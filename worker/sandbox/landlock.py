"""Landlock: a second, independent barrier around files, TCP and signals, should a mount or a filter have a hole."""

import ctypes
import os
import stat

from worker.sandbox import syscalls
from worker.sandbox.gpu import OWN_PROC, GpuBindings
from worker.sandbox.layout import TMP

_SYS_CREATE_RULESET = 444
_SYS_ADD_RULE = 445
_SYS_RESTRICT_SELF = 446
_RULE_PATH_BENEATH = 1

_WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE, _MAKE_DIR, _MAKE_REG = 1 << 4, 1 << 5, 1 << 7, 1 << 8
_TRUNCATE, _IOCTL_DEVICE = 1 << 14, 1 << 15
_READ = _READ_FILE | _READ_DIR
_USE = _READ | _WRITE_FILE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REG | _TRUNCATE
_ON_FILES = _READ_FILE | _WRITE_FILE | _TRUNCATE | _IOCTL_DEVICE

_FILE_RIGHTS_BY_ABI = {1: 13, 2: 14, 3: 15, 4: 15}  # how many rights the ABI knows; 16 from ABI 5 on
_TCP_BIND_AND_CONNECT = 3  # from ABI 4
_ABSTRACT_SOCKETS_AND_SIGNALS = 3  # from ABI 6


class _Ruleset(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("files", "network", "scoped")]


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("parent_fd", ctypes.c_int32)]


def supported_abi() -> int:
    """Asks the kernel for its version of Landlock; 0 where there is none, or it is switched off."""
    create_ruleset_version = 1
    try:
        return syscalls.raw_syscall(
            "landlock", _SYS_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint(create_ruleset_version)
        )
    except OSError:
        return 0


def in_words(abi: int) -> str:
    """Names what `supported_abi` found, for reports."""
    return f"landlock {abi}" if abi else "no landlock"


def restrict(abi: int, readable: tuple[str, ...] = ("/",), gpu: GpuBindings | None = None, writable: str = TMP) -> None:
    """Takes away, for good, all but reading what is `readable`, and writing in `writable` and to /dev/null: no exec, no
    TCP, no signal to anybody outside.

    A GPU is read, written and controlled, and names of threads are written down for it.
    """
    known = (1 << _FILE_RIGHTS_BY_ABI.get(abi, 16)) - 1
    ruleset = _create_ruleset(abi, known)
    try:
        for path in readable:
            _allow(ruleset, path, _READ & known)
        _allow(ruleset, writable, _USE & known)
        _allow(ruleset, "/dev/null", _USE & known)
        if gpu is not None:
            for device in gpu.devices:
                _allow(ruleset, device, (_READ_FILE | _WRITE_FILE | _IOCTL_DEVICE) & known)
            _allow(ruleset, OWN_PROC, (_READ | _WRITE_FILE | _TRUNCATE) & known)
        syscalls.raw_syscall("landlock_restrict_self", _SYS_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint(0))
    finally:
        os.close(ruleset)


def _create_ruleset(abi: int, known: int) -> int:
    handled = _Ruleset(
        files=known,
        network=_TCP_BIND_AND_CONNECT if abi >= 4 else 0,
        scoped=_ABSTRACT_SOCKETS_AND_SIGNALS if abi >= 6 else 0,
    )
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    return syscalls.raw_syscall(
        "landlock_create_ruleset",
        _SYS_CREATE_RULESET,
        ctypes.byref(handled),
        ctypes.c_size_t(size),
        ctypes.c_uint(0),
    )


def _allow(ruleset: int, path: str, rights: int) -> None:
    fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        is_folder = stat.S_ISDIR(os.fstat(fd).st_mode)
        rule = _PathBeneath(rights if is_folder else rights & _ON_FILES, fd)
        syscalls.raw_syscall(
            f"landlock_add_rule {path}",
            _SYS_ADD_RULE,
            ctypes.c_int(ruleset),
            ctypes.c_int(_RULE_PATH_BENEATH),
            ctypes.byref(rule),
            ctypes.c_uint(0),
        )
    finally:
        os.close(fd)
