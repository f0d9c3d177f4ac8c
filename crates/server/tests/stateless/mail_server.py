"""A mail server by aiosmtpd. It prints its port, and then each mail with the commands before it as a line of JSON."""

import asyncio
import json
import re
import sys

from aiosmtpd.smtp import SMTP

# Commands whose DSN parameters (RFC 3461) the server takes, or "none" if it announces no DSN. aiosmtpd itself refuses them with 555.
TAKES = sys.argv[1:]


def without_dsn(arg):
    return re.sub(r" (RET|ENVID|NOTIFY|ORCPT)=\S+", "", arg)


class Server(SMTP):
    def __init__(self, *args, **named):
        super().__init__(*args, **named)
        self.heard = []

    async def smtp_MAIL(self, arg):
        self.heard.append(f"MAIL {arg}")
        await super().smtp_MAIL(without_dsn(arg) if "MAIL" in TAKES else arg)

    async def smtp_RCPT(self, arg):
        self.heard.append(f"RCPT {arg}")
        await super().smtp_RCPT(without_dsn(arg) if "RCPT" in TAKES else arg)

    async def smtp_RSET(self, arg):
        self.heard.append("RSET")
        await super().smtp_RSET(arg)


class Handler:
    async def handle_EHLO(self, server, session, envelope, hostname, responses):
        session.host_name = hostname
        if "none" not in TAKES:
            responses.insert(-1, "250-DSN")
        return responses

    async def handle_DATA(self, server, session, envelope):
        mail = {"client": session.peer[1], "heard": server.heard, "text": envelope.content.decode()}
        print(json.dumps(mail), flush=True)
        server.heard = []
        return "250 OK"


async def serve():
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Server(Handler(), enable_SMTPUTF8=True), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(serve())
