"""Find the words by which a statement says that more than one answer is right, in the languages of the judges.

Texts are searched without emphasis and code marks, in lower case, as one line.
"""

# ruff: noqa: E501 - a pattern or a word list is one line

from __future__ import annotations

import hashlib
import re

from microcoder_data.phrases import Phrases
from microcoder_data.process.any_order import any_order_said
from microcoder_data.process.render import PROSE, whole_text
from microcoder_data.process.searchable import searchable, searchable_text, single_spaced
from microcoder_data.schema import Row

_LIST_BEFORE = re.compile(r"\[[^\[\]]*\]\s*\Z")
"""Around words that were emphasised."""
_WORDS = r"(?:(?!(?:if|whether|that|which|when|where|whose|number|count|minimum|maximum|sum)\b)[\w'-]+\s+)"
_ANY = r"(?:any(?:one)?|arbitrary|whichever)"
_RIGHT = r"(?:accepted|accept|allowed|fine|okay|ok|correct|right|valid|acceptable|permitted|considered(?! (?:as )?(?:being )?(?:against|wrong|incorrect|invalid)))"
_ANSWERS = (
    r"(?:answers?|solutions?|outputs?|ways|options|sequences?|strings?|arrays?|permutations?|paths?|sets?|pairs?|"
    r"arrangements?|peaks?|orders?|orderings?|trees?|values|integers|numbers|possibilities|results|indices|subsets?|plans?|strategies)"
)
_MAKE = r"(?:print|output|find|give|show|report|write|display|construct|provide|describe|present|build)"
_SEVERAL = Phrases(
    r"\bany\s+(?:one\s+)?of\s+(?:them|these|those)\s+(?:can|may|could)\s+be\s+(?:printed|output|returned|reported)\b|"
    rf"(?:multiple|several|(?<!as )(?<!how )many(?! times))\s+(?:[\w-]+\s+){{0,4}}(?:possible|such|optimal|valid|correct|{_ANSWERS})\b[^.]{{0,120}}?\b{_ANY}\b(?!\s+(?:\([^()]*\)\s+)?(?:number|times|amount|other)\b)|"
    rf"(?<!number of )(?:more than one|different|two or more)\s+(?:[\w-]+\s+){{0,4}}(?:possible|such|optimal|valid|correct|{_ANSWERS})\b[^.]{{0,120}}?\b{_ANY}\b(?=\s*(?:[.,;:!)]|\Z|(?:of|one|such|valid|correct)\b))|"
    rf"(?<!not )(?<!n't )\b(?:print|output|return|find|give|choose|report|write|display|construct|show|provide)\s+{_WORDS}{{0,4}}any\s+(?:one\s+)?(?:of\s+(?:them|these|those|the\s+(?:\w+\s+){{0,2}}{_ANSWERS})|one\b|valid|possible|correct|such|suitable|optimal|answer|solution)|"
    rf"(?<!when you )(?<!if you )\b(?:print|output|return|find|give|report|write|display|construct|show|provide|present)\s+{_WORDS}{{0,3}}one\s+(?:such\b|of\s+(?:them|these|those)\b|of\s+the\s+(?:possible|valid|optimal|correct|{_ANSWERS})\b(?!\s*:?\s*[`\"']))|"
    r"\b(?:return|print|output|find)\s+any\s+(?:number|element|integer|value|index|character)\s+(?:from|in|of)\s[^.]{0,40}\b(?:that|which|such)\b|"
    rf"\bany\s+(?:one\s+)?(?:of\s+them|valid|correct|such|one)\s+(?:[\w-]+\s+){{0,3}}(?:will be|is|are|can be|would be|may be)\s+{_RIGHT}|"
    rf"\b(?:any|every|all)\s+(?:[\w-]+\s+){{1,3}}(?:that|which|satisfying|meeting)\s[^.]{{0,80}}\b(?:will be|is|are|can be|would be)\s+(?:accepted|considered\s+(?:correct|right|valid))\b|"
    rf"\b(?:any|every|all)\s+(?:[\w-]+\s+){{0,3}}(?:answers?|solutions?|outputs?|of\s+(?:them|these|those))\b[^.]{{0,90}}\b(?:is|are|be)\s+(?:\w+\s+)?{_RIGHT}|"
    rf"(?:\b(?:would|will|are|is|may|can)|\b(?:it|that)'s)\s+also\s+(?:be\s+)?(?:considered\s+)?(?:an?\s+|the\s+)?(?:accepted|acceptable|valid|correct|allowed|possible\s+(?:answers?|solutions?|outputs?))\b(?!\s+(?:to|that|brackets?|parenthes[ie]s|expression|sub-?(?:array|list|string|sequence)s?|linked list|list)\b)|"
    r"\bone possible (?:answer|output) (?:is|would be|could be)\b|"
    r"\bhow (?:could|can) you (?:choose|select|pick|place|arrange|assign|distribute)\b[^.?]{0,80}\b(?:so that|such that|satisf)|"
    rf"\b(?:answers?|solutions?|outputs?)\s+(?:is|are|may|need|might|does|do)\s*(?:not|n't)\s+(?:\w+\s+){{0,2}}unique(?![^.]{{0,60}}\b(?:print|output|return|answer)\s+(?:-1|\W?(?:no|multiple|ambiguous|impossible|none)\b))|"
    r"\byour (?:answer|output|solution)\s+(?:may|might|can|could|need not)\s+(?:\w+\s+){0,2}(?:differ|different|be different|match)|"
    r"at least one (?:valid |possible )?(?:solution|answer|way|arrangement)\b.{0,800}\b(?:print|output|describ\w+|construct|give)\b[^.]{0,60}\ba valid\b|"
    rf"\b(?:return|print|output|find|construct)\s+any\s+(?:[\w-]+\s+){{1,3}}(?:that|which)\s+(?:satisf\w+|meets?|fulfil\w*|consists?)\b|"
    rf"\b(?:following|another|other)\s+(?:\w+\s+)?(?:answers?|solutions?|outputs?)\b[^.]{{0,60}}\b(?:also\s+[^.]{{0,40}})?\b(?:satisf\w+\s+[^.]{{0,40}}|is|are)\s+(?:also\s+)?{_RIGHT}\b|"
    rf"\b{_MAKE}\s+(?:\w+\s+){{0,3}}one\s+(?:possible\s+|valid\s+)?(?:way\s+(?:to|of)\b|method\s+(?:to|of)\b|example\b|(?:sequence|string|arrangement|permutation|assignment|placement)\s+(?:of|that|which|with|to)\b)|"
    r"\bone\s+(?:specific|concrete|particular)\s+(?:way|method|example)\s+(?:to|of)\b|"
    r"\b(?:if (?:it|so|one|there)\b[^.]{0,30},?\s*)(?:print|output|find|show|construct|report|give)\s+one\s*[.,;]|"
    rf"\b(?:outputs?|answers?|solutions?)\s+(?:will be|is|are|would be)\s+(?:judged|considered|regarded|deemed|accepted)\s+(?:as\s+)?(?:to be\s+)?(?:{_RIGHT}\s+)?(?:only\s+)?(?:if|when|as long as|provided)\b(?![^.]{{0,120}}(?:error|differ|10\s*\^|1e-|precision|within|match|same as|equal))|"
    rf"\byour (?:output|answer|solution)s?\s+(?:will be|is|are|would be)\s+{_RIGHT}\s+(?:if|when|as long as|provided)\b(?![^.]{{0,120}}(?:error|differ|10\s*\^|1e-|precision|within|match|same as|equal))|"
    r"(?<!not )(?<!n't )(?<!never )\b(?:print|output|return|report)\s+any\s*[.;!]|"
    r"\b(?:print|output)\s+(?:[\w-]+\s+){1,4}[—–-]\s*any\s+(?!(?:extra|more|other|additional|further)\b)\w|"
    r"\b(?:find|print|output)\s+such\s+an\s+\$?[a-z]\$?(?=[.,;]|\s+(?!such\b|satisf)|\Z)|"
    r"\b(?:print|output)\s+an?\s+(?:number|integer|string)\b[^.]{0,60}\bthat\s+is\s+a\s+(?:multiple|valid)\b|"
    r"\ba (?:reasonable )?(?:margin of )?deviation (?:of|from)\b[^.]{0,40}(?:\+/- ?\d+ ?%|\b(?:tolerated|allowed)\b)|\bwithin \+/- ?\d+ ?%|"
    r"special judge|checker program|all (?:correct|right|valid) answers (?:will be|are) accepted",
    "any", "every", "all", "such an", "valid", "multiple", "arbitrary", "whichever", "one possible", "one such", "one of", "also", "unique", "your", "at least one", "special judge", "checker", "deviation", "within +",
    "way", "method", "example", "how could you", "how can you", "print one", "output one", "find one", "show one", "construct one", "report one", "give one", "present one", "provide one", "another", "other", "following", "judged", "considered",
    "regarded", "deemed", "accepted",
)  # fmt: skip
_MADE_IN_OTHER_LANGUAGES = Phrases(
    # Japanese
    r"(?:一つ|ひとつ|\$?1\$?\s*(?:つ|通り)|一例)(?:を|の例を)?(?!の)(?:(?!存在)[^。．ず、]){0,12}(?:求めて|求めよ|出力|構成|構築|見つけて|答え|示して|示せ)|"
    r"(?:操作列|操作の列|手順|方法|やり方|順列|配置|組)を[^。．]{0,8}(?:\$?1\$?\s*つ|一つ|ひとつ)|"
    r"を[^。．]{0,10}構成(?:してください|せよ)|方(?:法)?であって[^。．]{0,60}ものを[^。．]{0,6}求めて|"
    r"(?:条件|要件)を[^。．]{0,8}満たす[^。．]{0,30}が存在する(?:場合|なら)[^。．]{0,12}(?:その(?:(?!辞書順)[^。．]){0,10}を(?:(?!辞書順)[^。．]){0,40}|(?:以下|次)の形式で[^。．]{0,10})出力|"
    r"複数[^。．]{0,20}(?:場合|とき|時|なら)[^。．]{0,6}(?:どれ|いずれ|どの)[^。．]{0,4}を選んでも[^。．]{0,4}(?:よい|良い|構|かまわ)|"
    # Chinese
    r"(?:找到|找出|给出|求出)[^。，；]{0,12}(?:任意|任一)(?:一个|一种|一组|一条)[^。，；]{0,30}方案(?!中|内|的)|"
    r"(?:返回|输出)[^。，；]{0,40}(?:任意|任一|(?<!有)(?<!不含)任何)(?!多?次)(?:一个|一种|一组|一条)?[^。，；]{0,14}(?:排列|路径|矩阵|结果|数组|字符串|序列|方案|一棵)(?!中|内|的)|返回任意 ?\(|返回一条可行的",
    "つ", "通り", "一例", "構成", "求めて", "満たす", "操作", "手順", "方法", "順列", "配置", "複数", "任", "可行",
)  # fmt: skip
"""The same, where an answer is a construction."""
_ANY_OF_A_KIND = Phrases(
    r"\bthere (?:are|is|may be|exist)\s+(?:also\s+|some\s+|many\s+|several\s+){0,2}other\s+(?:acceptable|valid|correct|right|possible|optimal)\s+(?:answers?|solutions?|outputs?|ways|sequences|strings|arrangements|tours|paths|permutations|constructions)\b|"
    r"\bthere (?:are|may be|exist)\s+(?:also\s+|some\s+|many\s+|several\s+){0,2}other\s+(?:answers|solutions|outputs)\s+(?:in|for|to)\b|"
    r"(?<!not )(?<!n't )(?<!not to )(?<!never )\b(?:return|print|output|provide)\s+(?:[^.\n—–]{1,60}[—–]\s*)?any\s+(?!(?:extra|more|other|additional|further|value)\b)[\w\[(]|"
    r"(?<!not )(?<!n't )(?<!cannot )(?<!to )\bfind\s+any\s+[a-z][^.]{0,80}?\band\s+return\b|"
    r"\brepresenting\s+any\s+\w+\s+(?:that|which)\b|\breturn\s+a\s+valid\s+[a-z]|"
    r"\b(?:calculate|compute|determine|produce|generate)\s+(?:any|one)\s+of\s+(?:the|all)\s+possible\b",
    "any", "other", "a valid", "one of",
)  # fmt: skip
"""`return any string that ...`. Used only where answers are more than a number or yes and no."""
_REARRANGED = Phrases(
    r"\bre-?arrange\s[^.]{0,80}\b(?:so|such)\s+that\s[^.]{0,60}\b(?:at\s+least|no\s+two|not\s+(?:the\s+same|equal|adjacent)|different)\b(?!.*(?:lexicographic|alphabetical))",
    "arrange",
)  # fmt: skip
_THING = (
    r"(?:sequences?|permutations?|arrangements?|placements?|assignments?|colou?rings?|ways?|orderings?|graphs?|trees?|paths?|routes?|walks?|cycles?|"
    r"matri(?:x|ces)|grids?|strings?|sets?|subsets?|subsequences?|pairs?|triples?|triplets?|tuples?|solutions?|schedules?|partitions?|constructions?|"
    r"configurations?|strateg(?:y|ies)|plans?|operations?|points?|polygons?|integers?|numbers?|arrays?|lists?)"
)
_FITS = (
    r"(?:satisf\w+|consistent with|such that|so that|(?:that|which)\s+(?:maximi|minimi|satisf|achiev|meet|fulfil|make|attain|yield|is consistent)\w*|"
    r"achieving|minimi[sz]ing|maximi[sz]ing|attaining|such\s+(?:numbers|integers|values|pairs|elements|points)\s+that)"
)
_STEPS = r"(?:operations?|moves|steps|swaps|actions|commands|instructions|lines\s+in)"
_CONSTRUCT = Phrases(
    rf"\b(?:print|output|show|give|construct|find)\s+(?:an?|two|three|some)\s+(?:(?:[\w-]+|\(\w+\))\s+){{0,4}}?{_THING}\b[^.]{{0,80}}?\b{_FITS}|"
    rf"\b(?:print|output|show|give|write|find|construct)\s+(?:[\w-]+\s+){{0,2}}an?\s+(?:desired|valid|possible|suitable|feasible|good)\s+{_THING}|"
    rf"\b(?:print|output)\s+a\s+valid\s+(?!min|max|small|larg|number)[\w-]+\s+{_THING}|\b(?:print|output)\b[^.]{{0,80}}\bfollowed\s+by\s+(?:a|the)\s+description\s+of\s+an?\b|"
    r"\b(?:print|output|show|construct|give|report|find)\s+such\s+an?\s(?!integer\b[^.]{0,40}\b(?:0|m|p)\b[^.]{0,80}(?:mod|equiv|≡))|\b(?:print|output|show|give)\s+an\s+instance\s+of\b|"
    r"\b(?:print|output)\s+the\s+(?:required|desired|needed)\s+(?:painting|colou?ring|arrangement|permutation|placement|assignment|partition|construction)\b|"
    rf"\bfind\s+(?:any|such|one\s+valid)\s+(?:[\w-]+\s+){{0,3}}{_THING}\b|\b(?:find|construct|write|assign|choose|restore|colou?r|paint|place|arrange|divide|split|build|draw|fill)\b[^.]{{0,400}},?\s+or\s+(?:determine|report|say|tell|find out|claim|print)\s+that\s+(?:this|it|that|there|no such)\s[^.]{{0,30}}(?:impossible|not|n't|no such|exists?)\b|"
    rf"\bof\s+an?\s+(?:possible|valid|suitable|desired)\s+{_THING}|\b(?:print|output)\s+the\s+choices?\s+of\b|"
    rf"\bif\s+there\s+(?:exists?|is)\s+an?\s+(?:[\w-]+\s+){{0,3}}?{_THING}\b[^.]{{0,80}}?\b{_FITS}[^.]{{0,80}},\s+(?:print|output)\s+(?!\W?(?:yes|no|true|possible|its|an?|-?[01]|the\s+(?:number|length|sum|total|cost|value|min\w*|max\w*|small\w*|larg\w*))\b)|"
    rf"\b(?:print|output)\s+[^.]{{0,60}}?\bnumber\s+of\s+{_STEPS}\b.{{0,120}}?\b(?:then|after\s+that|next|following|each\s+of|in\s+the|lines)\b[^.]{{0,60}}?\b(?:print|output|describe|contain|give)\w*\b(?![^.]{{0,30}}\bnumber\s+of\b)|"
    rf"\b(?:print|output|find|construct|restore)\s+an?\s+(?:[\w-]+\s+){{0,3}}?{_THING}\b[^.]{{0,20}}?\b(?:that|which)\s+(?:could|can|may|might)\s+(?:be|have\s+been)\b|"
    rf"\band\s+an?\s+(?:possible|valid|suitable|feasible)\s+{_THING}\b|"
    rf"\b(?:find|print|output|determine|choose)\s+the\s+(?:order(?:ing)?|arrangement|placement|assignment)\s+of\b[^.]{{0,80}}?\b{_FITS}|"
    r"\b(?:print|output)\b(?:[^.]|\.\.\.){0,120}\bdescribing\s+(?:the|this|your|such\s+an?)\s+(?:division|partition|split|colou?ring|arrangement|assignment|placement|distribution|choices?)\b|"
    r"\b(?:im)?possible\s+to\s+(?:assign|place|colou?r|paint|arrange|rearrange|reorder|divide|split|partition|construct|orient|direct|distribute|reach)\b[^.]{0,200}(?:\.[^.]{0,40})?"
    r"\b(?:otherwise|in case|if (?:it is|so|yes|your answer is|the answer is)|impossible)\b[^.]{0,60}(?:\.\s*otherwise\b[^.]{0,60})?\b(?:print|output)\b(?![^.]{0,120}\b(?:min|max|small|larg|least|most|number\s+of|sum|total|lexicograph)|\s+(?:a\s+single|one)\s+(?:integer|number))"
    r"[^.]{0,60}\b(?:(?:n|m|k|e|[2-9])\s+(?:space[- ]separated\s+)?(?:integers|numbers|lines)|two\s+lines|the\s+(?:\w+\s+)?(?:array|sequence|string|permutation|matrix|grid|arrangement|colou?ring|colou?rs?)|(?:exactly\s+)?\w+\s+lines)\b|"
    r"\b(?:print|output|show|give|report|tell\s+us)\s+a\s+way\s+(?:to|of|in)\b|"
    r"(?:^|[.;:!?]\s+|\bplease\s+)construct\s+(?:an?|any|one|two|three)\s|"
    r"\bcan\s+(?:be\s+(?:shown|proved|proven)|show|prove)\s+that\s+(?:there\s+(?:always\s+)?(?:exists?|is)\s+(?:always\s+)?(?:such\s+an?|an?\s+(?:solution|answer|way)|at\s+least\s+one)|(?:such\s+)?an?\s+(?:\w+\s+){1,4}?(?:always\s+)?exists)\b|"
    rf"\bfind\s+some\s+(?:\w+\s+)?(?:{_THING})\b|\byour\s+(?:output|answer)\s+must\s+satisfy\s+the\s+following\b|"
    r"\bcome\s+up\s+with\s+an?\s+(?:[\w-]+\s+){0,2}(?:scheme|plan|arrangement|schedule|assignment|construction)\b|"
    r"\b(?:in\s+your\s+(?:solution|answer|construction|plan)\b|if\s+your\s+(?:solution|answer|construction|plan)\s+(?!is\b)\w+s\b)",
    "required", "needed", "instance", "find some", "come up with", "a way", "construct", "exist", "at least one", "always", "in your", "if your", "choice", "operation", "moves", "steps", "swaps", "actions", "commands", "instructions", "lines in", "find any", "find one", "or determine", "or report", "or say", "or tell", "or find out", "or claim", "or print", "satisf", "consistent", "such", "so that", "maximi", "minimi", "achiev", "meet", "fulfil", "make", "attain", "yield",
    "desired", "valid", "possible", "suitable", "feasible", "good", "description of", "describing", "could", " can ", "may ", "might",
)  # fmt: skip
"""The task is to construct something that meets conditions. Several lists or graphs do, unless the text says
otherwise."""
_MUST_FORM = Phrases(
    rf"\b(?:must|should|have\s+to|has\s+to|needs?\s+to)\s+form\s+an?\s+(?:[\w-]+\s+){{0,3}}?{_THING}\b[^.]{{0,40}}?\b{_FITS}|"
    rf"\b(?:path|route|walk|cycle|sequence|tree|string|permutation|array|colou?ring)\b[^.]{{0,60}}\b(?:must|should|have\s+to|has\s+to|needs?\s+to)\s+be\s+a\s+valid\b|"
    r"\b(?:should|must|has\s+to|have\s+to)\s+be (?:as\s+\w+\s+as\s+possible|(?:max|min)imi[sz]ed|(?:max|min)im(?:al|um))\b|"
    r"\b(?:orientation|direction)s?\s+of\s+(?:that|the|each|this|every|all)\s+(?:\w+\s+)?(?:roads?|edges?|streets?)\b|"
    r"\b(?:array|sequence|list|string)\b[^.]{0,40}\b(?:which|that)\s+is\s+(?:an?\s+|the\s+)?(?:permutation|rearrangement)\s+of\b|"
    r"\b(?:min|max|short|fewest|least)\w*\b.{0,300}\bin\s+the\s+order\s+in\s+which\s+\w+\s+(?:use[sd]?|took|takes?|visit\w*|buys?|bought|chose|chooses?)\b|"
    r"\b(?:min|max|short|fewest|least|total)\w*\b.{0,200}\b(?:path|route|tour)\s+(?:itself|to\s+be\s+(?:covered|taken|followed|used))\b",
    "form", "valid", "orientation", "direction", "permutation", "rearrangement", "be as ", "be max", "be min",
    "in the order in which", "itself", "path to be", "route to be", "tour to be",
)  # fmt: skip
"""Searched only in the output format: elsewhere the words may be about what is given."""
_MAY_NOT_EXIST = re.compile(
    r"\bif\b[^.]{0,160}?(?:\bno\b|\bnot\b|n't|\bimpossible\b|\bcannot\b)|\b(?:no|impossible)\b[^.]{0,30} (?:if|otherwise)|"
    r"\b(?:print|output|contain|be)\b[^.]{0,30}\b(?:yes|possible)\b[^.]{0,160}?\b(?:no|impossible)\b"
)
_MADE_IF_POSSIBLE = re.compile(
    r"(?:otherwise|\b(?:then|yes|possible|lines?)\b|\bif\b[^.]{0,40}\b(?:is|exists?|possible|yes)\b|in (?:the )?case).{0,200}?"
    r"\b(?:print|output|contain|consist|follow)\w*\b[^.]{0,60}?\b(?:"
    r"(?:[a-z]|2n|\\frac\{n\}\{2\}|three|four|some|exactly \w+)\s+(?:[\w-]+\s+){0,2}(?:integers|numbers|lines|pairs|points|words|characters|indices)\b|"
    r"(?:descriptions?|sequence of|locations?|pairs of|path|plan|schedule|any|cycles|all pairs)\b)"
)
"""Both searched only in the output format: `-1 if there is none, otherwise n integers` asks for something that is made."""
_COMPUTED = re.compile(
    r"[k-]-?th\b|resulting|\broute\b|\bascending|increasing|descending|sorted|\bfirst (?:moment|time)|ambigu|quer(?:y|ies)|modulo|multiple suitable"
)
_ONE_ONLY = Phrases(
    r"\bunique(?:ly)?\b(?!\s+(?:ids?|identif\w+|defines|indices|names?|labels?)\b)|lexicographic|dictionary order|\b(?:exactly|only) one (?:\w+ ){0,2}(?:way|exists|solution|answer)|(?<!not )\bis determined\b",
    "unique", "lexicographic", "dictionary order", "only one", "exactly one", "is determined",
)  # fmt: skip
_EACH_PART_IS_SAID = re.compile(
    r"(?![^.]{0,60}\bformat:)[^.]{0,60}\.?[^.]{0,120}\b[ijk]-?th (?:character|letter|element|term|number|digit)\b"
)
"""Follows such words where the condition defines each part of the answer, so that only one answer is right."""
_ONE_NUMBER = re.compile(
    r"(?:(?!\bprint|\boutput).)*\b(?:print|output)s?\s+(?:(?:an?|one|the|only|single|exactly)\s+){0,3}(?:(?:integers?|numbers?|values?|answers?)\b)?"
    r"[\s—–:,-]*(?:(?:representing|denoting|equal\s+to|which\s+is)\s+)?the\s+(?:\w+\s+){0,2}"
    r"(?:minim\w+|maxim\w+|number\s+of|smallest|largest|greatest|least|total|sum|count)\b"
    r"(?!.*\b(?:print|output|any|several|multiple|followed|lines|second|next|lists?|indices)\b)"
)
"""An output format that asks for an optimum or a count, and for no more."""
_FOR_A_TEST = r"(?:for|of|on|in) (?:each|every|this|that|the|an?|one|any|all) (?:the )?(?:individual |single )?(?:test ?cases?|tests?\b|test files?|data ?sets?|input files?)"
_SCORED = Phrases(
    r"\byour program's score (?:is|will be|equals)\b|\byou will (?:score|get|receive) \W?\w\W? (?:penalty )?points\b|"
    r"\bscores? (?:of|for) (?:your|the|an?) (?:output|submission|program|submitted)|\b(?:absolute|relative|provisional) (?:score|ranking|tests?)\b|"
    r"\b(?:your|the) (?:output|submission|submitted program|program)s? (?:will be|is|are) (?:scored|ranked)|"
    rf"\bscores? {_FOR_A_TEST} ?(?:=|is|are|equals?|(?:will|would) be)\s|"
    r"\bthe (?:better|closer|shorter|smaller|larger|higher) [^.]{0,60}\b(?:the )?(?:better|higher|more) (?:is )?(?:your )?(?:score|points)\b|"
    r"\b(?:better solutions?|solutions? that [^.]{0,60}?) (?:will )?(?:earn|get|score|receive)s? more points\b|"
    r"\bscored on a curve\b|\bfraction of a point\b|\bpartial score depending\b|\bfinal score for a solution\b|"
    r"\b(?:your |the )?(?:final |total )?scores? (?:is|are|will be) (?:directly )?proportional to\b|"
    r"\bformula for (?:your|the) score\b|\byour scores? for (?:the|this) (?:problem|challenge)\b|\bfor each test(?: ?case| file)?,? your score\b|"
    r"\bmaxscore(?: for (?:a|the) test ?case(?: file)?\)?)?(?: ?\\?[*×]| (?=\([^()]{1,80}\)? ?[/÷]|max\())(?!\s*\(?\d)|\bscore = \d+ \(+c\b|\byour score is calculated as follows\b[^\n]{0,40}\bmoves\b|"
    r"\bscore (?:is|=|will be) \(?\d{2,5} - (?:number of |#)?(?:bot )?moves|\bscore will be \d+-[a-z]\b|"
    r"提出(?:プログラム)?の(?:得点|スコア)|得点を獲得した提出|同じ得点を複数の参加者|提出全体の判定|暫定テスト|(?:絶対|相対)(?:スコア|評価)",
    "提出", "得点", "テスト", "絶対", "相対", "score", "scored", "ranking", "ranked", "provisional", "points", "fraction of a point",
)  # fmt: skip
"""Problems for heuristics: an output gets points for how good it is."""
_SCORED_OR_PLAYED = Phrases(
    rf"\bscores? {_FOR_A_TEST}|"
    r"\b(?:lower|higher|smaller|larger) scores? (?:is|are|will|earns?|gets?)\s(?:earn |get |be )?(?:better|more points)\b(?! in\b)|"
    r"\byour (?:goal|aim|task|objective) is to (?:minimi[sz]e|maximi[sz]e) (?:this|your) score\b",
    "score",
)  # fmt: skip
"""The same, or a game that is played: where answers are numbers, they are the score in it."""
_ASKED_FOR = re.compile(r"\b(?:print|output|find|compute|calculate|determine|return|report|what is)\b[^.]{0,80}\Z")
_SEVERAL_IN_OTHER_LANGUAGES = Phrases(
    # Chinese
    r"(?:输出|返回|打印|给出|找出|找到|求出)[^。，]{0,12}(?:任意|(?<!有)任何|任一|其中)(?:的)?(?:一个|一种|一组|一条|一项|解|答案|方案|即可|其中|有效|合法|可行|满足|符合)(?![^。]{0,40}(?:最大|最小|最少|最多|数量|次数))|(?:任意|(?<!有)任何|任一|其中)(?:一个|一种|一组|一条)?(?:解|答案|方案|结果)?(?:即可|均可|都可以|都行|都算|都会|都视为|皆可)|"
    r"(?:存在|有|若有|如果有|可能有)多(?:个|种|组|条)(?:(?!删除|移除|选择|擦除)[^。]){0,40}(?:任意|任一|(?<!有)任何|其中一|均可|都可以|即可)|答案(?:可能)?不(?:是)?唯一|也(?:会|将|是|可以)?(?:被)?(?:视为|视作|认为是|算作|算)?(?:一个)?(?:正确|有效|合法|可接受|可行)的?(?:答案|解|结果|输出|方案)|"
    r"任何(?:(?!误差)[^。，]){2,40}都(?:会|将)?被?(?:视为|判断为|判为|认为是)正确|(?:也|同样)都?(?:是(?:一个)?)?(?:满足|符合)题(?:目要求|目条件|意)|"
    # Japanese
    r"複数[^。．]{0,40}(?:場合|とき|時|なら)[^。．]{0,30}(?:どれ|いずれ|どの|任意|一つ|ひとつ|\$?1\$?\s*つ)(?!を選)[^。．]{0,25}(?:出力|構|よい|良い|正解|正答|答え|示|求め|認め)|"
    r"(?:いずれか|どれか|どれでも)(?:一つ|ひとつ|\$?1\$?\s*つ)を?(?:答え|出力)|"
    r"(?:条件|要件)を[^。．]{0,12}満たす(?:どのような|任意の)出力も?[^。．]{0,12}正解|どの[^。．]{0,30}(?:でも|しても)(?:よい|良い|正解|構)|"
    r"(?:ならば|なら|いれば|されていれば|である場合、?)正解(?:となり|とな|とみなさ|とします|です)(?![^。．]{0,20}誤差)|"
    r"(?:そのような|このような|(?:条件|制約|次|以下)[^。．]{0,24}満たす|考えられる|ありえる|あり得る)(?:(?!存在|ただ)[^。．]){0,40}(?:一つ|ひとつ|\$?1\$?\s*(?:つ|通り)|(?<!入力)(?<!出力)例)を?(?!の|ず)[^。．ず、存]{0,6}(?:求め|出力|構成|構築|見つけ|示|答え)|"
    r"(?:うち|よう[^。．]{0,8}|方)の?\s*\$?1\$?\s*つを[^。．]{0,20}(?:求め|出力)|"
    # Russian and Ukrainian
    r"(?:несколько|более одного|не единствен|больше одного|кілька)[^.]{0,100}(?:люб|один из|одно из|одну из|будь-як)|(?:выведите|найдите|верните|вывести)\s+(?:\w+\s+){0,2}люб(?:ой|ое|ую|ые)|люб(?:ой|ое|ая|ую) из (?:них|подходящих|возможных|ответов)|"
    # Swedish, Danish, Norwegian, Icelandic
    r"(?:flera|fler än en|flere|mere end en|fleiri)[^.]{0,80}(?:vilken|vilket|valfri|någon av|hvilken|en af dem|en av dem|hver)|(?:skriv\w*|utskrift|ange)[^.]{0,60}(?:vilken|vilket|hvilken) som helst|valfri(?:tt)? (?:lösning|svar|sådan|av dem)|"
    # Spanish, Portuguese, French, German, Polish, Dutch
    r"(?:cualquiera de (?:ellas|ellos|las|los)|qualquer (?:uma|um) (?:delas|deles|das|dos)|n'importe (?:laquelle|lequel)|(?:irgend)?eine beliebige|eine davon|dowoln[ąye]\w* z nich|een willekeurige|(?:affichez|donnez|imprimez)-en une|un[ao] qualsiasi)|"
    # Korean
    r"아무\s?(?:거나|것이나|것)\s?(?:하나)?[를을]?\s*(?:출력|반환)|중\s?(?:아무|하나만)[^.]{0,12}(?:출력|반환)",
    "任", "其中", "多", "唯一", "也", "複数", "いずれか", "どれ", "満たす", "同様", "同样", "正解", "うち", "方",  "どの", "このような", "そのような", "考えられる", "ありえる", "あり得る", "люб", "несколько", "более", "больше", "единствен", "кілька",
    "fler", "flere", "mere end", "som helst", "valfri", "fleiri", "cualquiera", "qualquer", "importe", "beliebig", "davon", "dowoln", "willekeurig", "-en une",
    "qualsiasi", "아무", "하나만",
)  # fmt: skip
_TEST_CASES = Phrases(r"\btest[- ]?cases\b|\bt tests?\b", "cases", "t test")
_NUMBER = re.compile(r"[-+]?(?:0|[1-9]\d*)(?:\.\d+)?")
"""`0110` is no number, but a string or a row of a matrix."""
_SCALAR = re.compile(r"[-+]?\d+(?:\.\d+)?|true|false|yes|no", re.IGNORECASE)
_BUT = re.compile(r"[^.]{0,30}, but\b")
_IS_FIRST = re.compile(
    r"(?<=whichever)\s+(?:one\s+)?(?:comes?|appears?|occurs?|is)\s+(?:[\w-]+\s+){0,2}?(?:first|last|earliest|smallest|lowest|least|largest|greatest|shortest|longest)\b"
)
_EQUAL_ONES = re.compile(r"\b(?:strings|words|numbers|integers|values) are (?:equal|identical|the same),?\s*\Z")
_NOT_ANY = re.compile(r"(?:\bnot|n't|\bnever) \w+ any\Z")
_NOT_UNIQUE = re.compile(r"solutions? .*unique")
_OF_CASE = re.compile(
    r"\b(?:(?:upper|lower|letter|either|any)[ -]?case|case of)\b[^.]{0,80}\Z|"
    r"\b(?:yes|no)\b\W{1,8}(?:and|or)\W{1,4}(?:yes|no)\b\W{1,6}\Z"
)
"""Before `will also be accepted`: `yEs and nO` are no other answers."""
_CHOICE = re.compile(r"[^.]{0,80}\b(?:any|one)\b")
_A_STEP = re.compile(
    r"\b(?:delete|remove|discard|erase|choose|select|pick|take|swap|move|pop|eat|merge)s?\s+(?:\w+\s+){0,2}(?:any|one)\b|选[^。，]{0,12}任|任选|选任"
)
_SAME_WHATEVER = re.compile(
    r"\b(?:unique(?:ly)?|the same|determined)\b[^.]{0,60}\b(?:regardless|no matter|irrespective|independent)|"
    r"\b(?:regardless|no matter|irrespective)\b[^.]{0,80}\b(?:unique(?:ly)?|the same|determined)\b"
)
"""All ways to take the steps lead to one end."""
_THE_ANSWER = re.compile(r"\b(?:return|print|output|report|accept\w*|answers?|solutions?)\b|返回|输出|答案")
TESTS_LOOKED_AT = 8


