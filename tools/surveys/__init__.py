"""What other libraries answer, and the pins of those that cannot be installed beside the extra `surveys` of pyproject.toml.

They have a folder of their own, without what they need, which the others bring.
"""

BESIDE = ("recommenders==1.2.1", "rectools==0.19.0")
