# SPDX-License-Identifier: GPL-2.0-only
"""What has become of each mail, so that a send that broke goes on where it was and no mail goes out twice.

A text file beside the mails, one line an event, on the disk before the next step is taken:

    mail NAME SHA256                 approved for sending, these bytes
    handing NAME                     all but the dot that ends the mail is with the server
    accepted NAME REPLY              the server has taken it
    refused NAME REPLY               it has not, nor will it
    settled NAME sent|again          the user said what became of a mail that was handed over without an answer

"handing" comes before the dot and the answer's line after it. If the run dies in between, nobody here can know
whether the mail went out; then it is for the user to say.
"""

import hashlib
import os

from sending.errors import SendError

WAITING, UNKNOWN, SENT = "waiting", "unknown", "sent"


class Journal:
    def __init__(self, directory):
        self.path = os.path.join(directory, "journal")
        self.state = {}
        self.digests = {}
        self.file = None
        if os.path.exists(self.path):
            self._read()

    def _read(self):
        with open(self.path, "rb") as file:
            content = file.read()
        # A last line without its end was cut off while it was written: its step was not taken.
        self.whole = content.rfind(b"\n") + 1
        for line in content[:self.whole].decode(errors="replace").splitlines():
            event, name, *rest = line.split(" ", 2)
            if event == "mail":
                self.digests[name] = rest[0]
                self.state[name] = WAITING
            elif event == "settled":
                self.state[name] = SENT if rest == ["sent"] else WAITING
            else:
                self.state[name] = {"handing": UNKNOWN, "accepted": SENT, "refused": WAITING}[event]

    @property
    def started(self):
        """Whether a mail went out, or may have."""
        return any(state != WAITING for state in self.state.values())

    @property
    def finished(self):
        return bool(self.state) and all(state == SENT for state in self.state.values())

    def names(self, state):
        return [name for name, known in self.state.items() if known == state]

    def create(self, mails):
        """Begins with these mails."""
        with open(self.path + ".partial", "wb") as file:
            for mail in mails:
                file.write(b"mail %s %s\n" % (mail.name.encode(), hashlib.sha256(mail.content).hexdigest().encode()))
            file.flush()
            os.fsync(file.fileno())
        os.rename(self.path + ".partial", self.path)
        sync_directory(os.path.dirname(self.path))
        self._read()

    def check_mails(self, mails):
        """The mails must be those that were approved."""
        for mail in mails:
            if self.digests.get(mail.name) != hashlib.sha256(mail.content).hexdigest():
                raise SendError("%s: changed since sending began: bring it back, as the rest must go with what went" %
                                mail.path)
        missing = set(self.digests) - {mail.name for mail in mails}
        if missing:
            raise SendError("%s: names %s, which is gone: bring it back" % (self.path, sorted(missing)[0]))

    def write(self, event, name, text=""):
        if self.file is None:
            self.file = open(self.path, "r+b", buffering=0)
            self.file.truncate(self.whole)
            self.file.seek(self.whole)
        line = " ".join([event, name, *text.split()]) + "\n"
        self.file.write(line.encode())
        os.fsync(self.file.fileno())
        self.state[name] = {"handing": UNKNOWN, "accepted": SENT, "refused": WAITING,
                            "settled": SENT if text == "sent" else WAITING}[event]


def sync_directory(path):
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
