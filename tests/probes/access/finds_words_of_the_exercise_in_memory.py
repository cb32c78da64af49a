"""Goes through all texts in memory for words that only the judge knows.
Expect: not passed
"""
# layer: zygote, judge

import codecs

# Told in another alphabet, or it would find its own.
WORDS = "ongpurq-cbfvgvbaf qvivfvovyvgl-purpxrq serdhrapl-zvahf-gjb unys-fcyvg-ebcr"


def forbidden():
    texts = [text for text in everything() if type(text) is str]
    words = codecs.decode(WORDS, "rot13").split()
    return any(word in text for text in texts for word in words)
