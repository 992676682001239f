"""Recognise the headings of a statement's parts, in the languages of the judges."""

# ruff: noqa: E501 - a pattern or a word list is one line

from __future__ import annotations

import functools
import re

DESCRIPTION, INPUT, OUTPUT, CONSTRAINTS, NOTES = "statement", "input", "output", "constraints", "notes"
SAMPLE, SAMPLE_INPUT, SAMPLE_OUTPUT, EXPLANATION = "sample", "sample_input", "sample_output", "explanation"
INTERACTION, SOLUTION = "interaction", "solution"

_WORDS = {
    DESCRIPTION: "problem|problem statement|problem description|description|statement|task|問題文|问题描述|题目描述|題目描述|условие|problema|descripción|문제|문제 설명",
    INPUT: (
        "input|input format|input format for custom testing|input description|input specification|input data|the input|format of input|入力|输入|输入格式|输入描述|輸入|"
        "входные данные|ввод|формат ввода|entrada|indata|inndata|indlæsning|eingabe|inntak|entrée|invoer|inmatning|dane wejściowe|datos de entrada|wejście|입력|입력 형식"
    ),
    OUTPUT: (
        "output|ouput|ouput format|output format|output description|output specification|output data|the output|出力|输出|输出格式|输出描述|輸出|"
        "выходные данные|вывод|формат вывода|saída|salida|utdata|utskrift|udskrift|utmatning|ausgabe|úttak|sortie|uitvoer|dane wyjściowe|datos de salida|wyjście|출력|출력 형식"
    ),
    CONSTRAINTS: (
        "constraints|constraint|constraints and subtasks|constraints & subtasks|subtasks and constraints|contsraints|constrains|constriants|limits|bounds|data range|数据范围|制約|提示|约束|约定|ограничения|restrições|restricciones|"
        "begränsningar|限制|constraints and notes|input constraints|limitations|límites|limites|contraintes|ograniczenia|제한|제한 사항|제약 조건|"
        "kısıtlamalar|batasan|kekangan|ràng buộc|vincoli|beperkingen|einschränkungen|обмеження"
    ),
    NOTES: (
        "note|notes|remark|remarks|test distribution|test generation|test data generation|scoring & test data|scoring & the test data generation|hint|hints|comment|comments|follow up|follow-up|scoring|subtasks|subtask|sub tasks|sub-tasks|explanation of samples|备注|说明|注意|"
        "進階|进阶|примечание|замечание|observação|poängsättning|grading|notes and constraints|beräkning av poäng|stigagjöf|pointvægtning|subtareas|subtarea|subtarefas|nota|notas|서브태스크|힌트|노트|"
        "catatan|ghi chú|chú ý|lưu ý|opmerking|opmerkingen|hinweis|hinweise|remarque|remarques"
    ),
    SAMPLE: (
        "example|examples|sample|sample input for custom testing|samples|sample test|sample tests|sample testcase|sample testcases|sample test case|sample test cases|sample case|test example|sample cases|"
        "例|例題|示例|样例|输入输出样例|範例|пример|примеры|exemplo|exemplos|ejemplo|ejemplos|przykład|przykłady|예제|exemple|exemples|esempio|esempi|voorbeeld|voorbeelden|"
        "contoh|ví dụ|örnek|örnekler|példa|példák|näide|näited|esimerkki|esimerkit|παράδειγμα|παραδείγματα|приклад|приклади|exempel|eksempel|beispiel|dæmi|sample input and output|"
        "sample input/output|example test case"
    ),
    SAMPLE_INPUT: (
        "sample input|sample inputs|example input|input example|input sample|sample in|入力例|样例输入|输入样例|输入例子|輸入範例|"
        "пример входных данных|пример ввода|входной файл|exemplo de entrada|ejemplo de entrada|exempel indata|beispieleingabe|sample input data|예제 입력|przykładowe wejście"
    ),
    SAMPLE_OUTPUT: (
        "sample output|sample outputs|example output|sample ouput|example ouput|output example|output sample|sample out|output for sample input|output for the sample input|"
        "expected output|出力例|样例输出|输出样例|输出例子|輸出範例|пример выходных данных|пример вывода|exemplo de saída|ejemplo de salida|beispielausgabe|예제 출력|przykładowe wyjście"
    ),
    EXPLANATION: (
        "explanation|explanations|exaplanation|explaination|explantion|explanantion|explanation of the sample|sample explanation|sample explanations|example explanation|output explanation|input explanation|output details|input details|解释|解説|样例解释|样例说明|объяснение|explicação|förklaring av exempel|förklaring|explicación|wyjaśnienie|예제 설명|"
        "penjelasan|giải thích|uitleg|spiegazione|açıklama|erklärung|magyarázat|selitys|selgitus|εξήγηση|explication|пояснение|пояснення"
    ),
    INTERACTION: "interaction|interaction protocol|interactive format|протокол взаимодействия",
    SOLUTION: "my approach|my solution|complexity analysis|time and auxiliary space complexity|time and space complexity|solution|solutions|editorial|approach|题解|解法|solution approach|reference solution|answer key",
}  # fmt: skip

