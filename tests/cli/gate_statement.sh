#!/usr/bin/env bash
# --statement: an in-toto Statement v1 whose subject is the stamped wheel and whose predicate is the entry.
. "$(dirname "$0")/lib.sh"
need_fixtures
wheel ext_no_ptx.so=pkg/_C.so
gate=(gate --arch-list "8.0;9.0" --witness native)
expect_exit 0 "${gate[@]}" --statement statement.json $wheel
check_json statement.json \
  'set(d) == {"_type", "subject", "predicateType", "predicate"} and d["_type"] == "https://in-toto.io/Statement/v1"' \
  'd["subject"] == [{"name": "'$wheel'", "digest": {"sha256": "'"$(sha256sum <$wheel | cut -d' ' -f1)"'"}}]' \
  '__import__("re").fullmatch("[a-z][a-z0-9+.-]*:[^\\s]+", d["predicateType"])' \
  'd["predicate"] == __import__("json").load(open("'$wheel'.ledger.json"))'

# A place that cannot be written is exit 3, and stamp and entry are whole.
wheel ext_no_ptx.so=pkg/_C.so
expect_exit 3 "${gate[@]}" --statement no/such/statement.json --json result.json $wheel
expect_schema ledger-entry.schema.json $wheel.ledger.json
check_json $wheel.ledger.json 'd["wheel"]["sha256"] == "'"$(sha256sum <$wheel | cut -d' ' -f1)"'"'
check_json result.json 'd["verdict"] == "unchecked"' 'd["stamped"]["changed"] is True'
