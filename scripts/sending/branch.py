# SPDX-License-Identifier: GPL-2.0-only
"""The prep branch: what b4 calls a branch that it sends from.

It stands in a repository of its own under build/worktrees/, which borrows the objects of build/linux.git (and through
it those of the user's clone) and has its own references: nothing of the user's is written to. It is made anew from
the queue each time. Only the files that the job needs are checked out.
"""

import json
import os
import re
import shutil
import subprocess

from sending.errors import SendError

# b4's: it finds the commit with the cover letter by this line.
TRACKING_MARKER = "--- b4-submit-tracking ---"

# What get_maintainer.pl and checkpatch.pl want to see before they take a folder for a kernel tree, and what they read.
CHECKED_OUT = ["/*", "!/*/", "/*/Makefile", "/*/Kbuild", "/*/Kconfig*", "/include/linux/dma-mapping.h",
               "/Documentation/process/*", "/scripts/*.pl", "/scripts/*.txt", "/scripts/*.checkpatch"]

TAG = re.compile(r"^([A-Za-z-]+-by|Fixes|Link|Closes|Cc): ")

COVER_TEMPLATE = """${cover}

---
${shortlog}

${diffstat}
---
base-commit: %s
change-id: ${change_id}
%s
Best regards,
-- 
${signature}
"""


def run(command, environment=None, cwd=None, what=None, **options):
    """The output of a command that must succeed."""
    result = subprocess.run(command, env=environment, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            check=False, **options)
    if result.returncode != 0:
        said = (result.stderr or result.stdout).strip()
        said = said if isinstance(said, str) else said.decode(errors="replace")
        raise SendError("%s: %s" % (what or " ".join(command[:3]) + " failed",
                                    " ".join((said or "exit status %d" % result.returncode).split())))
    return result.stdout


def with_signature(message, signature):
    """The message with the sender's signature as its last line, where the tags are. A patch handed on from someone
    else needs it too: below theirs."""
    lines = message.rstrip("\n").split("\n")
    if signature in lines:
        return message
    last = lines[::-1].index("") if "" in lines else 0
    tags = any(TAG.match(line) for line in lines[len(lines) - last:])
    return "\n".join(lines) + ("\n" if tags else "\n\n") + signature + "\n"


