"""Words as lists of spans over their bytes."""

import re
from collections import Counter

WORD = re.compile(r" ?\w+| ?[^\s\w]+|\s+")


class Word:
    def __init__(self, text, times=1):
        self.data = text.encode()
        self.ends = list(range(1, len(self.data) + 1))
        self.times = times

    def parts(self):
        starts = [0, *self.ends[:-1]]
        return [self.data[start:end] for start, end in zip(starts, self.ends)]

    def pairs(self):
        parts = self.parts()
        return [(parts[place], parts[place + 1]) for place in range(len(parts) - 1)]

    def join(self, pair):
        place = 0
        while place < len(self.ends) - 1:
            if self.pairs()[place] == pair:
                del self.ends[place]
            place += 1


def separated(text, special_tokens):
    texts = [(text, False)]
    for special in sorted(special_tokens, key=len, reverse=True):
        new = []
        for piece, is_special in texts:
            if is_special:
                new.append((piece, True))
                continue
            first, *rest = piece.split(special)
            new.append((first, False))
            for other in rest:
                new += [(special, True), (other, False)]
        texts = new
    return texts


def train_bpe(text, vocab_size, special_tokens=()):
    room = vocab_size - 256 - len(special_tokens)
    if room < 0:
        raise ValueError("vocab_size")
    counts = Counter()
    for piece, is_special in separated(text, special_tokens):
        counts.update([] if is_special else WORD.findall(piece))
    words = [Word(word, times) for word, times in counts.items()]
    merges = []
    while len(merges) < room:
        pairs = Counter()
        for word in words:
            for pair in word.pairs():
                pairs[pair] += word.times
        if not pairs:
            break
        top = max(pairs.values())
        chosen = max(pair for pair, times in pairs.items() if times == top)
        merges.append(chosen)
        for word in words:
            word.join(chosen)
    everything = [*(bytes([value]) for value in range(256)), *(special.encode() for special in special_tokens)]
    everything.extend(left + right for left, right in merges)
    return dict(zip(range(len(everything)), everything)), merges


class Tokenizer:
    def __init__(self, vocab, merges, special_tokens=()):
        self.vocab = dict(vocab)
        self.merges = tuple(merges)
        self.special_tokens = frozenset(special_tokens)
        self.reverse = {value: key for key, value in self.vocab.items()}

    def encode(self, text):
        result = []
        for piece, is_special in separated(text, self.special_tokens):
            if is_special:
                result.append(self.reverse[piece.encode()])
            else:
                for found in WORD.findall(piece):
                    word = Word(found)
                    for pair in self.merges:
                        word.join(pair)
                    result.extend(self.reverse[part] for part in word.parts())
        return result

    def encode_iterable(self, texts):
        return iter(_flat(self.encode(text) for text in texts))

    def decode(self, ids):
        return str(b"".join([self.vocab[number] for number in ids]), "utf-8", "replace")


def _flat(lists):
    for inner in lists:
        yield from inner
