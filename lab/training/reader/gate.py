"""Learns what the scores of the reader are worth, from lists and their left-out scores, and writes internal/search/rank/reading.json.

    python3 gate.py --lists FOLDER --scores scores-folds-6.npz [--read 12] [--out internal/search/rank/reading.json]

The weight of the reader's score beside today's, and two logistic regressions: whether the first article answers, and whether
anything does. Everything is judged on countries that it was not learned from: the scores are those of a reader without the
country, and weights and thresholds are learned in turn without each of ten groups of countries.
"""

import argparse, json, math, os, hashlib
import numpy as np

from lists import CANON, SETS

ap = argparse.ArgumentParser()
ap.add_argument("--lists", required=True)
ap.add_argument("--scores", required=True, nargs="+")
ap.add_argument("--test", nargs="*", default=[], help="scores of lists that nothing is learned from")
ap.add_argument("--read", type=int, default=12)
ap.add_argument("--mix", type=float, default=0)
ap.add_argument("--weights", default="internal/search/rank/weights.json", help="of the order, whose gate gives what the reader does not touch")
ap.add_argument("--out", default="")
A = ap.parse_args()

lists = {}
for name in SETS:
    p = os.path.join(A.lists, name + ".jsonl")
    if os.path.exists(p):
        for line in open(p, encoding="utf-8"):
            l = json.loads(line)
            lists[l["set"] + "/" + l["id"]] = l


def load(paths):
    rows = []
    for p in paths:  # FILE:NAME
        file, name = p.rsplit(":", 1)
        z = np.load(file)
        at = 0
        for i, n in zip(z[name + ".ids"], z[name + ".lengths"]):
            l = lists[str(i)]
            rows.append((l, z[name + ".scores"][at:at + n].astype(float)))
            at += n
    return rows


def logit(p):
    p = min(max(p, 1e-9), 1 - 1e-9)
    return min(6, max(-6, math.log(p / (1 - p))))


class Row:
    """One list: what the product would know of it."""

    def __init__(self, l, s, mix):
        keep = [k for k, x in enumerate(l["items"]) if not x.get("extra")]
        self.l, self.unit = l, CANON.get(l["country"], l["country"]) or "-" + l["id"]
        self.named = bool(keep) and bool(l["items"][keep[0]].get("named"))
        read = keep[:A.read]
        self.today_right = bool(read) and bool(l["items"][read[0]].get("right"))
        t = np.array([l["items"][k]["score"] for k in read])
        r = np.array([bool(l["items"][k].get("right")) for k in read])
        s = s[read]
        mixed = t + mix * s
        order = np.argsort(-mixed, kind="stable")
        self.t, self.s, self.r, self.mixed = t, s, r, mixed
        self.first = bool(len(r)) and bool(r[order[0]])
        self.three = bool(r[order[:3]].any())
        self.today_three = bool(r[:3].any())
        self.alone = bool(len(r)) and bool(r[np.argmax(s)])
        self.any = bool(r.any())
        self.answers = l["answers"] > 0
        m = mixed[order]
        self.gap = m - m[0] if len(m) else m
        self.right_sorted = r[order]
        self.x = None
        if len(read):
            self.x = np.array([s[order[0]], min(8, max(0, m[0] - m[1])) if len(m) > 1 else 8, logit(l["p"])])


NAMES = ["read", "read_margin", "before_first"]


def fit(x, y, w=None, ridge=1.0):
    """Logistic regression by Newton's method, with a ridge on standardized weights."""
    mu, sd = x.mean(0), x.std(0) + 1e-9
    z = np.hstack([(x - mu) / sd, np.ones((len(x), 1))])
    b = np.zeros(z.shape[1])
    w = np.ones(len(y)) if w is None else w
    reg = np.append(np.full(x.shape[1], ridge), 1e-6)
    for _ in range(50):
        p = 1 / (1 + np.exp(-z @ b))
        g = z.T @ (w * (p - y)) + reg * b
        h = (z * (w * p * (1 - p))[:, None]).T @ z + np.diag(reg)
        d = np.linalg.solve(h, g)
        b -= d
        if abs(d).max() < 1e-8:
            break
    return np.append(b[:-1] / sd, b[-1] - (b[:-1] * mu / sd).sum())


def prob(c, x):
    return 1 / (1 + np.exp(-(x @ c[:-1] + c[-1])))


def group(unit):
    return hashlib.sha256(unit.encode()).digest()[0] % 10


