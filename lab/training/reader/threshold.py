"""Chooses the probability below which the search refuses, and that from which an answer is likely, and writes them to
internal/search/rank/reading.json.

    python3 threshold.py [KEPT.json…] [--unseen KEPT.json…] [--out internal/search/rank/reading.json]

The files are those of scripts/eval answers --keep, with the evidence of each question: on gazettes, and on law that the reader did not
see. Of the questions that something answers, at most four in a hundred of each file are refused.

Those behind --unseen are on law of which nothing has learned anything. « Likely » is said from the least probability on from which the
share of right first articles below « sure », less a standard error, is 70 of 100. It is printed with intervals, and as counted by a bound
chosen without the jurisdiction.
"""

import argparse, json, math

ap = argparse.ArgumentParser()
ap.add_argument("kept", nargs="*")
ap.add_argument("--unseen", nargs="*", default=[])
ap.add_argument("--likely", type=float, default=0.7)
ap.add_argument("--out", default="internal/search/rank/reading.json")
ap.add_argument("--refused", type=float, default=0.04)
A = ap.parse_args()
model = json.load(open(A.out))
gate = model["gate"]["has"]


def has(e):
    x = gate["bias"] + sum(w * e.get(k, 0) for k, w in gate["weights"].items())
    return 1 / (1 + math.exp(-x))


def read(file):
    return [o for way in json.load(open(file)).values() for o in way if "read" in o.get("evidence", {})]


def share(rows):
    """How many are right first, with 95 of 100."""
    n, k, z = len(rows), sum(o["first"] for o in rows), 1.96
    if not n:
        return "0 of 0"
    mid, half = (k / n + z * z / 2 / n) / (1 + z * z / n), z * math.sqrt(k / n * (1 - k / n) / n + z * z / 4 / n / n) / (1 + z * z / n)
    return f"{k} of {n}, {100 * k / n:.0f} % [{100 * (mid - half):.0f}, {100 * (mid + half):.0f}]"


def bound(rows):
    """The least probability of a likely answer."""
    for t in range(40, int(100 * model["gate"]["sure"])):
        some = [o["first"] for o in rows if t / 100 <= o["probability"]]
        p = sum(some) / max(1, len(some))
        if some and p - math.sqrt(p * (1 - p) / len(some)) >= A.likely:
            return t / 100
    return model["gate"]["sure"]


if A.unseen:
    rows = [o for file in A.unseen for o in read(file) if o["verdict"] > 0]  # not refused
    doubted = [o for o in rows if o["verdict"] < 3]  # the product says less than « sure » of law of one of several countries
    print("sure:", share([o for o in rows if o["verdict"] == 3]))
    for t in range(40, 90, 5):
        print(f"likely from {t / 100}:", share([o for o in doubted if o["probability"] >= t / 100]), "; unsure:", share([o for o in doubted if o["probability"] < t / 100]))
    lands = sorted({o["country"] for o in doubted})
    apart = [o for land in lands for t in [bound([o for o in doubted if o["country"] != land])] for o in doubted if o["country"] == land and o["probability"] >= t]
    model["gate"]["likely"] = bound(doubted)
    print("likely from", model["gate"]["likely"], ":", share([o for o in doubted if o["probability"] >= model["gate"]["likely"]]), f"; bound without the jurisdiction, of {len(lands)}:", share(apart))

sets = []
for file in A.kept:
    sets.append((file, [(has(o["evidence"]), o) for o in read(file)]))
best = 0
for t in range(50, 96) if sets else ():
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
if sets:
    print("unsure", best)
    model["gate"]["unsure"] = best
json.dump(model, open(A.out, "w"), indent=1, ensure_ascii=False)
