"""`python -m clforge`: the command that is installed with this package."""

import os
import sys
import sysconfig
from typing import List


def command() -> str:
    """The path of the command: beside this interpreter's other commands, or where a package was installed for one user."""
    name = "clforge.exe" if os.name == "nt" else "clforge"
    folders: List[str] = [sysconfig.get_path("scripts")]
    user = "nt_user" if os.name == "nt" else "posix_user"
    if user in sysconfig.get_scheme_names():
        folders.append(sysconfig.get_path("scripts", user))
    # `pip install --target` puts commands below the folder of the packages.
    folders.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bin"))
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    raise FileNotFoundError("the command clforge is not installed with this package; looked in " + ", ".join(folders))


def main() -> None:
    """Becomes the command."""
    try:
        path = command()
    except FileNotFoundError as error:
        sys.exit("error: {}".format(error))
    sys.stdout.flush()
    os.execv(path, [path] + sys.argv[1:])


if __name__ == "__main__":
    main()
