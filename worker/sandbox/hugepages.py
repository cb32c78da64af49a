"""The zygote's memory in huge pages: a fork copies one entry for two megabytes, and not five hundred.

An empty session costs about a tenth less (`benchmarks/session_cost.py`, docs/performance.md). It changes nothing else:
where the kernel cannot do it (before Linux 6.1), nothing is lost but that.
"""

import os
from collections.abc import Iterator

from worker.sandbox import syscalls

HUGE_BYTES = 2 << 20


def use_huge_pages(proc_fd: int) -> int:
    """Collapse the heap and what else is private and anonymous. Returns the bytes that are in huge pages now."""
    collapsed = (end - start for start, end in _whole_pages(proc_fd) if syscalls.collapse_memory(start, end - start))
    return sum(collapsed)


def _whole_pages(proc_fd: int) -> Iterator[tuple[int, int]]:
    """Start and end, on boundaries of huge pages, of each mapping that is this process's own."""
    maps = os.open("self/maps", os.O_RDONLY | os.O_CLOEXEC, dir_fd=proc_fd)
    with os.fdopen(maps) as lines:
        mappings = [line.split() for line in lines]
    for addresses, mode, _offset, _device, _inode, *name in mappings:
        if mode == "rw-p" and name in ([], ["[heap]"]):
            start, end = (int(address, 16) for address in addresses.split("-"))
            start, end = -(-start // HUGE_BYTES) * HUGE_BYTES, end // HUGE_BYTES * HUGE_BYTES
            if start < end:
                yield start, end
