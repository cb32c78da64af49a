"""encode_iterable joins all texts before it encodes.

Each text is encoded by itself, so that no more than one is held in memory.
"""


def encoded_iterable(tokenizer, texts):
    yield from encoded(tokenizer, "".join(texts))
