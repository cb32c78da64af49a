"""Byte-pair encoding in named steps. Each is one decision that a student can get wrong."""

import re
from collections import Counter

PATTERN = r" ?\w+| ?[^\s\w]+|\s+"  # the spec gives it


def in_order(special_tokens):
    """The longer of two that begin at one place comes first."""
    return sorted(special_tokens, key=len, reverse=True)


def pieces(text, special_tokens):
    """The text between special tokens, and those, in turn."""
    if not special_tokens:
        return [text]
    pattern = "|".join(re.escape(token) for token in in_order(special_tokens))
    return re.split(f"({pattern})", text)


def words_of(piece):
    """No pair crosses from one to the next."""
    return re.findall(PATTERN, piece)


def symbols(word):
    """Each byte by itself."""
    return tuple(bytes([byte]) for byte in word.encode("utf-8"))


def texts_to_train_on(text, special_tokens):
    """Without the special tokens."""
    return [piece for piece in pieces(text, special_tokens) if piece not in special_tokens]


def counted(text, special_tokens):
    """How often each word occurs."""
    words = Counter()
    for piece in texts_to_train_on(text, special_tokens):
        words.update(symbols(word) for word in words_of(piece))
    return words


def pairs_in(words):
    """How often each pair of neighbours occurs."""
    pairs = Counter()
    for word, times in words.items():
        for pair in zip(word, word[1:]):
            pairs[pair] += times
    return pairs


def best_pair(pairs):
    """The most frequent; of those that are equally frequent, the largest."""
    return max(pairs, key=lambda pair: (pairs[pair], pair))


def joined(word, pair):
    """One symbol in place of the two, from left to right."""
    result = []
    for symbol in word:
        if result and (result[-1], symbol) == pair:
            result[-1] = pair[0] + pair[1]
        else:
            result.append(symbol)
    return tuple(result)


def begun(special_tokens):
    """The vocabulary before any merge."""
    tokens = [bytes([byte]) for byte in range(256)] + [token.encode("utf-8") for token in special_tokens]
    return dict(enumerate(tokens))


def checked(vocab_size, special_tokens):
    """Refuses a vocabulary that has no room for what it begins with."""
    if vocab_size < 256 + len(special_tokens):
        raise ValueError("vocab_size has no room for the bytes and the special tokens")


def merges_to_make(vocab_size, special_tokens):
    """As many as the vocabulary has room for."""
    return vocab_size - 256 - len(special_tokens)


def merge_all(words, pair):
    """In every word."""
    merged = Counter()
    for word, times in words.items():
        merged[joined(word, pair)] += times
    return merged


def train_bpe(text, vocab_size, special_tokens=()):
    checked(vocab_size, special_tokens)
    words, vocab, merges = counted(text, special_tokens), begun(special_tokens), []
    for _ in range(merges_to_make(vocab_size, special_tokens)):
        pairs = pairs_in(words)
        if not pairs:
            break
        pair = best_pair(pairs)
        words = merge_all(words, pair)
        vocab[len(vocab)] = pair[0] + pair[1]
        merges.append(pair)
    return vocab, merges


def merged(word, ranks):
    """All merges of one word, the one that was learned first first."""
    for _ in word:
        possible = [pair for pair in zip(word, word[1:]) if pair in ranks]
        if possible:
            word = joined(word, min(possible, key=ranks.__getitem__))
    return word


def encoded(tokenizer, text):
    """The numbers of a text."""
    ids = []
    for piece in pieces(text, tokenizer.special_tokens):
        if piece in tokenizer.special_tokens:
            ids.append(tokenizer.numbers[piece.encode("utf-8")])
        else:
            for word in words_of(piece):
                ids.extend(tokenizer.numbers[token] for token in merged(symbols(word), tokenizer.ranks))
    return ids


def encoded_iterable(tokenizer, texts):
    """One text after the other, as they are asked for."""
    for text in texts:
        yield from encoded(tokenizer, text)


def decoded(vocab, ids):
    """All bytes first: a character may be spread over several tokens."""
    return b"".join(vocab[number] for number in ids).decode("utf-8", errors="replace")


class Tokenizer:
    def __init__(self, vocab, merges, special_tokens=()):
        self.vocab, self.special_tokens = vocab, special_tokens
        self.numbers = {token: number for number, token in vocab.items()}
        self.ranks = {pair: rank for rank, pair in enumerate(merges)}

    def encode(self, text):
        return encoded(self, text)

    def encode_iterable(self, texts):
        return encoded_iterable(self, texts)

    def decode(self, ids):
        return decoded(self.vocab, ids)
