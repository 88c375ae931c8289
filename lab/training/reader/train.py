"""Learns the reader of internal/search/transformer from the lists that `scripts/train reader` writes.

    python3 train.py --weights internal/search/transformer/weights.bin --lists FOLDER --out FOLDER [--minutes 9] [--layers 6]

A cross-encoder (Nogueira and Cho, « Passage Re-ranking with BERT », 2019) of the carried transformer: question and article
are read in one input, `<s> query … </s> passage … </s>`, and a linear head on the mean and the first token gives a score.
The loss of a list is that of its right articles in a softmax over its articles and a zero that stands for « none answers ».
All twelve layers learn first; a model of half the layers then learns from the same lists and from the scores of the first
(Hinton et al., 2015). Weights are rounded to the 4 bits of the file while they are learned (straight-through, Bengio et
al., 2013), so that the file loses nothing.

Folds leave out countries, and fields of French codes. Scores of every left-out list are written to scores.npz, the
weights that learned from everything to reader-12.bin and, with --small 6, reader-6.bin. Needs PyTorch; uses a GPU where there is one.
"""

import argparse, hashlib, json, math, os, struct, sys, time
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from lists import CANON, SETS

ap = argparse.ArgumentParser()
ap.add_argument("--weights", required=True)
ap.add_argument("--lists", required=True)
ap.add_argument("--out", required=True)
ap.add_argument("--minutes", type=float, default=9)
ap.add_argument("--small", type=int, default=6, help="layers of the second model; 0: none")
ap.add_argument("--epochs", type=int, default=3)
ap.add_argument("--small-epochs", type=int, default=5)
ap.add_argument("--batch", type=int, default=32, help="lists a step")
ap.add_argument("--items", type=int, default=14, help="articles of a list a step")
ap.add_argument("--rate", type=float, default=1.5e-4)
ap.add_argument("--tokens", type=int, default=192)
ap.add_argument("--folds", type=int, default=3)
ap.add_argument("--only", default="", help="numbers of the folds to learn without, by commas")
ap.add_argument("--scored", type=int, default=16, help="articles of a list that are scored, and those that answer")
ap.add_argument("--parts", default="final,folds,curve")
ap.add_argument("--limit", type=int, default=0, help="lists, for a trial")
ap.add_argument("--seed", type=int, default=7)
ap.add_argument("--scores", default="scores.npz", help="file of the left-out scores")
ap.add_argument("--sealed", default="", help="file of names of countries that nothing is learned from")
A = ap.parse_args()
BEGAN = time.time()
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(A.seed)
if DEVICE == "cuda":
    torch.backends.cuda.matmul.allow_tf32 = True
os.makedirs(A.out, exist_ok=True)


def left():
    return A.minutes * 60 - (time.time() - BEGAN)


def say(*words):
    print(f"{time.time() - BEGAN:6.1f}", *words, flush=True)


# ---- the carried transformer -------------------------------------------------------------------------------------------

