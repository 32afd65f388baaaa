#!/usr/bin/env python3
"""git_http_server.py ROOT [TOKEN]: git's smart HTTP on a free port of the loopback, by `git http-backend`.

Prints the port. With a TOKEN, a request is served only if it has one Authorization header and that is the one which
actions/checkout and wheelarch send; two are refused as some hosts do (400). Each answer is a line in ROOT/http.log: its
status, how many Authorization headers the request had, its method and path.
"""
import base64
import http.server
import os
import subprocess
import sys

ROOT = os.path.realpath(sys.argv[1])
TOKEN = sys.argv[2] if len(sys.argv) > 2 else None
EXPECTED = "basic " + base64.b64encode(f"x-access-token:{TOKEN}".encode()).decode()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.serve(b"")

    def do_POST(self):
        self.serve(self.body())

    def body(self):
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        data = b""
        while size := int(self.rfile.readline(), 16):
            data += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return data

    def serve(self, body):
        sent = self.headers.get_all("Authorization", [])
        if TOKEN and len(sent) > 1:
            return self.answer(400, [], b"Duplicate header: Authorization\n")
        if TOKEN and sent != [EXPECTED]:
            return self.answer(401, [("WWW-Authenticate", 'Basic realm="git"')], b"who are you?\n")
        path, _, query = self.path.partition("?")
        path = "/" + path.split("/", 3)[3] if path.startswith("http://") else path  # as it is asked as a proxy
        environment = {
            "PATH": os.environ["PATH"], "HOME": os.environ["HOME"], "GIT_PROJECT_ROOT": ROOT, "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": path, "QUERY_STRING": query, "REQUEST_METHOD": self.command, "REMOTE_USER": "example-org",
            "CONTENT_TYPE": self.headers.get("Content-Type", ""), "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""), "REMOTE_ADDR": "127.0.0.1",
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
        }
        out = subprocess.run(["git", "http-backend"], env=environment, input=body, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, check=False).stdout
        head, _, content = out.partition(b"\r\n\r\n")
        headers = [tuple(line.split(": ", 1)) for line in head.decode().split("\r\n") if ": " in line]
        status = next((int(value.split()[0]) for name, value in headers if name == "Status"), 200)
        self.answer(status, [header for header in headers if header[0] != "Status"], content)

    def answer(self, status, headers, content):
        with open(ROOT + "/http.log", "a", encoding="utf-8") as log:
            log.write(f"{status} {len(self.headers.get_all('Authorization', []))} {self.command} {self.path}\n")
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True

    def handle_error(self, *_):
        pass  # a client that was killed


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
