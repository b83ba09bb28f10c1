# The public names, for type checkers; a test compares the modules with those of __init__.py.

from . import plots as plots, premise_selection as premise_selection, ties as ties, trec as trec
from .areas import *
from .catalogue import *
from .curve import *
from .cutoff import *
from .diversity import *
from .exact import claims as claims, definitions as definitions
from .gain import *
from .hits import *
from .inputs.flat import *
from .inputs.frames import *
from .inputs.groups import *
from .inputs.scores import *
from .judges import *
from .long_tail import *
from .names import trec_names as trec_names
from .names.measures import *
from .order import *
from .rank_correlation import *
from .readers import *
from .sets import *
from .topics.means import *
from .topics.significance import *
from .topics.totals import *

MODULES: tuple[str, ...]
MODULE_OF: dict[str, str]
NAMESPACES: dict[str, str]
__version__: str
__all__: list[str]
