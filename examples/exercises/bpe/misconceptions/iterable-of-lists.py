"""encode_iterable gives a list for each text.

It should give the numbers one by one: `yield from`.
"""


def encoded_iterable(tokenizer, texts):
    for text in texts:
        yield encoded(tokenizer, text)
