"""The client for administrators."""

from collections.abc import Callable

from .methods import AdminMethods
from .transport import Connected, Transport


class AdminClient(AdminMethods, Connected):
    """Administers webhooks, chats, expectations, remarks, deliveries and API keys of an organisation.

    What is sent is passed by name, as in `floe.keys.create(role="reader")`. Answers and errors are those of `Client`.
    """

    def __init__(
        self,
        *,
        base_url: str,
        org: str,
        api_key: str | None = None,
        auth: str | Callable[[], str] | None = None,
        timeout: float = 30,
    ) -> None:
        """Create a client. It connects with the first request. `Client` describes the arguments.

        Raises:
            ValueError: `base_url` is not the address of a service, no address can contain a name, or both `api_key`
                and `auth` are given.
        """
        super().__init__(Transport(base_url, {"org": org}, api_key=api_key, auth=auth, timeout=timeout))
