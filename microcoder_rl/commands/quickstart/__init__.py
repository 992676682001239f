"""The first hour: the whole loop on the embedded problem set, with the commands that anybody would use.

`commands` runs them one after the other, `chapters` says which and why, `page` puts what came out on one page.
"""
