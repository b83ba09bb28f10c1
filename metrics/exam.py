"""Make an exam with `python -m metrics.exam OUT --chapters ... --seed ...`; the code is in `metrics.course.exams`."""

from .course.exams import main

if __name__ == "__main__":
    main()
