"""Score a predictor of your own with `python -m metrics.predictors mine.py`; the code is in `metrics.library.predictors`."""

import sys

from .library import predictors

if __name__ == "__main__":
    predictors.main()
else:
    sys.modules[__name__] = predictors
