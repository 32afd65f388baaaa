#!/usr/bin/env python3
"""Checks of the documentation against the sources: one of the words below, then ROOT (and WHEELARCH for some).

    pages.py rules ROOT WHEELARCH     every rule id in src/ has a heading in docs/rules.md or docs/lint-rules.md, and the other way
                                      round; `lint --explain` leads to each of the latter
    pages.py options ROOT WHEELARCH   every long option in `--help` stands in docs/usage.md, and the other way round
    pages.py links ROOT               relative links lead to a file, and their #anchors to a heading
    pages.py keys ROOT                every key of the policy in src/ stands in a table of docs/policy.md, and the other way round
    pages.py tables [--update] ROOT   the tables of inputs and outputs are those of action.yml

Standard library only.
"""

import os
import re
import subprocess
import sys

TABLE_PAGES = ("README.md", "docs/action.md")


def read(*parts):
    with open(os.path.join(*parts), encoding="utf-8") as file:
        return file.read()


def complain(problems):
    for problem in problems:
        print(problem)
    return 1 if problems else 0


def both_ways(found, documented, what, page):
    problems = [f"{page}: {what} {word} is missing" for word in sorted(found - documented)]
    return problems + [f"{page}: {what} {word} does not exist" for word in sorted(documented - found)]


# --- rules


def source_rules(root):
    """Ids where findings are made: before `Severity::`, after `.rule =` and `.id =`, and as the first argument of the helpers."""
    made = re.compile(
        r'"([a-z]+[0-9]*(?:-[a-z]+)*)",\s*Severity::'
        r'|\.(?:rule|id) = "([a-z0-9-]+)"'
        r'|\b(?:error|warning|notice|add|finding|differs)\(\s*"([a-z]+(?:-[a-z]+)+)"')
    found = set()
    for folder, _, names in os.walk(os.path.join(root, "src")):
        for name in names:
            if name.endswith(".cpp"):
                found |= {match[1] or match[2] or match[3] for match in made.finditer(read(folder, name))}
    return found


def explained(wheelarch, rule):
    command = [wheelarch, "lint", "--explain", rule]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def rules(root, wheelarch):
    page = read(root, "docs/lint-rules.md")
    of_lint = set(re.findall(r"^## ([a-z0-9]+(?:-[a-z0-9]+)*)$", page, re.MULTILINE))
    documented = set(re.findall(r"^### `([a-z-]+)`$", read(root, "docs/rules.md"), re.MULTILINE))
    problems = both_ways(source_rules(root), documented | of_lint, "rule", "docs/rules.md or docs/lint-rules.md")
    listed = set(re.findall(r"^([a-z0-9-]+) ", explained(wheelarch, "all"), re.MULTILINE))
    problems += both_ways(listed, of_lint, "rule", "docs/lint-rules.md")
    for rule in sorted(listed):
        if f"docs/lint-rules.md#{rule}\n" not in explained(wheelarch, rule):
            problems.append(f"lint --explain {rule} does not lead to docs/lint-rules.md#{rule}")
    return complain(problems)


# --- options


def help_options(wheelarch, command=()):
    """The options of a command and of those below it, as their --help has them."""
    answer = subprocess.run([wheelarch, *command, "--help"], capture_output=True, text=True, check=True).stdout
    found = set(re.findall(r"^ +(?:-\w,)?(--[a-z-]+)", answer, re.MULTILINE))
    for below in re.findall(r"^  (\w+)  ", answer.partition("\nSubcommands:\n")[2], re.MULTILINE):
        found |= help_options(wheelarch, (*command, below))
    return found


def options(root, wheelarch):
    documented = set(re.findall(r"`(?:-h, )?(--[a-z][a-z-]+)", read(root, "docs/usage.md")))
    return complain(both_ways(help_options(wheelarch), documented, "option", "docs/usage.md"))


# --- keys


def keys(root):
    """Of a package and of the farm's own files; those inside of build_matrix and its rows are explained in prose."""
    ours = read(root, "src/policy/our_keys.cpp")
    strict = {key for name in ("package_keys", "policy_keys") for body in re.findall(rf"{name}\(\) {{(.*?)^}}", ours, re.DOTALL | re.MULTILINE)
              for key in re.findall(r'"([a-z0-9_]+)"', body)}
    fields = set(re.findall(r'{"([a-z_]+)", "[a-z]*", (?:true|false)}', read(root, "src/policy/package.cpp")))
    settings = set(re.findall(r'with\(node, "([a-z_]+)"', read(root, "src/policy/package.cpp")))
    named = {"name", "version", "source_repo", "source_tag", "min_pytorch"}
    tables = read(root, "docs/policy.md").partition("## All keys\n")[2]
    documented = {key for row in re.findall(r"^\| (`.*?) \|", tables, re.MULTILINE) for key in re.findall(r"`([a-z0-9_]+)`", row)}
    return complain(both_ways(strict | fields | settings | named, documented, "key", "docs/policy.md"))


