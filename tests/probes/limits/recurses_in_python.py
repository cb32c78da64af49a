"""Calls itself without end.
Expect: error
"""
# layer: zygote

def again():
    return again()


again()
