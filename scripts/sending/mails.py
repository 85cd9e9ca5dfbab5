# SPDX-License-Identifier: GPL-2.0-only
"""The mails of a prep branch, written by b4 and read back."""

import email
import email.header
import email.utils
import os
import re
import shutil
import subprocess

from sending.branch import run
from sending.errors import SendError


class Mail:
    """One .eml of the outbox. What goes out are these bytes."""

    def __init__(self, path):
        self.path = path
        self.name = os.path.basename(path)
        with open(path, "rb") as file:
            self.content = file.read()
        self.headers = email.message_from_bytes(self.content)
        self.message_id = (self.headers["Message-Id"] or "").strip().strip("<>")
        if not self.message_id:
            raise SendError("%s: has no Message-Id: remove its folder and prepare it again" % path)

    def header(self, name):
        words = email.header.decode_header(self.headers[name] or "")
        text = str(email.header.make_header(words))
        return re.sub(r"\s+", " ", text).strip()

    def addresses(self, name):
        """[(person, address)] of To or Cc."""
        pairs = email.utils.getaddresses(self.headers.get_all(name, []))
        return [(str(email.header.make_header(email.header.decode_header(person))), address)
                for person, address in pairs if address]

    def recipients(self, dropped=()):
        """Each address once, in the order of the headers."""
        found = {}
        for _, address in self.addresses("To") + self.addresses("Cc"):
            if address.startswith("-"):
                raise SendError("%s: '%s' is no address" % (self.path, address))
            if address.lower() not in (name.lower() for name in dropped):
                found.setdefault(address.lower(), address)
        return list(found.values())


def read_mails(directory):
    names = sorted(name for name in os.listdir(directory) if name.endswith(".eml"))
    return [Mail(os.path.join(directory, name)) for name in names]


class B4:
    def __init__(self, branch):
        self.branch = branch
        self.command = os.environ.get("B4") or shutil.which("b4")
        if not self.command:
            raise SendError("b4 is not installed: run scripts/setup")

    def run(self, *arguments):
        """b4 tells its mishaps in lines that start with CRITICAL, and not always by its exit status."""
        result = subprocess.run([self.command, *arguments], env=self.branch.environment, cwd=self.branch.directory,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                check=False)
        critical = re.findall(r"^(?:CRITICAL|ERROR): *(.*)$", result.stderr, re.M)
        if result.returncode != 0 or critical:
            said = critical or result.stderr.strip().splitlines()[-1:] or ["exit status %d" % result.returncode]
            raise SendError("b4 %s: %s" % (" ".join(arguments[:2]), " ".join(" ".join(said).split())))
        return result.stdout + result.stderr

    def check_branch(self, version):
        """That b4 takes the branch for what it was made to be."""
        info = dict(re.findall(r"^([\w-]+): (.*)$", self.run("prep", "--show-info"), re.M))
        wanted = {"change-id": self.branch.queue.change_id(), "revision": str(version),
                  "base-commit": self.branch.start}
        for key, value in wanted.items():
            if info.get(key) != value:
                raise SendError("b4 reads %s '%s' from %s, not '%s': this version of b4 keeps its branches otherwise" %
                                (key, info.get(key), self.branch.directory, value))

    def collect_recipients(self):
        self.run("prep", "--auto-to-cc")

    def has_check(self):
        return re.search(r"--check(?![\w-])", self.run("prep", "--help")) is not None

    def check(self):
        """What b4's own checks say, from 0.14 on, without its colours. The verdict is lint's."""
        return re.sub(r"\033\[[0-9;]*m", "", self.run("prep", "--check"))

    def write_mails(self, directory, sign):
        shutil.rmtree(directory, ignore_errors=True)
        self.run("send", "--output-dir", directory, *([] if sign else ["--no-sign"]))
        mails = read_mails(directory)
        for mail in mails:
            if not sign and mail.headers["X-Developer-Signature"]:
                raise SendError("%s: b4 signed it although it was told not to" % mail.path)
        return mails


def check_against_queue(branch, patches, mails, scratch):
    """Every mail must bring its patch's tree about. b4 takes carriage returns from the ends of lines, for one."""
    environment = dict(branch.environment, GIT_INDEX_FILE=os.path.join(scratch, "index"))
    run(["git", "read-tree", branch.start], environment, branch.directory)
    bodies = mails[len(mails) - len(patches):]
    if len(mails) < len(patches):
        raise SendError("b4 wrote %d mails for %d patches" % (len(mails), len(patches)))
    for (commit, name), mail in zip(patches, bodies, strict=True):
        message, diff = os.path.join(scratch, "message"), os.path.join(scratch, "diff")
        received = re.sub(rb"\r\n|\r", b"\n", mail.content)
        run(["git", "mailinfo", message, diff], environment, branch.directory, input=received)
        run(["git", "apply", "--cached", "--whitespace=nowarn", diff], environment, branch.directory,
            "%s: does not apply any more as a mail" % name)
        tree = run(["git", "write-tree"], environment, branch.directory, text=True).strip()
        if tree != branch.git("rev-parse", commit + "^{tree}"):
            raise SendError("%s: a mail cannot carry it unchanged (carriage returns at line ends?): send a pull "
                            "request for it" % name)
