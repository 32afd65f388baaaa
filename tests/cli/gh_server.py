#!/usr/bin/env python3
"""gh_server.py SOCKET SAYS: GitHub's releases of the repository example-org/farm, as far as gh asks for them.

It listens on a socket of the file system. SAYS is a JSON file that is read again for each request:

  releases    {TAG: [ASSET...]}; an ASSET is a name, or an object whose fields go before the usual ones; `path` is a file
              that is its content, and what is stated of it then
  private     true: assets are had by the API alone, not by their addresses on the web
  repository  false: it is not there for whoever asks
  hidden      {TAG: N}: the paged list has only the first N assets
  faults      {PART OF A PATH: {method, status, body, type, cut, stall}}: the answer instead; cut: only so many bytes of the
              body; stall: the rest does not come

A line of each request goes to SAYS.log: the path, and what stood in Authorization. What changes something has its method
before the path; gh_writes.py says what can be changed.
"""
import hashlib
import http.server
import json
import os
import socketserver
import sys
import threading
import urllib.parse

from gh_writes import Writes, has_ref

REPOSITORY = "/repos/example-org/farm"
WEB = "/example-org/farm/releases/download/"
STORE = "https://objects.example.org/"  # to which GitHub sends on whoever asks for an asset's content


def stated(tag, path):
    with open(path, "rb") as file:
        data = file.read()
    name = os.path.basename(path)
    return {"name": name, "size": len(data), "digest": "sha256:" + hashlib.sha256(data).hexdigest(),
            "browser_download_url": "https://github.com" + WEB + tag + "/" + urllib.parse.quote(name)}


def asset_of(tag, number, asset):
    fields = asset if isinstance(asset, dict) else {"name": asset}
    fields = (stated(tag, fields["path"]) if "path" in fields else {}) | fields
    return {"id": number, "node_id": f"RA_{number}", "label": "", "state": "uploaded", "size": 1000, "download_count": 0,
            "content_type": "application/zip", "uploader": {"login": "example-org", "id": 1},
            "browser_download_url": "https://example.org/" + urllib.parse.quote(str(fields["name"]))} | fields


