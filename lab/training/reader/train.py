"""Learns the reader of internal/search/transformer from the lists that `scripts/train reader` writes.

    python3 train.py --weights internal/search/transformer/weights.bin --lists FOLDER --out FOLDER [--minutes 9] [--parts base,weak,…]

A cross-encoder (Nogueira and Cho, « Passage Re-ranking with BERT », 2019) of the carried transformer: question and article
are read in one input, `<s> query … </s> passage … </s>`, and a linear head on the mean and the first token gives a score.
The loss of a list is that of its right articles in a softmax over its articles and a zero that stands for « none answers ».
It learns from the weak lists (weak.jsonl) first, once, and then from the questions. Weights are rounded to the 4 bits of the
file while they are learned (straight-through, Bengio et al., 2013), so that the file loses nothing.

The parts:

    base     folds of countries, without weak lists and without the questions of the set --newest
    plain    the same with these questions
    weak     the same with weak lists too, but for those of the fold's countries
    carried  scores by the reader that is carried
    final    everything but the sealed countries; the weights are written to reader-12.bin
    curve    the first fold from 250, 1,000 and 4,000 lists

Scores of left-out and sealed lists are written to scores.npz. Needs PyTorch; uses a GPU where there is one.
"""

import argparse, hashlib, json, math, os, queue, struct, threading, time
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
ap.add_argument("--epochs", type=int, default=6)
ap.add_argument("--weak-epochs", type=int, default=1)
ap.add_argument("--batch", type=int, default=32, help="lists a step")
ap.add_argument("--items", type=int, default=14, help="articles of a list a step")
ap.add_argument("--rate", type=float, default=1.5e-4)
ap.add_argument("--tokens", type=int, default=192)
ap.add_argument("--folds", type=int, default=2)
ap.add_argument("--scored", type=int, default=16, help="articles of a list that are scored, and those that answer")
ap.add_argument("--parts", default="base,weak,plain,final,curve")
ap.add_argument("--newest", default="breadth3", help="set that base does not learn from")
ap.add_argument("--carried", default="internal/search/transformer/reader.bin")
ap.add_argument("--keep", default="weak", help="part whose readers are written for each fold")
ap.add_argument("--limit", type=int, default=0, help="lists, for a trial")
ap.add_argument("--seed", type=int, default=7)
ap.add_argument("--scores", default="scores.npz", help="file of the left-out scores")
ap.add_argument("--sealed", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "sealed.txt"), help="file of names of countries that nothing is learned from")
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
    def __init__(self, path, magic):
        self.data = open(path, "rb").read()
        assert self.data[:8] == magic
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


def rounded(w):
    """The weights as Q4_0 keeps them: blocks of 32 with one scale in half precision; the gradient passes."""
    b = w.detach().reshape(-1, 32)
    at = b.abs().argmax(1, keepdim=True)
    scale = (b.gather(1, at) / -8).half().float()
    q = torch.where(scale == 0, torch.zeros_like(b), b / torch.where(scale == 0, torch.ones_like(scale), scale))
    return w + ((q.round().clamp(-8, 7) * scale).reshape(w.shape) - w.detach())