def several_answers(row: Row) -> str | None:
    """The words that say that more than one answer is right, or None.

    >>> from microcoder_data.schema import new_row
    >>> several_answers(new_row(statement="If there are multiple answers, print **any** of them."))
    'multiple answers, print any'
    """
    key = _read(row)
    if key not in _KNOWN:
        if len(_KNOWN) >= _MOST_KNOWN:
            _KNOWN.clear()
        _KNOWN[key] = _found(row)
    return _KNOWN[key]


_KNOWN: dict[bytes, str | None] = {}
_MOST_KNOWN = 20_000
"""How many results are remembered, about 120 bytes each: the search takes long, and stages ask again for a row."""


def _read(row: Row) -> bytes:
    """A hash of all that the search reads of a row."""
    parts = [row["kind"] or "", *(row[name] or "" for name in PROSE)]
    for one in row["samples"]:
        parts += [one["explanation"] or "", one["output"] or ""]
    parts.append("tests")
    for test in (row.get("tests") or ())[:TESTS_LOOKED_AT]:
        parts += [test["ref"] or "", test["input"], test["output"]]
    return hashlib.blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _found(row: Row) -> str | None:
    text = searchable(whole_text(row))
    scalar = _answers_are_scalar(row, text)
    remarks = searchable("\n".join(one["explanation"] for one in row["samples"] if one["explanation"]))
    if scalar and _ONE_NUMBER.match(searchable(row["output_format"] or "")) and not _SCORED.search(text):
        return None
    searches = [(_SEVERAL, text), (_SCORED, text)]
    if not text.isascii():
        searches.append((_SEVERAL_IN_OTHER_LANGUAGES, text))
    if not text.isascii() and not _answers_are_plain(row, text):
        searches.append((_MADE_IN_OTHER_LANGUAGES, text))
    if not scalar:  # where answers are numbers or yes and no, these words are about other things
        searches += [
            (_SEVERAL, remarks),
            (_SCORED, remarks),
            (_SCORED_OR_PLAYED, text),
            (_SCORED_OR_PLAYED, remarks),
            (_ANY_OF_A_KIND, text),
            *([] if remarks.isascii() else [(_SEVERAL_IN_OTHER_LANGUAGES, remarks)]),
        ]
    for phrases, prose in searches:
        found = phrases.search(prose)
        while found and (
            (phrases in (_SCORED, _SCORED_OR_PLAYED) and _is_asked_for(found))
            or _of_something_else(found, scalar)
            or _has_no_answers_length(found, row)
        ):
            found = phrases.search_from(prose, found.end())
        if found:
            return found[0]
    if (found := _REARRANGED.search(text)) and not _answers_are_plain(row, text):
        return found[0]
    if (
        row["kind"] == "stdin" and not _answers_are_plain(row, text) and not _ONE_ONLY.search(f"{text} {remarks}")
    ):  # the answers are looked at first: the search takes long
        found = _CONSTRUCT.search(text.replace("$", ""))
        printed = searchable(row["output_format"] or "").replace("$", "")
        found = found or _MUST_FORM.search(printed)
        if not found and _MAY_NOT_EXIST.search(printed) and not _COMPUTED.search(printed):
            found = _MADE_IF_POSSIBLE.search(printed)
        if found and not _EACH_PART_IS_SAID.match(found.string, found.end()):
            return found[0]
    words = any_order_said(row, single_spaced(f"{text} {remarks}") if remarks else text)
    # Where answers are numbers, words that do not name the answer are about what the task plays with.
    return None if words and scalar and not _THE_ANSWER.search(words) else words


