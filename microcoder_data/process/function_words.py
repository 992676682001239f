"""Common words of the languages in Latin script, and of contest statements in them: they identify the language.

A word is evidence for every language whose list contains it; the evidence is divided among these languages.
"""

# ruff: noqa: E501, SIM905 - a word list is one line

from __future__ import annotations

from collections.abc import Mapping

ENGLISH_PROSE = frozenset(
    """the of that are with this which each will from there you your given should such have has been its their they
    than then when where what how many these those must may""".split()
)
"""English function words that do not occur in programs."""

_LISTS = {
    "en": """to in a is it for be if as by an at or not can all number print output input line first second contains two
        string find return any between following case example and on we let no one do so most same only was after more
        other into also does but compute calculate every write determine whether up out over make time three her his he
        she who words word without""",
    "sv": """och att är för på inte ett från till som det den kan ska när varje där du dig din eller talet av med en i om har
        hur många rad rader raden skriv ut antal antalet första andra innehåller ditt mellan sedan indata utdata alla de
        så vad finns bara måste vill heltal tal sin sina får blir samma utan vara kommer detta alltså fått stycken
        består hjälp skall sitt dessa annars flera skulle vem vilken vilket vilka hon han vi man mer än under efter mot
        upp ner vid varandra mycket mindre mest minst större största minsta hitta beräkna avgör bestäm svaret vart går
        få ge ger givet heter bli blev hade samt också även endast antingen minuter dagar två tre fyra fem sex sju åtta
        nio tio alltid aldrig ibland därefter åt genom""",
    "da": """og at er for på ikke et fra til som det den kan skal når hver der du dig din eller af med en i om har hvor mange
        linje linjen linjer skriv ud antal antallet første anden indeholder dit mellem derefter alle de så hvad findes
        kun må vil heltal tal sin sine får bliver samme uden nogle udskriv givet efter blev nu være kommer dette altså
        fået består hjælp sit disse andre ellers ingen ved hvert hvem hvilken hvilket hvilke hun han vi man mere end
        under mod op ned hinanden meget mindre mest mindst større største mindste find beregn afgør bestem svaret går gå
        giver gives hedder blive havde samt også hans hendes deres enten dage to tre fire fem seks syv otte ni ti altid
        aldrig derpå ad gennem hvis både selv tallet tallene hvordan hvornår skriver lige""",
    "no": """og at å er for på ikke et fra til som det den kan skal når hver der du deg din eller av med en i om har hvor
        mange linje linjen linjer skriv ut antall antallet første andre inneholder ditt mellom deretter alle de så hva
        finnes bare må vil heltall tall sin sine får blir samme uten noen gitt etter ble nå være kommer dette altså fått
        består hjelp sitt disse ellers ingen ved hvert hvem hvilken hvilket hvilke hun han vi man mer enn under mot opp
        ned hverandre mye mindre mest minst større største minste finn beregn avgjør bestem svaret går gå gir heter bli
        hadde samt også hans hennes deres enten dager to tre fire fem seks sju åtte ni ti alltid aldri gjennom hvis både
        selv tallet tallene hvordan seg meg""",
    "de": """der die das und ist nicht ein eine einen einem einer mit für auf den dem des zu von wird werden oder jede jeder
        jedes wenn sie es im ihr ihre ihren zeile zahl zahlen ganze erste zweite enthält ausgabe eingabe anzahl zwischen
        sind kann auch aus bei nach alle dann was wie du als an gib noch nur dass sich hat sein dieser diese so in sei
        gilt deren gegeben kein keine jetzt nun meisten wer welche welcher welches wir man mehr unter gegen über sehr
        weniger größte kleinste finde berechne bestimme bestimmen antwort gibt geben hatte haben sowie entweder tage
        zwei drei vier fünf sechs sieben acht neun zehn immer durch beide bis wieviele viele hilf ob um zum zur vom beim
        ins am seine seinen seiner ihrem ihn ihm ihnen schreibe mehrere""",
    "nl": """het van een niet dat met op de en is voor elke zijn aan te bij ook als er wordt je regel getal getallen eerste
        uitvoer invoer bevat hoeveel maar kan deze uit naar om wie welke wij we zij hij ze hem haar meer dan onder tegen
        over veel minder meest grootste kleinste vind bereken bepaal schrijf antwoord geeft geven heeft had hebben
        alleen twee drie vier vijf zes zeven acht negen tien altijd nooit door beide tot of dagen gegeven zich""",
    "pt": """o os as do da dos das em no na nos nas um uma que para com não é são você cada número linha linhas ou se ao por
        inteiro inteiros primeira segunda contém saída entrada exemplo entre quantidade seu sua deve ser isso foi mais
        como ele ela até também sem pelo pela depois quando e a de à onde vamos aqui está estão alguns todo todos eles
        elas dia primeiro tem têm pode qual maior menor valor quem quais nós menos encontre calcule imprima determine
        escreva dado dada resposta quantos quantas dias dois duas três quatro cinco seis sete oito nove dez sempre nunca
        outro outra outros vetor pelos já só mesmo me num numa cujo soma palavra vez vezes números fazer faz vai""",
    "es": """el la los las un una del con por para que es son cada número línea líneas entero enteros primera segunda
        contiene salida entrada ejemplo entre cantidad su sus debe ser se al lo en y o más como hasta también sin cuando
        de a no donde está están todo todos día primero tiene puede mayor menor valor quién cuál cuáles nosotros menos
        encuentra encuentre calcula calcule imprime imprima determine determina escribe dado dada respuesta cuántos
        cuántas días dos tres cuatro cinco seis siete ocho nueve diez siempre nunca otro otra otros ya sólo solo mismo
        usted suma palabra vez veces números hacer hace va ella él muy pero""",
    "fr": """le la les des du est une un dans pour qui que et chaque nombre vous à au aux sur par avec ne pas ce cette ligne
        entier entiers première sortie entrée exemple entre son sa ses ou si il elle sont en de plus être quel quelle
        nous moins grand petit trouvez calculez affichez déterminez écrivez réponse combien jours deux trois quatre cinq
        sept huit neuf dix toujours jamais autre y leur leurs donné donnée tous toutes tout""",
    "it": """il lo la i gli le di che non per sono una un del della dei delle nel nella ogni numero riga è e con da intero
        interi prima seconda contiene uscita ingresso esempio tra fra suo sua deve essere se al alla più come chi quale
        quali noi meno grande trova calcola stampa determina scrivi risposta quanti quante giorni due tre quattro cinque
        sei sette otto nove dieci sempre mai altro altra dato data tutti tutte ha hanno""",
    "is": """að sem við það ekki og er í á um af með til fyrir ef þá þú hver hvert eru verður skal línu lína línan heiltala
        heiltölur fyrsta önnur inniheldur úttak inntak fjöldi fjölda dæmi milli hún hann þess þar eða en einni eina ein
        tölu tala tölur skrifaðu út öll allir svo hversu margir margar mörg hvaða þeir þær þau þið mig mér sér sig sinn
        sína sínum síðan finndu prentaðu reiknaðu svarið svar dagar tveir tvær tvö þrír þrjár þrjú fjórir fjögur fimm
        sex sjö átta níu tíu alltaf aldrei annars aðeins bara undir yfir upp niður hverja hverjum gefin gefinn gefið
        gefnar tölurnar talan heiltölu streng hefur hafa var voru vera úr frá hjá gegnum inn allra allar allt hvort
        hvernig hvenær hennar hans þeirra meira minna mest minnst næst mega má getur geta vill""",
    "fi": """ja on ei se että tai kun joka ovat jos rivi riville luku lukua kokonaisluku ensimmäinen tulosta syöte välillä
        kuinka monta voi sen niin kuin jossa""",
    "et": """ja on ei et kui mis see ning või iga kas selle oma siis ka kus mitu rida real arv arvu täisarv esimene väljund
        sisend vahel võib seda tema nende""",
    "pl": """i w z na jest nie się że do to jak lub oraz dla przez liczba liczby liczb każdy wiersz wierszu pierwszy wejście
        wyjście po od co są jeśli które który""",
}  # fmt: skip