HEADINGS = {word: kind for kind, words in _WORDS.items() for word in words.split("|")}

_ABOUT_A_SAMPLE = re.compile(
    r"(?:explanations?|notes?) (?:of|for|on|to) (?:the )?(?:(?:first|second|third|fourth) )?(?:samples?|examples?)"
    r"(?: (?:inputs?|outputs?|tests?|cases?|test cases?|data))?(?: [0-9]{1,2})?|"
    r"(?:explanations?|notes?) (?:of|for|on|to) (?:the )?(?:(?:[0-9]{1,2}(?:st|nd|rd|th)|first|second|third|fourth) )?"
    r"(?:sample |example )?(?:test cases?|tests?|cases?|quer(?:y|ies))(?: [0-9]{1,2})?|"
    r"(?:first|second|third|fourth) (?:sample|example)(?: (?:input|output|test|case))? (?:description|explanation)"
)

_DECORATION_BEFORE, _DECORATION_AFTER = " \t>#*-=_~|[(【<{", " \t#*-=_~|])】>}.;；"
_NUMBER = re.compile(r"(?:\s+[-–]\s+|[\s#№(\[]*)(?:[0-9]{1,2}|[①-⑨])$")
_NAMED_EXAMPLE = re.compile(r"#+ *(?:examples?|sample(?: test)?(?: case)?) [-–—] \S[^:：]*$", re.IGNORECASE)
"""`### Example - Insufficient Funds`."""
_SIDES = {INPUT: SAMPLE_INPUT, OUTPUT: SAMPLE_OUTPUT}
"""`Input #1` is a side of a sample."""
_COLON = re.compile(r"[:：]")
_CLOSERS = {"[": "]", "(": ")", "【": "】", "<": ">", "{": "}", "|": "|"}
_EMPHASIS = re.compile(r"[*_]+\Z")
_INLINE = re.compile(
    r"^(?P<open>[\s>#*_-]*)(?P<word>input|output|expla[a-z]{1,8}tions?|入力|出力|输入|输出|解释|说明|entrada|saída)"
    r"(?P<before>[\s*_]{0,4})(?P<sign>[:：；;])(?P<rest>.*)$",
    re.IGNORECASE,
)
MAX_HEADING_CHARACTERS = 64


def heading_of(line: str) -> str | None:
    """The part that a line announces, if the line is only a heading: with a value after a colon it is not.

    >>> heading_of("-----Input-----"), heading_of("### Sample Output 2:"), heading_of("Input the array.")
    ('input', 'sample_output', None)
    >>> heading_of("------ Input: ------"), heading_of("------ Input: 5 ------"), heading_of("Input #1")
    ('input', None, 'sample_input')
    >>> heading_of("**Output:**"), heading_of("Output: []"), heading_of("**Output:** -1"), heading_of("Output: 2")
    ('output', None, None, None)
    >>> heading_of("### Example - Not Enough Hats"), heading_of("Example - Not Enough Hats")
    ('sample', None)
    """
    if len(line) > MAX_HEADING_CHARACTERS or (line[:1].islower() and line.rstrip().endswith(".")):
        return None  # the last word of a sentence may be alone on its line: `input.`
    return _heading_of(line)


@functools.lru_cache(maxsize=4096)
def _heading_of(line: str) -> str | None:
    text = line.lstrip(_DECORATION_BEFORE)
    opened = line[: len(line) - len(text)]
    head, *after = _COLON.split(text, maxsplit=1) if ":" in text or "：" in text else (text,)
    word = head.rstrip(_DECORATION_AFTER)
    if after and not _closes(after[0], opened, head[len(word) :].strip()):
        return None
    if line.startswith("#") and _NAMED_EXAMPLE.match(line):
        return SAMPLE
    word = word.casefold()
    if not word or len(word) > 40:
        return None
    kind = HEADINGS.get(word)
    if kind is None and word[-1].isnumeric():
        kind = HEADINGS.get(_NUMBER.sub("", word).rstrip(" *_"))
    if kind in _SIDES and "#" in word:
        kind = _SIDES[kind]
    return kind or (NOTES if _ABOUT_A_SAMPLE.fullmatch(word) else None)


