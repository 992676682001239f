"""Replies as models write them, and the program that a reader would copy out of each."""

from __future__ import annotations

import pytest

from microcoder_eval.extract import extract
from tests.eval.extract.replies import CPP, SUM, fenced

pytestmark = pytest.mark.fast

FOUND = {
    "one block": f"Read both numbers.\n\n{fenced(SUM)}\n\nThis is O(1).",
    "no tag": f"Solution:\n{fenced(SUM, '')}",
    "py": fenced(SUM, "py"),
    "python3": fenced(SUM, "python3"),
    "py3": fenced(SUM, "py3"),
    "Python with version": fenced(SUM, "Python3.11"),
    "upper case": fenced(SUM, "PYTHON"),
    "space before the tag": fenced(SUM, " python"),
    "attributes": fenced(SUM, 'python title="a.py" {1,3}'),
    "pandoc attributes": fenced(SUM, "{.python .numberLines}"),
    "file name": fenced(SUM, "main.py"),
    "colon": fenced(SUM, "python:"),
    "tildes": fenced(SUM, fence="~~~"),
    "four backticks": fenced(SUM, fence="````"),
    "spaces after the closing fence": fenced(SUM) + "   \nDone.",
    "text glued to the closing fence": fenced(SUM) + " This prints the sum.",
    "closing fence glued to the code": f"```python\n{SUM}```\nDone.",
    "opening fence glued to prose": f"Here it is: ```python\n{SUM}\n```",
    "opening fence twice": f"```python\n```python\n{SUM}\n```",
    "two fences on one line": f"```python\nprint(1)\n``````python\n{SUM}\n```",
    "tag on its own line": f"```\npython\n{SUM}\n```",
    "fence never closed": f"Here:\n```python\n{SUM}",
    "fence never closed, prose after": f"Here:\n```python\n{SUM}\n\nThis reads two numbers and prints their sum.",
    "opened by the prompt": f"{SUM}\n```",
    "opened by the prompt, prose after": f"{SUM}\n```\nThis reads two numbers, then prints the sum.",
    "in a list": "1. Read.\n\n   ```python\n   a, b = map(int, input().split())\n   print(a + b)\n   ```\n2. Done.",
    "behind a list marker": "- ```python\n  a, b = map(int, input().split())\n  print(a + b)\n  ```",
    "in a quotation": "> ```python\n> a, b = map(int, input().split())\n> print(a + b)\n> ```",
    "indented by a tab": "\t```python\n\ta, b = map(int, input().split())\n\tprint(a + b)\n\t```",
    "inside a Markdown block": f"```markdown\n# Answer\n{fenced(SUM)}\n```",
    "byte order mark": f"\ufeff{fenced(SUM)}",
    "byte order mark in the block": f"```python\n\ufeff{SUM}\n```",
    "Windows line ends": fenced(SUM).replace("\n", "\r\n"),
    "old Mac line ends": fenced(SUM).replace("\n", "\r"),
    "blank lines around": f"```python\n\n\n{SUM}\n\n\n```",
    "end token": f"{fenced(SUM)}<|im_end|>",
    "end token after raw code": f"{SUM}<｜end▁of▁sentence｜></s>",
    "draft, then final": f"{fenced('print(0)')}\nWait, that is wrong.\n{fenced(SUM)}",
    "example output after": f"{fenced(SUM)}\nOutput:\n```\n3\n```",
    "example input after": f"{fenced(SUM)}\nInput:\n```\n1 2\n```\nOutput:\n```text\n3\n```",
    "data that parses after": f"{fenced(SUM)}\nResult:\n```python\n[1, 2, 3]\n```",
    "bash block after": f"{fenced(SUM)}\nRun it:\n```bash\necho 1 2 | python main.py\n```",
    "other language after": f"{fenced(SUM)}\nIn C++:\n{fenced(CPP, 'cpp')}",
    "json after": f"{fenced(SUM)}\n{fenced('[1, 2]', 'json')}",
    "untagged after example": f"```\n1 2\n```\n{fenced(SUM, '')}",
    "text tag": fenced(SUM, "text"),
    "snippet after": f"{fenced(SUM)}\nThe key line:\n```python\ntotal = left + right\n```",
    "after think": f"<think>\nmaybe\n{fenced('print(0)')}\n</think>\n{fenced(SUM)}",
    "think opened by the prompt": f"maybe\n{fenced('print(0)')}\n</think>\n\n{fenced(SUM)}",
    "think with an open fence": f"<think>\n```python\nprint(0)\nno, wait\n</think>\n{fenced(SUM)}",
    "think glued to the fence": f"<think>hm</think>{fenced(SUM)}",
    "thinking": f"<thinking>print(0)</thinking>\n{fenced(SUM)}",
    "think then thinking": f"<think>print(0)</thinking>\n{fenced(SUM)}",
    "end of thought": (
        f"<|begin_of_thought|>\n{fenced('print(0)')}\n<|end_of_thought|>\n\n"
        f"<|begin_of_solution|>\n{fenced(SUM)}\n<|end_of_solution|>"
    ),
    "bracketed think": f"[THINK]print(0)[/THINK]{fenced(SUM)}",
    "kimi think": f"◁think▷print(0)◁/think▷{fenced(SUM)}",
    "channels": (
        f"<|channel|>analysis<|message|>{fenced('print(0)')}<|end|>"
        f"<|start|>assistant<|channel|>final<|message|>{fenced(SUM)}<|return|>"
    ),
    "think twice": f"<think>a</think>\nSo far.\n<think>\n{fenced('print(0)')}\n</think>\n{fenced(SUM)}",
    "think mentioned in reasoning": f"<think>I close with `</think>`.\nprint(0)\n</think>\n{fenced(SUM)}",
    "code, then an unclosed think": f"{fenced(SUM)}\n<think>\nwas that right? {fenced('print(0)')}",
    "answer wrapper": f"<think>x</think><answer>\n{fenced(SUM)}\n</answer>",
    "raw code in an answer wrapper": f"Done thinking.\n<answer>\n{SUM}\n</answer>",
    "unclosed think with an answer": f"<think>x\n<answer>\n{fenced(SUM)}\n</answer>",
    "solution wrapper": f"<solution>\n{SUM}\n</solution>\nHope this helps.",
    "code llama": f"[PYTHON]\n{SUM}\n[/PYTHON]",
    "mbpp": f"[BEGIN]\n{SUM}\n[DONE]",
    "raw": SUM,
    "raw with a first line tag": f"python\n{SUM}",
    "raw after prose": f"Here is the solution, which reads two numbers:\n\n{SUM}",
    "raw before prose": f"{SUM}\n\nThis program reads two numbers and prints the sum.",
    "raw between prose": f"Sure! For each line, we add:\n\n{SUM}\n\nIt doesn't need a loop.\nTime complexity: O(1)",
    "raw, indented": "    a, b = map(int, input().split())\n    print(a + b)",
    "raw, then a heading": f"{SUM}\n\nExplanation\n\nTwo numbers are read.",
    "raw, then a remark": f"{SUM}\nDone",
    "raw, then Chinese": f"{SUM}\n\n时间复杂度：O(1)。\n这是一个函数",
    "indented Markdown block": "The code:\n\n    a, b = map(int, input().split())\n    print(a + b)\n\nThat is all.",
    "transcript after": f"{fenced(SUM)}\n{fenced('>>> main()' + chr(10) + '1 2' + chr(10) + '3')}",
    "boxed": f"\\boxed{{```python\n{SUM}\n```}}",
    "speaker, then think": f"Assistant: <think>x = 1\n</think>\n{fenced(SUM)}",
    "answer wrapper glued to the fences": f"<answer>```python\n{SUM}\n```</answer>",
    "raw code and a fenced example": f"{SUM}\n\nExample output:\n```\n3\n```",
}


