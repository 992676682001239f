"""Fidelity: measure what a row lost of the publisher's text.

`atoms.py` splits a text into what must survive a change of markup; `loss.py` compares two texts or rows by that;
`measure.py` runs in every build; `of_dataset.py` and `commands.py` are `microcoder data fidelity`. No text is changed.
"""
