"""Finds bytes of an earlier submission anywhere in memory, known to the interpreter or not.
Expect: not passed
"""
# layer: zygote


BEGINNING, REST = b"left-by-a-", bytes(letter ^ 1 for letter in b"qsncd")  # the whole is not in this source


def leave():
    libc.malloc.restype = ffi.c_void_p
    whole = BEGINNING + bytes(letter ^ 1 for letter in REST)
    ffi.memmove(libc.malloc(ffi.c_size_t(len(whole))), whole, len(whole))


def find():
    for piece in memory():
        place = piece.find(BEGINNING)
        while place >= 0:
            rest = piece[place + len(BEGINNING) : place + len(BEGINNING) + len(REST)]
            if bytes(letter ^ 1 for letter in rest) == REST:
                return True
            place = piece.find(BEGINNING, place + 1)
    return False
