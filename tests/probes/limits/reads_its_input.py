"""Asks the keyboard.
Expect: error
"""
# layer: zygote

answer = input("What is the answer? ")
