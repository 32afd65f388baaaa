#!/usr/bin/env python3
"""git_config_traps.py WHEELARCH KEYS FARM: nothing of a repository's own configuration starts a program or moves a request.

FARM is a repository with a ledger and a remote of files; `row.json`, `names`, `entries/` and `wheels/` lie in the working
folder. Each trap is a configuration with a program that leaves a mark, or the address of a server that writes down who
asks. KEYS (git_config_keys.inc) has every key that git documents; each is tried too. The lists here are made from git's
documentation and not from wheelarch's own (src/ledger/git_config_keys.cpp).
"""
import collections
import http.server
import os
import re
import shutil
import subprocess
import sys
import threading
import time

WHEELARCH, KEYS, FARM = sys.argv[1:4]
WORK = os.getcwd()
MARK = WORK + "/mark"
asked = []
dirty = [True]  # has a command gone through?
failures = []


class Trap(http.server.BaseHTTPRequestHandler):
    def handle_one_request(self):
        self.raw_requestline = self.rfile.readline(65536)
        if self.raw_requestline:
            asked.append(self.raw_requestline)
            self.wfile.write(b'HTTP/1.1 401 who?\r\nWWW-Authenticate: Basic realm="x"\r\nContent-Length: 0\r\n\r\n')
        self.close_connection = True


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Trap)
threading.Thread(target=server.serve_forever, daemon=True).start()
ELSEWHERE = f"http://127.0.0.1:{server.server_port}/"

with open(MARK, "w", encoding="utf-8") as file:
    file.write(f'#!/bin/sh\n{{ echo "$0 $*"; env; }} >>"{WORK}/marks"\nexit 1\n')
os.chmod(MARK, 0o755)
os.makedirs("hooks", exist_ok=True)
for hook in ("pre-push", "reference-transaction", "post-index-change", "pre-auto-gc", "fsmonitor-watchman"):
    shutil.copy(MARK, "hooks/" + hook)
with open("included", "w", encoding="utf-8") as file:
    file.write(f"[core]\n\tsshCommand = {MARK}\n")
shutil.copytree(FARM + "/.git", "git.kept")
BASE = open(FARM + "/.git/config", encoding="utf-8").read()
FILES = re.search(r"url = (.*)", BASE).group(1)
SSH, HTTP = "ssh://farm.example.org/x", "http://127.0.0.1:9/x"

COMMANDS = {
    "list": ["ledger", "list", "--fetch", "--farm", FARM],
    "show": ["ledger", "show", "--fetch", "none-1.0-py3-none-any.whl", "--farm", FARM],
    "record": ["ledger", "record", "entries/one.ledger.json", "--farm", FARM],
    "collect": ["ledger", "collect", "entries", "--farm", FARM],
    "plan": ["plan", "--farm", FARM, "--existing", "names"],
    "matrix": ["matrix", "--farm", FARM, "--existing", "names"],
    "key": ["key", "--farm", FARM, "--cell", "row.json", "--existing", "names"],
    "audit": ["audit", "--witness", "native", "--farm", FARM, "wheels"],
    "backfill": ["ledger", "backfill", "--witness", "native", "--farm", FARM, "wheels"],
}

