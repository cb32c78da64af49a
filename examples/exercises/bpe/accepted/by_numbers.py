"""Works on numbers of tokens, and looks their bytes up."""

import re


class Vocabulary:
    def __init__(self, special_tokens):
        self.tokens = [bytes((value,)) for value in range(256)]
        self.tokens += [token.encode("utf-8") for token in special_tokens]

    def add(self, first, second):
        self.tokens.append(self.tokens[first] + self.tokens[second])
        return len(self.tokens) - 1


def cut(text, special_tokens):
    tokens = sorted(special_tokens, key=len)[::-1]
    place = begin = 0
    while place < len(text):
        found = next((token for token in tokens if text.startswith(token, place)), None)
        if found is None:
            place += 1
            continue
        yield text[begin:place], False
        yield found, True
        place = begin = place + len(found)
    yield text[begin:], False


def words_in(text):
    return [found.group() for found in re.finditer(r" ?\w+| ?[^\s\w]+|\s+", text)]


def replace(ids, pair, new):
    result = []
    for number in ids:
        if result and (result[-1], number) == pair:
            result[-1] = new
        else:
            result.append(number)
    return result


def train_bpe(text, vocab_size, special_tokens=()):
    vocabulary = Vocabulary(special_tokens)
    if len(vocabulary.tokens) > vocab_size:
        raise ValueError(f"{vocab_size} is less than {len(vocabulary.tokens)}")
    words = [
        list(w.encode()) for piece, is_special in cut(text, special_tokens) if not is_special for w in words_in(piece)
    ]
    merges = []
    while len(vocabulary.tokens) < vocab_size:
        counts = {}
        for ids in words:
            for pair in zip(ids, ids[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        most = max(counts.values())
        look = vocabulary.tokens
        tied = [pair for pair in counts if counts[pair] == most]
        pair = sorted(tied, key=lambda p: (look[p[0]], look[p[1]]))[-1]
        merges.append((look[pair[0]], look[pair[1]]))
        new = vocabulary.add(*pair)
        words = [replace(ids, pair, new) for ids in words]
    return dict(enumerate(vocabulary.tokens)), merges


class Tokenizer:
    def __init__(self, vocab, merges, special_tokens=()):
        self.token_of = vocab
        self.number_of = dict(zip(vocab.values(), vocab.keys()))
        self.rank = {pair: rank for rank, pair in enumerate(merges)}
        self.special_tokens = tuple(special_tokens)

    def encode(self, text):
        return list(self._numbers(text))

    def _numbers(self, text):
        for piece, is_special in cut(text, self.special_tokens):
            if is_special:
                yield self.number_of[piece.encode()]
            else:
                for word in words_in(piece):
                    yield from map(self.number_of.__getitem__, self._merged(word))

    def _merged(self, word):
        parts = [bytes((value,)) for value in word.encode()]
        while len(parts) > 1:
            ranks = [self.rank.get(pair, len(self.rank)) for pair in zip(parts, parts[1:])]
            if min(ranks) == len(self.rank):
                break
            place = ranks.index(min(ranks))
            parts[place : place + 2] = [parts[place] + parts[place + 1]]
        return parts

    def encode_iterable(self, texts):
        return (number for text in texts for number in self._numbers(text))

    def decode(self, ids):
        return b"".join(map(self.token_of.__getitem__, ids)).decode(errors="replace")
