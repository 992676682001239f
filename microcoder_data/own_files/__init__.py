"""`microcoder data init`: write a recipe for a user's own files.

`look` finds out what the files contain, `fit_rules` tries the rules on a sample and relaxes those that do not fit, and
`recipe_text` writes the recipe.
"""
