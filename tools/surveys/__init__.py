"""Surveys of other libraries, and the pins of those that cannot be installed beside the extra `surveys` of pyproject.toml.

Each of these has a folder of its own, without what it needs, which the others bring.
"""

BESIDE = ("haystack-ai==3.0.0", "recmetrics==0.1.5", "recommenders==1.2.1", "rectools==0.19.0")
OLD = "ml_metrics==0.1.4"  # wants an old setuptools, which Python 3.12 no longer runs: there it is left out
