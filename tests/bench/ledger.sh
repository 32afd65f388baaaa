#!/usr/bin/env bash
# Measures what docs/performance.md promises of the ledger, beside what git takes for the like, and prints a table. Not a
# test: machines are noisy.
#
#   ledger.sh WHEELARCH
#
# Needs git, hyperfine and python3.
set -euo pipefail
wheelarch=$(realpath "$1")
make_entries=$(realpath "$(dirname "$0")/../ledger/make_entries.py")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export HOME=$work GIT_CONFIG_NOSYSTEM=1
git config --global user.name example-org
git config --global user.email builds@example.org

# The mean milliseconds of a command; `before` is run before each time.
before=true
milliseconds() { hyperfine --warmup 1 --min-runs "${runs:-5}" --prepare "$before" --export-json h.json "$1" >log 2>&1 ||
  { cat log >&2; exit 1; }
  python3 -c 'import json; print(round(json.load(open("h.json"))["results"][0]["mean"] * 1000, 1))'; }
ratio() { python3 -c 'import sys; print(f"{float(sys.argv[1]) / float(sys.argv[2]):.2f}")' "$1" "$2"; }
row() { printf '| %s | %s | %s | %s | %s |\n' "$@"; }

# The same entries as files of a work tree, for git.
ledger_of() { # COUNT: a bare repository ledger-COUNT.git
  python3 "$make_entries" "entries-$1" "$1"
  git init -q --bare "ledger-$1.git"
  "$wheelarch" ledger collect "entries-$1" --farm "ledger-$1.git" >log
}

echo "| what | wheelarch | compared with | ratio | wanted |"
echo "| --- | --- | --- | --- | --- |"
for count in 100 1000 10000; do ledger_of "$count"; done

before="rm -rf new.git && git init -q --bare new.git"
ours=$(milliseconds "$wheelarch ledger collect entries-10000 --farm new.git")
before="rm -rf tree && git init -q tree && cp -r entries-10000 tree/"
theirs=$(milliseconds "sh -c 'git -C tree add . && git -C tree commit -qm all'")
row "collect 10,000 entries, one commit" "$ours ms" "git add, git commit $theirs ms" "$(ratio "$ours" "$theirs")" "< 2000 ms"

python3 "$make_entries" one 1 20000
one=$(echo one/*)
for count in 100 1000 10000; do
  before="rm -rf new.git && cp -r ledger-$count.git new.git"
  ours=$(runs=20 milliseconds "$wheelarch ledger record $one --farm new.git")
  [ "$count" != 100 ] || first=$ours
  row "record one entry into $count" "$ours ms" "into 100" "$(ratio "$ours" "$first")" "the same"
done

before=true
name=$(basename "$(find entries-10000 -type f | LC_ALL=C sort | sed -n 7000p)" .ledger.json)
name=${name#??????-}
ours=$(runs=20 milliseconds "$wheelarch ledger show $name --farm ledger-10000.git")
theirs=$(runs=20 milliseconds "git --git-dir=ledger-10000.git cat-file blob wheel-ledger:${name%%-*}/$name.json")
row "look one of 10,000 up" "$ours ms" "git cat-file $theirs ms" "$(ratio "$ours" "$theirs")" "< 50 ms"
ours=$(milliseconds "$wheelarch ledger list --farm ledger-10000.git --json list.json")
row "list 10,000" "$ours ms" "" "" ""

git init -q --bare remote.git
git -C remote.git fetch -q ../ledger-10000.git wheel-ledger:wheel-ledger
git clone -q --bare remote.git clone.git
git -C clone.git remote remove origin
git -C clone.git remote add origin "file://$work/remote.git"
"$wheelarch" ledger record "$one" --farm clone.git >log
before=true
cat >again <<SH
number=\$(cat number 2>/dev/null || echo 30000)
echo \$((number + 1)) >number
rm -rf one && python3 $make_entries one 1 \$number
SH
before="sh again"
ours=$(runs=10 milliseconds "$wheelarch ledger collect one --farm clone.git")
before=true
theirs=$(runs=10 milliseconds "sh -c 'git -C clone.git fetch -q origin wheel-ledger && git -C clone.git push -q origin wheel-ledger:refs/heads/other'")
row "record one into 10,000 on a remote" "$ours ms" "git fetch, git push of nothing $theirs ms" "$(ratio "$ours" "$theirs")" ""
