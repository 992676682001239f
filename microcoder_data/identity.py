"""The identity of a problem across dumps: platform, contest, index and slug, read from its address or names.

https://codeforces.com/contest/1873/problem/A        codeforces 1873 A
https://leetcode.cn/problems/two-sum/                leetcode two-sum
https://atcoder.jp/contests/abc046/tasks/arc062_b    atcoder arc062_b: a contest also lists tasks of another one

An identity says where a problem was published. Whether two rows are one problem is decided by `compare/evidence.py`,
which also reads their samples and statements.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from microcoder_data.schema import Row


class Place(NamedTuple):
    """Where a problem was published."""

    platform: str
    contest_id: str | None = None
    problem_index: str | None = None
    slug: str | None = None


_ADDRESSES: list[tuple[re.Pattern[str], str]] = [
    (re.compile(pattern, re.IGNORECASE), platform)
    for pattern, platform in (
        (
            r"codeforces\.(?:com|ml|es)/(?:problemset/problem|problemset/gymProblem)/(?P<c>\d+)/(?P<i>[A-Z]\d?)",
            "codeforces",
        ),
        (r"codeforces\.(?:com|ml|es)/(?:contest|gym)/(?P<c>\d+)/problem/(?P<i>[A-Z]\d?)", "codeforces"),
        (r"leetcode(?:-cn)?\.(?:com|cn)/(?:contest/[\w-]+/)?problems/(?P<s>[\w-]+)", "leetcode"),
        (r"atcoder\.jp/contests/(?P<c>[\w-]+)/tasks/(?P<s>[\w-]+)", "atcoder"),
        (r"(?P<c>[\w-]+)\.contest\.atcoder\.jp/tasks/(?P<s>[\w-]+)", "atcoder"),
        (r"codechef\.com/(?:(?!problems/)[\w-]+/)?problems/(?P<s>\w+)", "codechef"),
        (r"hackerrank\.com/(?:contests/[\w-]+/)?challenges/(?P<s>[\w-]+)", "hackerrank"),
        (r"hackerearth\.com/.*?/algorithm/(?P<s>[\w-]+)", "hackerearth"),
        (r"hackerearth\.com/problem/\w+/(?P<s>[\w-]+)", "hackerearth"),
        (r"codewars\.com/kata/(?P<s>[0-9a-f]{24}|[\w-]+)", "codewars"),
        (
            r"geeksforgeeks\.org/(?:problems|batch/[\w-]+/track/[\w-]+/problem)/(?P<s>[\w-]+?)(?:-?\d{4,})?(?:/|$)",
            "geeksforgeeks",
        ),
        (r"kattis\.com/(?:contests/\w+/)?problems/(?P<s>\w+)", "kattis"),
        (r"u-aizu\.ac\.jp/onlinejudge/description\.jsp\?id=(?P<s>\w+)", "aizu"),
        (r"onlinejudge\.u-aizu\.ac\.jp/(?:.*/)?problems/(?P<s>\w+)", "aizu"),
        (r"spoj\.com/problems/(?P<s>\w+)", "spoj"),
        (r"cses\.fi/problemset/task/(?P<s>\d+)", "cses"),
        (r"luogu\.com(?:\.cn|)/problem/(?P<s>\w+)", "luogu"),
        (r"acm\.timus\.ru/problem\.aspx\?.*num=(?P<s>\d+)", "timus"),
        (r"projecteuler\.net/problem=(?P<s>\d+)", "projecteuler"),
        (r"acmicpc\.net/problem/(?P<s>\d+)", "baekjoon"),
    )
]
_HEAD_CHARACTERS = 1000
_OWN_ADDRESS = re.compile(
    r"\s*(?:\#+\s*|[-*>]\s+)?(?:\*\*)?(?:(?:problem|link|source|url)\s*(?:link)?:\s*)?"
    r"(?:\[[^\]\n]*\]\((?P<linked>https?://[^)\s]+)\)|<?(?P<bare>https?://[^\s>]+)>?)(?:\*\*)?[ \t]*(?:\n|\Z)",
    re.IGNORECASE,
)
"""A statement's first line, if it is only a link: the problem's own address. Links further down lead to other pages."""
LONGEST_ADDRESS = 2_000
"""In characters: a longer text is no address, and would be searched for hours."""
LEAST_LETTERS, MOST_LOST = 2, 0.25
"""A slug needs this many ASCII letters, and may lose this share of a title's letters."""


