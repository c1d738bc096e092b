"""How search compares texts: words, their inflected forms, and units. The rules are those of docs/internals/search.md."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from itertools import groupby, pairwise

import snowballstemmer

STEMMER = snowballstemmer.stemmer("english")

SAME = (
    ("metre", "metres", "meter", "meters", "m"),
    ("gas", "gases"),
    ("analysis", "analyses"),
    ("axis", "axes"),
    ("index", "indices", "indexes"),
    ("vapour", "vapor"),
    ("colour", "color", "colours", "colors"),
    ("centre", "center", "centres", "centers"),
    ("grey", "gray"),
    ("sulphate", "sulfate"),
)
"""Words that are the same for search. The first stands for all."""

UNITS = (
    ("1", "dimensionless"),
    ("%", "percent"),
    ("K", "kelvin", "degK"),
    ("degC", "celsius", "°C"),
    ("m", "metre", "metres", "meters"),
    ("s", "second", "seconds"),
    ("kg", "kilograms"),
    ("W", "watts"),
    ("dbar", "decibar"),
    ("ppm", "ppmv"),
)
"""Spellings of those units that random corpora have. The first one is shown."""


@cache
def split_words(text: str) -> tuple[str, ...]:
    """The words of a text, in lower case and without accents."""
    plain = [letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.category(letter).startswith("M")]
    words = []
    for is_name, letters in groupby(plain, key=lambda letter: unicodedata.category(letter)[0] in "LN"):
        for part in _split_name(list(letters)) if is_name else ():
            length = next((at for at, letter in enumerate(part) if unicodedata.category(letter)[0] != "N"), len(part))
            words += [word.lower()[:64] for word in (part[:length], part[length:]) if word]
    return tuple(words)


def _split_name(letters: list[str]) -> list[str]:
    """The parts of a name such as `airTemp` or `SSTMean`: a capital begins one after a small letter, or before one."""
    kinds = [unicodedata.category(letter) for letter in letters]
    parts = letters[:1]
    for before, kind, after, letter in zip(kinds, kinds[1:], [*kinds[2:], ""], letters[1:]):
        follows = kind == "Lu" and (before == "Ll" or (after == "Ll" and (before == "Lu" or before[0] == "N")))
        parts = [*parts, letter] if follows else [*parts[:-1], parts[-1] + letter]
    return parts


def find_series(word: str) -> str | None:
    """The letters before the digits of a name: `era5` is one of the `era`s. Shorter ones than `era` name no series."""
    length = next((at for at, letter in enumerate(word) if unicodedata.category(letter)[0] == "N"), 0)
    return word[:length] if length >= 3 else None


@cache
def stem(word: str) -> str:
    """What all inflected forms of a word share."""
    same = next((words[0] for words in SAME if word in words), None)
    if same is not None:
        return same
    return STEMMER.stemWord(word) if re.fullmatch(r"[a-z]{4,}", word) else word


def stems(text: str) -> tuple[str, ...]:
    return tuple(map(stem, split_words(text)))


def pairs(words: tuple[str, ...]) -> list[tuple[str, str]]:
    """The neighbours in a text."""
    return list(pairwise(words))


@cache
def fold_units(text: str) -> str:
    """One spelling for all products of powers that are the same, such as `m s-1`; other texts stay as they are."""
    text = text.strip()
    if (known := _find_unit(text)) is not None:
        return known
    over = [side.split() for side in re.sub(r"[.·*]", " ", re.sub(r"\s+per\s+", "/", text.replace("**", "^"))).split("/")]
    factors = [(factor, 1 if side == 0 else -1) for side, names in enumerate(over) for factor in names if factor != "1"]
    powers = [(re.fullmatch(r"([^\W\d]+|%|°\w)\^?([+-]?\d{1,2})?", factor), sign) for factor, sign in factors]
    if not all(over) or not all(power for power, _ in powers):
        return text
    signed = [(power[1], sign * int(power[2] or 1)) for power, sign in powers if power]
    written = [f"{_find_unit(unit) or unit}{'' if exponent == 1 else exponent}" for unit, exponent in signed]
    return " ".join(written) or "1"


def _find_unit(unit: str) -> str | None:
    """Case counts in short names."""
    for shown, *others in UNITS:
        if unit in (shown, *others) or (len(unit) > 3 and unit.lower() in map(str.lower, (shown, *others))):
            return shown
    return None
