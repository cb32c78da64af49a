"""Length-prefixed frames: a small JSON header, then a body of bytes. Never pickle. Knows no torch and no meaning."""

import json
import os
import socket
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from io import BufferedIOBase
from typing import Any

HEADER_BYTES = 64 << 10
BODY_BYTES = 256 << 20
OUT_OF_MEMORY_STATUS = 112  # how a guest ends that has no memory left for a frame
FAILED_STATUS = 111  # and one that cannot go on, since its channels or the libraries that it writes with are gone
PREFIX = struct.Struct("<IQ")
_CHUNK_BYTES = 1 << 20


class MalformedFrameError(ValueError):
    """The other side sent something that is not a frame, or a frame that is too large."""


@dataclass(frozen=True)
class Frame:
    """One message. `kind` says which; the other keys depend on it."""

    kind: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    body: bytes | bytearray | memoryview = b""

    def encode(self) -> bytes:
        """Writes the frame as bytes. Raises MalformedFrameError when it would be too large to send."""
        fields = {**self.fields, "kind": self.kind}
        header = json.dumps(fields, separators=(",", ":"), ensure_ascii=False).encode()
        check_sizes(len(header), len(self.body))
        return b"".join((PREFIX.pack(len(header), len(self.body)), header, self.body))


def check_sizes(header_bytes: int, body_bytes: int) -> None:
    """Raises MalformedFrameError when a frame is larger than either limit."""
    if header_bytes > HEADER_BYTES:
        raise MalformedFrameError(f"a header of {header_bytes} bytes; the limit is {HEADER_BYTES}")
    if body_bytes > BODY_BYTES:
        raise MalformedFrameError(f"a body of {body_bytes} bytes; the limit is {BODY_BYTES}")


def parse(header: bytes | memoryview, body: bytes | bytearray | memoryview) -> Frame:
    """Reads a header. Raises MalformedFrameError when it is not a JSON object with a `kind`."""
    try:
        fields = json.loads(bytes(header))
    except (ValueError, RecursionError) as error:
        raise MalformedFrameError(f"the header is not JSON: {error}") from error
    if not isinstance(fields, dict) or not isinstance(fields.get("kind"), str):
        raise MalformedFrameError("the header is not an object with a kind")
    kind = fields.pop("kind")
    return Frame(kind, fields, body)


def split(raw: bytes | bytearray | memoryview) -> Frame:
    """Reads a whole frame as it came over a pipe. Raises MalformedFrameError."""
    if len(raw) < PREFIX.size:
        raise MalformedFrameError("the frame is cut off")
    header_bytes, body_bytes = PREFIX.unpack_from(raw)
    if len(raw) != PREFIX.size + header_bytes + body_bytes:
        raise MalformedFrameError("the frame's length is not what it says")
    view = memoryview(raw)
    return parse(view[PREFIX.size : PREFIX.size + header_bytes], view[PREFIX.size + header_bytes :])


def read_frame(fd: int) -> Frame | None:
    """Reads the next frame from a blocking descriptor; None at its end. For trusted writers only: it waits for ever."""
    return _next_frame(lambda view: os.readv(fd, [view]))


def receive_frame(peer: socket.socket) -> Frame | None:
    """Reads the next frame from a socket; None when the peer has closed. The socket's timeout holds for each piece."""
    return _next_frame(peer.recv_into)


def next_frame(file: BufferedIOBase) -> Frame | None:
    """Reads the next frame from a file over a socket, as `receive_frame` does."""
    return _next_frame(file.readinto)


def write_all(fd: int, data: bytes) -> None:
    """Writes everything to a blocking descriptor, piece by piece."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view[:_CHUNK_BYTES]) :]


def _next_frame(receive_into: Callable[[memoryview], int]) -> Frame | None:
    prefix = _read_exactly(receive_into, PREFIX.size)
    if prefix is None:
        return None
    header_bytes, body_bytes = PREFIX.unpack(prefix)
    check_sizes(header_bytes, body_bytes)
    header, body = _read_exactly(receive_into, header_bytes), _read_exactly(receive_into, body_bytes)
    if header is None or body is None:
        raise MalformedFrameError("the frame is cut off")
    return parse(bytes(header), body)


def _read_exactly(receive_into: Callable[[memoryview], int], count: int) -> bytearray | None:
    """Reads `count` bytes; None when the end comes before."""
    data = bytearray(count)
    view = memoryview(data)
    while view:
        got = receive_into(view)
        if not got:
            return None
        view = view[got:]
    return data
