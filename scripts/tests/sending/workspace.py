# SPDX-License-Identifier: GPL-2.0-only
"""A workspace with one small queue, on a kernel tree of twenty files with a history of two commits."""

import os
import pty
import shutil
import subprocess

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))
QUEUE = "tiny"

MAINTAINERS = """List of maintainers
===================

HEAP DRIVER
M:	Mara Muster <mara@example.org>
R:	Rolf Beispiel <rolf@example.org>
L:	heap-devel@lists.example.org
S:	Maintained
F:	drivers/heap/

THE REST
M:	Nobody Else <nobody@example.org>
L:	everything@lists.example.org
S:	Buried alive in reporters
F:	*
F:	*/
"""
HEAP_C = "".join("int heap_%d(void)\n{\n\treturn %d;\n}\n\n" % (i, i) for i in range(6))
LIST = "one\n.two starts with a dot\n..three with two\nfour\nfive without an end"

OTHERS_PATCH = """From: Otto Example <otto@example.org>
Subject: heap: count from one

Everybody else does.

Signed-off-by: Otto Example <otto@example.org>
[message reworded]
---
"""
OWN_PATCH = """Subject: heap: say what a heap is, in a subject so long that its header must be folded twice, and thus once more
 than in others

Grüße an alle: a line that is not ASCII.

Suggested-by: Zoë Ünal <zoe@example.org>
Cc: stable@lists.example.org
---
What is said here is for the list only.

"""
PLAIN_PATCH = """Subject: heap: shorten the list

From time to time a line of a message starts like an mbox.
No tags at all here.
---
"""
COVER = """heap: three small steps

Three steps, of which the first is somebody else's.

Cc: Kurt Kopie <kurt@example.org>
"""


def write(path, text, mode="w"):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, mode, encoding="utf-8", newline="") as file:
        file.write(text)


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


