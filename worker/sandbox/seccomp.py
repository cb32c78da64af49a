"""The system calls that a submission may make: an allow-list, compiled once, loaded in every child.

What is not listed fails with EPERM, so that a student sees a Python exception and not a silent death.
"""

import errno
import os
import signal

import pyseccomp

_ALLOWED = """
read write readv writev pread64 pwrite64 lseek close fstat newfstatat stat lstat statx access faccessat faccessat2
readlink readlinkat getcwd getdents64 mprotect munmap mremap brk rt_sigaction rt_sigprocmask rt_sigreturn
sigaltstack sched_yield sched_getaffinity getpid getppid gettid getuid geteuid getgid getegid getresuid
getresgid clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times exit exit_group getrandom uname
sysinfo getrusage getrlimit set_robust_list get_robust_list rseq set_tid_address poll ppoll select pselect6 pipe2 dup
dup2 dup3 getcpu restart_syscall membarrier get_mempolicy mkdir mkdirat unlink unlinkat rmdir rename renameat renameat2
ftruncate truncate umask chdir
"""

_THREAD = 0x10000 | 0x100 | 0x800  # CLONE_THREAD, CLONE_VM, CLONE_SIGHAND
_NAMESPACES = 0x7E020000 | 0x80
_VFORK = 0x4000  # a thread that waits for another so is not stopped, and keeps the others from being stopped
_MAP_SHARED, _MAP_PRIVATE, _MAP_TYPES, _MAP_ANONYMOUS = 0x01, 0x02, 0x0F, 0x20
# Control groups do not count reserved huge pages, and RLIMIT_DATA not what grows like a stack.
_MAP_UNCOUNTED = 0x40000 | 0x100  # MAP_HUGETLB, MAP_GROWSDOWN
# Descriptor flags and duplicates; no locks, leases or pipe sizes. Setting a file's flags (4) has a rule of its own.
_FCNTL = (0, 1, 2, 3, 1030)
_F_SETFL = 4
# Whoever reads around the page cache, or flushes, makes the machine's disk work, on which a database may lie.
_FLAGS = {"open": 1, "openat": 2, "fcntl": 2}  # in which argument O_DIRECT would be
_FLUSHES = ("fsync", "fdatasync")
# TCGETS, TIOCGWINSZ, FIONBIO, FIONCLEX, FIOCLEX; not TIOCSTI.
_IOCTL = (0x5401, 0x5413, 0x5421, 0x5450, 0x5451)
# How this process means to use its own memory. Not: merging pages with other processes', pushing shared ones out.
_MADVISE = (0, 1, 2, 3, 4, 8, 14, 15)
# Waiting, waking and moving waiters. Not: futexes that lend priority, which few need and the kernel had trouble with.
_FUTEX_WAITS, _FUTEX_OTHERS = (0, 9), (1, 3, 4, 5, 10)
_FUTEX_COMMANDS, _FUTEX_PRIVATE = 0x7F, 0x80  # the rest says which clock
# Names of threads and of mappings.
_PRCTL = (15, 16, 0x53564D41)


# What a driver does besides: docs/gpu.md. Its requests to devices have numbers that no list could keep up with;
# Landlock keeps them to its own devices.
_ALLOWED_ON_GPU = """
ioctl eventfd2 epoll_create1 epoll_ctl epoll_wait epoll_pwait sched_get_priority_max sched_get_priority_min
sched_getparam sched_getscheduler getpriority statfs fstatfs mbind set_mempolicy mincore
"""
# It asks for the daemon that shares a GPU, which is not there, and opens a socket by which processes of its own would
# share memory. Nothing is ever accepted, sent or received, and all of it stays in a network namespace of the child's.
_SOCKETS_ON_GPU = ("connect", "bind", "listen")
_AF_UNIX, _SEQPACKET_CLOEXEC, _SOL_SOCKET, _SO_PASSCRED = 1, 5 | 0o2000000, 1, 16
# Not in a forked child, wiped in one: it makes none.
_MADVISE_ON_GPU = (10, 11, 18)


def compile_filter(*, on_gpu: bool = False, unlisted: object = pyseccomp.ERRNO(errno.EPERM)) -> bytes:
    """Compiles the BPF program. Takes about 30 ms; needs libseccomp. `unlisted` is what becomes of all other calls."""
    allowed = pyseccomp.SyscallFilter(defaction=unlisted)
    allowed.set_attr(pyseccomp.Attr.CTL_OPTIMIZE, 2)
    names = _ALLOWED.split() + (_ALLOWED_ON_GPU.split() if on_gpu else [])
    for name in filter(_is_known_here, names):
        allowed.add_rule(pyseccomp.ALLOW, name)
    _add_conditional_rules(allowed, on_gpu=on_gpu)
    return _exported(allowed)


def _is_known_here(name: str) -> bool:
    """Some old calls do not exist on newer architectures."""
    return bool(pyseccomp.resolve_syscall(pyseccomp.system_arch(), name) >= 0)