def one_only(row: Row) -> str | None:
    """The words that say that one answer only is right, such as `lexicographically smallest`; or None."""
    found = _ONE_ONLY.search(searchable_text(row))
    return found[0] if found else None


def _is_asked_for(found: re.Match[str]) -> bool:
    """Whether the score is what is printed: `print the score for each test case`."""
    return _ASKED_FOR.search(found.string, max(0, found.start() - 100), found.start()) is not None


def _of_something_else(found: re.Match[str], scalar: bool) -> bool:
    """Whether the words are about something other than the answer.

    They may be about a step (`delete any of them`) where answers are numbers or no choice of steps changes the end.
    A `but` or `comes first` after them may name the one right answer. Where answers are numbers, a solution that is not
    unique is what the numbers count.
    """
    if (
        _IS_FIRST.match(found.string, found.end())
        or _BUT.match(found.string, found.end())
        or _EQUAL_ONES.search(found.string, 0, found.start())
    ):
        return True
    if _NOT_ANY.search(found[0]):  # `too many answers, so we do not list any`
        return True
    if "also" in found[0] and _OF_CASE.search(found.string, max(0, found.start() - 120), found.start()):
        return True
    if scalar and _NOT_UNIQUE.fullmatch(found[0]) and not _CHOICE.match(found.string, found.end()):
        return True
    context = found.string[max(0, found.start() - 12) : found.end() + 20]
    if _A_STEP.search(context) is None or _THE_ANSWER.search(context):
        return False
    return scalar or _SAME_WHATEVER.search(found.string) is not None


