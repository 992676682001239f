"""Judge whether two rows are one problem, by evidence for it and against it.

`duplicates.py` finds pairs that share something: words, tests, samples, an address. This file judges each pair:

    samples      an input with the same answer in both is evidence for one problem, with two answers against it
    family       titles that differ by a number or a version, in any language: II and III, easy and hard, D1 and D2; or
                 the statements say so
    contrast     texts that differ in words of opposite meaning: preorder and postorder, minimum and maximum
    constants    the texts have other numbers or bounds in the same place: see `constants.py`
    symbols      each text quotes symbols that the other one lacks
    signature    the functions have different names
    tests        each has several tests, and hardly any input is in both
    address      the platform lists the two as different problems

Nothing here reads files. Different answers say nothing where several answers are right.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Set
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from microcoder_data.compare.constants import (
    LINK,
    bounds_far_apart,
    constants_differ,
    letters_differ,
    numbers,
    without_bounds,
)
from microcoder_data.compare.families import family, is_sequel, opposed, title_key, versions_said
from microcoder_data.compare.profile import EITHER, Profile
from microcoder_data.compare.tokens import without_markup
from microcoder_data.identity import slug_of

ALIKE, NEARLY_EQUAL, EQUAL, RELATED, NAMED_ALIKE, RELATED_ACROSS_LANGUAGES = 0.8, 0.92, 0.98, 0.4, 0.5, 0.3
"""Shares of common words from which two texts are versions of one text (ALIKE), are nearly equal, are equal but for a
correction, describe the same task in other words (RELATED), or do so under the same name. The last one is a share of
the numbers and names that a translation keeps."""
TEXTS_KEPT = 512
"""How many texts have their words cached, about 30 KB each: a row is compared with few others, soon after another."""
ENOUGH_WEIGHT, ENOUGH_OF_ONE, ENOUGH_TRANSLATED = 14, 24, 6
"""Equal samples of less weight are a coincidence (see `examples.py`). A single equal sample needs the second weight,
and all samples of a text with the same numbers and names as one in another language the third."""
LONGEST_TITLE, REWRITTEN = 20, 0.2
"""Of a longer title only so many characters count as evidence. A text that its site has written anew under the same
title keeps such a share of its words."""
TRANSLATED, LEAST_NAMES = 0.9, 5
"""The share of its numbers and names that a translation keeps, and how many it must keep."""
LONGEST_ARTICLE, LONGEST_STEM, SPELLED_ALIKE = 3, 5, 0.6
"""The longest word that may be an article, in characters; how many characters of a word all its forms have; how alike
two spellings of one word are."""
TITLE_SAID = 0.6
"""A statement has that share of its title's words; of another task's title 2 in 100 statements have it."""
ENOUGH_TESTS = 3
"""As many tests of each row show that the two are tested on different inputs."""
ONE_ADDRESS_A_PROBLEM = frozenset(
    ["leetcode", "atcoder", "codewars", "geeksforgeeks", "cses", "kattis", "hackerrank", "luogu", "aizu", "spoj"]
)
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*|[\u3040-\u30ff\u4e00-\u9fff]")
_OF_A_CONTEST = re.compile(r"codeforces:(\d+)/([A-Z]\d?)(?![\w-])")
_SYNONYMS = tuple(
    frozenset(words.split())
    for words in (
        "find return returns print output write compute calculate determine give tell check",
        "list array sequence vector tuple",
        "string text word",
        "number integer value element",
        "numbers integers values elements items",
        "function method program",
        "whether that",
    )
)
_NEGATIONS = frozenset(["not", "no", "never", "cannot", "without", "nor"])
_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_SIGN = r"([^\w\s\"'`“”‘’]{1,6})"
_SIGNS = re.compile(rf"([\"'`]){_SIGN}\1|(?:“|‘|``){_SIGN}(?:”|’|'')")
_ANY_FUNCTION = frozenset(
    ["solve", "solution", "main", "candidate", "f", "func", "function", "taskfunc", "answer", "run"]
)

WEAK_REASONS = ("same_samples", "same_name")
"""Rows that share only these are not marked as kept apart."""


@dataclass(frozen=True)
class Judgement:
    """Whether two rows are one problem, and what decided it."""

    same: bool
    why: str
    fault: str = ""
    """Where this program failed on the two."""


@dataclass(frozen=True)
class Shared:
    """What two rows' samples and tests have in common."""

    agree: int
    differ: int
    weight: int
    """The weight of the pairs that agree."""
    whole: bool
    """Whether all samples of one row are among the samples and tests of the other, with the same answers."""
    apart: bool
    """Whether both have samples and no input of one is among the inputs of the other."""

    @property
    def convincing(self) -> bool:
        """Whether the samples are enough evidence for one problem."""
        return self.whole and _weighs_enough(self.agree, self.weight)


