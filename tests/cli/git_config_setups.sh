#!/usr/bin/env bash
# What actions/checkout leaves, and what users and machines configure, goes on working; the token goes to nobody else.
. "$(dirname "$0")/lib.sh"
. "$root/tests/ledger/lib.sh"
need base64
token=ghs_exampleTokenOfNobody
header="AUTHORIZATION: basic $(printf 'x-access-token:%s' "$token" | base64 -w0)"
uuid=0123abcd-0123-4567-89ab-0123456789ab
export RUNNER_TEMP=$work/temp
mkdir -p served temp
make_remote served/remote.git
git --git-dir=served/remote.git config http.receivepack true
make_entries entries 20
files=(entries/*)
git clone -q "$(url_of served/remote.git)" plain

number=0
fresh() { # fresh URL: a clone with that remote, and what checkout writes whatever its inputs are
  rm -rf clone && cp -r plain clone
  git -C clone remote set-url origin "$1"
  git -C clone config gc.auto 0
  git -C clone config submodule.recurse false
  git -C clone config branch.main.remote origin
}
records() { # records NAME OPTION...
  expect_exit 0 ledger record "${files[$number]}" --farm clone "${@:2}"
  number=$((number + 1))
  [ "$(git --git-dir=served/remote.git ls-tree -r --name-only wheel-ledger | wc -l)" = "$number" ] || fail "$1: not recorded"
}

# The ssh-key of checkout: its core.sshCommand, with the ssh of PATH. This one serves the repositories here.
mkdir bin
cat >bin/ssh <<SSH
#!/bin/sh
echo "\$*" >>"$work/ssh.log"
env | grep -i token >>"$work/ssh.env"
for last; do :; done
eval "\$last"
SSH
chmod +x bin/ssh
as_ssh_key() {
  git -C clone config core.sshCommand "\"$work/bin/ssh\" -i \"\$RUNNER_TEMP/$uuid\"$1 -o \"UserKnownHostsFile=\$RUNNER_TEMP/${uuid}_known_hosts\""
}
usual_path=$PATH
export PATH=$work/bin:$PATH
fresh "ssh://git@github.example.org$work/served/remote.git"
as_ssh_key " -o StrictHostKeyChecking=yes -o CheckHostIP=no"
WHEELARCH_TOKEN=$token records "ssh-key, strict"
grep -qF -e "-i $work/temp/$uuid -o StrictHostKeyChecking=yes -o CheckHostIP=no" ssh.log || fail "the key of checkout was not used"
[ ! -s ssh.env ] || fail "ssh has seen a token: $(cat ssh.env)"
as_ssh_key ""
records "ssh-key, not strict"
# The user's own command, which the environment or the user's configuration names.
fresh "git@github.example.org:$work/served/remote.git"
git config --global core.sshCommand "$work/bin/ssh -F /dev/null"
records "ssh of the user"
git config --global --unset core.sshCommand
PATH=$usual_path GIT_SSH_COMMAND="$work/bin/ssh" records "GIT_SSH_COMMAND"
# A command that differs from checkout's in one word.
fresh "ssh://git@github.example.org$work/served/remote.git"
as_ssh_key " -o ProxyCommand=$work/bin/ssh"
: >ssh.log
expect_exit 3 ledger list --fetch --farm clone
expect_words err "core.sshCommand is not as actions/checkout writes it" "--trust-git-config"
[ ! -s ssh.log ] || fail "the command ran"
records "trusted" --trust-git-config
export PATH=$usual_path

# checkout v4 and v5, v6, with a token of its own; the server wants exactly one header.
serve served "$token"
origin=http://127.0.0.1:$port
as_checkout_v5() { git -C clone config "http.$origin/.extraheader" "$header"; }
as_checkout_v6() {
  local file=$work/temp/git-credentials-$uuid.config pattern
  git config -f "$file" "http.$origin/.extraheader" "$header"
  for pattern in "$work/clone/.git" "$work/clone/.git/worktrees/*"; do git -C clone config "includeIf.gitdir:$pattern.path" "$file"; done
  for pattern in /github/workspace/.git "/github/workspace/.git/worktrees/*"; do
    git -C clone config "includeIf.gitdir:$pattern.path" "/github/runner_temp/git-credentials-$uuid.config"
  done
}
fresh "$origin/remote.git" && as_checkout_v5
records "checkout v4, v5"
fresh "$origin/remote.git" && as_checkout_v6
records "checkout v6"
git -C clone worktree add -q --detach ../tree HEAD
expect_exit 0 ledger list --fetch --farm tree
# With submodules, lfs, a sparse and a partial checkout.
git -C clone config "url.$origin/.insteadOf" "git@127.0.0.1:"
git -C clone config filter.lfs.clean "git-lfs clean -- %f" && git -C clone config filter.lfs.required true
git -C clone config filter.lfs.process "git-lfs filter-process" && git -C clone config lfs.repositoryformatversion 0
git -C clone config extensions.worktreeConfig true && git -C clone config --worktree core.sparseCheckout true
git -C clone config submodule.part.url https://github.example.org/example-org/part
GITHUB_SERVER_URL=$origin records "submodules, lfs, sparse"

# A container: the checkout belongs to somebody else, and git itself would refuse.
if [ "$(id -u)" = 0 ]; then
  fresh "$origin/remote.git" && as_checkout_v6
  chown -R 12345:12345 clone
  ! git -C clone status >/dev/null 2>&1 || fail "git does not mind the owner"
  records "another owner"
fi
# An Enterprise server, which the workflow's token is for.
fresh "$origin/remote.git"
GITHUB_SERVER_URL=$origin WHEELARCH_TOKEN=$token records "the workflow's own server"

# The user's proxy, and mirror: honoured; what the mirror asks for is not the token of the server that it stands for.
git config --global http.proxy "$origin"
fresh "http://github.example.org/remote.git"
GITHUB_SERVER_URL=http://github.example.org WHEELARCH_TOKEN=$token records "proxy of the user"
git config --global --unset http.proxy
kill "$server"
serve served
mirror=http://127.0.0.1:$port
git config --global "url.$mirror/.insteadOf" https://github.example.org/
: >served/http.log
fresh https://github.example.org/remote.git
WHEELARCH_TOKEN=$token records "mirror of the user"
awk '$2 != 0' served/http.log >sent
[ -s served/http.log ] && [ ! -s sent ] || { cat sent >&2; fail "the mirror got the token"; }
git config --global --remove-section "url.$mirror/"
# The same in the repository's own configuration stops the run.
git -C clone config "url.$mirror/.insteadOf" https://github.example.org/
: >served/http.log
WHEELARCH_TOKEN=$token expect_exit 3 ledger list --fetch --farm clone
expect_words err "url.$mirror/.insteadOf is not as actions/checkout writes it"
# Trusted, it is followed, without the token.
WHEELARCH_TOKEN=$token expect_exit 0 ledger list --fetch --farm clone --trust-git-config
awk '$2 != 0' served/http.log >sent
[ -s served/http.log ] && [ ! -s sent ] || { cat sent >&2; fail "the token was sent elsewhere"; }

# Programs come from whole paths alone: an empty, a relative one, and the working folder by them, are passed over.
fresh "$(url_of served/remote.git)"
printf '#!/bin/sh\necho "$0" >>"%s/marks"\nexit 1\n' "$work" >git
chmod +x git && cp git cuobjdump && cp git gh && cp git ssh
for folders in "" . ./ ../"$(basename "$work")"; do
  PATH=$folders:$PATH: expect_exit 0 ledger list --fetch --farm clone
  PATH=$folders:$PATH: run matrix --farm "$root/tests/farm/flat" --repo example-org/farm
  PATH=$folders:$PATH: run inspect --witness both "$WHEELARCH"
  CUDA_HOME=. PATH=$folders:$PATH: run inspect --witness both "$WHEELARCH"
done
expect_no_file marks