def _add_conditional_rules(allowed: pyseccomp.SyscallFilter, *, on_gpu: bool) -> None:
    equal, masked = pyseccomp.EQ, pyseccomp.MASKED_EQ
    # Threads only. glibc tries clone3 first, whose flags a filter cannot see, and falls back when it "does not exist".
    allowed.add_rule(pyseccomp.ALLOW, "clone", pyseccomp.Arg(0, masked, _THREAD | _NAMESPACES | _VFORK, _THREAD))
    allowed.add_rule(pyseccomp.ERRNO(errno.ENOSYS), "clone3")
    if on_gpu:
        _add_sockets_of_a_driver(allowed)
    # Read a limit, never set one.
    allowed.add_rule(pyseccomp.ALLOW, "prlimit64", pyseccomp.Arg(2, equal, 0))
    # Signals to our own process, which is pid 1: abort() is one. Not the one that takes back a pause (`supervisor`),
    # nor the one that is taken for an outsider's (`ending`): whoever outlives a crash is shielded from it no more.
    for number in set(range(signal.NSIG)) - {signal.SIGCONT, signal.SIGKILL}:
        allowed.add_rule(pyseccomp.ALLOW, "tgkill", pyseccomp.Arg(0, equal, 1), pyseccomp.Arg(2, equal, number))
    # No anonymous shared memory, but for a driver: RLIMIT_DATA does not count it either.
    private = _MAP_TYPES | _MAP_UNCOUNTED
    shared = private | (0 if on_gpu else _MAP_ANONYMOUS)
    allowed.add_rule(pyseccomp.ALLOW, "mmap", pyseccomp.Arg(3, masked, private, _MAP_PRIVATE))
    allowed.add_rule(pyseccomp.ALLOW, "mmap", pyseccomp.Arg(3, masked, shared, _MAP_SHARED))
    _add_futexes(allowed, is_shared=on_gpu)
    _keep_from_the_disk(allowed)
    for call, argument, values in (
        ("fcntl", 1, _FCNTL),
        ("ioctl", 1, () if on_gpu else _IOCTL),
        ("prctl", 0, _PRCTL),
        ("madvise", 2, (*_MADVISE, *_MADVISE_ON_GPU) if on_gpu else _MADVISE),
    ):
        for value in values:
            allowed.add_rule(pyseccomp.ALLOW, call, pyseccomp.Arg(argument, equal, value))


def _add_futexes(allowed: pyseccomp.SyscallFilter, *, is_shared: bool) -> None:
    """A wait that is not private can be ended by whoever maps the same library, in another session too. glibc joins
    threads by such waits; told that the value has changed, it looks and asks again.
    """
    masked, commands = pyseccomp.MASKED_EQ, _FUTEX_COMMANDS | (0 if is_shared else _FUTEX_PRIVATE)
    for command in _FUTEX_OTHERS:
        allowed.add_rule(pyseccomp.ALLOW, "futex", pyseccomp.Arg(1, masked, _FUTEX_COMMANDS, command))
    for command in _FUTEX_WAITS:
        allowed.add_rule(
            pyseccomp.ALLOW, "futex", pyseccomp.Arg(1, masked, commands, command | commands & _FUTEX_PRIVATE)
        )
        if not is_shared:
            allowed.add_rule(pyseccomp.ERRNO(errno.EAGAIN), "futex", pyseccomp.Arg(1, masked, commands, command))


def _keep_from_the_disk(allowed: pyseccomp.SyscallFilter) -> None:
    """What a submission can write lies in memory: there is nothing to flush, and it is told that it has been done."""
    for call, argument in _FLAGS.items():
        command = (pyseccomp.Arg(1, pyseccomp.EQ, _F_SETFL),) if call == "fcntl" else ()
        if _is_known_here(call):
            is_cached = pyseccomp.Arg(argument, pyseccomp.MASKED_EQ, os.O_DIRECT, 0)
            allowed.add_rule(pyseccomp.ALLOW, call, *command, is_cached)
    for call in _FLUSHES:
        allowed.add_rule(pyseccomp.ERRNO(0), call)


def _add_sockets_of_a_driver(allowed: pyseccomp.SyscallFilter) -> None:
    equal = pyseccomp.EQ
    for name in _SOCKETS_ON_GPU:
        allowed.add_rule(pyseccomp.ALLOW, name)
    kind = (pyseccomp.Arg(0, equal, _AF_UNIX), pyseccomp.Arg(1, equal, _SEQPACKET_CLOEXEC))
    allowed.add_rule(pyseccomp.ALLOW, "socket", *kind)
    option = (pyseccomp.Arg(1, equal, _SOL_SOCKET), pyseccomp.Arg(2, equal, _SO_PASSCRED))
    allowed.add_rule(pyseccomp.ALLOW, "setsockopt", *option)


def _exported(allowed: pyseccomp.SyscallFilter) -> bytes:
    with os.fdopen(os.memfd_create("filter"), "r+b") as file:
        allowed.export_bpf(file)
        file.seek(0)
        return file.read()
