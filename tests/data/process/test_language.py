"""Languages of statements, with code and formulas mixed in."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microcoder_data.process.language import Language, detect
from microcoder_data.schema import new_row

pytestmark = pytest.mark.fast

SENTENCES = {
    "en": [
        "You are given a tree with n vertices. Find the longest path that visits each vertex at most once.",
        "A farmer has several cows and wants to place them in stalls so that the least distance is the largest.",
        "Print YES if the string can be split into two palindromes and NO otherwise.",
    ],
    "zh": [
        "给定一棵有若干个节点的树，请你找出经过每个节点至多一次的最长路径。",
        "农夫想把奶牛安排在牛棚里，使得任意两头奶牛之间的最小距离尽可能大。",
        "如果可以把字符串分成两个回文串，输出YES，否则输出NO。",
    ],
    "ja": [
        "頂点がいくつかある木が与えられます。各頂点を高々一度だけ通る最長の道を求めてください。",
        "農夫は牛を小屋に配置して、最も近い二頭の距離をできるだけ大きくしたいと考えています。",
        "文字列を二つの回文に分けられるならば Yes を、そうでなければ No を出力してください。",
    ],
    "ru": [
        "Дано дерево с несколькими вершинами. Найдите длиннейший путь, который проходит через вершину не более раза.",
        "Фермер хочет разместить коров в стойлах так, чтобы наименьшее расстояние было как можно больше.",
        "Выведите YES, если строку можно разбить на два палиндрома, и NO в противном случае.",
    ],
    "pt": [
        "É dada uma árvore com alguns vértices. Encontre o caminho mais longo que passa por cada um no máximo uma vez.",
        "Um fazendeiro quer colocar as vacas nos estábulos de modo que a menor distância seja a maior possível.",
        "Imprima YES se a palavra puder ser dividida em dois palíndromos e NO caso contrário.",
    ],
    "sv": [
        "Du får ett träd med några noder. Hitta den längsta vägen som besöker varje nod högst en gång.",
        "En bonde vill placera sina kor i bås så att det minsta avståndet mellan dem blir så stort som möjligt.",
        "Skriv ut YES om ordet kan delas upp i två palindrom och NO annars.",
    ],
    "de": [
        "Gegeben ist ein Baum mit einigen Knoten. Finde den längsten Weg, der jeden Knoten höchstens einmal besucht.",
        "Ein Bauer möchte seine Kühe so auf die Ställe verteilen, dass der kleinste Abstand möglichst groß wird.",
        "Gib YES aus, wenn das Wort in zwei Palindrome zerlegt werden kann, und sonst NO.",
    ],
    "is": [
        "Gefið er tré með nokkrum hnútum. Finndu lengsta veginn sem fer í gegnum hvern hnút að hámarki einu sinni.",
        "Bóndi vill raða kúnum sínum í bása þannig að minnsta fjarlægðin á milli þeirra sé sem mest.",
        "Skrifaðu út YES ef hægt er að skipta orðinu í tvær samhverfur en annars NO.",
    ],
    "da": [
        "Du får givet et træ med nogle knuder. Find den længste vej, der besøger hver knude højst én gang.",
        "En landmand vil placere sine køer i båse, så den mindste afstand mellem dem bliver så stor som muligt.",
        "Udskriv YES hvis ordet kan deles op i to palindromer, og ellers NO.",
    ],
}
SHORT = {
    "da": ["Antallet af gyldige kodeord kan blive stort.", "Hver linje beskriver en kant.", "Findes der en cyklus?"],
    "is": [
        "Röðin skiptir ekki máli.",
        "Vogin sýnir aðeins heil grömm.",
        "Er hringur í netinu?",
        "Hvaða nemandi lýgur?",
    ],
    "sv": ["Lamporna är släckta från början.", "Finns det en cykel?", "Ordningen spelar ingen roll."],
    "de": ["Jede Zeile beschreibt eine Kante.", "Gibt es einen Kreis?", "Die Reihenfolge ist egal."],
    "pt": ["Existe um ciclo?", "Cada linha descreve uma aresta.", "A princesa mora na torre."],
    "en": ["Does a cycle exist?", "A robot moves on a grid.", "Otto collects stamps.", "Cats jump over fences."],
}
FENCE = (
    "\n```python\ndef solve(n, m):\n    for i in range(n):\n        if i > m and not i % 2:\n            return i\n```"
)
BARE = "\nfor i in range(n):\n    if a[i] > b[i] and not used[i]:\n        print(a[i])\nreturn the_answer;\n"
FORMULAS = " $1 \\le n \\le 10^5$, $\\sum_{i=1}^{n} a_i \\leq \\text{max of all}$"
COMMENTED = (
    "\n```cpp\nint main() {  // read all of the numbers and print the number that is the largest of them\n}\n```"
)
SAMPLES = "\n\nSample Input 1:\n3 4\nthe word\n\nSample Output 1:\nYES\n\n**Input:** nums = [1, 2], target = 3\n"
HTML = "\n<p>&nbsp;<code>return the_value</code> <span style='color:red' class='example of the style'>x</span></p>"


@pytest.mark.parametrize("language", sorted(SENTENCES))
@pytest.mark.parametrize(
    "mixed_in", ["", FENCE, BARE, FORMULAS, FENCE + FORMULAS, COMMENTED, SAMPLES, HTML, COMMENTED + SAMPLES + FORMULAS]
)
def test_every_language_with_code_and_formulas(language: str, mixed_in: str) -> None:
    for sentence in [*SENTENCES[language], " ".join(SENTENCES[language])]:
        assert detect(sentence + mixed_in) == language
        assert detect(f"{mixed_in.strip()}\n\n{sentence}") == language


@pytest.mark.parametrize(("language", "text"), [(name, text) for name, texts in SHORT.items() for text in texts])
def test_one_short_sentence(language: str, text: str) -> None:
    assert detect(text) == language


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("ru", "Объектом является узел графа, верно?"),  # a hard sign does not make it Bulgarian
        ("bg", "Напишете програма, която намира първия връх на дървото и отпечатва броя на пътищата."),
        ("ja", "2つの数が与えられます。100以下の数を3つ選んでください。"),  # digits without spaces round them
        ("zh", "`node` class 的颜色是 red，请求出 n = 5 时的答案。"),
        ("sv", "Låt antalet bilar vara $N = 3$, med $M = 2$ hjul på varje sida. Kör alla i mål?"),
        ("da", "Der er ingen indlæsning. Skriv »Hej verden!« på en enkelt linje."),
        ("de", "Sei `f(k)` = $e^k$ für alle ganzen Zahlen. Gesucht ist die beste Näherung."),
        ("pt", "Adicione um `p` com o texto:\n\n```\nThis is the text that you should show to each of the users.\n```"),
        ("en", "Return the list in reverse."),
        ("en", "José and Zoë play a game on Königstraße. Who wins if both of them play well?"),
        ("en", "Given a list of addresses such as a.b@mail.com and c@site.com.br, count those of each domain."),
        ("fi", "Tehtävänä on laskea, kuinka monta eri polkua verkossa on, kun jokainen solmu voi olla lähtöpaikka."),
        ("et", "Graaf koosneb tippudest ja servadest. Leia, mitu erinevat teed on esimese ja viimase tipu vahel."),
    ],
)
def test_what_misleads_a_detector(language: str, text: str) -> None:
    assert detect(text) == language


@settings(deadline=None)
@given(st.text(max_size=200))
def test_any_text_has_an_answer_and_always_the_same(text: str) -> None:
    assert detect(text) == detect(text)


@pytest.mark.parametrize("text", ["", "123 456", "$x^2$", "```\ncode\n```", "?!"])
def test_nothing_to_go_by_is_unknown(text: str) -> None:
    assert detect(text) == "unknown"


def test_other_languages_are_marked_or_dropped_as_the_recipe_says() -> None:
    row = new_row(problem_id="a:1", source="a", statement=SENTENCES["sv"][0], kind="stdin")
    outcome = Language()(row)
    assert outcome is not None and (outcome.outcome, row["language"]) == ("marked", "sv")
    outcome = Language(others="drop")(row)
    assert outcome is not None and (outcome.outcome, outcome.reason) == ("dropped", "language")
    assert Language(keep=("en", "sv"), others="drop")(row) is None


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("تابعی بنویسید که دو عدد را جمع کند.", "fa"),
        ("ایک فنکشن لکھیں جو دو اعداد کا مجموعہ واپس کرے۔", "ur"),
        ("اكتب دالة تحسب مجموع عددين.", "ar"),
        ("Tulis fungsi untuk mencari jumlah dua nombor.", "ms"),
        ("Semak sama ada perkataan itu palindrom.", "ms"),
        ("Periksa apakah kata tersebut palindrom.", "id"),
        ("Suriin kung ang salita ay palindrome.", "tl"),
        ("Sumulat ng function na nagbabalik ng kabuuan ng dalawang numero.", "tl"),
        ("Bir sayi verildiginde karesini donduren fonksiyonu yazin.", "tr"),
        ("Geef het getal dat groter is dan alle andere, en dan de som.", "nl"),
        ("Check if the word is a palindrome.", "en"),
    ],
)
def test_short_texts_in_rarer_languages(text: str, language: str) -> None:
    assert detect(text) == language
