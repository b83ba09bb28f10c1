"""`python -m metrics.predictors mine.py` scores a predictor of your own; all else is in `metrics.library.predictors`."""

import sys

from .library import predictors

if __name__ == "__main__":
    predictors.main()
else:
    sys.modules[__name__] = predictors
