"""What gh_server.py does when it is told to change something: it keeps the change in SAYS, so that later requests see it.

  releases    a new one is added; an uploaded asset is a file in the folder SAYS.uploaded
  drafts      [TAG...]: releases that are not published yet. By their tags they are found only through GraphQL
  immutable   true: a published release takes no assets and loses none
  git         a bare repository, in which tags are made and moved
  runs        [{head_sha, conclusion, ...}]: the runs of workflows
  dispatched  what was asked to run, in this order
  comments    [{id, issue, body, user}]: those of issues and pull requests
"""
import json
import os
import subprocess
import sys
import threading
import urllib.parse

LOCK = threading.Lock()


def save(says):
    with open(sys.argv[2] + ".saved", "w", encoding="utf-8") as file:
        json.dump(says, file)
    os.replace(sys.argv[2] + ".saved", sys.argv[2])


def git(says, *arguments):
    return subprocess.run(["git", "--git-dir", says["git"], *arguments], capture_output=True, text=True, check=False)


def has_ref(says, name):
    return git(says, "rev-parse", "--verify", "--quiet", name).returncode == 0


class Writes:
    """Mixed into the handler, which has `says`, `answer`, `not_found`, `release` and `tag_of`."""

    def do_POST(self):
        self.change("POST")

    def do_PATCH(self):
        self.change("PATCH")

    def do_DELETE(self):
        self.change("DELETE")

    def change(self, method):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with LOCK:
            self.begin(method + " ")
            if self.fault():
                return
            url = urllib.parse.urlsplit(self.path)
            part = url.path.removeprefix("/repos/example-org/farm")
            if part == "/graphql":
                self.graphql(json.loads(body))
            elif part.startswith("/releases"):
                self.change_release(method, part, urllib.parse.parse_qs(url.query), body)
            elif part.startswith("/git/refs"):
                self.change_ref(method, part, json.loads(body))
            elif part.endswith("/dispatches"):
                self.says.setdefault("dispatched", []).append(json.loads(body))
                save(self.says)
                self.answer(204, "")
            elif part.startswith("/issues/"):
                self.change_comment(method, part, json.loads(body)["body"])
            else:
                self.not_found()

    def graphql(self, asked):
        variables = asked["variables"]
        if "release(tagName" in asked["query"]:
            tag = variables["tagName"]
            found = {"databaseId": self.id_of(tag), "isDraft": tag in self.says.get("drafts", [])}
            self.answer(200, json.dumps({"data": {"repository": {"release": found if tag in self.says["releases"] else None}}}))
        elif "ref(qualifiedName" in asked["query"]:
            there = has_ref(self.says, variables["tagName"])
            self.answer(200, json.dumps({"data": {"repository": {"ref": {"id": "REF" if there else ""}}}}))
        else:
            self.not_found()

    def change_release(self, method, part, query, body):
        releases, drafts = self.says.setdefault("releases", {}), self.says.setdefault("drafts", [])
        if method == "POST" and part == "/releases":
            asked = json.loads(body)
            tag = asked["tag_name"]
            if tag in releases:
                self.refuse("already_exists")
                return
            self.says.setdefault("ids", {})[tag] = 900 + len(releases)
            releases[tag] = []
            drafts += [tag] if asked.get("draft") else []
            self.changed(201, tag)
        elif method == "POST" and part.endswith("/assets"):
            self.upload(self.tag_of(part.split("/")[2]), query["name"][0], body)
        elif method == "PATCH":
            tag = self.tag_of(part.split("/")[2])
            if json.loads(body).get("draft") is False and tag in drafts:
                drafts.remove(tag)
            self.changed(200, tag)
        else:
            number = int(part.split("/")[-1])
            for tag in releases:
                kept = [asset for asset, has in zip(releases[tag], self.assets(tag)) if has["id"] != number]
                if len(kept) != len(releases[tag]) and self.is_locked(tag):
                    self.refuse("immutable")
                    return
                releases[tag] = kept
            save(self.says)
            self.answer(204, "")

    def upload(self, tag, name, body):
        if self.is_locked(tag) or name in [asset["name"] for asset in self.assets(tag)]:
            self.refuse("immutable" if self.is_locked(tag) else "already_exists")
            return
        path = os.path.join(sys.argv[2] + ".uploaded", tag, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(body)
        self.says["uploads"] = self.says.get("uploads", 0) + 1
        self.says["releases"][tag].append({"path": path, "id": 900000 + self.says["uploads"]})
        save(self.says)
        self.answer(201, json.dumps(self.assets(tag)[-1]))

    def is_locked(self, tag):
        return self.says.get("immutable", False) and tag not in self.says.get("drafts", [])

    def changed(self, status, tag):
        save(self.says)
        self.answer(status, json.dumps(self.release(tag)))

    def refuse(self, code):
        self.answer(422, json.dumps({"message": "Validation Failed", "errors": [{"resource": "Release", "code": code}]}))

    def change_ref(self, method, part, asked):
        name = asked["ref"] if method == "POST" else "refs" + part.removeprefix("/git/refs")
        there = has_ref(self.says, name)
        if there == (method == "POST"):
            self.answer(422, json.dumps({"message": "Reference already exists" if there else "Reference does not exist"}))
            return
        made = git(self.says, "update-ref", name, asked["sha"])
        self.answer(422 if made.returncode else 200, json.dumps({"ref": name, "message": made.stderr}))

    def change_comment(self, method, part, text):
        comments = self.says.setdefault("comments", [])
        number = int(part.split("/")[-1 if method == "PATCH" else 2])
        if method == "POST":
            comments.append({"id": 1 + len(comments), "issue": number, "body": text, "user": {"login": "github-actions[bot]"}})
            found = comments[-1:]
        else:
            found = [comment for comment in comments if comment["id"] == number]
            found[0]["body"] = text
        save(self.says)
        self.answer(201, json.dumps(found[0]))