def boot(a, b, n=2000):
    """Difference of two paired shares, with 95 of 100 resamplings."""
    d = np.array(a, float) - np.array(b, float)
    rng = np.random.default_rng(1)
    m = np.array([d[rng.integers(len(d), size=len(d))].mean() for _ in range(n)])
    return f"{100 * d.mean():+.1f} [{100 * np.quantile(m, .025):+.1f}, {100 * np.quantile(m, .975):+.1f}]"


def kinds(rows):
    out = {}
    for r in rows:
        s = r.l["set"]
        out.setdefault(s if not s.startswith("gaz") else "gazettes", []).append(r)
    return out


def report(rows, title):
    for name, rs in kinds(rows).items():
        has = [r for r in rs if r.answers and not r.named and len(r.r)]
        if not has:
            continue
        print(f"{title} {name}: {len(has)} with an answer ({sum(r.any for r in has)} among {A.read}): first today {sum(r.today_right for r in has)}, alone {sum(r.alone for r in has)}, mixed {sum(r.first for r in has)} "
              f"{boot([r.first for r in has], [r.today_right for r in has])}; among three today {sum(r.today_three for r in has)}, mixed {sum(r.three for r in has)} {boot([r.three for r in has], [r.today_three for r in has])}")


raw = load(A.scores)
best = None
mixes = [A.mix] if A.mix else [0.25, 0.5, 0.75, 1, 1.5, 2, 3]
for mix in mixes:
    rows = [Row(l, s, mix) for l, s in raw]
    has = [r for r in rows if r.answers and not r.named and len(r.r) and not r.l["set"].startswith(("75", "labor"))]
    n = sum(r.first for r in has)
    print(f"mix {mix}: first {n} of {len(has)}, today {sum(r.today_right for r in has)}; among three {sum(r.three for r in has)}, today {sum(r.today_three for r in has)}")
    if best is None or n > best[0]:
        best = (n, mix)
mix = best[1]
rows = [Row(l, s, mix) for l, s in raw]
report(rows, "left out")
test = [Row(l, s, mix) for l, s in load(A.test)] if A.test else []
report(test, "sealed")

# Gate: gazettes and breadth alike; codes have incomplete judgements and count for the order alone.
use = [r for r in rows if r.x is not None and not r.named and not r.l["set"].startswith(("75", "labor"))]
x = np.array([r.x for r in use])
first, has = np.array([float(r.first) for r in use]), np.array([float(r.answers) for r in use])
g = np.array([group(r.unit) for r in use])
pf, ph = np.zeros(len(use)), np.zeros(len(use))
for k in range(10):
    pf[g == k] = prob(fit(x[g != k], first[g != k]), x[g == k])
    ph[g == k] = prob(fit(x[g != k], has[g != k]), x[g == k])
base = np.array([r.l["p"] for r in use])
today = np.array([float(r.today_right) for r in use])


def brier(p, y):
    return ((p - y) ** 2).mean()


def auc(p, y):
    o = np.argsort(p, kind="stable")
    rank = np.empty(len(p))
    rank[o] = np.arange(len(p))
    n1 = y.sum()
    return (rank[y == 1].sum() - n1 * (n1 - 1) / 2) / (n1 * (len(y) - n1))


print(f"gate, {len(use)} lists, left out by ten groups of countries: Brier {brier(pf, first):.3f} (today {brier(base, today):.3f}), AUC first {auc(pf, first):.3f} (today {auc(base, today):.3f}), AUC has {auc(ph, has):.3f}")
for lo, hi in [(0, .1), (.1, .2), (.2, .35), (.35, .5), (.5, .65), (.65, .8), (.8, .9), (.9, .95), (.95, 1.01)]:
    m = (pf >= lo) & (pf < hi)
    b = (base >= lo) & (base < hi)
    print(f"  {lo:.2f}-{hi:.2f}: {m.sum()} first right {first[m].mean() if m.any() else 0:.3f} | today {b.sum()} {today[b].mean() if b.any() else 0:.3f}")


def surely(p, y, want=0.95):
    """The least probability from which, with every greater threshold, the share of right ones is at least want, counted with one miss more."""
    o = np.argsort(-p)
    right = np.cumsum(y[o])
    n = np.arange(1, len(p) + 1)
    ok = right / (n + 1) >= want
    return p[o][np.flatnonzero(ok)[-1]] if ok.any() else 1.0


