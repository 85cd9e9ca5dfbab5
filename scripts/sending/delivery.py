# SPDX-License-Identifier: GPL-2.0-only
"""Hands mails to the user's server, by the settings that git send-email has (git config sendemail.*).

git send-email itself cannot be used: when the connection breaks it does not tell whether the mail was taken. Here
the end of a mail, the dot, is sent on its own, so that exactly one moment is left in which that is unknown.
"""

import os
import re
import shlex
import smtplib
import ssl
import subprocess
import time

from sending.errors import SendError

# RFC 5321 4.5.3.2: five minutes for most replies, ten for the one to the final dot.
REPLY_SECONDS = 300
FINAL_REPLY_SECONDS = 600
EX_OK = 0


class Refused(Exception):
    """The server does not have the mail, and this is certain."""


class Unknown(Exception):
    """The mail was handed over, and no answer came."""


class Settings:
    """sendemail.*, those of sendemail.identity before the others."""

    def __init__(self, sender):
        self.sender = sender
        self.identity = sender.setting("sendemail.identity")
        self.server = self.get("smtpserver")
        self.command = self.get("sendmailcmd")
        if not self.command and self.server and "/" in self.server:
            self.command = self.server
        if not self.server and not self.command:
            raise SendError("no mail server: set sendemail.smtpserver with git config, as for git send-email")

    def get(self, key):
        value = self.identity and self.sender.setting("sendemail.%s.%s" % (self.identity, key))
        return value or self.sender.setting("sendemail." + key)

    def envelope_sender(self, mail):
        value = self.get("envelopesender")
        return mail.addresses("From")[0][1] if value in (None, "", "auto") else re.sub(r".*<(.*)>.*", r"\1", value)

    def number(self, key):
        value = self.get(key)
        if value and not value.isdigit():
            raise SendError("sendemail.%s: '%s' is not a number" % (key, value))
        return int(value or 0)

    def __str__(self):
        return "'%s'" % self.command if self.command else "%s, port %d" % (self.server, self.port)

    @property
    def encryption(self):
        value = (self.get("smtpencryption") or "").lower()
        if value not in ("", "none", "tls", "ssl"):
            raise SendError("sendemail.smtpencryption: '%s' is neither tls nor ssl" % value)
        return value

    @property
    def port(self):
        return self.number("smtpserverport") or {"ssl": 465, "tls": 587}.get(self.encryption, 25)


def open_transport(settings):
    return Command(settings) if settings.command else Server(settings)


def wire_format(content):
    """The mail as it is sent: CR LF at every line's end, dots at their start doubled."""
    content = re.sub(rb"\r\n|\n|\r", b"\r\n", content)
    if not content.endswith(b"\r\n"):
        content += b"\r\n"
    return re.sub(rb"^\.", b"..", content, flags=re.M)


class Command:
    """A sendmail, or a program that looks like it."""

    def __init__(self, settings):
        self.settings = settings
        self.command = shlex.split(os.path.expanduser(settings.command))

    def deliver(self, mail, recipients, about_to_end):
        command = [*self.command, "-i"]
        if self.settings.get("envelopesender"):
            command += ["-f", self.settings.envelope_sender(mail)]
        command += recipients
        about_to_end()
        try:
            result = subprocess.run(command, input=mail.content, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                    check=False)
        except OSError as error:
            raise Refused("%s: %s" % (command[0], error.strerror)) from None
        said = " ".join(result.stdout.decode(errors="replace").split())
        if result.returncode < 0:
            raise Unknown("%s was killed by signal %d" % (command[0], -result.returncode))
        if result.returncode != EX_OK:
            raise Refused("%s: exit status %d: %s" % (command[0], result.returncode, said))
        return said or "taken by " + command[0]

    def close(self):
        pass


