"""Sends a report with full marks where an answer is awaited.
Expect: error
"""
# layer: framing

import json
import os
import struct


def send(fields, body=b""):
    header = json.dumps(fields).encode()
    os.write(4, struct.pack("<IQ", len(header), len(body)) + header + body)


send({"kind": "report", "verdict": "passed", "score": 100.0, "max_score": 100.0, "tests": []})
