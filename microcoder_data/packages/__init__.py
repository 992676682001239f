"""Problem packages, read safely: ICPC/Kattis from the legacy format to 2025-09, and those of other judges.

    files         a directory or a zip as names and bytes; nothing outside it, bounded sizes
    description   problem.yaml, .timelimit, domjudge-problem.ini
    statements    which statement is taken, in which language
    testdata      sample and secret tests, their groups and the validator's flags
    groups        the groups of a scoring problem
    validators    the output validator as a checker
    submissions   the jury's programs with their verdicts
    polygon_xml   problem.xml of Codeforces' Polygon, whose packages `sources/polygon.py` reads
    light_judge   config.yaml of LiveCodeBench-Pro's and Frontier-CS's packages
    testlib_programs   a checker or interactor by testlib's conventions, with what it includes

Everything that cannot be used is a `Reject` with a name. Nothing of a package is run here.
"""