# (settings, needs another address of origin): what starts a program or asks elsewhere, by what git documents.
TRAPS = [
    ([("core.sshCommand", MARK)], SSH), ([("core.gitProxy", MARK)], "git://farm.example.org/x"),
    ([("core.askPass", MARK)], ELSEWHERE), ([("credential.helper", "!" + MARK)], ELSEWHERE),
    ([("credential.http://127.0.0.1:9.helper", "!" + MARK)], HTTP), ([("core.fsmonitor", MARK)], None),
    ([("core.fsmonitor", "true")], None), ([("core.hooksPath", WORK + "/hooks")], None), ([("core.editor", MARK)], None),
    ([("core.pager", MARK)], None), ([("pager.ls-remote", MARK)], None), ([("core.alternateRefsCommand", MARK)], None),
    ([("remote.origin.uploadpack", MARK)], None), ([("remote.origin.receivepack", MARK)], None),
    ([("remote.origin.vcs", "ext")], None), ([("remote.origin.url", f"ext::{MARK} x")], None),
    ([("protocol.ext.allow", "always"), ("remote.origin.url", f"ext::{MARK} x")], None),
    ([("protocol.allow", "always")], None), ([("remote.origin.pushurl", f"ext::{MARK} x")], None),
    ([("remote.origin.pushurl", ELSEWHERE + "x")], HTTP), ([(f"url.ext::{MARK} .insteadOf", "file:")], None),
    ([(f"url.{ELSEWHERE}.insteadOf", "http://127.0.0.1:9/")], HTTP), ([(f"url.{ELSEWHERE}.pushInsteadOf", "file:")], None),
    ([(f"url.{ELSEWHERE}.insteadOf", "git@github.com:")], "git@github.com:x/y"),
    ([("include.path", WORK + "/included")], SSH), ([("include.path", "../../included")], SSH),
    ([("includeIf.gitdir:**.path", WORK + "/included")], SSH), ([("includeIf.gitdir/i:**.path", WORK + "/included")], SSH),
    ([("includeIf.onbranch:**.path", WORK + "/included")], SSH),
    ([("includeIf.hasconfig:remote.*.url:**.path", WORK + "/included")], SSH),
    ([("http.proxy", ELSEWHERE)], HTTP), ([("http.http://127.0.0.1:9.proxy", ELSEWHERE)], HTTP),
    ([("remote.origin.proxy", ELSEWHERE)], HTTP), ([("http.curloptResolve", "127.0.0.1:9:127.0.0.1")], HTTP),
    ([("http.sslVerify", "false")], HTTP), ([("http.sslCAInfo", WORK + "/included")], HTTP),
    ([("http.cookieFile", WORK + "/included")], HTTP), ([("http.extraHeader", "X: y")], HTTP),
    ([("http.followRedirects", "true")], HTTP), ([("http.emptyAuth", "true")], HTTP),
    ([("fetch.bundleURI", ELSEWHERE + "b")], None), ([("transfer.bundleURI", "true")], None),
    ([("bundle.version", "1"), ("bundle.x.uri", ELSEWHERE + "b")], None),
    ([("remote.other.url", ELSEWHERE + "x"), ("remote.other.promisor", "true"), ("extensions.partialClone", "other")], None),
    ([("filter.x.clean", MARK)], None), ([("filter.x.smudge", MARK)], None), ([("filter.x.process", MARK)], None),
    ([("filter.lfs.process", MARK)], None), ([("diff.external", MARK)], None), ([("diff.x.command", MARK)], None),
    ([("diff.x.textconv", MARK)], None), ([("merge.x.driver", MARK)], None), ([("alias.ls-remote", "!" + MARK)], None),
    ([("alias.fetch", "!" + MARK)], None), ([("gpg.program", MARK), ("push.gpgSign", "true")], None),
    ([("gpg.ssh.defaultKeyCommand", MARK)], None), ([("gpg.ssh.program", MARK)], None),
    ([("uploadpack.packObjectsHook", MARK)], None), ([("gc.recentObjectsHook", MARK)], None),
    ([("hook.x.command", MARK), ("hook.x.event", "pre-push")], None), ([("sequence.editor", MARK)], None),
    ([("interactive.diffFilter", MARK)], None), ([("init.templateDir", WORK + "/hooks")], None),
    ([("trailer.x.cmd", MARK)], None), ([("trailer.x.command", MARK)], None), ([("tar.x.command", MARK)], None),
    ([("web.browser", "x"), ("browser.x.cmd", MARK)], None), ([("man.x.cmd", MARK)], None), ([("guitool.x.cmd", MARK)], None),
    ([("difftool.x.cmd", MARK)], None), ([("mergetool.x.path", MARK)], None), ([("sendemail.toCmd", MARK)], None),
    ([("sendemail.smtpServer", MARK)], None), ([("imap.tunnel", MARK)], None), ([("instaweb.httpd", MARK)], None),
    ([("submodule.x.update", "!" + MARK)], None), ([("trace2.eventTarget", WORK + "/marks")], None),
    ([("core.attributesFile", WORK + "/included")], None), ([("ssh.variant", "simple")], SSH),
]
# With these, git would have fallen into the trap, had it been let: they show that the traps are set.
SPRUNG = {"core.sshCommand", "credential.helper", "core.askPass", "remote.origin.uploadpack", "include.path", "http.proxy", "remote.origin.proxy"}


def reset():
    if not dirty and not asked and not os.path.exists("marks"):
        return
    dirty.clear()
    shutil.rmtree(FARM + "/.git")
    shutil.copytree("git.kept", FARM + "/.git", symlinks=True)
    if os.path.exists("marks"):
        os.remove("marks")
    asked.clear()


