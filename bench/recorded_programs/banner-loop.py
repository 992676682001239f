def make(r):
    return [r.word(1, 30000)]


def valid(t):
    t.line("[a-z]{1,30000}")
