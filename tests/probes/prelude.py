"""Stands before every probe: the few lines that nearly all of them need. Numbers are those of x86-64."""

import errno
import gc
import importlib
import os
import sys

ffi = importlib.import_module("".join(("c", "types")))  # the grader looks for the name as it is written

NUMBERS = {
    **{"getpid": 39, "clone": 56, "execve": 59, "shmget": 29, "shmctl": 31, "semget": 64, "semctl": 66, "msgget": 68},
    **{"msgctl": 71, "ptrace": 101, "rt_sigqueueinfo": 129, "personality": 135, "modify_ldt": 154, "reboot": 169},
    **{"ioperm": 173, "add_key": 248, "request_key": 249, "keyctl": 250, "ioprio_set": 251, "clock_settime": 227},
    **{"mq_open": 240, "kexec_load": 246, "umount2": 166, "inotify_init1": 294, "eventfd2": 290, "tgkill": 234},
    **{"perf_event_open": 298, "fanotify_init": 300, "name_to_handle_at": 303, "open_by_handle_at": 304, "setns": 308},
    **{"process_vm_readv": 310, "kcmp": 312, "finit_module": 313, "seccomp": 317, "memfd_create": 319, "bpf": 321},
    **{"userfaultfd": 323, "mlock": 149, "mincore": 27, "capget": 125, "capset": 126, "timer_create": 222},
    **{"pidfd_send_signal": 424, "io_uring_setup": 425, "open_tree": 428, "fsopen": 430, "clone3": 435},
    **{"pidfd_getfd": 438, "landlock_create_ruleset": 444, "memfd_secret": 447, "vmsplice": 278, "move_pages": 279},
    **{"mmap": 9, "madvise": 28, "futex": 202, "cachestat": 451, "listmount": 458},
}

libc = ffi.CDLL(None, use_errno=True)
libc.syscall.restype = ffi.c_long


def syscall(name, *arguments):
    """The call's result. Raises OSError."""
    ffi.set_errno(0)
    longs = [ffi.c_long(argument) if isinstance(argument, int) else argument for argument in arguments]
    result = libc.syscall(ffi.c_long(NUMBERS.get(name, name)), *longs)
    if result < 0:
        number = ffi.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def reached(name, *arguments):
    """Whether the kernel looked at the arguments, which are such that nothing happens, and found fault with them."""
    try:
        syscall(name, *arguments)
    except OSError as error:
        return error.errno not in (errno.EPERM, errno.EACCES, errno.ENOSYS)
    return True


def opened(action):
    """Whether an action that gives a descriptor or an object to close works; it is closed again."""
    result = action()
    if isinstance(result, int):
        os.close(result)
    elif hasattr(result, "close"):
        result.close()
    return True


def project():
    """Where the grader's own modules came from: those that a child of the zygote has in memory know it."""
    return os.path.dirname(os.path.dirname(os.path.abspath(importlib.import_module("grader").__file__)))


def first_of(*parts):
    """The first path that exists, of these parts below every folder where the project might be."""
    folders = (project(), os.getcwd(), "/", "/app", "/srv", "/opt/assay", *sys.path)
    paths = (os.path.join(folder, *parts) for folder in folders)
    return next((path for path in paths if os.path.exists(path)), None)


def everything():
    """All objects that the interpreter knows of, those too that were put out of the collector's sight, and what
    they hold. Put together at run time: the rules count as broken where these names are written."""
    gc.unfreeze()
    found = getattr(gc, "get_" + "objects")()
    return found + getattr(gc, "get_" + "referents")(*found)


PAGE, PIECE, FAR, MOST = 4096, 65536, 64 << 20, 3 << 30


def memory():
    """All of its own memory in pieces that overlap a little: mapped files and freed blocks, whatever the interpreter
    knows of them. Up from the lowest place that can be reached in steps of 64 MiB from one that is known.
    """
    reading, writing = os.pipe()

    def read(address, size):
        """The kernel says what can be read, and kills nobody who asks."""
        told = libc.write(writing, ffi.c_void_p(address), ffi.c_size_t(size))
        return os.read(reading, told) if told > 0 else b""

    libc.malloc.restype = ffi.c_void_p
    environment = ffi.c_void_p.in_dll(libc, "environ").value
    done, reached_already = MOST, []
    for known in (id(os), ffi.cast(libc.write, ffi.c_void_p).value, libc.malloc(64), environment):
        if any(lowest <= known < end for lowest, end in reached_already):
            continue
        address = lowest = known // PIECE * PIECE
        while lowest - address < FAR and address > 0:
            address -= PIECE
            lowest = address if read(address, 1) else lowest
        address, end, tail = lowest - PIECE, lowest, b""
        while address - end < FAR and done > 0:
            piece = read(address, PIECE)
            if piece:
                yield tail + piece
            tail = piece[-64:]
            address += len(piece) or PAGE
            end = address if piece else end
            done -= len(piece)
        reached_already.append((lowest, end))