LANGUAGES = tuple(_LISTS)
_WEIGHT_OF_CODE_WORDS = 0.4
"""The weight of an English word that also occurs in programs."""
_LETTERS = {
    "å": ("sv", "da", "no"), "ä": ("sv", "de", "fi", "et"), "ö": ("sv", "de", "fi", "is", "et"), "æ": ("da", "no", "is"),
    "ø": ("da", "no"), "ß": ("de",), "ü": ("de", "et"), "ð": ("is",), "þ": ("is",), "ã": ("pt",), "õ": ("pt", "et"),
    "ç": ("pt", "fr"), "ê": ("pt", "fr"), "ñ": ("es",), "ý": ("is",), "ł": ("pl",), "ż": ("pl",), "ę": ("pl",),
    "ą": ("pl",), "ś": ("pl",),
}  # fmt: skip


def _weights() -> dict[str, dict[str, float]]:
    words: dict[str, dict[str, float]] = {word: {"en": 1.0} for word in ENGLISH_PROSE}
    for language, text in _LISTS.items():
        for word in text.split():
            words.setdefault(word, {})[language] = _WEIGHT_OF_CODE_WORDS if language == "en" else 1.0
    return {
        word: {language: weight / len(weights) for language, weight in weights.items()}
        for word, weights in words.items()
    }


WORD_WEIGHTS = _weights()
"""For each word, its weight in every language whose list contains it."""
FOREIGN = frozenset(word for word, weights in WORD_WEIGHTS.items() if "en" not in weights)
"""Words that are common in another language and not in English."""


def evidence(counts: Mapping[str, int]) -> dict[str, float]:
    """How much evidence a text gives for each language; `counts` has its words in lower case.

    >>> found = evidence({"och": 1, "the": 2, "for": 1})
    >>> found["en"] > found["sv"] > found["de"]
    True
    """
    found = dict.fromkeys(LANGUAGES, 0.0)
    for word, count in counts.items():
        for language, weight in WORD_WEIGHTS.get(word, {}).items():
            found[language] += weight * count
        if not word.isascii():
            for letter in set(word) & _LETTERS.keys():
                languages = _LETTERS[letter]
                for language in languages:
                    found[language] += count / len(languages)
    return found