class Linear(nn.Module):
    def __init__(self, w, b):
        super().__init__()
        self.w, self.b = nn.Parameter(w.clone()), nn.Parameter(b.clone())

    def forward(self, x):
        return F.linear(x, rounded(self.w), self.b)


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

    def forward(self, x, ends, longest, where):
        t, h = x.shape
        split = lambda y: y.view(t, self.heads, h // self.heads)
        y = attend(split(self.query(x)), split(self.key(x)), split(self.value(x)), ends, longest, where).reshape(t, h)
        x = self.attended(x + self.drop(self.out(y)))
        return self.done(x + self.drop(self.down(F.gelu(self.up(x)))))


# Texts of a step stand behind one another without gaps; attention knows where each ends.

def padded(q, k, v, ends, longest, where):
    rows, mask = where
    n = mask.shape[0]
    wide = lambda y: torch.zeros((n * longest,) + y.shape[1:], dtype=y.dtype, device=y.device).index_copy(0, rows, y).view(n, longest, *y.shape[1:]).transpose(1, 2)
    y = F.scaled_dot_product_attention(wide(q), wide(k), wide(v), attn_mask=mask[:, None, None, :])
    return y.transpose(1, 2).reshape(n * longest, *q.shape[1:])[rows]


def flash(q, k, v, ends, longest, where):
    b = torch.bfloat16
    return varlen_attn(q.to(b), k.to(b), v.to(b), ends, ends, longest, longest)


attend = padded
try:
    from torch.nn.attention.varlen import varlen_attn
except ImportError:
    varlen_attn = None


f = File(A.weights, b"VIGTRF1\n")
H, LAYERS, HEADS, INNER, POSITIONS, EPS = (f.head[k] for k in ("Hidden", "Layers", "Heads", "Inner", "Positions", "Epsilon"))
pieces = f.head["Pieces"]
BEGIN, END = pieces["Begin"], pieces["End"]
WORDS = f.quants(len(pieces["Names"]), H).to(DEVICE)
PLACES = f.halves(POSITIONS * H).view(POSITIONS, H).to(DEVICE)
FIRST = (f.floats(H).to(DEVICE), f.floats(H).to(DEVICE))


def layers(f, n):
    out = []
    for _ in range(n):
        p = {}
        for name in ("query", "key", "value", "out"):
            p[name] = f.quants(H, H), f.floats(H)
        p["attended"] = f.floats(H), f.floats(H)
        p["up"] = f.quants(INNER, H), f.floats(INNER)
        p["down"] = f.quants(H, INNER), f.floats(H)
        p["done"] = f.floats(H), f.floats(H)
        out.append(p)
    return out


BASE = layers(f, LAYERS)
assert f.at == len(f.data)


class Reader(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.layers = nn.ModuleList(layers)
        self.head = nn.Linear(2 * H, 1)
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.zeros_(self.head.bias)

    def forward(self, ids, places, ends, longest, where, of):
        with torch.no_grad():
            x = F.layer_norm(WORDS[ids] + PLACES[places], (H,), *FIRST, eps=EPS)
        run = fast if self.training and fast is not None else Layer.forward
        for layer in self.layers:
            x = run(layer, x, ends, longest, where)
        x = x.float()
        n = len(ends) - 1
        mean = torch.zeros((n, H), device=x.device).index_add(0, of, x) / (ends[1:] - ends[:-1]).unsqueeze(1)
        return self.head(torch.cat([mean, x[ends[:-1].long()]], -1)).squeeze(-1)


fast = None  # Layer.forward, compiled


def carried(path):
    """A reader that was written before."""
    f = File(path, b"VIGRDR1\n")
    model = Reader([Layer(p, HEADS) for p in layers(f, f.head["Layers"])])
    model.head.weight.data, model.head.bias.data = f.floats(2 * H).view(1, -1), f.floats(1)
    return model.to(DEVICE)


def fresh():
    torch.manual_seed(A.seed)
    return Reader([Layer(p, HEADS) for p in BASE]).to(DEVICE)


# ---- the lists ---------------------------------------------------------------------------------------------------------

LISTS, WEAK = [], []
for name in list(SETS) + ["weak"]:
    path = os.path.join(A.lists, name + ".jsonl")
    if not os.path.exists(path):
        continue
    flat = np.fromfile(os.path.join(A.lists, name + ".pieces"), "<u2")
    text = lambda s: flat[s[0]:s[0] + s[1]]
    for line in open(path, encoding="utf-8"):
        l = json.loads(line)
        if not l["items"]:
            continue
        l["q"] = flat[l["at"]:l["at"] + l["n"]][:64]
        if name == "weak":
            l["p"] = []
            for x in l["items"]:
                (at, n), (out, skip) = x["text"], x["skip"]
                l["p"].append(np.concatenate([text(x["head"])[:70]] + ([text((at, n))] if not skip else [flat[at:out], flat[out + skip:at + n]])))
        else:
            l["p"] = [text((x["at"], x["n"])) for x in l["items"]]
        l["right"] = np.array([bool(x.get("right")) for x in l["items"]])
        l["extra"] = np.array([bool(x.get("extra")) for x in l["items"]])
        (WEAK if name == "weak" else LISTS).append(l)
SEALED = set(open(A.sealed, encoding="utf-8").read().split("\n")) - {""}
for l in LISTS + WEAK:
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
    WEAK = [WEAK[i] for i in sorted(rng.permutation(len(WEAK))[:A.limit])]
say(len(LISTS), "lists,", len(WEAK), "weak ones,", len(units), "units, a fold:", load, "on", DEVICE)


def sequence(q, p):
    room = A.tokens - 3 - len(q)
    return np.concatenate([[BEGIN], q, [END], p[:room], [END]]).astype(np.int64)


def batch(seqs):
    """Texts behind one another, filled up by one of nothing, so that few lengths occur."""
    lengths = [len(s) for s in seqs]
    fill = -sum(lengths) % 256 or 256
    while fill > A.tokens:
        lengths.append(A.tokens), seqs.append(np.full(A.tokens, END))
        fill -= A.tokens
    seqs, lengths = seqs + [np.full(fill, END)], np.array(lengths + [fill])
    ends = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    of = np.repeat(np.arange(len(lengths)), lengths)
    places = np.arange(ends[-1]) - ends[:-1].astype(np.int64)[of]
    where = None
    if attend is padded:
        longest = int(lengths.max())
        where = of * longest + places, np.arange(longest) < lengths[:, None]
    return np.concatenate(seqs).astype(np.int64), places, ends, of, where


def put(x):
    x = torch.from_numpy(np.ascontiguousarray(x))
    return x.pin_memory().to(DEVICE, non_blocking=True) if DEVICE == "cuda" else x


def place(b):
    ids, places, ends, of, where = b
    if where is not None:
        where = put(where[0]), put(where[1])
        longest = where[1].shape[1]
    else:
        longest = A.tokens
    return put(ids), put(places), put(ends), longest, where, put(of)


def half_precision():
    return torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda")


def score(model, lists):
    """Scores of the first articles of some lists and of those that answer, -30 for the others, by the lists' places."""
    model.eval()
    jobs = [(i, k) for i, l in enumerate(lists) for k in range(len(l["p"])) if k < A.scored or l["right"][k]]
    seqs = {j: sequence(lists[j[0]]["q"], lists[j[0]]["p"][j[1]]) for j in jobs}
    jobs.sort(key=lambda j: len(seqs[j]))
    out = [np.full(len(l["p"]), -30, np.float32) for l in lists]
    size = 2048 if DEVICE == "cuda" else 32
    with torch.no_grad(), half_precision():
        for at in range(0, len(jobs), size):
            part = jobs[at:at + size]
            s = model(*place(batch([seqs[j] for j in part]))).float().cpu().numpy()
            for (i, k), x in zip(part, s):
                out[i][k] = x
    return out


def draw(lists, epoch):
    """The steps of a pass: texts of each, the list of each text and its place there, and whether it answers."""
    rng = np.random.default_rng([A.seed, epoch])
    order = rng.permutation(len(lists))
    for at in range(0, len(order), A.batch):
        seqs, of, slot, right = [], [], [], []
        for row, i in enumerate(order[at:at + A.batch]):
            l = lists[i]
            good, bad = np.flatnonzero(l["right"]), np.flatnonzero(~l["right"])
            if len(good) and rng.random() < 0.12:  # a catalogue that has no answer
                good = good[:0]
            good = rng.permutation(good)[:4]
            bad = rng.permutation(bad)[:A.items - len(good) - 1]
            chosen = np.concatenate([good, bad]).astype(int)
            seqs += [sequence(l["q"], l["p"][k]) for k in chosen]
            right += [bool(l["right"][k]) for k in chosen]
            o = lists[rng.integers(len(lists))]  # law of something else
            if o["unit"] != l["unit"]:
                seqs.append(sequence(l["q"], o["p"][rng.integers(len(o["p"]))]))
                right.append(False)
            n = len(right) - len(of)
            of += [row] * n
            slot += range(n)
        yield batch(seqs), np.array(of), np.array(slot), np.array(right), row + 1


def ahead(steps):
    """The same steps, drawn by a thread of its own."""
    q = queue.Queue(8)

    def work():
        for s in steps:
            q.put(s)
        q.put(None)

    threading.Thread(target=work, daemon=True).start()
    while (s := q.get()) is not None:
        yield s


def lesson(model, step):
    b, of, slot, right, n = step
    with half_precision():
        s = model(*place(b))
    of, slot, right = put(of), put(slot), put(right)
    wide = int(step[2].max()) + 1
    grid = torch.full((n, wide), -1e4, device=DEVICE).index_put((of, slot), s.float()[:len(of)])
    hit = torch.zeros((n, wide), dtype=torch.bool, device=DEVICE).index_put((of, slot), right)
    everything = torch.cat([grid, torch.zeros((n, 1), device=DEVICE)], 1)
    target = torch.cat([hit, ~hit.any(1, keepdim=True)], 1)
    return (torch.logsumexp(everything, 1) - torch.logsumexp(everything.masked_fill(~target, -1e4), 1)).mean()


SPEED = {}  # lists a second: of questions, and weak ones


def fits(lists, helped):
    """Whether there is time to learn from lists."""
    need = 15 + len(lists) * A.epochs / SPEED.get(False, 1e9) + len(helped) * A.weak_epochs / SPEED.get(True, 1e9)
    say(f"{need:.0f} s are needed, {left():.0f} s are left")
    return need < left()


def learn(model, lists, epochs, name=""):
    if not lists:
        return model
    named = list(model.named_parameters())
    groups = [{"params": [p for n, p in named if n.startswith("head")], "peak": 1e-3, "weight_decay": 0.0}]
    deep = len(model.layers)
    for i in range(deep):  # lower layers, which know the language, learn more slowly
        of = [p for n, p in named if n.startswith(f"layers.{i}.")]
        by = A.rate * 0.9 ** ((deep - 1 - i) * 12 / deep)
        groups += [{"params": [p for p in of if p.dim() > 1], "peak": by, "weight_decay": 0.01}, {"params": [p for p in of if p.dim() == 1], "peak": by, "weight_decay": 0.0}]
    opt = torch.optim.AdamW(groups, lr=A.rate, betas=(0.9, 0.98), fused=DEVICE == "cuda")
    steps, step = math.ceil(len(lists) / A.batch) * epochs, 0
    model.train()
    for epoch in range(epochs):
        began, total, seen = time.time(), torch.zeros((), device=DEVICE), 0
        for drawn in ahead(draw(lists, epoch)):
            by = min(1.0, step / max(1, 0.06 * steps)) * (1 - step / steps)
            for g in opt.param_groups:
                g["lr"] = g["peak"] * max(by, 0.01)
            loss = lesson(model, drawn)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            step += 1
            total, seen = total + loss.detach() * drawn[-1], seen + drawn[-1]
        loss = float(total) / seen
        SPEED[lists[0]["set"].startswith("weak")] = len(lists) / (time.time() - began)
        say(name, f"pass {epoch + 1}: {len(lists)} lists, loss {loss:.3f}, {time.time() - began:.1f} s")
    return model


def quicken():
    """Takes the fastest way of attention and of the layers that this machine has and that gives the same scores."""
    global attend, fast
    if DEVICE != "cuda":
        return
    model = fresh()
    some = [sequence(l["q"], l["p"][0]) for l in LISTS[:200]]
    steps = [s for s, _ in zip(draw(LISTS, 99), range(3))]

    def tried():
        model.eval()
        with torch.no_grad(), half_precision():
            s = model(*place(batch(list(some)))).float()
        model.train()
        for k in range(6):
            if k == 2:
                torch.cuda.synchronize()
                began = time.time()
            lesson(model, steps[k % 3]).backward()
            model.zero_grad(set_to_none=True)
        torch.cuda.synchronize()
        return s[:len(some)], (time.time() - began) / 4

    same, best = tried()
    say(f"padded attention: {1000 * best:.0f} ms a step")
    if varlen_attn is not None:
        attend = flash
        steps = [s for s, _ in zip(draw(LISTS, 99), range(3))]
        got, took = tried()
        off = float((got - same).abs().max())
        say(f"attention without gaps: {1000 * took:.0f} ms a step, scores differ by {off:.4f} (of {float(same.std()):.3f})")
        if off < 0.05 + 0.1 * float(same.std()) and took < best:
            best = took
        else:
            attend = padded
            steps = [s for s, _ in zip(draw(LISTS, 99), range(3))]
    fast = torch.compile(Layer.forward, dynamic=True)
    _, took = tried()
    say(f"compiled: {1000 * took:.0f} ms a step")
    if took > best * 0.95:
        fast = None


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
    if not lists:
        return
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
weak = [l for l in WEAK if not l["test"]]
quicken()


def taught(lists, helped, name):
    model = fresh()
    if helped:
        learn(model, helped, A.weak_epochs, name + ", weak")
    return learn(model, lists, A.epochs, name)


def folds(part, lists, helped):
    """Readers of all countries but those of a fold, and their scores of that fold."""
    done, out = [], []
    for k in range(A.folds):
        began = time.time()
        model = taught([l for l in lists if FOLD[l["unit"]] != k], [l for l in helped if FOLD.get(l["unit"]) != k], f"{part} without {k}")
        test = [l for l in open_ if FOLD[l["unit"]] == k]
        s = score(model, test)
        tell(f"{part} without {k}", test, s)
        keep(f"{part}{k}", test, s)
        if A.keep == part:
            write(model, f"reader-without-{k}.bin")
        done, out = done + test, out + s
        say(f"{part} without {k} took {time.time() - began:.0f} s")
    tell(part + ", left out", done, out)


old = [l for l in open_ if l["set"] != A.newest]
for part in A.parts.split(","):
    if part == "weak" and fits(open_, weak):
        folds(part, open_, weak)
    elif part == "plain" and fits(open_, []):
        folds(part, open_, [])
    elif part == "base" and fits(old, []):
        folds(part, old, [])
    elif part == "final" and fits(open_, weak):
        model = taught(open_, weak, "all")
        write(model, "reader-12.bin")
        if closed:
            s = score(model, closed)
            tell("sealed", closed, s)
            keep("sealed", closed, s)
    elif part == "carried" and left() > 20:
        some = closed + [l for l in open_ if l["set"] == A.newest]
        s = score(carried(A.carried), some)
        tell(part, some, s)
        keep(part, some, s)
    elif part == "curve":
        train = [l for l in open_ if FOLD[l["unit"]] != 0]
        test = [l for l in open_ if FOLD[l["unit"]] == 0]
        for n in (250, 1000, 4000):
            some = [train[i] for i in np.random.default_rng(1).permutation(len(train))[:n]]
            if fits(some, []):
                s = score(taught(some, [], f"{n} lists"), test)
                tell(f"{n} lists", test, s)
                keep(f"curve{n}", test, s)
say("done")
