"""What the process knows in which a submission runs: the whole of its environment but HOME and TMPDIR."""

GUEST_ENVIRONMENT = {
    "PATH": "/nonexistent",
    "LANG": "C.UTF-8",
    "USER": "sandbox",  # torch asks for one
    # One thread: a lock held by another at the fork would never be released in the child.
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    # Huge pages make a fork cheaper; few arenas keep the address space within its limit.
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1:glibc.malloc.arena_max=2",
    # `torch.compile` gives back what it is given: there is no compiler here, and to look for one takes a minute.
    "TORCHDYNAMO_DISABLE": "1",
    # einx solves an equation for each new shape. With sympy's small cache that takes half as long again.
    "SYMPY_CACHE_SIZE": "None",
}
