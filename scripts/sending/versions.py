# SPDX-License-Identifier: GPL-2.0-only
"""What a queue remembers of being sent.

    series/QUEUE/change-id       one line; the same in every version
    series/QUEUE/sent/vN/        that version: the queue's files as they were, and
    series/QUEUE/sent/vN/mails   a line a mail: the patch file, or "cover", two blanks, the message id

A version is there once the server has taken its last mail, never before: it appears under its name in one step.
"""

import os
import re
import shutil
import subprocess
import time
import uuid

from sending.errors import SendError

UNFINISHED = "EDITME"


class Queue:
    def __init__(self, series_directory, name):
        self.series_directory = series_directory
        self.name = name
        self.directory = os.path.join(series_directory, name)
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name) or not os.path.exists(self.path("series")):
            raise SendError("no queue '%s' in %s" % (name, series_directory))

    def path(self, *parts):
        return os.path.join(self.directory, *parts)

    def read(self, *parts):
        with open(self.path(*parts), encoding="utf-8", newline="") as file:
            return file.read()

    def patches(self):
        """The patch files in their order."""
        lines = (re.sub(r"(^|\s)#.*", "", line).split() for line in self.read("series").splitlines())
        return [words[0] for words in lines if words]

    def base(self):
        """The revision or the queue that the queue stands on."""
        return self.read("base").strip()

    def below(self):
        """The queues that this one is stacked on, lowest first."""
        chain, at = [], self
        while os.path.exists(os.path.join(self.series_directory, at.base(), "series")):
            at = Queue(self.series_directory, at.base())
            if at.name in [self.name, *(queue.name for queue in chain)]:
                raise SendError("%s: the queues stand on each other" % at.path("base"))
            chain.insert(0, at)
        return chain

    def cover(self):
        """The cover letter, fit for b4: subject, blank line, body."""
        try:
            text = self.read("cover")
        except FileNotFoundError:
            raise SendError("%s: missing: write there the cover letter: subject, blank line, body"
                            % self.path("cover")) from None
        lines = text.splitlines()
        if len(lines) < 3 or not lines[0].strip() or lines[1].strip():
            raise SendError("%s: not a subject, a blank line and a body" % self.path("cover"))
        for number, line in enumerate(lines, 1):
            if UNFINISHED in line:
                raise SendError("%s:%d: still says %s: write what is meant there" %
                                (self.path("cover"), number, UNFINISHED))
            if line.startswith("#"):
                raise SendError("%s:%d: starts with #, and b4 drops such lines: indent it" %
                                (self.path("cover"), number))
        return text.strip() + "\n"

    def change_id(self):
        """Made when it is first asked for. b4 makes it of the day, the name and a random number."""
        path = self.path("change-id")
        if not os.path.exists(path):
            name = re.sub(r"\W+", "-", self.name).strip("-").lower()
            write_whole(path, "%s-%s-%s\n" % (time.strftime("%Y%m%d"), name, uuid.uuid4().hex[:12]))
        change_id = self.read("change-id").strip()
        if not re.fullmatch(r"[!-~]+-[0-9a-f]+", change_id):
            raise SendError("%s: '%s' is not b4's date-name-number" % (path, change_id))
        return change_id

    def sent_versions(self):
        """The numbers of the versions that were sent, in order."""
        if not os.path.isdir(self.path("sent")):
            return []
        found = (re.fullmatch(r"v([1-9][0-9]*)", name) for name in os.listdir(self.path("sent")))
        return sorted(int(match.group(1)) for match in found if match)

    def next_version(self):
        return ([0] + self.sent_versions())[-1] + 1

    def sent_mails(self, version):
        """{patch file or "cover": message id} of a sent version."""
        lines = self.read("sent", "v%d" % version, "mails").splitlines()
        return dict(line.split("  ", 1) for line in lines)

    def first_message_id(self, version):
        return next(iter(self.sent_mails(version).values()))

    def snapshot(self, directory, mails, base):
        """A copy of the queue as it is being sent: `mails` is [(patch file or "cover", message id)], `base` what it
        stands on."""
        shutil.rmtree(directory, ignore_errors=True)
        os.makedirs(directory)
        for name in ["series", "cover", "trailers", *self.patches()]:
            if os.path.exists(self.path(name)):
                os.makedirs(os.path.dirname(os.path.join(directory, name)), exist_ok=True)
                shutil.copyfile(self.path(name), os.path.join(directory, name))
        write_whole(os.path.join(directory, "base"), base + "\n")
        write_whole(os.path.join(directory, "mails"), "".join("%s  %s\n" % mail for mail in mails))

    def record_sent(self, version, snapshot):
        final = self.path("sent", "v%d" % version)
        shutil.rmtree(final + ".partial", ignore_errors=True)
        shutil.copytree(snapshot, final + ".partial")
        os.rename(final + ".partial", final)


def write_whole(path, text):
    """The file is the old one or the new one, whatever happens in between."""
    with open(path + ".partial", "w", encoding="utf-8", newline="") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.rename(path + ".partial", path)


def patch_id(path):
    with open(path, "rb") as file:
        result = subprocess.run(["git", "patch-id", "--stable"], stdin=file, stdout=subprocess.PIPE, check=True)
    return result.stdout.split(b" ")[0].decode()


def patch_subject(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        head = file.read().split("\n\n", 1)[0]
    match = re.search(r"^Subject: *(.*(?:\n[ \t].*)*)", head, re.M)
    subject = " ".join(match.group(1).split()) if match else os.path.basename(path)
    return re.sub(r"^\[PATCH[^]]*\] *", "", subject)


def differences(queue, version):
    """[(what, subject)] since the version that was sent: "changed", "new", "dropped"; a message is not compared."""
    old_directory = queue.path("sent", "v%d" % version)
    old = {name: os.path.join(old_directory, name) for name in queue.sent_mails(version)
           if os.path.exists(os.path.join(old_directory, name)) and name != "cover"}
    new = {name: queue.path(name) for name in queue.patches()}
    found = []
    for name, path in new.items():
        if name not in old:
            found.append(("new", patch_subject(path)))
        elif patch_id(path) != patch_id(old[name]):
            found.append(("changed", patch_subject(path)))
    return found + [("dropped", patch_subject(path)) for name, path in old.items() if name not in new]


def changelog_heading(version):
    return "Changes in v%d:" % version


def add_changelog(queue, version, link):
    """Opens the section of `version` in the cover letter, above those of older ones, as b4 does it: below a line
    "---". Says what differs from the version before; why, only its author can tell."""
    cover = queue.read("cover")
    bullets = ["- %s: \"%s\": %s" % (what, subject, UNFINISHED) for what, subject in
               differences(queue, version - 1)] or ["- %s: what is new in this version" % UNFINISHED]
    section = "\n".join([changelog_heading(version), *bullets, "- Link to v%d: %s" % (version - 1, link), ""])
    older = re.search(r"^Changes in v\d+:?$", cover, re.M | re.I)
    if older:
        cover = cover[:older.start()] + section + "\n" + cover[older.start():]
    else:
        cover = cover.rstrip("\n") + "\n\n---\n" + section
    write_whole(queue.path("cover"), cover)


def require_changelog(queue, version, cover):
    if version > 1 and changelog_heading(version).lower() not in cover.lower():
        raise SendError("%s: no '%s', and v%d was sent already: 'make reroll SERIES=%s' opens it" %
                        (queue.path("cover"), changelog_heading(version), version - 1, queue.name))
