# What lies outside and must not be reached: listens in every way there is, and prints the name of each that was used.
# Usage: listener.py ABSTRACT STREAM_PATH DATAGRAM_PATH; its first line tells the ports.
import json
import os
import selectors
import socket
import sys

abstract, stream_path, datagram_path = sys.argv[1:]


def listening(family, address):
    each = socket.socket(family, socket.SOCK_STREAM)
    if family == socket.AF_INET6:
        each.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    each.bind(address)
    each.listen(16)
    return each


def datagrams(family, address):
    each = socket.socket(family, socket.SOCK_DGRAM)
    each.bind(address)
    return each


tcp = listening(socket.AF_INET, ("0.0.0.0", 0))
port = tcp.getsockname()[1]
udp = datagrams(socket.AF_INET, ("0.0.0.0", 0))
sockets = {
    "tcp": tcp,
    "tcp6": listening(socket.AF_INET6, ("::", port)) if socket.has_ipv6 and os.path.exists("/proc/net/if_inet6") else None,
    "udp": udp,
    "abstract": listening(socket.AF_UNIX, "\0" + abstract),
    "path": listening(socket.AF_UNIX, stream_path),
    "datagram": datagrams(socket.AF_UNIX, datagram_path),
}
for path in (stream_path, datagram_path):
    os.chmod(path, 0o777)
print(json.dumps({"tcp": port, "udp": udp.getsockname()[1]}), flush=True)

selector = selectors.DefaultSelector()
for name, each in sockets.items():
    if each is not None:
        selector.register(each, selectors.EVENT_READ, name)
while True:
    for key, _ in selector.select():
        is_stream = key.fileobj.type & 0xF == socket.SOCK_STREAM
        if is_stream:
            key.fileobj.accept()[0].close()
        else:
            _, sender = key.fileobj.recvfrom(100)
            if key.data == "udp":
                key.fileobj.sendto(b"\x13\x37\x81\x83", sender)
        print(key.data, flush=True)
