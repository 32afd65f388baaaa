#!/usr/bin/env bash
# Made configurations, read by git and by us: whatever git lists of a file that names a program, the program refuses or git
# cannot read either.
. "$(dirname "$0")/lib.sh"
need git
git init -q farm
python3 - "$WHEELARCH" <<'PYTHON' || fail "git sees a key that wheelarch does not"
import os, random, subprocess, sys
PIECES = ["[core]", "[core ]", "[CORE]", "[core \"x\"]", "[core.x]", "[alias]", "[a \"b\\\"]\"]", "[user]", "\n", "\r\n", "\r", " ", "\t", "pager",
          "Pager", "editor", "name", "=", " = ", "x", "\"", "\\", "\\\n", "\\n", "#", ";", "; pager = x\n", "\xef\xbb\xbf", "pager = x\n", "a", "-", ".", "1",
          "bare = false\n", "\f", "\v", "]", "["]
random.seed(7)
seen = agreed = 0
for number in range(400):
    start = random.choice(["[core]\n\tbare = false\n", "[user]\n", "", "[core]"])
    text = start + "".join(random.choice(PIECES) for _ in range(random.randrange(1, 14)))
    if number % 3 == 0:
        text += "\n[core]" + random.choice(["\n", " ", "", "\r\n"]) + "pager = x\n"
    with open("farm/.git/config", "w", encoding="utf-8", newline="") as file:
        file.write(text)
    listed = subprocess.run(["git", "config", "--file", os.path.abspath("farm/.git/config"), "--no-includes", "--list", "-z",
                             "--name-only"], capture_output=True, check=False, cwd="/")
    ours = subprocess.run([sys.argv[1], "ledger", "list", "--farm", "farm"], capture_output=True, check=False)
    said = ours.stderr.decode(errors="replace").lower()
    keys = [key for key in listed.stdout.decode(errors="replace").split("\0") if key]
    bad = [key for key in keys if key in ("core.pager", "core.editor") or key.startswith("alias.")]
    if listed.returncode == 0 and bad:
        seen += 1
        if "is no line of git" not in said and ("trust-git-config" not in said or not all(key in said for key in set(bad))):
            sys.exit(f"{text!r}: git lists {keys}, wheelarch says {said}")
    if listed.returncode != 0 and "is no line of git" not in said:
        sys.exit(f"{text!r}: git cannot read it ({listed.stderr.decode()}), wheelarch says {said}")
    # A name without a section means nothing to git; we refuse it.
    if listed.returncode == 0 and all("." in key for key in keys) and "is no line of git" in said:
        sys.exit(f"{text!r}: git reads {keys}, wheelarch says {said}")
    agreed += 1
print(f"{agreed} configurations, {seen} with a program that git would see")
sys.exit(seen < 20)
PYTHON