class Workspace:
    def __init__(self, root):
        self.root = root
        self.build = os.path.join(root, "build")
        self.series = os.path.join(root, "series")
        self.clone = os.path.join(root, "clone")
        self.home = os.path.join(root, "home")
        self.lint_log = os.path.join(root, "lint.log")
        self.environment = {"PATH": os.environ["PATH"], "HOME": self.home, "BUILD": self.build, "LC_ALL": "C.UTF-8",
                            "TZ": "UTC", "TERM": "dumb"}
        if "B4" in os.environ:
            self.environment["B4"] = os.environ["B4"]
        os.makedirs(self.home)
        self.git("config", "--global", "user.name", "Sanna Sender")
        self.git("config", "--global", "user.email", "sanna@example.org")
        self.git("config", "--global", "init.defaultBranch", "master")
        self.make_tree()
        self.use_linux(self.clone)
        self.make_queue()
        self.make_kseries()

    def run(self, *command, status=0, **options):
        result = subprocess.run(command, env=self.environment, cwd=self.root, stdin=subprocess.DEVNULL, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, **options)
        if status is not None:
            assert result.returncode == status, "%s: %d\n%s%s" % (command, result.returncode, result.stdout,
                                                                  result.stderr)
        return result

    def git(self, *arguments):
        return self.run("git", *arguments).stdout.rstrip("\n")

    def make_tree(self):
        real = os.path.join(TOP, "build/worktrees/base-7.2")
        for name in ("COPYING", "CREDITS", "Kbuild", "Makefile", "README", "Kconfig", "arch/Kconfig", "fs/Makefile",
                     "init/Makefile", "ipc/Makefile", "kernel/Makefile", "lib/Makefile", "drivers/Makefile",
                     "include/linux/dma-mapping.h", "scripts/Kconfig.include",
                     "Documentation/process/coding-assistants.rst"):
            write(os.path.join(self.clone, name), "# %s\n" % name)
        write(os.path.join(self.clone, "MAINTAINERS"), MAINTAINERS)
        write(os.path.join(self.clone, "drivers/heap/heap.c"), "int nothing;\n")
        write(os.path.join(self.clone, "drivers/heap/list"), LIST)
        for name in ("get_maintainer.pl", "checkpatch.pl", "spelling.txt", "const_structs.checkpatch"):
            shutil.copy(os.path.join(real, "scripts", name), os.path.join(self.clone, "scripts"))
        self.git("init", "-q", self.clone)
        self.git("-C", self.clone, "add", "-A")
        self.git("-C", self.clone, "commit", "-q", "-m", "one")
        write(os.path.join(self.clone, "drivers/heap/heap.c"), HEAP_C)
        self.git("-C", self.clone, "commit", "-q", "-a", "-m", "two")

    def use_linux(self, directory):
        subprocess.run([os.path.join(TOP, "scripts/fetch-base")], env=dict(self.environment, LINUX=directory),
                       check=True, stdout=subprocess.DEVNULL)

    def make_queue(self):
        """Each patch's diff is what git says of a change in a copy of the clone."""
        copy = os.path.join(self.root, "copy")
        shutil.copytree(self.clone, copy)
        steps = [("count-from-one.patch", OTHERS_PATCH, "heap.c", HEAP_C.replace("return 0", "return 1")),
                 ("say-what-a-heap-is.patch", OWN_PATCH, "heap.c", "/* A heap is häuf */\n" +
                  HEAP_C.replace("return 0", "return 1")),
                 ("shorten-the-list.patch", PLAIN_PATCH, "list", LIST.replace("four\n", ""))]
        directory = os.path.join(self.series, QUEUE)
        for name, head, file, text in steps:
            write(os.path.join(copy, "drivers/heap", file), text)
            diff = self.git("-C", copy, "-c", "core.abbrev=12", "diff") + "\n"
            write(os.path.join(directory, name), head + diff)
            self.git("-C", copy, "commit", "-q", "-a", "-m", name)
        self.tree = self.git("-C", copy, "rev-parse", "HEAD^{tree}")
        write(os.path.join(directory, "series"), "".join(name + "\n" for name, *_ in steps))
        write(os.path.join(directory, "base"), "base-local\n")
        write(os.path.join(directory, "cover"), COVER)
        patch_id = self.run("sh", "-c", "git patch-id --stable <%s/count-from-one.patch" % directory).stdout[:40]
        write(os.path.join(directory, "trailers"), "count-from-one.patch  %s  Reviewed-by: Rita Réviseur "
              "<rita@example.org>  20260101.1@example.org\n" % patch_id)

    def make_kseries(self):
        """The real one, but for lint: it compiles with kernels that this tree has no part in."""
        path = os.path.join(self.build, "bin/kseries")
        write(path, "#!/bin/sh\nif [ \"$1\" = lint ]; then echo \"$*\" >>%s; exit ${LINT_STATUS-0}; fi\n"
              "exec %s \"$@\"\n" % (self.lint_log, os.path.join(TOP, "build/bin/kseries")))
        os.chmod(path, 0o755)

    # --- what is tested ----------------------------------------------------------------------------------------

    @property
    def send_command(self):
        return [os.path.join(TOP, "scripts/send"), "--series", self.series]

    def send(self, *arguments, status=0):
        """On pipes."""
        return self.run(*self.send_command, *arguments, QUEUE, status=status)

    def send_on_terminal(self, *arguments, reply="yes", status=0):
        """--for-real, with `reply` to its question; returns what the terminal showed."""
        command = [*self.send_command, "--for-real", *arguments, QUEUE]
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(self.root)
            os.execve(command[0], command, self.environment)
        shown = b""
        while True:
            try:
                part = os.read(terminal, 4096)
            except OSError:
                part = b""
            if not part:
                break
            shown += part
            if b"Type yes: " in shown and reply is not None:
                os.write(terminal, reply.encode() + b"\n")
                reply = None
        os.close(terminal)
        ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        shown = shown.decode(errors="replace").replace("\r\n", "\n")
        assert ended == status, "status %d, not %d:\n%s" % (ended, status, shown)
        return shown

    def outbox(self, version=1):
        return os.path.join(self.build, "outbox", QUEUE, "v%d" % version)

    def queue_file(self, *parts):
        return os.path.join(self.series, QUEUE, *parts)
