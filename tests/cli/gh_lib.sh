# Shared by the scenarios that ask the real gh, which source it after plan_lib.sh: GitHub's part is played by
# gh_server.py, on a socket in the scenario's folder.
# shellcheck shell=bash disable=SC2034,SC2154
need gh
export GH_CONFIG_DIR=$work/gh GH_TOKEN=secret-token
gh config set http_unix_socket "$work/socket"
echo '{}' >says.json
python3 "$root/tests/cli/gh_server.py" "$work/socket" "$work/says.json" >listening 2>server.log &
server=$!
trap 'kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
for ((i = 0; i < 100; i++)); do
  [ ! -s listening ] || break
  sleep 0.1
done
[ -s listening ] || { cat server.log >&2; fail "the server did not start"; }

says() { # says PYTHON: the server's answers from now on; `names` are those of the file names
  rm -f says.json.log
  python3 - "$1" <<'PYTHON' >says.new || fail "says"
import json, os, sys
names = open("names", encoding="utf-8").read().split() if os.path.exists("names") else []
of = lambda package: [name for name in names if name.startswith(package + "-")]
html = "<!DOCTYPE html>\n<html><body>502 Bad Gateway</body></html>\n"
print(json.dumps(eval(sys.argv[1])))
PYTHON
  mv says.new says.json
}
asked() { cut -d' ' -f1 says.json.log | sed 's|^/repos/example-org/farm||' | sort; }
