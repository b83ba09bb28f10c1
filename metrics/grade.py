"""Grade a folder of homework with `python -m metrics.grade FOLDER OUT`; the code is in `metrics.course.grading`."""

from .course.grading import main

if __name__ == "__main__":
    main()
