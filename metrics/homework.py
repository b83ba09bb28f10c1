"""Write the homework of chapters with `python -m metrics.homework OUT --chapters ... --setting ...`; the code is in `metrics.course.sheets`."""

from .course.sheets import main

if __name__ == "__main__":
    main()