class Handler(Writes, http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def address_string(self):
        return "socket"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.begin("")
        if not self.fault():
            url = urllib.parse.urlsplit(self.path)
            self.serve(url.path, urllib.parse.parse_qs(url.query))

    def begin(self, method):
        with open(sys.argv[2], encoding="utf-8") as file:
            self.says = json.load(file)
        with open(sys.argv[2] + ".log", "a", encoding="utf-8") as file:
            print(method + self.path, self.headers.get("Authorization", "nobody"), file=file)

    def fault(self):
        for part, fault in self.says.get("faults", {}).items():
            if part in self.path and fault.get("method", self.command) == self.command:
                self.answer(fault.get("status", 200), fault.get("body", ""), fault.get("type", "application/json"),
                            fault.get("cut"), stall=fault.get("stall", False))
                return True
        return False

    def serve(self, path, query):
        part = path.removeprefix(REPOSITORY)
        tags = self.tags()
        if path.startswith(WEB) and not self.says.get("private"):
            self.content(lambda asset: path == WEB + asset["tag"] + "/" + urllib.parse.quote(asset["name"]), redirect=True)
        elif self.headers["Host"] == urllib.parse.urlsplit(STORE).netloc:
            self.content(lambda asset: path == f"/{asset['id']}")
        elif not path.startswith(REPOSITORY) or not self.says.get("repository", True):
            self.not_found()
        elif part == "":
            self.answer(200, json.dumps({"id": 1, "full_name": "example-org/farm"}))
        elif part == "/releases":
            self.answer(200, json.dumps([{"id": self.id_of(tag), "tag_name": tag, "assets": [], "prerelease": False,
                                          "draft": tag in self.says.get("drafts", [])} for tag in tags]))
        elif part.startswith("/releases/tags/") and part.split("/")[-1] in tags:
            tag = part.split("/")[-1]
            if tag in self.says.get("drafts", []):
                self.not_found()
            else:
                self.answer(200, json.dumps(self.release(tag)))
        elif part.startswith("/releases/assets/"):
            self.content(lambda asset: part == f"/releases/assets/{asset['id']}", redirect=True)
        elif part.endswith("/assets") and self.tag_of(part.split("/")[2]):
            self.page(self.tag_of(part.split("/")[2]), path, query)
        elif part.startswith("/releases/") and self.tag_of(part.split("/")[2]):
            self.answer(200, json.dumps(self.release(self.tag_of(part.split("/")[2]))))
        elif part.endswith("/runs"):
            runs = [run for run in self.says.get("runs", []) if run["head_sha"] == query["head_sha"][0]]
            self.answer(200, json.dumps({"total_count": len(runs), "workflow_runs": runs}))
        elif part.startswith("/actions/workflows/"):
            name = part.split("/")[-1]
            self.answer(200, json.dumps({"id": 1, "name": name, "path": ".github/workflows/" + name, "state": "active"}))
        elif part.startswith("/git/ref/"):
            found = has_ref(self.says, "refs/" + part.removeprefix("/git/ref/"))
            self.answer(200 if found else 404, json.dumps({"message": "" if found else "Not Found"}))
        elif part.startswith("/issues/") and part.endswith("/comments"):
            number = int(part.split("/")[2])
            self.answer(200, json.dumps([c for c in self.says.get("comments", []) if c["issue"] == number]))
        else:
            self.not_found()

    def tags(self):
        return sorted(self.says.get("releases", {}))

    def id_of(self, tag):
        return self.says.get("ids", {}).get(tag) or 100 + (self.tags().index(tag) if tag in self.tags() else 0)

    def tag_of(self, number):
        return next((tag for tag in self.tags() if str(self.id_of(tag)) == number), None)

    def release(self, tag):
        url = f"https://api.github.com{REPOSITORY}/releases/{self.id_of(tag)}"
        uploads = url.replace("api.", "uploads.") + "/assets{?name,label}"
        assets = [{"url": f"https://api.github.com{REPOSITORY}/releases/assets/{asset['id']}"} | asset for asset in self.assets(tag)]
        return {"id": self.id_of(tag), "tag_name": tag, "name": tag, "draft": tag in self.says.get("drafts", []), "url": url,
                "html_url": "https://github.com/example-org/farm/releases/tag/" + tag, "upload_url": uploads,
                "author": {"login": "example-org"}, "created_at": "2026-01-01T00:00:00Z",
                "published_at": "2026-01-01T00:00:00Z", "assets": assets}

    def assets(self, tag):
        first = 1000 * self.tags().index(tag)
        return [asset_of(tag, first + i, asset) for i, asset in enumerate(self.says["releases"][tag])]

    def content(self, is_asked, redirect=False):
        found = [asset for tag in self.says["releases"] for asset in self.assets(tag) if is_asked({"tag": tag} | asset)]
        if not found or "path" not in found[0]:
            self.not_found()
        elif redirect:
            self.answer(302, "", location=f"{STORE}{found[0]['id']}")
        else:
            with open(found[0]["path"], "rb") as file:
                self.answer(200, file.read(), "application/octet-stream")

    def page(self, tag, path, query):
        size, page = int(query.get("per_page", ["30"])[0]), int(query.get("page", ["1"])[0])
        assets = self.assets(tag)[: self.says.get("hidden", {}).get(tag)]
        links = []
        if page * size < len(assets):
            links.append(f'<https://api.github.com{path}?per_page={size}&page={page + 1}>; rel="next"')
        self.answer(200, json.dumps(assets[(page - 1) * size : page * size]), link=", ".join(links))

    def not_found(self):
        self.answer(404, json.dumps({"message": "Not Found", "documentation_url": "https://example.org"}))

    def answer(self, status, body, kind="application/json", cut=None, link="", location="", stall=False):
        data = body if isinstance(body, bytes) else body.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind + ("" if isinstance(body, bytes) else "; charset=utf-8"))
        self.send_header("Content-Length", str(len(data)))
        if link:
            self.send_header("Link", link)
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(data[:cut])
        if stall:
            self.wfile.flush()
            threading.Event().wait()
        self.close_connection = self.close_connection or cut is not None


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    request_queue_size = 128  # more at once are refused, as a socket of the file system has it

    def get_request(self):
        connection, _ = super().get_request()
        return connection, ("socket", 0)


if os.path.exists(sys.argv[1]):
    os.remove(sys.argv[1])
with Server(sys.argv[1], Handler) as server:
    print("listening", flush=True)
    server.serve_forever()
