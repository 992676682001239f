"""Recognises, inside a program's own process, that a `while` loop of it cannot end.

asked.py           the handlers of the signals by which a supervisor asks
check.py           follows the program for some milliseconds, and ends it when it is certain
bytecode.py        what may be executed between two visits of a loop's head
state.py           the values that this reads, written down so that equal states have equal descriptions
interference.py    what could change the program besides its own instructions

The proof is in docs/grading_speed.md. All of this runs beside the untrusted program, which can only end itself with it.
"""
