"""Credit by line: which tokens of a reply are which lines of its program, and what happened on these lines.

token_map    the lines of the extracted program that each token belongs to (pure)
statements   the lines that no test executed, and the line of an error (pure)
trace        the executed lines of a batch's programs, by the grader
assign       StepCoder's mask and RLTF's fine feedback on the advantages of tokens
"""
