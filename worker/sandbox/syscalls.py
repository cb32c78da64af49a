"""The few Linux calls that Python does not offer, typed. Mechanism only: who calls what, and when, is elsewhere."""

import ctypes
import os

CLONE_NEWNS = 0x00020000
CLONE_NEWCGROUP = 0x02000000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_RDONLY = 1
MS_NOSUID = 2
MS_NODEV = 4
MS_NOEXEC = 8
MS_REMOUNT = 32
MS_BIND = 4096
MS_REC = 16384
MS_PRIVATE = 1 << 18
MNT_DETACH = 2

MOUNT_ATTR_RDONLY = 0x1
MOUNT_ATTR_NOSUID = 0x2
MOUNT_ATTR_NODEV = 0x4
MOUNT_ATTR_NOEXEC = 0x8

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_CAPBSET_DROP = 24
PR_SET_SECUREBITS = 28
PR_SET_NO_NEW_PRIVS = 38
PR_GET_TID_ADDRESS = 40
PR_CAP_AMBIENT = 47

# Numbers of calls newer than 2019 are the same on every architecture.
_SYS_CLONE3 = 435
_SYS_CLOSE_RANGE = 436
_SYS_MOUNT_SETATTR = 442

_AT_FDCWD = -100
_AT_RECURSIVE = 0x8000

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long
# The same library, holding the interpreter's lock: a new process must not begin without it.
_libc_locked = ctypes.PyDLL(None, use_errno=True)
_libc_locked.syscall.restype = ctypes.c_long


class _CloneArguments(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_uint64)
        for name in (
            "flags",
            "pidfd",
            "child_tid",
            "parent_tid",
            "exit_signal",
            "stack",
            "stack_size",
            "tls",
            "set_tid",
            "set_tid_size",
            "cgroup",
        )
    ]


class _MountAttributes(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("attr_set", "attr_clr", "propagation", "userns_fd")]


class _CapabilityHeader(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]


class _CapabilitySets(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32) for name in ("effective", "permitted", "inheritable")]


def raw_syscall(what: str, number: int, *arguments: object) -> int:
    """Makes a system call by its number. Raises OSError naming `what`."""
    return _checked(_libc.syscall(ctypes.c_long(number), *arguments), what)


def unshare(flags: int) -> None:
    """Moves the calling process into new namespaces of these kinds. Raises OSError."""
    _checked(_libc.unshare(ctypes.c_int(flags)), "unshare")


def mount(source: str, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    """Calls mount(2). Raises OSError that names both ends."""
    result = _libc.mount(
        os.fsencode(source), os.fsencode(target), _encoded(kind), ctypes.c_ulong(flags), _encoded(data)
    )
    _checked(result, f"mount {source} on {target}")


def seal_mount(target: str, attributes: int) -> None:
    """Adds `attributes` to the mount at `target` and to all below it. Takes none away, as a remount would."""
    wanted = _MountAttributes(attr_set=attributes)
    raw_syscall(
        f"mount_setattr {target}",
        _SYS_MOUNT_SETATTR,
        ctypes.c_int(_AT_FDCWD),
        os.fsencode(target),
        ctypes.c_uint(_AT_RECURSIVE),
        ctypes.byref(wanted),
        ctypes.c_size_t(ctypes.sizeof(wanted)),
    )


def pivot_root(new_root: str) -> None:
    """Makes `new_root`, a mount point, the root, and lets go of the old one."""
    os.chdir(new_root)
    _checked(_libc.pivot_root(b".", b"."), "pivot_root")
    _checked(_libc.umount2(b".", MNT_DETACH), "umount2 of the old root")
    os.chdir("/")


def prctl(option: int, *arguments: int) -> int:
    """Calls prctl(2) and returns what it gives. Raises OSError."""
    padded = [*arguments, 0, 0, 0, 0][:4]
    return _checked(_libc.prctl(ctypes.c_int(option), *map(ctypes.c_ulong, padded)), f"prctl {option}")


def load_seccomp(program: bytes) -> None:
    """Installs a compiled filter on the calling thread; it cannot be taken off again."""
    instructions = ctypes.create_string_buffer(program, len(program))

    class _Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]

    described = _Program(len(program) // 8, ctypes.addressof(instructions))
    seccomp_mode_filter = 2
    result = _libc.prctl(
        ctypes.c_int(PR_SET_SECCOMP), ctypes.c_ulong(seccomp_mode_filter), ctypes.byref(described), 0, 0
    )
    _checked(result, "seccomp")


def close_range(first: int) -> None:
    """Closes every descriptor from `first` on. gVisor refuses a range that ends beyond the largest there can be."""
    largest = 0x7FFFFFFF
    raw_syscall("close_range", _SYS_CLOSE_RANGE, ctypes.c_uint(first), ctypes.c_uint(largest), ctypes.c_uint(0))


def clear_capabilities() -> None:
    """Empties the effective, permitted and inheritable sets of the calling thread."""
    header = _CapabilityHeader(0x20080522, 0)
    sets = (_CapabilitySets * 2)()
    _checked(_libc.capset(ctypes.byref(header), ctypes.byref(sets)), "capset")


def drop_from_bounding_set(capability: int) -> bool:
    """Takes a capability away for good. False when the kernel knows no such capability."""
    return bool(_libc.prctl(ctypes.c_int(PR_CAPBSET_DROP), ctypes.c_ulong(capability), 0, 0, 0) == 0)


def set_hostname(name: str) -> None:
    """Names the machine, in the UTS namespace of this process alone. Raises OSError."""
    encoded = name.encode()
    _checked(_libc.sethostname(encoded, ctypes.c_size_t(len(encoded))), "sethostname")


def trim_heap() -> None:
    """Gives free memory back, so that it need not be copied on every fork. Not every C library can."""
    if hasattr(_libc, "malloc_trim"):
        _libc.malloc_trim(ctypes.c_size_t(0))


def clone_process(flags: int, exit_signal: int) -> tuple[int, int]:
    """fork() into new namespaces. Returns (pid, pidfd) in the parent and (0, -1) in the child.

    glibc caches the thread's id; the kernel is told to write the new one there (CLONE_CHILD_SETTID), as fork() does.
    """
    clone_pidfd, clone_child_cleartid, clone_child_settid = 0x1000, 0x00200000, 0x01000000
    tid_address = ctypes.c_void_p()
    found = _libc.prctl(ctypes.c_int(PR_GET_TID_ADDRESS), ctypes.byref(tid_address), 0, 0, 0)
    _checked(found, "prctl PR_GET_TID_ADDRESS (a kernel without checkpoint support)")
    pidfd = ctypes.c_int(-1)
    arguments = _CloneArguments(
        flags=flags | clone_pidfd | clone_child_cleartid | clone_child_settid,
        pidfd=ctypes.addressof(pidfd),
        child_tid=tid_address.value or 0,
        exit_signal=exit_signal,
    )
    ctypes.pythonapi.PyOS_BeforeFork()
    pid = _libc_locked.syscall(
        ctypes.c_long(_SYS_CLONE3), ctypes.byref(arguments), ctypes.c_size_t(ctypes.sizeof(arguments))
    )
    if pid == 0:
        ctypes.pythonapi.PyOS_AfterFork_Child()
        return 0, -1
    error = ctypes.get_errno()
    ctypes.pythonapi.PyOS_AfterFork_Parent()
    if pid < 0:
        raise OSError(error, f"clone3: {os.strerror(error)}")
    return pid, pidfd.value


def _checked(result: int, what: str) -> int:
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{what}: {os.strerror(error)}")
    return result


def _encoded(text: str | None) -> bytes | None:
    return None if text is None else text.encode()
