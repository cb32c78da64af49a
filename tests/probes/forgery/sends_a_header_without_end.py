"""Announces a header of four gigabytes.
Expect: error
"""
# layer: framing

import json
import os
import struct


def send(fields, body=b""):
    header = json.dumps(fields).encode()
    os.write(4, struct.pack("<IQ", len(header), len(body)) + header + body)


os.write(4, struct.pack("<IQ", (1 << 32) - 1, 0))