@pytest.mark.parametrize("name", FOUND)
def test_the_program_is_found(name: str) -> None:
    found = extract(FOUND[name])
    assert (found.code, found.language, found.complete) == (SUM, "python", True), found


CUT = {
    "inside a call": "Here:\n```python\nn = int(input())\nprint(sum(range(n",
    "inside a string": "```python\nprint('hello wor",
    "inside a docstring": '```python\ndef f(n):\n    """Return the sum of',
    "after a colon": "```python\nfor i in range(3):\n",
    "inside an expression": "```python\nn = int(input())\ntotal = n +",
    "untagged": "```\nimport sys\nfor line in sys.stdin:\n    print(line.",
    "raw, inside a call": "def f(n):\n    return max(",
    "raw, first statement": "class Solution:\n    def f(self, x):\n        y = [",
    "raw, after prose": "The plan is simple.\n\nimport sys\n\ndef main():\n    for line in",
    "inside a function's name": "```python\nfrom typing import List\n\n\ndef remove_dupl",
    "raw, inside a class's name": "from dataclasses import dataclass\n\n\n@dataclass\nclass Solu",
    "raw, after an at sign": "from dataclasses import dataclass\n\n\n@",
    "in a try": "```python\ntry:\n    n = int(input())\n",
    "after reasoning": "<think>fine</think>\n```python\nwhile True:\n    x = (1,",
}


