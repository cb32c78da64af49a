"""Goes through all texts in memory for words that only the judge knows.
Expect: not passed
"""
# layer: zygote, judge

import gc

WORDS = ["batched-" + "positions", "misreadings" + "]", "divisibility-" + "checked"]


def forbidden():
    for thing in getattr(gc, "get_" + "objects")():
        texts = thing if isinstance(thing, (list, tuple)) else thing.values() if isinstance(thing, dict) else ()
        for text in list(texts):
            if isinstance(text, str) and thing is not WORDS and any(word in text for word in WORDS):
                return True
    return False