def share_little(a: Profile, b: Profile) -> bool:
    """Whether two rows have so little in common, beside a sample or a name, that they are not one problem.

    It is decided fast: nearly all rows with a common sample are such.
    """
    equal = _equal(a, b)
    if not equal and not _of_one_kind(a, b):
        return False
    weight = sum(a.weights[key] for key in equal)
    if _weighs_enough(len(equal), weight) or (weight >= ENOUGH_TRANSLATED and a.language != b.language):
        return False
    return set(a.names).isdisjoint(b.names) and not _named_alike(a, b)


def judge(a: Profile, b: Profile, reason: str) -> Judgement:
    """Whether `a` and `b` are one problem. `reason` is why they were compared: see `duplicates.py`."""
    shared = samples_of(a, b)
    if shared.differ and shared.differ >= shared.agree:
        return Judgement(False, "samples_differ")
    address = _one_address(a, b)
    if family(a.title, b.title) or (is_sequel(a.title, b.title) and not (address and shared.whole)):
        return Judgement(False, "family")
    if _two_of_one_contest(a, b):
        return Judgement(False, "address")
    of_one_kind = bool(shared.agree) or _of_one_kind(a, b)
    translated = shared.whole and shared.weight >= ENOUGH_TRANSLATED and _is_translation(a, b)
    rewritten = _titled_and_shown_alike(a, b, shared)
    proven = shared.convincing or translated or rewritten or (shared.whole and _named_alike(a, b))
    if reason in WEAK_REASONS and of_one_kind and not (address or proven):
        return Judgement(False, "few_samples")  # as below; most such pairs have nothing else in common
    one_language = a.language == b.language or not (a.language and b.language)
    if versions_said(a.text, b.text):
        return Judgement(False, "family")
    likeness = words_shared(a.text, b.text) if one_language else names_shared(a.text, b.text)
    if one_language and likeness >= ALIKE and (veto := _text_differs(a, b, shared, address, likeness)):
        return Judgement(False, veto)
    if not of_one_kind:
        return Judgement(
            one_language and likeness >= (_enough_at_address(a, b) if address else NEARLY_EQUAL), "kinds_differ"
        )
    if address:
        return _judge_same_address(a, b, shared, likeness, one_language)
    apart = _listed_apart(a, b) and not (one_language and likeness >= NEARLY_EQUAL)
    if reason == "same_tests" and not (apart or shared.apart or _little_in_common(a, b, shared)):
        return Judgement(True, reason)
    if _listed_apart(a, b) and not (shared.whole and one_language and likeness >= NEARLY_EQUAL):
        return Judgement(False, "address")
    if _of_two_contests(a, b) and likeness < NEARLY_EQUAL and not shared.whole:
        return Judgement(False, "address")
    if reason in ("same_text", "near_text"):
        return _judge_near_texts(a, b, shared, likeness)
    if one_language and rewritten and (shared.convincing or _worded_alike(a, b, shared, likeness)):
        return Judgement(True, reason)
    enough_examples = shared.convincing or (shared.whole and shared.agree > 1 and _same_title(a, b))
    if one_language and enough_examples and _same_function(a, b) and not _titled_apart(a, b):
        return Judgement(True, reason)  # one statement may have lost most of its text, or have other words
    named_alike = RELATED if shared.agree > 2 and _same_function(a, b) else NAMED_ALIKE
    if not (shared.convincing or translated or (shared.whole and likeness >= named_alike and _named_alike(a, b))):
        return Judgement(False, "few_samples")
    if _signatures_differ(a, b) and likeness < ALIKE:
        return Judgement(False, "signature")
    enough = RELATED if one_language else RELATED_ACROSS_LANGUAGES
    return Judgement(likeness >= enough, reason if likeness >= enough else "statements_differ")