def words_of(line: str) -> str:
    """The words of a heading without its decoration.

    >>> words_of("**Example:**"), words_of("------ Examples ------")
    ('Example', 'Examples')
    """
    return line.strip(_DECORATION_BEFORE + _DECORATION_AFTER + ":：")


def named_sample(line: str) -> str:
    """The words of a heading that says which sample its text explains; empty for any other line.

    >>> named_sample("-----Explanation of Sample 2-----"), named_sample("-----Note-----")
    ('Explanation of Sample 2', '')
    """
    words = words_of(line)
    return words if _ABOUT_A_SAMPLE.fullmatch(words.casefold()) else ""


def _closes(after: str, opened: str, before: str) -> bool:
    """Whether what follows the colon only closes the decoration that was opened before the word."""
    inside = after.strip()
    if not inside:
        return True
    line = opened.rstrip()
    if line[-2:] in ("--", "==", "~~") and not before:
        return set(inside) == {line[-1]} and len(inside) > 1
    emphasis = _EMPHASIS.search(opened.rstrip())
    if emphasis and not before:
        return inside == emphasis[0][::-1]
    return not before and inside == _CLOSERS.get(opened.rstrip()[-1:]) and after[:1] == inside


@functools.lru_cache(maxsize=256)
def inline_heading(line: str) -> tuple[str, str] | None:
    """The part that a line announces, and the text that follows on the same line.

    >>> inline_heading("**Input:** nums = [1, 2]"), inline_heading("**Output:** *")
    (('input', 'nums = [1, 2]'), ('output', '*'))
    >>> inline_heading("Explantion: as published, more than once")
    ('explanation', 'as published, more than once')
    """
    found = _INLINE.match(line) if any(map(line.__contains__, ":：；;")) else None
    if not found or (found["sign"] == ";" and found["word"].isascii()):  # `输出；75`, in plain characters too
        return None
    rest = found["rest"].strip()
    emphasis = _EMPHASIS.search(found["open"].rstrip())
    if emphasis and not found["before"].strip():
        closing = emphasis[0][::-1]
        rest = rest.removeprefix(closing).lstrip() if rest.startswith(closing) else rest.removesuffix(closing).rstrip()
    if not rest:
        return None
    word = found["word"].casefold()
    return EXPLANATION if word.startswith("expla") else HEADINGS.get(word, NOTES), rest


_ESCAPED_MARK = re.compile(r"\\[-*_\[\]#+!|~=]")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_OTHER_MARK = re.compile(r"(?<!\\)(?:\*\*|`)")


def value_as_shown(value: str, line: str) -> str:
    r"""A value of a line without Markdown's escapes, if its label is bold; where there are any, other marks are none of it.

    >>> value_as_shown(r'p = "a\*", `max_len` = 2', "**Input:** ..."), value_as_shown(r"[0,**\-4**]", "**Output:** ...")
    ('p = "a*", max_len = 2', '[0,-4]')
    >>> value_as_shown('"a*\\\\b"', "**Input:** ..."), value_as_shown(r'"a\*"', "Input: ...")
    ('"a*\\\\b"', '"a\\*"')
    """
    if "\\" not in value or not line.lstrip(" >").startswith("**") or not _ESCAPED_MARK.search(value):
        return value
    return _ESCAPE.sub(r"\1", _OTHER_MARK.sub("", value))


_REMARK = re.compile(r"(?<=\S)\s+\**Expl[a-z]{3,9}\s*:\**\s*", re.IGNORECASE)


def answer_and_remark(value: str) -> tuple[str, str]:
    """An answer, and the explanation that follows it on its line.

    >>> answer_and_remark("[1,6] **Explantion:** One jumbo."), answer_and_remark('"a Explanation: b"')
    (('[1,6]', 'One jumbo.'), ('"a Explanation: b"', ''))
    """
    remark = _REMARK.search(value) if "xpl" in value else None
    if remark is None or value.count('"', 0, remark.start()) % 2:
        return value, ""
    return value[: remark.start()], value[remark.end() :]
