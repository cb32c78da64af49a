"""Reads a process's memory through /proc.
Expect: not passed
"""
# layer: root
# open: works
# surface



def forbidden():
    word = ffi.create_string_buffer(b"here")
    with open("/proc/self/mem", "rb", buffering=0) as memory:
        memory.seek(ffi.addressof(word))
        return memory.read(4) == b"here"