def _text_differs(a: Profile, b: Profile, shared: Shared, address: bool, likeness: float) -> str | None:
    """The difference that makes two versions of one text two tasks; None if there is none."""
    if _only_in_each(_signs(a.text), _signs(b.text)):
        return "symbols"
    confirmed = shared.agree > 1 and (shared.convincing or (shared.whole and address))
    if (not confirmed or _signatures_differ(a, b)) and contrast(a.text, b.text):
        return "contrast"
    apart = _of_two_contests(a, b) or (_listed_apart(a, b) and not address)
    known = not apart and bool(shared.agree) and (address or _same_title(a, b))
    if known and address:
        return None
    if not (known and (shared.whole or _weighs_enough(shared.agree, shared.weight))):
        return "constants" if _another_constant(a.text, b.text, shared) else None
    one, other = without_bounds(a.text), without_bounds(b.text)
    apart = bounds_far_apart(a.text, b.text) or _another_constant(one, other, shared)
    return "constants" if apart else None


def _another_constant(one: str, other: str, shared: Shared) -> bool:
    """Whether the texts have other numbers or bounds; without a common sample, other letters count too."""
    return (
        _only_in_each(numbers(one), numbers(other))
        or constants_differ(one, other)
        or (not shared.agree and letters_differ(one, other))
    )


def _judge_near_texts(a: Profile, b: Profile, shared: Shared, likeness: float) -> Judgement:
    if shared.differ and shared.weight < ENOUGH_WEIGHT:  # one form, filled in twice: what agrees is chance
        return Judgement(False, "samples_differ")
    if _little_in_common(a, b, shared):
        return Judgement(False, "samples_apart")
    if likeness < 1 and shared.weight < ENOUGH_WEIGHT and _tests_apart(a, b):  # the same, with other words
        return Judgement(False, "tests_apart")
    if _signatures_differ(a, b) and not shared.whole:
        return Judgement(False, "signature")
    if shared.agree:
        return Judgement(True, "near_text")
    if shared.apart and (likeness < EQUAL or numbers(a.text) != numbers(b.text)):
        return Judgement(False, "samples_apart")
    return Judgement(True, "near_text")


def _tests_apart(a: Profile, b: Profile) -> bool:
    """Whether two rows without a common name have several tests each, and hardly an input in common."""
    fewer, common = min(len(a.tests), len(b.tests)), a.pairs.keys() & b.pairs.keys()
    return fewer >= ENOUGH_TESTS and 4 * len(common) < fewer and not _named_alike(a, b)


def _judge_same_address(a: Profile, b: Profile, shared: Shared, likeness: float, one_language: bool) -> Judgement:
    if shared.agree:
        return Judgement(True, "same_address")
    alike = likeness >= (_enough_at_address(a, b) if one_language else ALIKE)
    if shared.apart and not (alike and (one_language or _same_function(a, b))):
        return Judgement(False, "samples_apart")
    if one_language and likeness < min(RELATED, _enough_at_address(a, b)):
        return Judgement(False, "statements_differ")
    return Judgement(True, "same_address")


def _enough_at_address(a: Profile, b: Profile) -> float:
    """The share of common words that two texts at one address need: sites rewrite statements, and keep the titles."""
    if not _same_title(a, b):
        return ALIKE
    return 0 if _says_title(a) and _says_title(b) else RELATED


def _says_title(profile: Profile) -> bool:
    """Whether the text has most of the title's words, in any form: it is about what the title names."""
    words = [word for word in title_key(profile.title).split() if len(word) > LONGEST_ARTICLE]
    said = {word[:LONGEST_STEM] for word in _words(profile.text)}
    return bool(words) and sum(word[:LONGEST_STEM] in said for word in words) >= TITLE_SAID * len(words)


