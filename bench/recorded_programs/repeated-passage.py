def make(r):
    scroll = r.word(1, 20000)
    return [
        [
            r.choice([1, 2, 2, 3, len(scroll), r.randint(1, len(scroll) + 1), 20000])
            if len(scroll) < 20000
            else r.choice([1, 2, 3, 20000])
        ],
        scroll,
    ]


def valid(t):
    t.row(1, 1, 20000)
    t.line("[a-z]{1,20000}")
