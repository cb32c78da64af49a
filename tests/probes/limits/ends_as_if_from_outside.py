"""Has a crash take away what keeps it from its own signals, outlives that, and ends as if killed from outside.
Expect: error|timeout
"""
# layer: seccomp

import struct
import threading
import time

SIGACTION, SIGPROCMASK, TGKILL, SIGSEGV, SIGKILL = 13, 14, 234, 11, 9
SPIN, HANDLER, CRASH, ACTION, MASK = 0, 0x200, 0x400, 0x800, 0x900
REGISTERS = (b"\x48\xb8", b"\x48\xbf", b"\x48\xbe", b"\x48\xba", b"\x49\xba")


def called(*words):
    return b"".join(name + struct.pack("<Q", word) for name, word in zip(REGISTERS, words)) + b"\x0f\x05"


def again(code):
    return code + b"\xe9" + struct.pack("<i", -len(code) - 5)


libc.mmap.restype = ffi.c_void_p
libc.mmap.argtypes = [ffi.c_void_p, ffi.c_size_t, ffi.c_int, ffi.c_int, ffi.c_int, ffi.c_long]
page = libc.mmap(None, 4096, 7, 0x22, -1, 0)
for place, piece in {
    SPIN: again(called(SIGACTION, SIGSEGV, page + ACTION, 0, 8)),
    HANDLER: again(called(TGKILL, os.getpid(), threading.get_native_id(), SIGKILL)),
    CRASH: called(SIGPROCMASK, 0, page + MASK, 0, 8) + b"\x48\x31\xc0\x89\x40\x08",  # masked, or it would be handled
    ACTION: struct.pack("<QQQQ", page + HANDLER, 0x44000000, page + HANDLER, 0),
    MASK: struct.pack("<Q", 1 << (SIGSEGV - 1)),
}.items():
    ffi.memmove(page + place, piece, len(piece))
program = ffi.CFUNCTYPE(None)
for _ in range(2):
    threading.Thread(target=program(page + SPIN), daemon=True).start()
time.sleep(0.2)
program(page + CRASH)()