def _has_no_answers_length(found: re.Match[str], row: Row) -> bool:
    """Whether `[1,5] is also valid`, in a sample's explanation, is about a list that is longer or shorter than the
    sample's output."""
    if "also" not in found[0] or "accept" in found[0] or _THE_ANSWER.search(found.string[found.start() :][:60]):
        return False
    listed = _LIST_BEFORE.search(found.string, max(0, found.start() - 60), found.start())
    words = f"{listed[0]}{found[0]}" if listed else ""
    shown = [one["output"] for one in row["samples"] if words and words in searchable(one["explanation"] or "")]
    return bool(shown) and all(one[:1] == "[" and one.count(",") != words.count(",") for one in shown)


def _answers_are_scalar(row: Row, text: str) -> bool:
    """Whether every known answer is one number, or a word of the statement such as `yes`; or as many of them as the
    input has test cases."""
    tests = [test for test in (row.get("tests") or ())[:TESTS_LOOKED_AT] if not test["ref"]]
    several = _TEST_CASES.search((row["input_format"] or row["statement"]).lower()) is not None
    return bool(tests) and all(_is_scalar(test["input"], _lines(test["output"]), several, text) for test in tests)


def _is_scalar(given: str, answer: list[str], several: bool, text: str) -> bool:
    if len(answer) > 1 and not (several and given.split()[:1] == [str(len(answer))]):
        return False
    return bool(answer) and all(_SCALAR.fullmatch(line) or _is_word_of(text, line) for line in answer)