def place_of(address: str | None) -> Place | None:
    """The place that an address names, or None.

    >>> place_of("https://atcoder.jp/contests/abc301/tasks/abc301_a")
    Place(platform='atcoder', contest_id='abc301', problem_index='a', slug='abc301_a')
    >>> place_of("https://atcoder.jp/contests/abc046/tasks/arc062_b")
    Place(platform='atcoder', contest_id='abc046', problem_index=None, slug='arc062_b')
    """
    if not address or len(address) > LONGEST_ADDRESS:
        return None
    for pattern, platform in _ADDRESSES:
        if found := pattern.search(address):
            part = {name: text.lower() for name, text in found.groupdict().items() if text}
            contest, index, slug = part.get("c"), part.get("i"), part.get("s")
            if platform == "codeforces" and index:
                index = index.upper()
            if platform == "atcoder" and contest and slug:
                index = _index_in(contest, slug)
            return Place(platform, contest, index, slug)
    return None


def _index_in(contest: str, task: str) -> str | None:
    """The index of an AtCoder task, if the task's name is the contest's own."""
    own, _, index = task.rpartition("_")
    return index if own.replace("_", "-") == contest.replace("_", "-") else None


def slug_of(title: str | None) -> str:
    """A title as an address writes it.

    >>> slug_of("19. Remove Nth Node From End of List")
    'remove-nth-node-from-end-of-list'

    A title in another script has no slug:

    >>> slug_of("猜数字 I")
    ''
    """
    if not title:
        return ""
    letters = sum(character.isalpha() for character in title)
    kept = sum(character.isalpha() and ord(character) < 0x250 for character in title)
    if kept < LEAST_LETTERS or letters - kept > MOST_LOST * letters:
        return ""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower().replace("'", "")
    plain = re.sub(r"^\s*(?:\d+|[a-z]\d?)\s*[.:)-]\s+", "", plain)
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def identities(row: Row) -> list[str]:
    """Names that are equal for the same problem in two dumps, strongest first.

    >>> from microcoder_data.schema import new_row
    >>> identities(new_row(platform="codeforces", contest_id="1873", problem_index="A", statement=""))
    ['codeforces:1873/A']
    """
    names: list[str] = []
    platform = (row["platform"] or "").lower()
    head = row["statement"][:_HEAD_CHARACTERS]
    own = _OWN_ADDRESS.match(head) if "://" in head else None
    places = [place_of(row["url"]), place_of(own["linked"] or own["bare"]) if own and not row["url"] else None]
    found = [place for place in places if place]
    # An AtCoder contest may list a task of another contest: then its address names the task, and the columns do not.
    if not (platform == "atcoder" and any(place.platform == "atcoder" for place in found)):
        _add(names, Place(platform, row["contest_id"], row["problem_index"], row["slug"]))
    for place in found:
        _add(names, place)
    title = slug_of(row["title"])
    if title:
        if platform == "leetcode" and not row["slug"]:
            names.append(f"leetcode:{title}")
        if row["contest_id"] and platform:
            names.append(f"{platform}:{row['contest_id'].lower()}/{title}")
    return list(dict.fromkeys(names))


def _add(names: list[str], place: Place) -> None:
    """Add the names that a place gives a problem."""
    platform, contest, index, slug = place
    if not platform:
        return
    if platform == "atcoder":
        task = slug or (f"{contest}_{index}" if contest and index else "")
        if task:
            names.append(f"atcoder:{task.lower().replace('-', '_')}")
        return
    if contest and index:
        case = str.upper if platform == "codeforces" else str.lower
        names.append(f"{platform}:{contest.lower()}/{case(index)}")
    if slug:
        names.append(f"{platform}:{slug.lower()}")
