# shellcheck shell=bash disable=SC2154
# The blocks of README.md that show what the programs print.

readme_lines=120

# printed_readme prints README.md with the recorded output in each block below « <!-- printed: NAME --> ». Nothing may be
# recorded that it does not show, and nothing shown that is not recorded.
printed_readme() {
	awk '
		FNR == NR && /^-- .* --$/ { name = substr($0, 4, length($0) - 6); known[name] = 1; next }
		FNR == NR { printed[name] = printed[name] $0 "\n"; next }
		inside && /^```$/ { inside = 0 }
		inside { next }
		{ print }
		/^<!-- printed: .* -->$/ { name = substr($0, 15, length($0) - 18); wanted = 1; next }
		wanted {
			wanted = 0
			if (!/^```$/ || !(name in known)) { print "README.md: « " name " » is not recorded, or no block follows it." >"/dev/stderr"; bad = 1; next }
			printf "%s", printed[name]
			shown[name] = inside = 1
		}
		END {
			for (name in known) if (!shown[name]) { print "README.md does not show « " name " »." >"/dev/stderr"; bad = 1 }
			if (inside) { print "README.md: the last block does not end." >"/dev/stderr"; bad = 1 }
			exit bad
		}' "$root/e2e/testdata/readme.txt" "$root/README.md"
}

check_readme() {
	local lines
	diff -u "$root/README.md" <(printed_readme) || {
		echo "README.md differs from what the programs print (right): scripts/readme writes it."
		return 1
	}
	printed_readme >/dev/null || return 1
	lines=$(wc -l <"$root/README.md")
	((lines <= readme_lines)) || {
		echo "README.md has $lines lines, more than $readme_lines."
		return 1
	}
}