class Server:
    def __init__(self, settings):
        self.settings = settings
        self.smtp = None
        self.delivered = 0

    def connect(self):
        settings = self.settings
        kind = smtplib.SMTP_SSL if settings.encryption == "ssl" else smtplib.SMTP
        context = ssl.create_default_context()
        certificates = settings.get("smtpsslcertpath")
        if certificates:
            context.load_verify_locations(**{"capath" if os.path.isdir(certificates) else "cafile": certificates})
        options = {"context": context} if kind is smtplib.SMTP_SSL else {}
        try:
            smtp = kind(settings.server, settings.port, settings.get("smtpdomain"), REPLY_SECONDS, **options)
            smtp.ehlo_or_helo_if_needed()
            if settings.encryption == "tls":
                smtp.starttls(context=context)
                smtp.ehlo()
            self.log_in(smtp)
        except (OSError, smtplib.SMTPException) as error:
            raise Refused("%s: %s" % (settings, describe(error))) from None
        self.smtp = smtp

    def log_in(self, smtp):
        user = self.settings.get("smtpuser")
        if not user:
            return
        password = self.settings.get("smtppass") or self.ask_git(user)
        smtp.login(user, password)

    def ask_git(self, user):
        question = "protocol=smtp\nhost=%s:%d\nusername=%s\n\n" % (self.settings.server, self.settings.port, user)
        result = subprocess.run(["git", "-C", self.settings.sender.directory, "credential", "fill"], input=question,
                                stdout=subprocess.PIPE, text=True, check=False)
        match = re.search(r"^password=(.*)$", result.stdout, re.M)
        if not match:
            raise SendError("no password for %s at %s: git credential has none" % (user, self.settings.server))
        return match.group(1)

    def deliver(self, mail, recipients, about_to_end):
        batch = self.settings.number("smtpbatchsize")
        if batch and self.delivered and self.delivered % batch == 0:
            self.close()
            time.sleep(self.settings.number("smtprelogindelay"))
        # Servers end a connection that they find long enough. Between two mails nothing is lost by that.
        attempts = 1 if self.smtp is None else 2
        while True:
            try:
                return self.attempt(mail, recipients, about_to_end)
            except ConnectionError as error:
                attempts -= 1
                if not attempts:
                    raise Refused("%s ended the connection before it had the mail: %s" %
                                  (self.settings, error)) from None

    def attempt(self, mail, recipients, about_to_end):
        """Raises ConnectionError when the connection ended before the mail was with the server."""
        if self.smtp is None:
            self.connect()
        smtp = self.smtp
        try:
            self.announce(smtp, mail, recipients)
            smtp.send(wire_format(mail.content))
        except (smtplib.SMTPServerDisconnected, OSError) as error:
            self.drop()
            raise ConnectionError(describe(error)) from None
        about_to_end()
        try:
            smtp.sock.settimeout(FINAL_REPLY_SECONDS)
            smtp.send(b".\r\n")
            code, reply = smtp.getreply()
            smtp.sock.settimeout(REPLY_SECONDS)
        except (smtplib.SMTPException, OSError) as error:
            self.drop()
            raise Unknown(describe(error)) from None
        if code != 250:
            self.reset()
            raise Refused(answer(code, reply))
        self.delivered += 1
        return answer(code, reply)

    def announce(self, smtp, mail, recipients):
        """Sender and recipients. One that is refused holds the mail back: the thread must not reach only some."""
        options = ["BODY=8BITMIME"] if smtp.has_extn("8bitmime") and not mail.content.isascii() else []
        self.expect(250, smtp.mail(self.settings.envelope_sender(mail), options), "the sender")
        for address in recipients:
            if not address.isascii():
                self.reset()
                raise Refused("%s: an address must be ASCII" % address)
            self.expect(250, smtp.rcpt(address), address)
        self.expect(354, smtp.docmd("DATA"), "the mail")

    def expect(self, wanted, reply, what):
        code, text = reply
        if code == wanted or (wanted == 250 and code == 251):
            return
        # -1 is smtplib's for an answer that never came.
        if code in (421, -1):
            raise smtplib.SMTPServerDisconnected(answer(code, text))
        self.reset()
        raise Refused("%s refused: %s" % (what, answer(code, text)))

    def reset(self):
        try:
            self.smtp.rset()
        except (smtplib.SMTPException, OSError):
            self.drop()

    def drop(self):
        if self.smtp is not None:
            self.smtp.close()
            self.smtp = None

    def close(self):
        if self.smtp is not None:
            try:
                self.smtp.quit()
            except (smtplib.SMTPException, OSError):
                pass
            self.drop()


def answer(code, reply):
    return "%d %s" % (code, " ".join(reply.decode(errors="replace").split()))


def describe(error):
    if isinstance(error, smtplib.SMTPResponseException):
        reply = error.smtp_error
        return answer(error.smtp_code, reply if isinstance(reply, bytes) else str(reply).encode())
    return " ".join(str(error).split()) or type(error).__name__
