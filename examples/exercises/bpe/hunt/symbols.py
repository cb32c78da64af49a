"""Byte-pair encoding with a small class for the words of a text."""

import re

WORDS = re.compile(r" ?\w+| ?[^\s\w]+|\s+")


class Corpus:
    """All words, each as often as it occurs."""

    def __init__(self):
        self.amount = {}

    def add(self, word, amount=1):
        key = tuple(word)
        self.amount[key] = self.amount.get(key, 0) + amount

    def frequencies(self):
        table = {}
        for word, amount in self.amount.items():
            for left, right in zip(word[:-1], word[1:]):
                table[left, right] = table.get((left, right), 0) + amount
        return table

    def fuse(self, pair):
        fused = Corpus()
        for word, amount in self.amount.items():
            fused.add(fuse_in(word, pair), amount)
        return fused


def fuse_in(word, pair):
    symbols = []
    rest = list(word)
    while rest:
        if len(rest) > 1 and (rest[0], rest[1]) == pair:
            symbols.append(rest[0] + rest[1])
            rest = rest[2:]
        else:
            symbols.append(rest[0])
            rest = rest[1:]
    return symbols


def bytes_of(word):
    return [bytes([value]) for value in word.encode("utf-8")]


def sections(text, specials):
    """Pairs of a piece of the text and whether it is special."""
    if len(specials) == 0:
        return [(text, False)]
    longest_first = sorted(specials, key=len, reverse=True)
    splitter = re.compile("(" + "|".join(map(re.escape, longest_first)) + ")")
    return [(piece, piece in specials) for piece in splitter.split(text)]


def train_bpe(text, vocab_size, special_tokens=()):
    entries = [bytes([value]) for value in range(256)]
    entries += [special.encode("utf-8") for special in special_tokens]
    if vocab_size < len(entries):
        raise ValueError(f"vocab_size must be at least {len(entries)}")
    corpus = Corpus()
    for piece, is_special in sections(text, special_tokens):
        if is_special:
            continue
        for word in WORDS.findall(piece):
            corpus.add(bytes_of(word))
    merges = []
    while len(entries) < vocab_size:
        table = corpus.frequencies()
        if not table:
            break
        pair = max(table, key=lambda each: (table[each], each))
        corpus = corpus.fuse(pair)
        merges.append(pair)
        entries.append(pair[0] + pair[1])
    return dict(enumerate(entries)), merges


class Tokenizer:
    def __init__(self, vocab, merges, special_tokens=()):
        self.vocab = vocab
        self.special_tokens = special_tokens
        self.number = {entry: number for number, entry in vocab.items()}
        self.age = {pair: age for age, pair in enumerate(merges)}

    def encode(self, text):
        numbers = []
        for piece, is_special in sections(text, self.special_tokens):
            if is_special:
                numbers.append(self.number[piece.encode("utf-8")])
                continue
            for word in WORDS.findall(piece):
                numbers += [self.number[symbol] for symbol in self._symbols(bytes_of(word))]
        return numbers

    def _symbols(self, word):
        while True:
            known = [pair for pair in zip(word[:-1], word[1:]) if pair in self.age]
            if not known:
                return word
            oldest = min(known, key=lambda pair: self.age[pair])
            word = fuse_in(word, oldest)

    def encode_iterable(self, texts):
        for text in texts:
            yield from self.encode(text)

    def decode(self, ids):
        joined = b"".join(self.vocab[number] for number in ids)
        return joined.decode("utf-8", errors="replace")
