"""`python -m metrics.exam OUT --chapters ... --seed ...`: makes an exam, in `metrics.course.exams`."""

from .course.exams import main

if __name__ == "__main__":
    main()