def samples_of(a: Profile, b: Profile) -> Shared:
    """Compare the samples and first tests of two rows."""
    ours, theirs = a.pairs, b.pairs
    common = ours.keys() & theirs.keys()
    equal = _equal(a, b)
    differ = len(common) - len(equal)
    if differ and (a.several or b.several):
        differ = 0
    fewer, others = (a.samples or a.tests, theirs), (b.samples or b.tests, ours)
    whole = any(bool(some) and all(other.get(key) == some[key] for key in some) for some, other in (fewer, others))
    apart = bool(a.samples and b.samples) and not common
    return Shared(len(equal), differ, sum(a.weights[key] for key in equal), whole, apart)


def _of_one_kind(a: Profile, b: Profile) -> bool:
    """Whether both may be programs, or both functions."""
    return EITHER in (a.kind, b.kind) or (a.kind == "stdin") == (b.kind == "stdin")


def _equal(a: Profile, b: Profile) -> list[str]:
    """The inputs to which both rows have the same answer."""
    ours, theirs = a.pairs, b.pairs
    return [key for key in ours.keys() & theirs.keys() if ours[key] == theirs[key]]


def _weighs_enough(pairs: int, weight: int) -> bool:
    """Whether so many equal samples of this weight are no coincidence."""
    return weight >= (ENOUGH_WEIGHT if pairs > 1 else ENOUGH_OF_ONE)


def contrast(one: str, other: str) -> bool:
    """Whether two texts differ in words of opposite meaning, in nothing but a `not`, or in nothing but one word.

    >>> contrast("Print the minimum sum.", "Print the maximum sum."), contrast("Print a sum.", "Print the sum.")
    (True, False)
    >>> contrast("Print those that are prime.", "Print those that are not prime."), contrast("Count it.", "Print it.")
    (True, True)
    >>> contrast("Print the colors.", "Print the colours."), contrast("Print it.", "Print it. Do not print more.")
    (False, False)
    >>> contrast("Print what can be made.", "Print what cannot be made."), contrast("You can use it.", "You use it.")
    (True, False)
    """
    a, b = _words(one), _words(other)
    ours, theirs = a - b, b - a
    differing = (ours.keys() | theirs.keys()) - {"can"}  # of `cannot`
    return opposed(ours, theirs) or (bool(differing) and differing <= _NEGATIONS) or _one_replaced(ours, theirs)


def _one_replaced(ours: Counter[str], theirs: Counter[str]) -> bool:
    """Whether one word, no article and no other spelling, stands in place of another one everywhere."""
    if not (len(ours) == len(theirs) == 1 and ours.total() == theirs.total()):
        return False
    (one,), (other,) = ours, theirs
    if any(one in words and other in words for words in _SYNONYMS):
        return False
    return min(len(one), len(other)) > LONGEST_ARTICLE and SequenceMatcher(None, one, other).ratio() < SPELLED_ALIKE


def words_shared(one: str, other: str) -> float:
    """The share of common words of two texts, each counted as often as it occurs."""
    a, b = _words(one), _words(other)
    words = list(a.keys() & b.keys())
    common = sum(map(min, map(a.__getitem__, words), map(b.__getitem__, words)))
    return common / max(1, sum(a.values()) + sum(b.values()) - common)


def _is_translation(a: Profile, b: Profile) -> bool:
    """Whether two texts in two languages have the same numbers and names."""
    if a.language == b.language or not (a.language and b.language):
        return False
    common = _kept_in_translation(a.text) & _kept_in_translation(b.text)
    return len(common) >= LEAST_NAMES and names_shared(a.text, b.text) >= TRANSLATED


def names_shared(one: str, other: str) -> float:
    """The share of common numbers and names, which a translation keeps."""
    a, b = _kept_in_translation(one), _kept_in_translation(other)
    return len(a & b) / max(1, min(len(a), len(b)))


@lru_cache(maxsize=TEXTS_KEPT)
def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(without_markup(LINK.sub(" ", text)).lower()))


@lru_cache(maxsize=TEXTS_KEPT)
def _kept_in_translation(text: str) -> frozenset[str]:
    plain = LINK.sub(" ", text)
    code = " ".join(re.findall(r"`[^`\n]+`|\$[^$\n]+\$", plain)) or plain
    return numbers(text) | frozenset(name.lower() for name in _NAME.findall(code))