def write(settings, url):
    text = BASE.replace(FILES, url) if url else BASE
    for key, value in settings:
        first, last = key.index("."), key.rindex(".")
        section = f'[{key[:first]} "{key[first + 1:last]}"]' if first < last else f"[{key[:first]}]"
        if key.endswith((".insteadOf", ".path")) or key not in ("remote.origin.url",):
            text += f'{section}\n\t{key[last + 1:]} = "{value}"\n'
        else:
            text = text.replace("url = " + FILES, f'url = "{value}"')
    with open(FARM + "/.git/config", "w", encoding="utf-8") as config:
        config.write(text)


def run(arguments, *more):
    environment = os.environ | {"WHEELARCH_TOKEN": "ghs_exampleTokenOfNobody"}
    done = subprocess.run([WHEELARCH, *arguments, *more], env=environment, capture_output=True, check=False, timeout=120)
    if done.returncode != 3:
        dirty.append(True)
    return done.returncode, done.stderr.decode()


def expect(holds, *what):
    if not holds:
        failures.append(" ".join(str(part) for part in what))


def untouched(*what):
    expect(not os.path.exists("marks"), *what, "a program ran:", open("marks").read()[:300] if os.path.exists("marks") else "")
    expect(not asked, *what, "was asked:", asked[:1])


begin = time.time()
reset()
for name, command in COMMANDS.items():
    code, said = run(command)
    expect(code in (0, 1) or name in ("audit", "backfill") and not said, name, "does not work without a trap:", code, said)
for number, (settings, url) in enumerate(TRAPS):
    keys = [key for key, value in settings]
    # All commands open the ledger in one way: the others try a part of the traps, which all of them are tried on in turn.
    for name, command in COMMANDS.items():
        if name not in ("list", "collect") and number % 4 != list(COMMANDS).index(name) % 4:
            continue
        reset()
        write(settings, url)
        code, said = run(command)
        named = [key for key in keys if key.lower() in said.lower()]
        expect(code == 3 and named and "--trust-git-config" in said and ".git/config" in said, name, keys, "exit", code, said)
        untouched(name, keys)
    # A worktree's own file is the repository's too.
    reset()
    write(settings, url)
    os.rename(FARM + "/.git/config", FARM + "/.git/config.worktree")
    write([], None)
    code, said = run(COMMANDS["list"])
    os.remove(FARM + "/.git/config.worktree")
    expect(code == 3 and "config.worktree" in said, "config.worktree", keys, "exit", code, said)
    if keys[0] in SPRUNG:
        reset()
        write(settings, url)
        environment = os.environ | {"WHEELARCH_TOKEN": ""}
        subprocess.run([WHEELARCH, *COMMANDS["list"], "--trust-git-config"], env=environment, capture_output=True, check=False)
        dirty.append(True)
        if keys[0] in ("credential.helper", "core.askPass"):
            asked.clear()
        expect(os.path.exists("marks") or asked, keys, "with --trust-git-config is followed, as git does")
print(f"{len(TRAPS)} traps, {len(COMMANDS)} commands: {time.time() - begin:.0f} s")

# Every documented key, with the mark as its value: refused by name, or without effect.
begin = time.time()
documented = [line.strip().strip('",') for line in open(KEYS, encoding="utf-8")]
passed = []
refused = 0
tried = [key for key in (re.sub("<[^>]*>", "x", key).replace("*", "x") for key in documented) if not key.endswith(".x")]
for first in range(0, len(tried), 8):
    some = tried[first:first + 8]
    write([(key, MARK) for key in some], None)
    code, said = run(["ledger", "list", "--farm", FARM])
    if "--trust-git-config" not in said:
        passed += some
        continue
    for key in some:
        write([(key, MARK)], None)
        code, said = run(["ledger", "list", "--farm", FARM])
        if "--trust-git-config" not in said:
            passed.append(key)
        else:
            refused += 1
            expect(code == 3 and key.lower() in said.lower(), key, "exit", code, said)
groups = collections.defaultdict(list)
for number, key in enumerate(passed):
    groups[number % 30].append(key)
for keys in groups.values():
    reset()
    write([(key, MARK) for key in keys], None)
    for name in ("list", "collect"):
        code, said = run(COMMANDS[name])
        untouched(name, keys)
print(f"{len(documented)} keys, {refused} refused, {len(passed)} without effect: {time.time() - begin:.0f} s")
expect(refused > 150 and len(passed) > 600, refused, len(passed))
reset()
print(*failures[:20], sep="\n", file=sys.stderr)
sys.exit(bool(failures))
