# SPDX-License-Identifier: GPL-2.0-only
"""Who sends, and the git configuration that the mails are prepared with.

b4 signs mails even in a dry run, and without an SMTP server it hands a kernel series to a public web endpoint. So it
never sees the user's configuration: it runs with a file of ours, in which there is no key, and in which the server is
a command that fails.
"""

import os
import subprocess

from sending.errors import SendError

# Settings of the user's that make it into the private configuration because they say what a mail contains.
CARRIED = ("sendemail.from", "b4.email-exclude")
# And these when the user asked for signatures.
CARRIED_TO_SIGN = r"^(patatt\..*|user\.signingkey|gpg\..*)$"


class Sender:
    """name, email: as git has them, and as kseries reads them: the environment first, then the configuration."""

    def __init__(self, directory):
        self.directory = directory
        self.name = os.environ.get("GIT_COMMITTER_NAME") or self.setting("user.name")
        self.email = os.environ.get("GIT_COMMITTER_EMAIL") or self.setting("user.email")
        if not self.name or not self.email:
            raise SendError("no sender, and only a person can sign off: set user.name and user.email with git config")
        if "@" not in self.email or any(c in self.name + self.email for c in "<>\n"):
            raise SendError("'%s <%s>' is no mail address: set user.name and user.email with git config"
                            % (self.name, self.email))

    @property
    def signature(self):
        return "Signed-off-by: %s <%s>" % (self.name, self.email)

    def config(self, *arguments):
        """What git config answers in the user's own configuration, or None."""
        result = subprocess.run(["git", "-C", self.directory, "config", *arguments], stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, text=True, check=False)
        return result.stdout if result.returncode == 0 else None

    def setting(self, key):
        value = self.config("--get", key)
        return value.rstrip("\n") if value else None

    def settings(self, pattern):
        """[(key, value)] of the keys that match."""
        entries = (self.config("-z", "--get-regexp", pattern) or "").split("\0")
        return [tuple((entry + "\n").split("\n")[:2]) for entry in entries if entry]


def private_environment(sender, home, sign, excluded=()):
    """The environment for git and b4 below `home`, a folder of ours."""
    config = os.path.join(home, "gitconfig")
    settings = [("user.name", sender.name), ("user.email", sender.email), ("safe.directory", "*"),
                ("core.abbrev", "12"), ("core.hooksPath", "/dev/null"), ("gc.auto", "0"),
                ("advice.detachedHead", "false"), ("sendemail.smtpserver", "/bin/false"),
                ("b4.send-no-patatt-sign", "no" if sign else "yes"), ("b4.send-endpoint-web", "none"),
                ("b4.prep-cover-template", os.path.join(home, "cover-template"))]
    settings += [(key, value) for key in CARRIED if (value := sender.setting(key))]
    if sign:
        settings += sender.settings(CARRIED_TO_SIGN)
    if excluded:
        known = [value for key, value in settings if key == "b4.email-exclude"]
        settings = [entry for entry in settings if entry[0] != "b4.email-exclude"]
        settings.append(("b4.email-exclude", ",".join([*known, *excluded])))

    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    environment.update(GIT_CONFIG_GLOBAL=config, GIT_CONFIG_NOSYSTEM="1", GIT_CONFIG_SYSTEM="/dev/null",
                       GIT_TERMINAL_PROMPT="0", GIT_EDITOR="false", EDITOR="false", PYTHONDONTWRITEBYTECODE="1")
    if not sign:
        # A .signature would end up in the mails, and a key ring has no business here.
        environment.update(HOME=home, XDG_CACHE_HOME=os.path.join(home, "cache"),
                           XDG_DATA_HOME=os.path.join(home, "data"), XDG_CONFIG_HOME=os.path.join(home, "config"))
    with open(config, "w", encoding="utf-8"):
        pass
    for key, value in settings:
        subprocess.run(["git", "config", "--file", config, "--add", key, value], env=environment, check=True)
    return environment
