"""Sends a header that bombs a parser by its depth.
Expect: error
"""
# layer: framing

import json
import os
import struct


def send(fields, body=b""):
    header = json.dumps(fields).encode()
    os.write(4, struct.pack("<IQ", len(header), len(body)) + header + body)


header = b"[" * 60_000
os.write(4, struct.pack("<IQ", len(header), 0) + header)
