"""Keys that sign records: who holds one can say that a record is theirs, and anybody can check it.

Ed25519, by the library ``cryptography`` (extra ``sign``). A key pair is two files: the private key, which
nobody else may read and which is never written anywhere else, and beside it the public key (``.pub``).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from backburner.kernel.chain import Seal
from backburner.kernel.errors import BadFile, MissingExtra, Refused
from backburner.kernel.files import read_regular, write_secret, write_whole

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey


PUBLIC = ".pub"
"""What the name of the file with the public key has behind that of the private one."""

MOST_BYTES = 65_536
"""Of a key's file."""


class KeySigner:
    """Signs with a private key; see ``kernel.chain.Signer``. Nothing shows the key itself."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.key: str = private.public_key().public_bytes_raw().hex()

    def sign(self, message: bytes) -> bytes:
        """The signature, 64 bytes; always the same for a message."""
        signature: bytes = self._private.sign(message)
        return signature


def read_signer(path: Path) -> KeySigner:
    """The key of a private key's file (PEM, without a password); raises ``BadFile`` or ``MissingExtra``."""
    _check_installed("signing records")
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    content = read_regular(path, MOST_BYTES)
    try:
        private = load_pem_private_key(content, password=None)
    except Exception as error:  # the library's own, of many kinds; their words may tell of the content
        raise BadFile(path, "", f"is no private key that can be read ({type(error).__name__})") from None
    if not isinstance(private, Ed25519PrivateKey):
        raise BadFile(path, "", "is a key of another kind; backburner keys makes Ed25519 keys")
    return KeySigner(private)


def believed_key(path: Path | None) -> str:
    """The key that records have to be signed by, as ``read_public`` has it; empty where no file is named."""
    return "" if path is None else read_public(path)


def read_public(path: Path) -> str:
    """The public key of a file (PEM) as hexadecimal digits; raises ``BadFile`` or ``MissingExtra``."""
    _check_installed("checking a signature")
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    content = read_regular(path, MOST_BYTES)
    if b"PRIVATE" in content:
        raise BadFile(path, "", f"is a private key; its public key lies beside it: {path}{PUBLIC}")
    try:
        public: object = load_pem_public_key(content)
    except Exception as error:
        raise BadFile(path, "", f"is no public key that can be read ({type(error).__name__})") from None
    if not isinstance(public, Ed25519PublicKey):
        raise BadFile(path, "", "is a key of another kind; backburner keys makes Ed25519 keys")
    key: str = public.public_bytes_raw().hex()
    return key


def make_keys(path: Path) -> tuple[Path, Path]:
    """Make a key pair: (the private key's file, which nobody else can read; the public key's beside it).

    Raises ``Refused`` where one of the files is there already, and ``MissingExtra``.
    """
    _check_installed("making keys")
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    public_path = path.with_name(path.name + PUBLIC)
    if there := [str(file) for file in (path, public_path) if file.exists() or file.is_symlink()]:
        raise Refused(f"{there[0]} is there already; a key is never written over")
    private = Ed25519PrivateKey.generate()
    secret = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    public = private.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    write_secret(path, secret)
    try:
        write_whole(public_path, public, lasting=True)
    except BaseException:
        path.unlink()
        raise
    return path, public_path


def is_signed(seal: Seal) -> bool:
    """Whether the signature is one of the key that is named with it; raises ``MissingExtra``."""
    return is_signature(seal.key, seal.signature, seal.message)


def is_signature(key: str, signature: str, message: bytes) -> bool:
    """Whether this is the key's signature of the message, all in hexadecimal digits but the message.

    Raises ``MissingExtra``.
    """
    _check_installed("checking a signature")
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        public: Ed25519PublicKey = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
        public.verify(bytes.fromhex(signature), message)
    except (InvalidSignature, ValueError):
        return False
    return True


def _check_installed(what: str) -> None:
    try:
        import cryptography  # noqa: F401
    except ImportError as error:
        raise MissingExtra("sign", what) from error
