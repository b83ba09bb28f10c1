"""The exact side of the package: definitions in exact arithmetic, and the tools that check them. Nothing here imports NumPy.

    from metrics.exact import claim, definitions, prove, rankings

`definitions` has each metric straight from its formula; `cases` has the cases on which a claim is tried; `claims` is the checker;
`proofs` has the steps that SymPy shows; `wishes_of_ap_at_k` has the wishes that you may have for AP@K.
"""

from .claims import *  # noqa: F403
from .claims import __all__ as __all__