@pytest.mark.parametrize("name", CUT)
def test_a_reply_cut_off_inside_its_code_is_incomplete(name: str) -> None:
    found = extract(CUT[name])
    assert found.complete is False, found
    assert found.code is not None
    assert "cut off" in found.note


NOTHING = {
    "one word": ("Yes", False),
    "empty": ("", False),
    "white space": (" \n\n", False),
    "refusal": ("I cannot solve this problem.", True),
    "cut off in a sentence": ("To solve this, we first sort the", False),
    "reasoning never closed": (f"<think>\nLet me try\n{fenced(SUM)}\nHmm,", False),
    "reasoning never closed, other tag": (f"<|begin_of_thought|>\n{fenced(SUM)}\n", False),
    "speaker, then reasoning never closed": (f"Assistant: <think>\n{fenced(SUM)}", False),
    "reasoning, then nothing": (f"<think>{fenced(SUM)}</think>\n", False),
    "only an opening fence": ("Here is the code:\n```python\n", False),
    "only another language": (fenced(CPP, "cpp"), True),
    "only an example": ("The output is:\n```\n1 2 3\n```", True),
    "only an answer": ("The answer is:\n\n42.", True),
    "only shell": (fenced("pip install numpy", "bash"), True),
    "only a list": ("- Sort the numbers.\n- Print the largest one.", True),
}


@pytest.mark.parametrize("name", NOTHING)
def test_no_code_is_none(name: str) -> None:
    reply, complete = NOTHING[name]
    found = extract(reply)
    assert (found.code, found.language, found.complete) == (None, None, complete), found
    assert found.note
    assert extract(reply, starter_code="def f(x):\n", entry_point="f").code is None


def test_a_finished_block_is_kept_when_a_later_one_is_cut_off() -> None:
    found = extract(f"{fenced(SUM)}\nFaster:\n```python\nimport sys\nprint(sum(map(int, sys.")
    assert (found.code, found.complete) == (SUM, True)


def test_imports_alone_are_not_the_finished_program() -> None:
    found = extract(
        "First:\n```python\nimport sys\n```\nThen:\n```python\nimport sys\nfor line in sys.stdin:\n    x = ("
    )
    assert found.complete is False


DOCSTRING = 'def f(x):\n    """Double.\n\n    Example:\n    ```python\n    f(2)\n    ```\n    """\n    return 2 * x'
STRING = 'text = """\n```\ncode\n```\n"""\nprint(text)'


@pytest.mark.parametrize("code", [DOCSTRING, STRING, "print('```')", "# ```\nprint(1)", 'x = """\n```"""\nprint(x)'])
@pytest.mark.parametrize("fence", ["```", "````", "~~~"])
def test_fences_inside_strings_and_comments_are_content(code: str, fence: str) -> None:
    found = extract(f"Here:\n{fenced(code, fence=fence)}\nIt works.\n```\n4\n```")
    assert (found.code, found.complete) == (code, True)


