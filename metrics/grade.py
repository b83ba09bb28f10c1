"""`python -m metrics.grade FOLDER OUT`: grades a folder of homework, in `metrics.course.grading`."""

from .course.grading import main

if __name__ == "__main__":
    main()
