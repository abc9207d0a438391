"""What is wrong with a page, and what mends it."""


class Problem(Exception):
    """Reported with the page and the line that it was found at; in a strict build it fails the build."""

    def __init__(self, what: str, mend: str = ""):
        super().__init__(what)
        self.what = what
        self.mend = mend

    def __str__(self) -> str:
        return f"{self.what}\n  next: {self.mend}" if self.mend else self.what
