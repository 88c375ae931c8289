"""Chooses the probability below which the search refuses, and writes it to internal/search/rank/reading.json.

    python3 threshold.py KEPT.json… [--out internal/search/rank/reading.json]

The files are those of scripts/eval answers --keep, with the evidence of each question: on gazettes, and on law that the reader did not
see. Of the questions that something answers, at most four in a hundred of each file are refused.
"""

import argparse, json, math

ap = argparse.ArgumentParser()
ap.add_argument("kept", nargs="+")
ap.add_argument("--out", default="internal/search/rank/reading.json")
ap.add_argument("--refused", type=float, default=0.04)
A = ap.parse_args()
model = json.load(open(A.out))
gate = model["gate"]["has"]


def has(e):
    x = gate["bias"] + sum(w * e.get(k, 0) for k, w in gate["weights"].items())
    return 1 / (1 + math.exp(-x))


sets = []
for file in A.kept:
    rows = [o for way in json.load(open(file)).values() for o in way if "read" in o.get("evidence", {})]
    sets.append((file, [(has(o["evidence"]), o) for o in rows]))
best = 0
for t in range(50, 96):
    t /= 100
    told, within = [], True
    for file, rows in sets:
        of = sum(o["has"] for _, o in rows)
        wrongly = sum(o["has"] for p, o in rows if p < t)
        rightly = sum(not o["has"] for p, o in rows if p < t)
        lost = sum(o["cited"] for p, o in rows if p < t and o["has"])
        within = within and wrongly <= A.refused * of
        told.append(f"{file}: wrongly {wrongly} of {of} (of which a right article was cited {lost}), rightly {rightly} of {len(rows) - of}")
    if within:
        best = t
    print(t, "; ".join(told))
print("unsure", best)
model["gate"]["unsure"] = best
json.dump(model, open(A.out, "w"), indent=1, ensure_ascii=False)
