"""Words of Chinese and Japanese statements that ask for one of several right answers, and words that only look so."""

from __future__ import annotations

import pytest

from microcoder_data.process.several_answers import several_answers
from microcoder_data.schema import new_row, new_test


def printed(said: str, answer: str) -> str | None:
    return several_answers(new_row(statement=said, kind="stdin", tests=[new_test("4\n", answer)]))


def returned(said: str, answer: str) -> str | None:
    return several_answers(new_row(statement=said, kind="call", tests=[new_test("4", answer)]))


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("条件を満たす帽子の置き方をひとつ求めてください。", "RY\nGR\n"),
        ("そのような例を $1$ つ構成してください。", "1 2\n1 4\n"),
        ("条件を満たす順列が存在するか判定し、存在する場合 $1$ 通り構成してください。", "2 4 3 0\n"),
        ("条件を満たす整数の組が存在する場合は以下の形式で出力せよ。", "1 1\n"),
        ("条件を満たす文字列が存在する場合はその文字列を、そうでない場合は `-1` を出力せよ。", "1*3\n"),
        ("帽子が最も少ない例を $1$ つ出力してください。", "0 1 1\n"),
        ("条件を満たすどのような出力も正解とみなされる。", "2\n1 3\n2 4\n"),
        ("$A$ と等しくない帽子の番号をいずれかひとつ出力してください。", "2\n"),
        ("複数の解が存在する場合は、そのいずれも認められる。", "1 2\n"),
        ("差が最大になる組を選んで下さい。組が複数ある場合、どれを選んでも構いません。", "11 6\n"),
        ("同じ得点を複数の参加者が得た場合、その得点を獲得した提出の早い方が上位となる。", "LDDU\n"),
    ],
)
def test_japanese_tasks_that_ask_for_one_of_several(said: str, answer: str) -> None:
    assert printed(said, answer)


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("帽子を好きな順番で連結し、辞書順最小の文字列を出力せよ。", "axxb\n"),
        ("`AC` か `WA` のいずれかを出力せよ。", "AC\n"),
        ("いくつかのマスを塗り替えることで、どの隣り合う色も異なるようにしたい。最小の枚数を出力せよ。", "3\n"),
        ("最後の $1$ つの頂点の座標を求めてください。", "1 2\n"),
        ("条件を満たす整数がただ一つ存在することが示せる。和を空白区切りで出力せよ。", "1 2\n"),
        ("最大値が複数ある場合はどれを選んでもよい。答えを出力せよ。", "3\n"),
        ("`AB` を $1$ 行に $1$ つずつ出力せよ。", "A B\nB A\n"),
    ],
)
def test_japanese_words_about_a_step_or_one_answer(said: str, answer: str) -> None:
    assert not printed(said, answer)


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("返回 `hats` 的 **任意** 排列，使得优势最大。", "[2, 11, 7]"),
        ("你可以返回任何达成目标的路径。", '"DDR!"'),
        ("返回满足题意的任一重排结果。", "[1, 2, 4]"),
        ("任何具有相同相似度的答案都会被视为正确答案。", '"#11ee66"'),
        ("请找到任意一种 **最少** 数量帽子的方案，并返回所有帽子的坐标。", "[[1, 1], [2, 1]]"),
    ],
)
def test_chinese_tasks_that_ask_for_any(said: str, answer: str) -> None:
    assert returned(said, answer)


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("如果有多个最小的字符，你可以删除它们中的任意一个。返回最终的字符串。", '"aab"'),
        ("每一步选择其中任意一个下标。返回数组。", "[0, 1]"),
        ("返回任何有效序列中可能的最大值。", "7"),
        ("返回执行任意次操作后能得到的字典序最小的数组。", "[1, 3, 5]"),
        ("你不需要返回任何值。", "[1]"),
        ("找到任意一种方案中帽子数量的最大值，返回各行的值。", "[1, 2]"),
        ("任何误差小于 `10^-5` 的答案都将被视为正确答案。", "12.75"),
    ],
)
def test_chinese_words_about_a_step_or_an_optimum(said: str, answer: str) -> None:
    assert not returned(said, answer)


def test_such_a_number_is_one_of_several() -> None:
    assert printed("If you can, find such an $M$. Otherwise, print -1.", "7\n")
    assert printed("Print a number between $A$ and $B$ (inclusive) that is a multiple of $C$.", "200\n")
    assert not printed("The rate is a fraction. Print such R modulo 998244353.", "12\n")
    assert not printed("Print an integer representing the day that is a holiday.", "3\n")
