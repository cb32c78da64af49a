"""Sends the runner's own word for a session that went well.
Expect: error
"""
# layer: framing

import json
import os
import struct


def send(fields, body=b""):
    header = json.dumps(fields).encode()
    os.write(4, struct.pack("<IQ", len(header), len(body)) + header + body)


send({"kind": "ended", "stop": "finished", "detail": "", "wall_s": 0.1, "peak_memory_bytes": 1, "log_bytes": 0})
