"""The quickstart: the whole loop on the embedded problem set, with the ordinary commands.

`chapters.py` lists the commands, `run.py` runs them one after the other, `page.py` shows the results on a page.
"""
