"""Problem packages, read safely: ICPC/Kattis from the legacy format to 2025-09, and those of other judges.

    files         a directory or a zip as names and bytes: nothing outside it is read, sizes are bounded
    description   problem.yaml, .timelimit, domjudge-problem.ini
    statements    which statement is taken, in which language
    languages     the language of a program by its file names, and its main file
    testdata      sample and secret tests, their groups and the validator's flags
    groups        the groups of a scoring problem
    validators    the output validator as a checker
    submissions   the jury's programs with their verdicts
    polygon_xml   problem.xml of Codeforces' Polygon, whose packages `sources/polygon.py` reads
    light_judge   config.yaml of LiveCodeBench-Pro's and Frontier-CS's packages
    testlib_programs   a checker or interactor by testlib's conventions, with what it includes
    gradable      a Reject for rows that the grader does not accept

What cannot be used raises a `Reject` with a reason. Nothing of a package is run here.
"""
