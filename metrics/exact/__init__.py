"""The exact side of the package: definitions in exact arithmetic, and the tools that check them. Nothing here imports NumPy.

    from metrics.exact import claim, definitions, prove, rankings

`definitions` has each metric straight from its formula; `cases` has what a claim is tried on; `claims` is the checker;
`proofs` has the steps that SymPy shows; `wishes_of_ap_at_k` has what you may wish of AP@K.
"""

from .claims import *  # noqa: F403
from .claims import __all__ as __all__