def _lines(answer: str) -> list[str]:
    """The lines of an answer in lower case, without empty ones."""
    return [line.strip() for line in answer.lower().split("\n") if line.strip()]


def _is_word_of(text: str, line: str) -> bool:
    return line.isalpha() and line in text and re.search(rf"\b{line}\b", text) is not None


def _answers_are_plain(row: Row, text: str) -> bool:
    """Whether no known answer is a construction: each line is one number or a word of the statement (`Yes`, a name)."""
    tests = [test for test in (row.get("tests") or ())[:TESTS_LOOKED_AT] if not test["ref"]]
    answers = [_lines(test["output"]) for test in tests]
    if any(_is_list_below_its_head(answer, test["input"]) for answer, test in zip(answers, tests, strict=True)):
        return False
    lines = {line for answer in answers for line in answer}
    return all(_NUMBER.fullmatch(line) or _is_word_of(text, line) for line in lines)


def _is_list_below_its_head(lines: list[str], given: str) -> bool:
    """Whether a word or the number of lines that follow stands above numbers: `Yes`, then the numbers found.

    Where the input begins with the number of lines, they are the answers to as many test cases.

    >>> _is_list_below_its_head(["yes", "3", "1"], "4 4"), _is_list_below_its_head(["yes", "3", "1"], "3\\n1 2 3")
    (True, False)
    >>> _is_list_below_its_head(["2", "3", "1"], "5 8")
    True
    """
    if len(lines) < 2 or given.split()[:1] == [str(len(lines))] or not all(map(_NUMBER.fullmatch, lines[1:])):
        return False
    return lines[0].isalpha() or lines[0] == str(len(lines) - 1)
