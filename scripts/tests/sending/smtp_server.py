# SPDX-License-Identifier: GPL-2.0-only
"""A real SMTP server on loopback, aiosmtpd, that keeps what it takes and fails where a test tells it to."""

import socket

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP


class Faults(SMTP):
    """aiosmtpd, and an end of the connection in the middle of a mail."""

    async def smtp_DATA(self, arg):
        if self.event_handler.fault("cut off in the mail"):
            await self.push("354 go on")
            await self._reader.readline()
            self.transport.abort()
            return
        await super().smtp_DATA(arg)


class Handler:
    def __init__(self):
        self.taken = []
        self.faults = {}
        self.sessions = 0

    def fault(self, name):
        """Whether to fail now. faults[name] is the number of mails to take first; each fault happens once."""
        if name in self.faults and len(self.taken) == self.faults[name]:
            del self.faults[name]
            return True
        return False

    async def handle_EHLO(self, server, session, envelope, hostname, responses):
        self.sessions += 1
        session.host_name = hostname
        return responses

    async def handle_MAIL(self, server, session, envelope, address, options):
        if self.fault("spool full at MAIL"):
            return "452 4.3.1 Insufficient system storage"
        if self.fault("gone at MAIL"):
            server.transport.abort()
        elif self.fault("enough for one connection"):
            server.transport.abort()
        envelope.mail_from = address
        return "250 2.1.0 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):
        if self.faults.get("refuse") == address:
            return "550 5.1.1 <%s>: no such user here" % address
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server, session, envelope):
        if self.fault("spool full at the dot"):
            return "452 4.3.1 Insufficient system storage"
        if self.fault("gone without the mail"):
            server.transport.abort()
            return "250 never seen"
        number = len(self.taken)
        mute = self.fault("gone with the mail")
        self.taken.append((envelope.mail_from, list(envelope.rcpt_tos), envelope.original_content))
        if mute:
            server.transport.abort()
        return "250 2.0.0 OK %d" % (number + 1)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server(Controller):
    def __init__(self, port=None, handler=None):
        super().__init__(handler or Handler(), hostname="127.0.0.1", port=port or free_port())

    def factory(self):
        return Faults(self.handler, hostname="mail.example.org", ident="test")