class File:
    def __init__(self, path):
        self.data = open(path, "rb").read()
        assert self.data[:8] == b"VIGTRF1\n"
        n = struct.unpack("<I", self.data[8:12])[0]
        self.head = json.loads(self.data[12:12 + n])
        self.at = 12 + n

    def take(self, n):
        out = self.data[self.at:self.at + n]
        self.at += n
        return out

    def floats(self, n):
        return torch.from_numpy(np.frombuffer(self.take(4 * n), "<f4").copy())

    def halves(self, n):
        return torch.from_numpy(np.frombuffer(self.take(2 * n), "<f2").astype(np.float32))

    def quants(self, rows, length):
        blocks = np.frombuffer(self.take(rows * length // 32 * 18), np.uint8).reshape(-1, 18)
        scale = blocks[:, :2].copy().view("<f2").astype(np.float32)
        q = blocks[:, 2:]
        w = np.concatenate([(q & 15).astype(np.float32) - 8, (q >> 4).astype(np.float32) - 8], 1) * scale
        return torch.from_numpy(w.reshape(rows, length))


class Round(torch.autograd.Function):
    """The weights as Q4_0 keeps them: blocks of 32 with one scale in half precision; the gradient passes."""

    @staticmethod
    def forward(ctx, w):
        b = w.reshape(-1, 32)
        at = b.abs().argmax(1, keepdim=True)
        scale = (b.gather(1, at) / -8).half().float()
        q = torch.where(scale == 0, torch.zeros_like(b), b / torch.where(scale == 0, torch.ones_like(scale), scale))
        return (q.round().clamp(-8, 7) * scale).reshape(w.shape)

    @staticmethod
    def backward(ctx, g):
        return g


class Linear(nn.Module):
    def __init__(self, w, b):
        super().__init__()
        self.w, self.b = nn.Parameter(w.clone()), nn.Parameter(b.clone())

    def forward(self, x):
        return F.linear(x, Round.apply(self.w), self.b)


class Layer(nn.Module):
    def __init__(self, parts, heads):
        super().__init__()
        for name in ("query", "key", "value", "out", "up", "down"):
            setattr(self, name, Linear(*parts[name]))
        for name in ("attended", "done"):
            n = nn.LayerNorm(len(parts[name][0]), eps=EPS)
            n.weight.data, n.bias.data = parts[name][0].clone(), parts[name][1].clone()
            setattr(self, name, n)
        self.heads, self.drop = heads, nn.Dropout(0.1)

    def forward(self, x, mask):
        n, t, h = x.shape
        split = lambda y: y.view(n, t, self.heads, h // self.heads).transpose(1, 2)
        y = F.scaled_dot_product_attention(split(self.query(x)), split(self.key(x)), split(self.value(x)), attn_mask=mask)
        y = self.out(y.transpose(1, 2).reshape(n, t, h))
        x = self.attended(x + self.drop(y))
        return self.done(x + self.drop(self.down(F.gelu(self.up(x)))))


f = File(A.weights)
H, LAYERS, HEADS, INNER, POSITIONS, EPS = (f.head[k] for k in ("Hidden", "Layers", "Heads", "Inner", "Positions", "Epsilon"))
pieces = f.head["Pieces"]
BEGIN, END = pieces["Begin"], pieces["End"]
WORDS = f.quants(len(pieces["Names"]), H).to(DEVICE)
PLACES = f.halves(POSITIONS * H).view(POSITIONS, H).to(DEVICE)
FIRST = (f.floats(H).to(DEVICE), f.floats(H).to(DEVICE))


def square(i, o):
    return f.quants(o, i), f.floats(o)


BASE = []
for _ in range(LAYERS):
    p = {}
    for name in ("query", "key", "value", "out"):
        p[name] = square(H, H)
    p["attended"] = f.floats(H), f.floats(H)
    p["up"], p["down"] = square(H, INNER), square(INNER, H)
    p["done"] = f.floats(H), f.floats(H)
    BASE.append(p)
assert f.at == len(f.data)


class Reader(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.layers = nn.ModuleList(layers)
        self.head = nn.Linear(2 * H, 1)
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.zeros_(self.head.bias)

    def forward(self, ids, mask):
        with torch.no_grad():
            x = F.layer_norm(WORDS[ids] + PLACES[:ids.shape[1]], (H,), *FIRST, eps=EPS)
        attend = mask[:, None, None, :]
        for layer in self.layers:
            x = layer(x, attend)
        m = mask.unsqueeze(-1).to(x.dtype)
        mean = (x * m).sum(1) / m.sum(1)
        return self.head(torch.cat([mean, x[:, 0]], -1).float()).squeeze(-1)


def fresh():
    return Reader([Layer(p, HEADS) for p in BASE]).to(DEVICE)


def half(big):
    """A reader of every LAYERS/small-th layer of another."""
    step = LAYERS // A.small
    small = Reader([Layer(p, HEADS) for p in BASE[:A.small]]).to(DEVICE)
    for i, layer in enumerate(small.layers):
        layer.load_state_dict(big.layers[step * i + step - 1].state_dict())
    small.head.load_state_dict(big.head.state_dict())
    return small


# ---- the lists ---------------------------------------------------------------------------------------------------------

LISTS = []
for name in SETS:
    path = os.path.join(A.lists, name + ".jsonl")
    if not os.path.exists(path):
        continue
    flat = np.fromfile(os.path.join(A.lists, name + ".pieces"), "<u2")
    for line in open(path, encoding="utf-8"):
        l = json.loads(line)
        if not l["items"]:
            continue
        l["q"] = flat[l["at"]:l["at"] + l["n"]][:64]
        l["p"] = [flat[x["at"]:x["at"] + x["n"]] for x in l["items"]]
        l["right"] = np.array([bool(x.get("right")) for x in l["items"]])
        l["extra"] = np.array([bool(x.get("extra")) for x in l["items"]])
        LISTS.append(l)
SEALED = set(open(A.sealed, encoding="utf-8").read().split("\n")) - {""} if A.sealed else set()
for l in LISTS:
    l["unit"] = CANON.get(l["country"], l["country"]) or "-" + l["id"]
    l["test"] = l["unit"] in SEALED or l["set"] == "gazettes new_countries.dev" or l["set"] == "gazettes new"
units = {}
for l in LISTS:
    units.setdefault(l["unit"], []).append(l)
load = [0] * A.folds
FOLD = {}
for u in sorted(units, key=lambda u: (-len(units[u]), u)):
    k = load.index(min(load))
    FOLD[u] = k
    load[k] += len(units[u])
rng = np.random.default_rng(A.seed)
if A.limit:
    LISTS = [LISTS[i] for i in sorted(rng.permutation(len(LISTS))[:A.limit])]
say(len(LISTS), "lists,", len(units), "units, a fold:", load, "on", DEVICE)


def sequence(q, p):
    room = A.tokens - 3 - len(q)
    return np.concatenate([[BEGIN], q, [END], p[:room], [END]]).astype(np.int64)


def batch(seqs):
    t = (max(len(s) for s in seqs) + 7) // 8 * 8
    ids, mask = np.full((len(seqs), t), END, np.int64), np.zeros((len(seqs), t), bool)
    for i, s in enumerate(seqs):
        ids[i, :len(s)], mask[i, :len(s)] = s, True
    ids, mask = torch.from_numpy(ids), torch.from_numpy(mask)
    if DEVICE == "cuda":
        ids, mask = ids.pin_memory().to(DEVICE, non_blocking=True), mask.pin_memory().to(DEVICE, non_blocking=True)
    return ids, mask


def half_precision():
    return torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda")


def score(model, lists, whole=False):
    """Scores of the first articles of some lists and of those that answer, -30 for the others, by the lists' places."""
    model.eval()
    jobs = [(i, k) for i, l in enumerate(lists) for k in range(len(l["p"])) if k < A.scored or l["right"][k] or whole]
    seqs = {j: sequence(lists[j[0]]["q"], lists[j[0]]["p"][j[1]]) for j in jobs}
    jobs.sort(key=lambda j: len(seqs[j]))
    out = [np.full(len(l["p"]), -30, np.float32) for l in lists]
    size = 1024 if DEVICE == "cuda" else 32
    with torch.no_grad(), half_precision():
        for at in range(0, len(jobs), size):
            part = jobs[at:at + size]
            s = model(*batch([seqs[j] for j in part])).float().cpu().numpy()
            for (i, k), x in zip(part, s):
                out[i][k] = x
    return out


def learn(model, lists, epochs, rate, teacher=None, name=""):
    rng = np.random.default_rng(A.seed)
    named = list(model.named_parameters())
    groups = [{"params": [p for n, p in named if n.startswith("head")], "peak": 1e-3, "weight_decay": 0.0}]
    deep = len(model.layers)
    for i in range(deep):  # lower layers, which know the language, learn more slowly
        of = [p for n, p in named if n.startswith(f"layers.{i}.")]
        by = rate * 0.9 ** ((deep - 1 - i) * 12 / deep)
        groups += [{"params": [p for p in of if p.dim() > 1], "peak": by, "weight_decay": 0.01}, {"params": [p for p in of if p.dim() == 1], "peak": by, "weight_decay": 0.0}]
    opt = torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98), fused=DEVICE == "cuda")
    steps, step = math.ceil(len(lists) / A.batch) * epochs, 0
    taught = score(teacher, lists, True) if teacher is not None else None
    model.train()
    for epoch in range(epochs):
        began, total, seen = time.time(), torch.zeros((), device=DEVICE), 0
        order = rng.permutation(len(lists))
        for at in range(0, len(order), A.batch):
            seqs, of, right, soft = [], [], [], []
            chosen = order[at:at + A.batch]
            for row, i in enumerate(chosen):
                l = lists[i]
                good, bad = np.flatnonzero(l["right"]), np.flatnonzero(~l["right"])
                if len(good) and rng.random() < 0.12:  # a catalogue that has no answer
                    good = good[:0]
                good = rng.permutation(good)[:4]
                bad = rng.permutation(bad)[:A.items - len(good) - 1]
                for k in np.concatenate([good, bad]).astype(int):
                    seqs.append(sequence(l["q"], l["p"][k]))
                    of.append(row), right.append(bool(l["right"][k])), soft.append(taught[i][k] if taught is not None else 0)
                o = lists[rng.integers(len(lists))]  # law of something else
                if o["unit"] != l["unit"]:
                    seqs.append(sequence(l["q"], o["p"][rng.integers(len(o["p"]))]))
                    of.append(row), right.append(False), soft.append(-6.0)
            by = min(1.0, step / max(1, 0.06 * steps)) * (1 - step / steps)
            for g in opt.param_groups:
                g["lr"] = g["peak"] * max(by, 0.01)
            with half_precision():
                s = model(*batch(seqs))
            of_ = torch.tensor(of, device=DEVICE)
            r_ = torch.tensor(right, device=DEVICE)
            n = len(chosen)
            where = torch.zeros(len(of), dtype=torch.long, device=DEVICE)
            count = [0] * n
            slots = []
            for row in of:
                slots.append(count[row])
                count[row] += 1
            wide = max(count)
            slots = torch.tensor(slots, device=DEVICE)
            grid = torch.full((n, wide), -1e4, device=DEVICE).index_put((of_, slots), s.float())
            hit = torch.zeros((n, wide), dtype=torch.bool, device=DEVICE).index_put((of_, slots), r_)
            null = torch.zeros((n, 1), device=DEVICE)
            everything = torch.cat([grid, null], 1)
            none = ~hit.any(1, keepdim=True)
            target = torch.cat([hit, none], 1)
            loss = (torch.logsumexp(everything, 1) - torch.logsumexp(everything.masked_fill(~target, -1e4), 1)).mean()
            if taught is not None:
                t_ = torch.full((n, wide), -1e4, device=DEVICE).index_put((of_, slots), torch.tensor(soft, device=DEVICE, dtype=torch.float32))
                t_ = torch.cat([t_, null], 1)
                kl = F.kl_div(F.log_softmax(everything / 2, 1), F.log_softmax(t_ / 2, 1), reduction="batchmean", log_target=True)
                loss = 0.4 * loss + 2.4 * kl
            opt.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            step += 1
            total, seen = total + loss.detach() * n, seen + n
        say(name, f"epoch {epoch + 1}: loss {float(total) / seen:.3f}, {time.time() - began:.1f} s")
    return model


# ---- what comes of it --------------------------------------------------------------------------------------------------

def tell(name, lists, scores):
    """First and among three of the lists that have an answer, by today, by the reader alone and mixed."""
    rows = {}
    for l, s in zip(lists, scores):
        if not l["answers"]:
            continue
        found = np.flatnonzero(~l["extra"])[:A.scored]
        if not len(found):
            continue
        today = np.array([l["items"][k]["score"] for k in found])
        for way, order in (("today", np.arange(len(found))), ("alone", np.argsort(-s[found], kind="stable")), ("mixed", np.argsort(-(s[found] + today), kind="stable"))):
            r = l["right"][found][order]
            x = rows.setdefault((l["set"].split(" ")[0] if l["set"].startswith("gaz") else l["set"], way), [0, 0, 0, 0])
            x[0] += 1
            x[1] += bool(r[:1].any())
            x[2] += bool(r[:3].any())
            x[3] += bool(r.any())
    for key in sorted(rows):
        n, a, b, c = rows[key]
        say(name, *key, f"of {n}: first {a}, among three {b}, among those read {c}")


KEPT = {}


def keep(name, lists, scores):
    KEPT[name + ".ids"] = np.array([l["set"] + "/" + l["id"] for l in lists])
    KEPT[name + ".lengths"] = np.array([len(s) for s in scores])
    KEPT[name + ".scores"] = np.concatenate(scores).astype(np.float32)
    np.savez_compressed(os.path.join(A.out, A.scores), **KEPT)


def write(model, name):
    """The weights as internal/search/transformer reads them."""
    def q4(w):
        b = w.detach().float().cpu().reshape(-1, 32)
        at = b.abs().argmax(1, keepdim=True)
        scale = (b.gather(1, at) / -8).half()
        s = scale.float()
        q = torch.where(s == 0, torch.zeros_like(b), b / torch.where(s == 0, torch.ones_like(s), s)).round().clamp(-8, 7).add(8).to(torch.uint8).numpy()
        return np.concatenate([scale.numpy().view(np.uint8).reshape(-1, 2), q[:, :16] | (q[:, 16:] << 4)], 1).tobytes()

    def floats(x):
        return x.detach().float().cpu().numpy().astype("<f4").tobytes()

    body = b""
    for layer in model.layers:
        for part in ("query", "key", "value", "out"):
            l = getattr(layer, part)
            body += q4(l.w) + floats(l.b)
        body += floats(layer.attended.weight) + floats(layer.attended.bias)
        for part in ("up", "down"):
            l = getattr(layer, part)
            body += q4(l.w) + floats(l.b)
        body += floats(layer.done.weight) + floats(layer.done.bias)
    body += floats(model.head.weight.reshape(-1)) + floats(model.head.bias)
    head = json.dumps({"Made": "lab/training/reader/train.py", "Base": hashlib.sha256(open(A.weights, "rb").read()).hexdigest(), "Layers": len(model.layers), "Tokens": A.tokens}).encode()
    with open(os.path.join(A.out, name), "wb") as out:
        out.write(b"VIGRDR1\n" + struct.pack("<I", len(head)) + head + body)


open_ = [l for l in LISTS if not l["test"]]
closed = [l for l in LISTS if l["test"]]
parts = A.parts.split(",")
cost = 0.0
if "final" in parts:
    t0 = time.time()
    big = learn(fresh(), open_, A.epochs, A.rate, name="all, 12")
    write(big, "reader-12.bin")
    if closed:
        s = score(big, closed)
        tell("sealed, 12", closed, s)
        keep("sealed-12", closed, s)
    if A.small:
        small = learn(half(big), open_, A.small_epochs, A.rate, teacher=big, name=f"all, {A.small}")
        write(small, f"reader-{A.small}.bin")
        if closed:
            s = score(small, closed)
            tell(f"sealed, {A.small}", closed, s)
            keep(f"sealed-{A.small}", closed, s)
    cost = time.time() - t0
    say(f"everything takes {cost:.0f} s, {left():.0f} s left")
if "folds" in parts:
    out12, out6, done = [], [], []
    for k in [int(x) for x in A.only.split(",") if x] or range(A.folds):
        began = time.time()
        if left() < cost * 0.75:
            say("no time for fold", k)
            break
        train = [l for l in open_ if FOLD[l["unit"]] != k]
        test = [l for l in open_ if FOLD[l["unit"]] == k]
        big = learn(fresh(), train, A.epochs, A.rate, name=f"without {k}, 12")
        s = score(big, test)
        tell(f"without {k}, 12", test, s)
        keep(f"fold{k}-12", test, s)
        z = []
        if A.small:
            small = learn(half(big), train, A.small_epochs, A.rate, teacher=big, name=f"without {k}, {A.small}")
            z = score(small, test)
            tell(f"without {k}, {A.small}", test, z)
            keep(f"fold{k}-{A.small}", test, z)
        done, out12, out6 = done + test, out12 + s, out6 + z
        cost = max(cost, time.time() - began)
    if done:
        tell("left out, 12", done, out12)
        if A.small:
            tell(f"left out, {A.small}", done, out6)
if "curve" in parts:
    test = [l for l in open_ if FOLD[l["unit"]] == 0]
    train = [l for l in open_ if FOLD[l["unit"]] != 0]
    for n in (250, 1000):
        if left() < 40:
            break
        some = [train[i] for i in np.random.default_rng(1).permutation(len(train))[:n]]
        m = learn(fresh(), some, A.epochs, A.rate, name=f"{n} lists")
        tell(f"{n} lists", test, score(m, test))
say("done")