@lru_cache(maxsize=TEXTS_KEPT)
def _signs(text: str) -> frozenset[str]:
    return frozenset(straight or curved for _, straight, curved in _SIGNS.findall(text))


def _only_in_each(one: Set[str], other: Set[str]) -> bool:
    """Whether each set has something that the other lacks."""
    return bool(one - other) and bool(other - one)


@lru_cache(maxsize=8192)
def signature_key(entry_point: str) -> str:
    """The name of a function without class, case and underscores; empty for a name such as `solve`, which any function
    has."""
    name = re.sub(r"[\W_]", "", entry_point.rpartition(".")[2].lower())
    return "" if name in _ANY_FUNCTION else name


def _signatures_differ(a: Profile, b: Profile) -> bool:
    one, other = signature_key(a.entry_point), signature_key(b.entry_point)
    return bool(one and other) and one != other


def _named_alike(a: Profile, b: Profile) -> bool:
    return _same_title(a, b) or _same_function(a, b)


def _same_title(a: Profile, b: Profile) -> bool:
    title = title_key(a.title)
    return bool(title) and title == title_key(b.title)


def _titled_and_shown_alike(a: Profile, b: Profile, shared: Shared) -> bool:
    """Whether a title of several words and equal samples are no coincidence together, however the text is worded."""
    title = title_key(a.title)
    if " " not in title or not _same_title(a, b):
        return False
    several = shared.agree > 1
    if several and shared.whole:
        return True
    agree = shared.whole or (not shared.differ and (several or shared.weight >= ENOUGH_WEIGHT))
    return agree and min(len(title), LONGEST_TITLE) + shared.weight >= ENOUGH_OF_ONE


def _worded_alike(a: Profile, b: Profile, shared: Shared, likeness: float) -> bool:
    """Whether two texts under one title may be one task in other words; one equal sample says little about that."""
    if likeness >= RELATED or likeness < REWRITTEN:
        return likeness >= RELATED
    return shared.agree > 1 or (_says_title(a) and _says_title(b))


def _titled_apart(a: Profile, b: Profile) -> bool:
    one, other = title_key(a.title), title_key(b.title)
    return bool(one and other) and one != other


def _same_function(a: Profile, b: Profile) -> bool:
    name = signature_key(a.entry_point)
    return bool(name) and name == signature_key(b.entry_point)


def _little_in_common(a: Profile, b: Profile, shared: Shared) -> bool:
    """Whether the titles differ, and what the samples of both have in common may be chance."""
    few = bool(a.samples and b.samples) and not shared.whole and shared.weight < ENOUGH_WEIGHT
    return few and _titled_apart(a, b)


def _one_address(a: Profile, b: Profile) -> bool:
    """Whether the two have a common address. A title within a contest is one where the platform's own is not known."""
    common = set(a.names) & set(b.names)
    if any(not name.endswith(f"/{slug_of(a.title)}") for name in common):
        return True
    ours, theirs = ({name.partition(":")[0] for name in p.names if name not in common} for p in (a, b))
    return bool(common) and ours.isdisjoint(theirs)


def _two_of_one_contest(a: Profile, b: Profile) -> bool:
    """Whether Codeforces lists the two in one contest under different letters; `D` may be short for `D1`."""
    ours, theirs = (dict(_OF_A_CONTEST.findall(" ".join(p.names))) for p in (a, b))
    letters = [sorted((ours[contest], theirs[contest])) for contest in ours.keys() & theirs.keys()]
    return any(not second.startswith(first) for first, second in letters)


def _of_two_contests(a: Profile, b: Profile) -> bool:
    """Whether Codeforces lists them in two contests: both divisions may have a problem, one with smaller limits."""
    ours, theirs = ({contest for contest, _ in _OF_A_CONTEST.findall(" ".join(p.names))} for p in (a, b))
    return bool(ours and theirs) and ours.isdisjoint(theirs)


def _listed_apart(a: Profile, b: Profile) -> bool:
    """Whether a platform where each problem has one address lists the two rows under different addresses."""
    ours, theirs = ({name.partition(":")[0] for name in p.names} for p in (a, b))
    return bool(ours & theirs & ONE_ADDRESS_A_PROBLEM)
