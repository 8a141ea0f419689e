"""What the tests share. They test the package that is installed, not the folder beside them."""

import pytest

import clforge


@pytest.fixture(scope="session")
def device():
    """The device of the tests: CLFORGE_DEVICE, or the best."""
    return clforge.Device()