sure = surely(pf, first)
m = pf >= sure
print(f"sure from {sure:.3f}: {m.sum()} of {len(use)}, right {first[m].sum():.0f}")
# thresholds learned without the group, counted in the group
n = right = 0
for k in range(10):
    t = surely(pf[g != k], first[g != k])
    m = (g == k) & (pf >= t)
    n, right = n + m.sum(), right + first[m].sum()
print(f"sure, thresholds left out too: {n}, right {right:.0f}")
none, ts = 1 - has, np.linspace(0.02, 0.98, 97)
refused = np.array([r.l["grade"] == "unlikely" for r in use])
print(f"  today: refused rightly {(refused * none).sum():.0f} of {none.sum():.0f}, wrongly {(refused * has).sum():.0f} of {has.sum():.0f}")
for t in (.1, .2, .3, .4, .5, .6, .7, .8):
    print(f"  has < {t}: refused rightly {((ph < t) * none).sum():.0f} of {none.sum():.0f}, wrongly {((ph < t) * has).sum():.0f} of {has.sum():.0f}")
# temper: what differences of mixed scores are worth among articles behind the first
gaps, ys = [], []
for r, p in zip(use, pf):
    if r.answers and r.any:
        gaps.append(r.gap)
        ys.append(r.right_sorted)
bestt = min((sum(-math.log(max(1e-9, (np.exp(T * gp)[y]).sum() / np.exp(T * gp).sum())) for gp, y in zip(gaps, ys)) / len(gaps), T) for T in np.linspace(0.1, 2, 39))
print("temper", bestt)
for want in (0.8, 0.85, 0.9):
    n = hit = 0
    for gp, y in zip(gaps, ys):
        q = np.exp(bestt[1] * gp)
        q /= q.sum()
        c = min(3, int(np.searchsorted(np.cumsum(q), want)) + 1)
        n, hit = n + c, hit + bool(y[:c].any())
    print(f"  to {want}: {n / len(gaps):.2f} articles, right among them {hit} of {len(gaps)}; first {sum(bool(y[0]) for y in ys)}")
# How much is read: reading ends where the best is ahead of what comes next by more than a lead.
# The least lead is taken that keeps 99 of 100 of the right articles that reading all gives, first and among three.
enough = None
for lead in (2, 2.5, 3, 3.5, 4, 5):
    n = f = th = 0
    for r in use:
        at, top = 0, -99.0
        while at < len(r.t) and (at < 2 or top - r.t[at] <= lead):
            top, at = max(top, r.mixed[at:at + 2].max()), min(at + 2, len(r.t))
        order = np.argsort(-r.mixed[:at], kind="stable")
        n, f, th = n + at, f + bool(r.r[order[:1]].any()), th + bool(r.r[np.append(order, np.arange(at, len(r.t)))[:3]].any())
    if enough is None and f >= 0.99 * sum(r.first for r in use) and th >= 0.99 * sum(r.three for r in use):
        enough = lead
    print(f"  lead {lead}: {n / len(use):.1f} articles are read, first {f}, among three {th}; all {sum(r.first for r in use)}, {sum(r.three for r in use)}")
if A.out:
    cf, ch = fit(x, first), fit(x, has)
    named = lambda c: {k: round(float(v), 6) for k, v in zip(NAMES, c[:-1]) if v}
    one = {"slope": 1, "shift": 0}
    # at most 5 of 100 questions that something answers are refused
    unsure = float(max(t for t in ts if ((ph < t) * has).sum() <= 0.05 * has.sum()))
    sources = []
    for name, holds in SETS.items():
        p = os.path.join(A.lists, name + ".jsonl")
        sources.append({"file": "reader/" + name + ".jsonl", "holds": holds, "licence": "numbers only were learned", "sha256": hashlib.sha256(open(p, "rb").read()).hexdigest()})
    out = {"made": "lab/training/reader/gate.py", "sources": sources, "mix": mix, "temper": round(float(bestt[1]), 4), "lead": enough,
           "gate": {"first": {"bias": round(float(cf[-1]), 6), "weights": named(cf), **one}, "has": {"bias": round(float(ch[-1]), 6), "weights": named(ch), **one},
                    "unsure": round(unsure, 4), "sure": round(float(sure), 4), "likely": json.load(open(A.out))["gate"]["likely"] if os.path.exists(A.out) else 0.5,  # threshold.py --unseen chooses it
                    **{k: json.load(open(A.weights))["gate"]["sentences"][k] for k in ("other", "floor")}}}
    json.dump(out, open(A.out, "w"), indent=1, ensure_ascii=False)
    print("unsure", unsure, "written", A.out)
