"""PPO's critic: a value head on the policy's hidden states (`advantage.baseline: value`).

    gae      advantages, returns and the value loss (pure)
    assign   values of a batch's tokens before its updates, and the advantages from them

The head is `value_head` of the policy's model. It is trained with the model and saved with the optimiser's state; the
saved model folder does not have it.
"""
