"""A thread sends more answers while the judge compares.
Expect: error
"""
# layer: framing

import json
import os
import struct
import threading
import time


def send(fields, body=b""):
    header = json.dumps(fields).encode()
    os.write(4, struct.pack("<IQ", len(header), len(body)) + header + body)


def keep_sending():
    for _ in range(400):
        send({"kind": "outcome", "id": "heads-1", "status": "returned", "outputs": 1, "gradients": {}, "arguments": [], "problem": None, "gradient_problem": None, "trace": None})
        time.sleep(0.005)


threading.Thread(target=keep_sending, daemon=True).start()
