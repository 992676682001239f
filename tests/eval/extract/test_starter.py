"""Replies that leave out parts of the starter code: the completed programs do what they should."""

from __future__ import annotations

import pytest

from microcoder_eval.extract import extract
from tests.eval.extract.replies import TWO_SUM, call, fenced

pytestmark = pytest.mark.fast

LEETCODE = "class Solution:\n    def twoSum(self, nums: List[int], target: int) -> List[int]:\n        "
HUMANEVAL = (
    "from typing import List\n\n\ndef is_even(n: int) -> bool:\n    return n % 2 == 0\n\n\n"
    "def evens(numbers: List[int]) -> List[int]:\n"
    '    """ Keep the even numbers.\n    >>> evens([1, 2])\n    [2]\n    """\n'
)


class TestStarterCode:
    @pytest.mark.parametrize(
        "reply",
        [
            fenced("class Solution:\n    def twoSum(self, nums, target):\n        return [0, 1]"),
            fenced("def twoSum(self, nums, target):\n    return [0, 1]"),
            fenced("    def twoSum(self, nums, target):\n        return [0, 1]"),
            fenced("def twoSum(nums, target):\n    return [0, 1]"),
            fenced(
                "def twoSum(self, nums: List[int], target: int) -> List[int]:\n    return self.go()\n\n"
                "def go(self):\n    return [0, 1]"
            ),
            fenced("return [0, 1]"),
            fenced("        return [0, 1]"),
            "        for i in range(1):\n            pass\n        return [0, 1]",
            "for i in range(1):\n            pass\n        return [0, 1]",
            f"{LEETCODE}return [0, 1]",
            "        return [0, 1]\n```\nThat is all there is to say.",
        ],
    )
    def test_leetcode(self, reply: str) -> None:
        starter = "from typing import List\n\n" + LEETCODE
        found = extract(reply, starter_code=starter, entry_point="Solution.twoSum")
        assert call(found.code, "Solution.twoSum", [2, 7], 9) == [0, 1], found
        assert found.complete

    @pytest.mark.parametrize(
        "reply",
        [
            "    return [n for n in numbers if is_even(n)]\n",
            "return [n for n in numbers if is_even(n)]",
            "kept = []\n    for n in numbers:\n        if is_even(n):\n            kept.append(n)\n    return kept\n",
            "\n    kept = [n for n in numbers if is_even(n)]\n    return kept\n\n\nprint(evens([1, 2]))\n",
            "\tkept = [n for n in numbers if is_even(n)]\n\treturn kept\n",
            fenced("def evens(numbers: List[int]) -> List[int]:\n    return [n for n in numbers if is_even(n)]"),
            fenced("    return [n for n in numbers if is_even(n)]"),
            fenced("def evens(numbers):\n    return [n for n in numbers if is_even(n)]", ""),
            fenced(HUMANEVAL + "    return [n for n in numbers if is_even(n)]"),
            HUMANEVAL + "    return [n for n in numbers if is_even(n)]\n",
            "Here is the completed function:\n\n" + HUMANEVAL + "    return [n for n in numbers if is_even(n)]\n",
            fenced("class Solution:\n    def evens(self, numbers):\n        return [n for n in numbers if is_even(n)]"),
        ],
    )
    @pytest.mark.parametrize("entry_point", ["evens", None])
    def test_humaneval(self, reply: str, entry_point: str | None) -> None:
        found = extract(reply, starter_code=HUMANEVAL, entry_point=entry_point)
        assert call(found.code, "evens", [1, 2, 3, 4]) == [2, 4], found

    @pytest.mark.parametrize("placeholder", ["pass", "...", "# Write your code here", "raise NotImplementedError()"])
    def test_a_placeholder_gives_way(self, placeholder: str) -> None:
        starter = f"def add(a, b):\n    {placeholder}\n"
        found = extract(fenced("return a + b"), starter_code=starter, entry_point="add")
        assert call(found.code, "add", 2, 3) == 5

    def test_helpers_that_only_a_test_uses_come_along(self) -> None:
        code = "def evens(numbers):\n    return [n for n in numbers if not n % 2]"
        found = extract(fenced(code), starter_code=HUMANEVAL, entry_point="evens")
        assert call(found.code, "is_even", 2) is True
        assert call(found.code, "evens", [1, 2]) == [2]

    def test_future_imports_stay_first(self) -> None:
        code = "from __future__ import annotations\ndef evens(x: Any) -> Any:\n    return list(filter(is_even, x))"
        found = extract(fenced(code), starter_code=HUMANEVAL, entry_point="evens")
        assert call(found.code, "evens", [1, 2]) == [2]

    def test_text_in_strings_is_not_indented(self) -> None:
        body = 'text = """a\nb"""\nreturn text'
        found = extract(fenced(body), starter_code="def f():\n", entry_point="f")
        assert call(found.code, "f") == "a\nb"

    def test_a_program_of_its_own_is_left_alone(self) -> None:
        other = "def something_else(x):\n    return x"
        assert extract(fenced(other), starter_code=HUMANEVAL, entry_point="evens").code == other

    def test_a_complete_answer_is_left_alone(self) -> None:
        assert extract(fenced(TWO_SUM), starter_code=LEETCODE, entry_point="Solution.twoSum").code == TWO_SUM

    def test_a_cut_off_body_is_incomplete(self) -> None:
        found = extract(f"```python\n{LEETCODE}return sorted(", starter_code=LEETCODE, entry_point="Solution.twoSum")
        assert found.complete is False
