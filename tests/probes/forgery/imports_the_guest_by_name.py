"""Imports the guest by an ordinary import, which the reading of the source refuses politely.
Expect: rejected
"""
# layer: inspection

import worker.sandbox.guest

worker.sandbox.guest.perform = lambda call, program: None
