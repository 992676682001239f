"""Who a problem is: addresses, titles and columns of several dumps name the same problem."""

from __future__ import annotations

import time

import pytest

from microcoder_data.identity import identities, place_of, slug_of
from microcoder_data.schema import new_row

pytestmark = pytest.mark.fast


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://codeforces.com/problemset/problem/1873/A", "codeforces:1873/A"),
        ("http://codeforces.com/contest/1873/problem/a", "codeforces:1873/A"),
        ("https://www.geeksforgeeks.org/problems/koko-eating1587/1", "geeksforgeeks:koko-eating"),
        ("https://geeksforgeeks.org/batch/gfg-160/track/arrays/problem/koko-eating-1587", "geeksforgeeks:koko-eating"),
        ("https://atcoder.jp/contests/abc301/tasks/abc301_a", "atcoder:abc301_a"),
        ("https://atcoder.jp/contests/abc046/tasks/arc062_b", "atcoder:arc062_b"),
        ("https://codeforces.com/gym/100001/problem/B", "codeforces:100001/B"),
        ("https://codeforces.com/problemset/gymProblem/100001/B", "codeforces:100001/B"),
        ("https://abc001.contest.atcoder.jp/tasks/abc001_1", "atcoder:abc001_1"),
        ("https://leetcode.com/problems/two-sum/description/", "leetcode:two-sum"),
        ("https://leetcode.cn/problems/two-sum", "leetcode:two-sum"),
        ("https://leetcode.com/contest/weekly-contest-1/problems/two-sum/", "leetcode:two-sum"),
        ("https://www.codechef.com/problems/TWOSUM", "codechef:twosum"),
        ("https://www.codechef.com/COOK12/problems/TWOSUM", "codechef:twosum"),
        ("https://www.hackerrank.com/challenges/two-sum/problem", "hackerrank:two-sum"),
        ("https://open.kattis.com/problems/twosum", "kattis:twosum"),
        ("https://www.codewars.com/kata/5552101f47fc5178b1000050", "codewars:5552101f47fc5178b1000050"),
        ("https://cses.fi/problemset/task/1640", "cses:1640"),
    ],
)
def test_addresses_name_problems(address: str, name: str) -> None:
    assert place_of(address) is not None
    assert identities(new_row(url=address, statement="")) == [name]


def test_a_text_that_is_too_long_for_an_address_takes_no_time() -> None:
    start = time.process_time()
    assert place_of("https://leetcode.com/problems/" + "a-" * 50_000) is None
    assert time.process_time() - start < 1


def test_names_from_other_columns() -> None:
    assert identities(new_row(platform="leetcode", title="1. Two Sum", statement="")) == ["leetcode:two-sum"]
    heading = "# [1. Two Sum](https://leetcode.com/problems/two-sum)\n\nText."
    assert identities(new_row(statement=heading)) == ["leetcode:two-sum"]
    assert identities(new_row(statement="No address.")) == []
    assert slug_of("A. Bob's Règle (easy)") == "bobs-regle-easy"


def test_a_contest_that_lists_a_task_of_another_one_does_not_name_it() -> None:
    row = new_row(
        platform="atcoder",
        contest_id="abc046",
        problem_index="b",
        url="https://atcoder.jp/contests/abc046/tasks/arc062_b",
        statement="",
    )
    assert identities(row) == ["atcoder:arc062_b"]
    assert identities(new_row(platform="atcoder", contest_id="abc046", problem_index="b", statement="")) == [
        "atcoder:abc046_b"
    ]


def test_a_link_inside_a_statement_is_not_the_rows_address() -> None:
    see = "Compare [Two Sum](https://leetcode.com/problems/two-sum): the array is sorted here."
    assert identities(new_row(statement=see)) == []
    listed = "- [Two Sum](https://leetcode.com/problems/two-sum) is the easier one\n"
    assert identities(new_row(statement=listed)) == []
    heading = "# [1. Two Sum](https://leetcode.com/problems/two-sum)\n"
    elsewhere = new_row(statement=heading, url="https://leetcode.com/problems/3sum/")
    assert identities(elsewhere) == ["leetcode:3sum"]


@pytest.mark.parametrize(
    ("title", "slug"), [("最长回文子序列 I", ""), ("LCP 01. 猜数字", ""), ("Задача A", ""), ("3Sum", "3sum")]
)
def test_a_title_in_another_script_has_no_slug(title: str, slug: str) -> None:
    assert slug_of(title) == slug
    expected = [f"leetcode:{slug}"] if slug else []
    assert identities(new_row(platform="leetcode", title=title, statement="")) == expected
