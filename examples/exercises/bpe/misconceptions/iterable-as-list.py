"""encode_iterable gives a list.

It is for files that are too long for memory: `yield` the numbers as they are asked for.
"""


def encoded_iterable(tokenizer, texts):
    return [number for text in texts for number in encoded(tokenizer, text)]
