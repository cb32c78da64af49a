"""One output of a container as a channel: a socket on which the Docker daemon sends it in chunks of its own framing."""

import socket
import struct

_HEADER = struct.Struct(">BxxxI")  # which stream, how many bytes
_CHUNK_BYTES = 1 << 20


class AttachedStream:
    """Carries one stream alone. Owns the socket."""

    def __init__(self, peer: socket.socket) -> None:
        peer.setblocking(False)
        self._peer = peer
        self._header = bytearray()
        self._left = 0  # bytes of the present chunk that are still to come

    def fileno(self) -> int:
        return self._peer.fileno()

    def read(self) -> bytes:
        while not self._left:
            got = self._receive(_HEADER.size - len(self._header))
            if not got:
                return b""
            self._header += got
            if len(self._header) == _HEADER.size:
                _, self._left = _HEADER.unpack(self._header)
                self._header.clear()
        data = self._receive(min(self._left, _CHUNK_BYTES))
        self._left -= len(data)
        return data

    def has_data(self) -> bool:
        try:
            return bool(self._left or self._header or self._peer.recv(1, socket.MSG_PEEK))
        except (BlockingIOError, ConnectionError):
            return False

    def give_up(self) -> None:
        """Stops reading, so that the daemon need not wait. What is here already can still be read."""
        self._peer.shutdown(socket.SHUT_RD)

    def close(self) -> None:
        self._peer.close()

    def _receive(self, count: int) -> bytes:
        try:
            return self._peer.recv(count)
        except ConnectionError:  # the daemon is gone, and the stream with it
            return b""
