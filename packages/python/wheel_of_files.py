"""Builds the wheel (PEP 517) with nothing but Python: the package has only files of Python."""

import base64
import hashlib
import re
import zipfile
from pathlib import Path

_HERE = Path(__file__).parent
_PROJECT = (_HERE / "pyproject.toml").read_text(encoding="utf-8")


def _field(name):
    return re.search(rf'^{name} = "(.*)"$', _PROJECT, re.MULTILINE).group(1)


def _metadata():
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {_field('name')}",
        f"Version: {_field('version')}",
        f"Summary: {_field('description')}",
        f"Requires-Python: {_field('requires-python')}",
        "License: Apache-2.0",
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(lines) + "\n\n" + (_HERE / "README.md").read_text(encoding="utf-8")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Writes the wheel. Returns its name."""
    base = f"{_field('name').replace('-', '_')}-{_field('version')}"
    name = f"{base}-py3-none-any.whl"
    wheel = "Wheel-Version: 1.0\nGenerator: sightline\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    sources = sorted(path for path in (_HERE / "src").rglob("*") if path.suffix in (".py", ".typed"))
    files = {path.relative_to(_HERE / "src").as_posix(): path.read_bytes() for path in sources}
    files[f"{base}.dist-info/METADATA"] = _metadata().encode()
    files[f"{base}.dist-info/WHEEL"] = wheel.encode()
    record = f"{base}.dist-info/RECORD"
    lines = [f"{path},{_hash(content)},{len(content)}" for path, content in files.items()]
    files[record] = ("\n".join([*lines, f"{record},,"]) + "\n").encode()
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            # The same files are the same wheel, whenever it is built.
            archive.writestr(zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0)), content)
    return name


def _hash(content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"sha256={digest}"


if __name__ == "__main__":
    import sys

    print(build_wheel(sys.argv[1]))