# --- links


def markdown_files(root):
    for folder in (".", "docs", "tests/example"):
        for name in sorted(os.listdir(os.path.join(root, folder))):
            if name.endswith(".md"):
                yield os.path.normpath(os.path.join(folder, name))


def prose(text):
    """Without code blocks, in which nothing is a link or a heading."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(text):
    """As GitHub makes them of headings: lower case, no punctuation, spaces to hyphens."""
    headings = re.findall(r"^#+ +(.*)$", prose(text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def link_problems(root, page):
    text = read(root, page)
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(text)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        there = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        if not os.path.exists(os.path.join(root, there)):
            yield f"{page}: {target}: no such file"
        elif anchor and there.endswith(".md") and anchor not in anchors(read(root, there)):
            yield f"{page}: {target}: no such heading"


def links(root):
    return complain([problem for page in markdown_files(root) for problem in link_problems(root, page)])


# --- tables


def scalar(lines):
    """The value of a key: the rest of its line, and the indented lines below it for a folded or literal one."""
    first = lines[0].strip()
    if first in (">-", ">", "|", "|-"):
        return " ".join(line.strip() for line in lines[1:] if line.strip())
    if first[:1] in "'\"" and len(first) > 1 and first[-1] == first[0]:
        quote = first[0]
        return first[1:-1].replace(quote * 2, quote) if quote == "'" else first[1:-1].replace('\\"', '"')
    return " ".join([first, *(line.strip() for line in lines[1:] if line.strip())])


def entries(text, section):
    """{name: {key: value}} of `inputs:` or `outputs:`, for the plain YAML that action.yml is written in."""
    block = re.search(rf"^{section}:\n((?:(?: .*|#.*)?\n)*)", text, re.MULTILINE)
    found = {}
    key_lines = None
    for line in block[1].splitlines() if block else []:
        if not line.strip() or line.strip().startswith("#"):
            continue
        indent = len(line) - len(line.lstrip())
        key, separator, value = line.strip().partition(":")
        if indent == 2 and separator:
            entry = found[key] = {}
        elif indent == 4 and separator:
            key_lines = entry[key] = [value]
        else:
            key_lines.append(line)
    return {name: {key: scalar(lines) for key, lines in entry.items()} for name, entry in found.items()}


def cell(text):
    return text.replace("|", "\\|")


def input_table(action):
    lines = ["| input | | default |", "| --- | --- | --- |"]
    for name, entry in entries(action, "inputs").items():
        default = entry.get("default", "")
        shown = "required" if entry.get("required") == "true" else f"`{cell(default)}`" if default else ""
        lines.append(f"| `{name}` | {cell(entry['description'])} | {shown} |")
    return lines


def output_table(action):
    lines = ["| output | |", "| --- | --- |"]
    lines += [f"| `{name}` | {cell(entry['description'])} |" for name, entry in entries(action, "outputs").items()]
    return lines


def with_tables(page, action):
    for name, table in (("inputs", input_table(action)), ("outputs", output_table(action))):
        body = "\n".join(table) + "\n"
        page = re.sub(rf"(<!-- {name} of action.yml -->\n)(?:.*\n)*?(<!-- end -->)",
                      lambda match, body=body: match[1] + body + match[2], page)
    return page


def source_problems(root, action):
    """The program knows the inputs, with their defaults, and the outputs that action.yml has."""
    table = read(root, "src/cli/action_inputs.cpp").partition("action_inputs() {")[2].partition("};")[0]
    known = dict(re.findall(r'\{"([a-z-]+)", "([^"]*)"\}', table))
    declared = {name: entry.get("default", "") for name, entry in entries(action, "inputs").items()}
    declared["token"] = ""  # an expression, which differs from run to run
    outputs = read(root, "src/report/github.cpp").partition("void set_outputs(")[2].partition("}) {")[0]
    return both_ways(set(declared.items()), set(known.items()), "input", "src/cli/action_inputs.cpp") + both_ways(
        set(entries(action, "outputs")), set(re.findall(r'"([a-z-]+)"', outputs)), "output", "src/report/github.cpp")


def tables(root, update):
    action = read(root, "action.yml")
    stale = source_problems(root, action)
    for name in TABLE_PAGES:
        page = read(root, name)
        wanted = with_tables(page, action)
        if wanted != page and update:
            with open(os.path.join(root, name), "w", encoding="utf-8") as file:
                file.write(wanted)
        elif wanted != page:
            stale.append(f"{name}: the tables differ from action.yml: run tests/docs/tables.sh --update")
        stale += [f"{name}: no table of {section}" for section in ("inputs", "outputs")
                  if f"<!-- {section} of action.yml -->" not in page]
    return complain(stale)


def main(argv):
    words = [word for word in argv[1:] if word != "--update"]
    check, root = words[0], words[1]
    if check == "tables":
        return tables(root, "--update" in argv)
    return {"rules": rules, "options": options, "keys": keys, "links": links}[check](*words[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv))
