"""Makes the letter table that recognises the language of short statements (microcoder_data/process/letters.txt).

    apt-get download wamerican wbrazilian wdanish wdutch wfrench witalian wngerman wnorwegian wpolish wspanish \\
        wswedish hunspell-is myspell-et && for file in *.deb; do dpkg-deb -x $file lists; done
    python bench/language_letters.py lists

In each list all sequences of three letters are counted, with a space at a word's ends. A line of the table has three
letters and, for each language, how much rarer they are there than in the language where they are most common: 0 to 9,
in steps of 2/3 of a power of e. The table holds no words.
"""

from __future__ import annotations

import argparse
import math
import random
import re
from collections import Counter, defaultdict
from pathlib import Path

LISTS = {
    "en": "dict/american-english", "sv": "dict/swedish", "da": "dict/danish", "no": "dict/bokmaal",
    "de": "dict/ngerman", "nl": "dict/dutch", "pt": "dict/brazilian", "es": "dict/spanish", "fr": "dict/french",
    "it": "dict/italian", "is": "hunspell/is_IS.dic", "et": "hunspell/et_EE.dic", "pl": "dict/polish",
}  # fmt: skip
WORDS, COMMON, STEPS = 150_000, 7e-5, 1.5
_WORD = re.compile(r"[^\W\d_]{2,16}")


def words_of(path: Path) -> list[str]:
    content = path.read_bytes()
    try:
        text = content.decode()
    except UnicodeDecodeError:
        text = content.decode("iso-8859-15")
    lines = [re.split(r"[/\t ]", line, maxsplit=1)[0] for line in text.splitlines()]
    if path.suffix == ".dic":
        lines = inflected(text.splitlines(), path.with_suffix(".aff"))
    german = path.name == "ngerman"  # its nouns have capitals; elsewhere those are names
    return sorted({word.lower() for word in lines if _WORD.fullmatch(word) and (german or word.islower())})


def inflected(lines: list[str], rules_file: Path) -> list[str]:
    """The words of a Hunspell dictionary with the endings that its rules give them."""
    encoding = "utf-8" if b"SET UTF-8" in rules_file.read_bytes() else "iso-8859-15"
    rules: dict[str, list[tuple[str, str, re.Pattern[str]]]] = defaultdict(list)
    numbered = False
    for line in rules_file.read_text(encoding=encoding, errors="replace").splitlines():
        field = line.split()
        numbered |= field[:2] == ["FLAG", "num"]
        if len(field) >= 5 and field[0] == "SFX":
            end, added = ("" if part == "0" else part for part in (field[2], field[3].split("/")[0]))
            rules[field[1]].append((end, added, re.compile(f"(?:{field[4]})$")))
    found = []
    for line in random.Random(0).sample(lines, min(len(lines), 40_000)):
        word, _, flags = re.split(r"[\t ]", line, maxsplit=1)[0].partition("/")
        found.append(word)
        for flag in flags.split(",") if numbered else flags:
            for end, added, fits in rules.get(flag, ()):
                if word.endswith(end) and fits.search(word):
                    found.append(word[: len(word) - len(end)] + added)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lists", type=Path, help="where the packages were unpacked")
    parser.add_argument("--out", type=Path, default=Path("microcoder_data/process/letters.txt"))
    options = parser.parse_args()
    shares: dict[str, dict[str, float]] = {}
    for language, place in LISTS.items():
        words = words_of(options.lists / "usr/share" / place)
        chosen = random.Random(1).sample(words, min(WORDS, len(words)))
        counts = Counter(f" {word} "[at : at + 3] for word in chosen for at in range(len(word)))
        shares[language] = {letters: count / counts.total() for letters, count in counts.items()}
    common = {
        letters: max(share.get(letters, 0) for share in shares.values())
        for share in shares.values()
        for letters in share
    }
    least = COMMON / 20
    with options.out.open("w", encoding="utf-8") as file:
        print(" ".join(LISTS), file=file)
        for letters in sorted(letters for letters, share in common.items() if share >= COMMON):
            rarer = [math.log(common[letters] / max(share.get(letters, 0), least)) for share in shares.values()]
            print(letters + "".join(str(min(9, round(STEPS * step))) for step in rarer), file=file)


if __name__ == "__main__":
    main()