class PrepBranch:
    def __init__(self, directory, linux_git, environment, kseries, queue):
        self.directory = directory
        self.linux_git = linux_git
        self.environment = environment
        self.kseries = kseries
        self.queue = queue
        self.branch = "b4/" + re.sub(r"\W+", "-", queue.name).strip("-").lower()

    def git(self, *arguments, **options):
        return run(["git", *arguments], self.environment, self.directory, text=True, **options).rstrip("\n")

    def create_repository(self):
        shutil.rmtree(self.directory, ignore_errors=True)
        os.makedirs(self.directory)
        self.git("init", "-q", "-b", "empty")
        dot_git = os.path.join(self.directory, ".git")
        with open(os.path.join(dot_git, "objects/info/alternates"), "w", encoding="utf-8") as file:
            file.write(os.path.join(self.linux_git, "objects") + "\n")
        if os.path.exists(os.path.join(self.linux_git, "shallow")):
            shutil.copyfile(os.path.join(self.linux_git, "shallow"), os.path.join(dot_git, "shallow"))
        tags = run(["git", "--git-dir", self.linux_git, "for-each-ref", "--format=create %(refname) %(objectname)",
                    "refs/tags"], self.environment, text=True)
        self.git("update-ref", "--stdin", input=tags)
        with open(os.path.join(dot_git, "info/attributes"), "w", encoding="utf-8") as file:
            file.write("* -text -filter -ident\n")
        with open(os.path.join(dot_git, "info/exclude"), "w", encoding="utf-8") as file:
            file.write("/.b4-config\n")

    def commit_queue(self):
        """The queue as kseries commits it: $base (below the queues it is stacked on), and [(commit, file)]."""
        self.kseries(self.directory, "apply", self.queue.name)
        first = self.queue.below()[0] if self.queue.below() else self.queue
        patches = self.queue.patches()
        if not patches:
            raise SendError("%s: names no patch" % self.queue.path("series"))
        self.base = self.git("rev-parse", "refs/patches/%s/%s^" % (first.name, first.patches()[0]))
        self.start = self.git("rev-parse", "refs/patches/%s/%s^" % (self.queue.name, patches[0]))
        self.tip = self.git("rev-parse", "refs/heads/series/" + self.queue.name)
        commits = self.git("rev-list", "--reverse", "%s..%s" % (self.start, self.tip)).split("\n")
        return list(zip(commits, patches, strict=True))

    def base_is_upstream(self):
        """Whether the base commit has a parent: one that was made of a plain tree has none. Asked of the commit
        itself, as a shallow clone hides parents."""
        head = self.git("cat-file", "commit", self.base).split("\n\n", 1)[0]
        return "\nparent " in head

    def messages(self, scratch):
        """The messages of the patches: subject, body, the tags that still hold, and below "---" the notes."""
        shutil.rmtree(scratch, ignore_errors=True)
        os.makedirs(scratch)
        mbox = self.kseries(self.directory, "mbox", self.queue.name)
        run(["git", "mailsplit", "-o" + scratch], self.environment, self.directory, input=mbox)
        found = []
        for name in sorted(os.listdir(scratch)):
            message, rest = os.path.join(scratch, name + ".message"), os.path.join(scratch, name + ".rest")
            with open(os.path.join(scratch, name), "rb") as mail:
                info = run(["git", "mailinfo", "-b", message, rest], self.environment, self.directory, stdin=mail)
            subject = re.search(rb"^Subject: (.*)$", info, re.M).group(1).decode()
            with open(message, encoding="utf-8") as file:
                body = file.read().strip("\n")
            with open(rest, encoding="utf-8", errors="surrogateescape") as file:
                notes = re.split(r"^diff --git ", file.read(), maxsplit=1, flags=re.M)[0]
            notes = re.sub(r"\A---\n", "", notes).strip("\n")
            found.append((subject + "\n\n" + body, notes))
        return found

    def commit(self, tree, parent, message, author=None):
        environment = dict(self.environment)
        if author:
            environment.update(zip(("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE"), author))
        return run(["git", "commit-tree", tree, "-p", parent, "-F", "-"], environment, self.directory, text=True,
                   input=message).strip()

    def build(self, cover, version, signature, history, scratch, config):
        """Commits the cover letter and the patches, signed off, and checks the branch out. Returns, for each patch,
        (commit, patch file)."""
        patches = self.commit_queue()
        tracking = {"series": {"revision": version, "change-id": self.queue.change_id(), "prefixes": []}}
        if history:
            tracking["series"]["history"] = history
        tip = self.commit(self.start + "^{tree}", self.start, "%s\n%s\n%s\n%s" % (
            cover, TRACKING_MARKER, "# This section is used internally by b4 prep for tracking purposes.",
            json.dumps(tracking, indent=2)))
        made = []
        for (commit, name), (message, notes) in zip(patches, self.messages(scratch), strict=True):
            message = with_signature(message, signature)
            author = self.git("log", "-1", "--no-mailmap", "--format=%an%n%ae%n@%ad", "--date=raw", commit).split("\n")
            tip = self.commit(commit + "^{tree}", tip, message + ("---\n" + notes + "\n" if notes else ""), author)
            made.append((tip, name))
        self.check_out(tip)
        shutil.copyfile(config, os.path.join(self.directory, ".b4-config"))
        self.write_template()
        return made

    def check_out(self, tip):
        touched = self.git("diff", "--name-only", "-z", self.base, tip).split("\0")
        patterns = [*CHECKED_OUT, *("/" + re.sub(r"([\\*?\[\] ])", r"\\\1", name) for name in touched if name)]
        self.git("config", "core.sparseCheckout", "true")
        with open(os.path.join(self.directory, ".git/info/sparse-checkout"), "w", encoding="utf-8",
                  errors="surrogateescape") as file:
            file.write("\n".join(patterns) + "\n")
        self.git("checkout", "-q", "-B", self.branch, tip)

    def write_template(self):
        """b4 would call the commit below the cover letter the base. Where that is a queue's, nobody else has it: then
        the base is the commit below all queues, and the patches between are named, as git format-patch --base does."""
        between = self.git("rev-list", "--reverse", "%s..%s" % (self.base, self.start)).split()
        lines = []
        for commit in between:
            patch = run(["git", "diff-tree", "-p", commit], self.environment, self.directory)
            patch_id = run(["git", "patch-id", "--stable"], self.environment, self.directory, input=patch)
            lines.append("prerequisite-patch-id: %s\n" % patch_id.split(b" ")[0].decode())
        home = os.path.dirname(self.environment["GIT_CONFIG_GLOBAL"])
        with open(os.path.join(home, "cover-template"), "w", encoding="utf-8") as file:
            file.write(COVER_TEMPLATE % (self.base, "".join(lines)))
