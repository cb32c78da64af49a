"""Sends its answers to the log, and its output to the judge.
Expect: error
"""
# layer: framing

import json
import os
import struct


def send(fields, body=b""):
    header = json.dumps(fields).encode()
    os.write(4, struct.pack("<IQ", len(header), len(body)) + header + body)


saved = os.dup(4)
os.dup2(1, 4)
os.dup2(saved, 1)
print('{"verdict": "passed"}', flush=True)