def test_a_string_that_never_closes_does_not_swallow_the_next_block() -> None:
    found = extract(f'```python\nx = """oops\n```\nWrong, better:\n{fenced(SUM)}')
    assert found.code == SUM


def test_four_backticks_hold_three() -> None:
    assert extract("````python\nx = 1\nprint('''\n```\n''')\n````").code == "x = 1\nprint('''\n```\n''')"


def test_a_block_opened_with_four_and_closed_with_three() -> None:
    assert extract(f"````python\n{SUM}\n```\nThis reads two numbers.").code == SUM


@pytest.mark.parametrize(
    "code",
    [
        "from __future__ import annotations\nx: int = 1\nprint(x)",
        "if __name__ == '__main__':\n    main()\n\ndef main():\n    print(1)",
        "def main():\n\tfor i in range(3):\n\t\tprint(i)\n\nif __name__ == \"__main__\":\n\tmain()\nprint('after')",
        "print('<think>')\nprint('</think>')",
        "import re\nprint(re.sub('<think>.*</think>', '', input()))",
        "x = '\\u2028'\nprint(x)\x0c\nprint(2)",
        "n = int(input())\nprint(n) if n else print('''\n'''), 1",
    ],
)
def test_code_is_returned_as_it_was_written(code: str) -> None:
    assert extract(fenced(code)).code == code
    assert extract(f"<think>a</think>\n{fenced(code)}").code == code
    assert extract(code).code == code


class TestOtherLanguages:
    @pytest.mark.parametrize("tag", ["cpp", "c++", "C++", "CPP", "c++17", "cc", ""])
    def test_cpp(self, tag: str) -> None:
        found = extract(f"{fenced('print(1)')}\nIn C++:\n{fenced(CPP, tag)}\n```\n3\n```", language="c++")
        assert (found.code, found.language, found.complete) == (CPP, "cpp", True)

    def test_raw_cpp(self) -> None:
        found = extract(f"Here is the program:\n\n{CPP}\n\nIt prints the sum.", language="cpp")
        assert (found.code, found.complete) == (CPP, True)

    def test_raw_cpp_cut_off(self) -> None:
        found = extract("#include <vector>\nint main() {\n    for (int i = 0;", language="cpp")
        assert (found.complete, found.language) == (False, "cpp")

    def test_fence_in_a_comment(self) -> None:
        code = "/*\n```\nexample\n```\n*/\nint main() { return 0; }"
        assert extract(fenced(code, "cpp"), language="cpp").code == code

    def test_unclosed_cpp(self) -> None:
        assert extract(f"```cpp\n{CPP}", language="cpp").complete
        assert not extract('```cpp\nint main() {\n  puts("}', language="cpp").complete

    def test_python_is_not_cpp(self) -> None:
        assert extract(fenced(SUM), language="cpp").code is None

    def test_java(self) -> None:
        code = "import java.util.*;\n\npublic class Main {\n    public static void main(String[] a) {\n    }\n}"
        assert extract(fenced(code, "java"), language="java").code == code
        assert extract(f"Sure:\n\n{code}\n", language="java").code == code

    def test_pypy_reads_python(self) -> None:
        assert extract(fenced(SUM), language="pypy3").code == SUM


@pytest.mark.parametrize(
    ("reply", "language", "needed"),
    [
        (fenced(CPP, "cpp"), "python", "cpp"),
        (fenced(CPP, "C++17"), "python", "cpp"),
        (fenced(CPP, ""), "python", "cpp"),
        (CPP, "python", "cpp"),
        (fenced("print(1)", "py"), "java", "python"),
        (fenced('{"a": 1}', "json"), "python", ""),
        ("I would use #include guards.", "python", ""),
        ("#include is not needed.", "cpp", ""),
    ],
)
def test_a_program_in_another_language_is_none_and_the_note_says_what_is_missing(reply, language, needed):
    found = extract(reply, language=language)
    assert found.code is None
    assert (f'the submission needs "language": "{needed}"' in found.note) == bool(needed), found.note
    assert ("the submission needs" in found.note) == bool(needed), found.note
