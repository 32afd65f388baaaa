#!/usr/bin/env python3
"""gh_server.py SOCKET SAYS: GitHub's releases of the repository example-org/farm, as far as gh asks for them.

It listens on a socket of the file system. SAYS is a JSON file that is read again for each request:

  releases    {TAG: [ASSET...]}; an ASSET is a name, or an object whose fields go before the usual ones
  repository  false: it is not there for whoever asks
  hidden      {TAG: N}: the paged list has only the first N assets
  faults      {PART OF A PATH: {status, body, type, cut}}: the answer instead; cut: only so many bytes of the body

A line of each request goes to SAYS.log: the path, and what stood in Authorization.
"""
import http.server
import json
import os
import socketserver
import sys
import urllib.parse

REPOSITORY = "/repos/example-org/farm"


def asset_of(number, asset):
    fields = asset if isinstance(asset, dict) else {"name": asset}
    return {"id": number, "node_id": f"RA_{number}", "label": "", "state": "uploaded", "size": 1000, "download_count": 0,
            "content_type": "application/zip", "uploader": {"login": "example-org", "id": 1},
            "browser_download_url": "https://example.org/" + urllib.parse.quote(str(fields["name"]))} | fields


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def address_string(self):
        return "socket"

    def log_message(self, *_):
        pass

    def do_GET(self):
        with open(sys.argv[2], encoding="utf-8") as file:
            self.says = json.load(file)
        with open(sys.argv[2] + ".log", "a", encoding="utf-8") as file:
            print(self.path, self.headers.get("Authorization", "nobody"), file=file)
        for part, fault in self.says.get("faults", {}).items():
            if part in self.path:
                self.answer(fault.get("status", 200), fault.get("body", ""), fault.get("type", "application/json"),
                            fault.get("cut"))
                return
        url = urllib.parse.urlsplit(self.path)
        self.serve(url.path, urllib.parse.parse_qs(url.query))

    def serve(self, path, query):
        tags = sorted(self.says.get("releases", {}))
        part = path.removeprefix(REPOSITORY)
        if not path.startswith(REPOSITORY) or not self.says.get("repository", True):
            self.not_found()
        elif part == "":
            self.answer(200, json.dumps({"id": 1, "full_name": "example-org/farm"}))
        elif part.startswith("/releases/tags/") and part.split("/")[-1] in tags:
            tag = part.split("/")[-1]
            self.answer(200, json.dumps({"id": 100 + tags.index(tag), "tag_name": tag, "assets": self.assets(tag)}))
        elif part.endswith("/assets") and int(part.split("/")[2]) - 100 in range(len(tags)):
            self.page(tags[int(part.split("/")[2]) - 100], path, query)
        else:
            self.not_found()

    def assets(self, tag):
        return [asset_of(i, asset) for i, asset in enumerate(self.says["releases"][tag])]

    def page(self, tag, path, query):
        size, page = int(query.get("per_page", ["30"])[0]), int(query.get("page", ["1"])[0])
        assets = self.assets(tag)[: self.says.get("hidden", {}).get(tag)]
        links = []
        if page * size < len(assets):
            links.append(f'<https://api.github.com{path}?per_page={size}&page={page + 1}>; rel="next"')
        self.answer(200, json.dumps(assets[(page - 1) * size : page * size]), link=", ".join(links))

    def not_found(self):
        self.answer(404, json.dumps({"message": "Not Found", "documentation_url": "https://example.org"}))

    def answer(self, status, body, kind="application/json", cut=None, link=""):
        data = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind + "; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        if link:
            self.send_header("Link", link)
        self.end_headers()
        self.wfile.write(data[:cut])
        self.close_connection = self.close_connection or cut is not None


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True

    def get_request(self):
        connection, _ = super().get_request()
        return connection, ("socket", 0)


if os.path.exists(sys.argv[1]):
    os.remove(sys.argv[1])
with Server(sys.argv[1], Handler) as server:
    print("listening", flush=True)
    server.serve_forever()
