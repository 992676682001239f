def make(r):
    melody = r.word(1, 12000)
    return [
        [r.choice([1, 1, min(2, len(melody)), min(3, len(melody)), len(melody), r.randint(1, len(melody))])],
        melody,
    ]


def valid(t):
    (k,) = t.row(1, 1, 12000)
    assert len(t.line("[a-z]{1,12000}")) >= k
