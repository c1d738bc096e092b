"""The errors of this package. Failures of the network are errors of httpx."""

from .models import Problem


class FloeError(Exception):
    """Base class of the errors."""


class ProblemResponseError(FloeError):
    """The service rejected the request and said why."""

    code: str
    """What kind of problem it is, such as `ref-not-found`. A later version of the service may send others."""
    problem: Problem
    """The problem that the service answered."""
    status: int
    """HTTP status of the answer."""
    retry_after: float | None
    """How long to wait before the next request, in seconds, if the answer says so."""

    def __init__(self, problem: Problem, *, status: int, retry_after: float | None = None) -> None:
        super().__init__(f"{problem['title']}: {problem['detail']}")
        self.code = problem["code"]
        self.problem = problem
        self.status = status
        self.retry_after = retry_after


class UnexpectedResponseError(FloeError):
    """The answer does not come from the service: a page of a proxy, a redirect (never followed), another media type."""

    status: int
    """HTTP status of the answer."""

    def __init__(self, url: str, *, status: int) -> None:
        super().__init__(f"Unexpected answer with status {status} from {url}")
        self.status = status


class StorageNotPublishedError(FloeError):
    """The service does not publish where a repository is stored, or in a way that only later versions know."""


class CoordinatesError(FloeError):
    """The coordinates do not fit the gaps, or chunks have different sizes, so that a position tells no element."""


class NotSignedInError(FloeError):
    """There is no token of `floe login` for the service, or the issuer refuses to renew it."""


class WebhookError(FloeError):
    """A request to a webhook is not a genuine notification."""
