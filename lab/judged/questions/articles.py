"""Writes the questions on law of many countries with the articles of their texts, in the form that lab/training/reader reads.

    python3 articles.py REPOSITORIES OUT [FILE.jsonl ...]

REPOSITORIES has the public repositories that the questions name, each a Git repository in owner/name, owner+name or owner+name/repo. OUT gets
FILE.articles.jsonl, all articles of the texts that are asked about, and FILE.questions.jsonl. A repository that is not there is named, and its questions are
left out; so are questions on an article whose SHA-256 is no longer the one that was asked about. PDF files need pdftotext (poppler 22).
"""
import hashlib
import html
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


class Repository:
    def __init__(self, folder):
        self.git = ["git", "-C", folder, "-c", "core.quotepath=off"]

    def run(self, *args, **more):
        return subprocess.run([*self.git, *args], capture_output=True, **more).stdout

    def bytes(self, path):
        return self.run("show", "HEAD:" + path)

    def text(self, path):
        if path.endswith(".pdf"):
            return subprocess.run(["pdftotext", "-", "-"], input=self.bytes(path), capture_output=True).stdout.decode("utf8", "replace").replace("\f", "\n")
        return self.bytes(path).decode("utf8", "replace")

    def json(self, path):
        return json.loads(self.text(path))

    def files(self, folder):
        """All files of a folder, by their path."""
        names = [n for n in self.run("ls-tree", "-r", "--name-only", "HEAD", folder).decode().split("\n") if n]
        out, at, got = {}, 0, self.run("cat-file", "--batch", input="".join(f"HEAD:{n}\n" for n in names).encode())
        for n in names:
            end = got.index(b"\n", at)
            size = int(got[at:end].split()[-1])
            out[n], at = got[end + 1:end + 1 + size].decode("utf8", "replace"), end + size + 2
        return out


def spaces(s):
    return s.replace("\u00a0", " ").replace("\u202f", " ")


# The cutters: the articles of a text as (number, headings, text, path).

def nested(x, path, number, text, headings, above=()):
    """Articles of nested objects."""
    if isinstance(x, dict) and number in x and isinstance(x.get(text), str):
        return [(re.sub(r"^Article\s+", "", str(x[number] or "")), list(above), x[text], path)]
    if isinstance(x, dict):
        head = " ".join(x[h] for h in headings if isinstance(x.get(h), str) and len(x[h]) < 120)
        above = [*above, head] if head else above
    out = []
    for y in x.values() if isinstance(x, dict) else x if isinstance(x, list) else ():
        out += nested(y, path, number, text, headings, above)
    return out


def provisions(repo, path):
    out = []
    for p in repo.json(path)["provisions"]:
        if p["provision_ref"] != "visas":
            heads = [x for x in (p.get("chapter") or "").split(" > ") if x and len(x) < 120]
            out.append((re.sub(r"^art", "", p["provision_ref"]), heads, p.get("content") or "", path))
    return out


def pages(repo, folder):
    """One file for each article, beside it what says its number and headings."""
    files, out, titles = repo.files(folder), [], {}
    if folder + "/metadata.json" in files:
        try:
            titles = {"/".join(s.get("path", [])): s.get("title", "") for s in json.loads(files[folder + "/metadata.json"])["structure"]["sections"]}
        except (ValueError, KeyError):
            pass
    for f, body in files.items():
        if f.endswith(".md") and "article" in os.path.basename(f) and f[:-3] + ".json" in files:
            try:
                about = json.loads(files[f[:-3] + ".json"])
            except ValueError:
                continue
            way = about.get("path", [])
            heads = [titles.get("/".join(way[:i + 1]), "").strip() for i in range(len(way))]
            body = re.sub(r"\\([*_\[\]()>#-])", r"\1", re.sub(r"^---\n.*?\n---\n", "", body, flags=re.S))
            out.append((str(about.get("numero", "")).strip().rstrip(":. "), [h[:120] for h in heads if h and not re.match(r"(?i)\W*art(icle)?\.? ", h)], body, f))
    return out


def fedlex(repo, path):
    """Treaties and constitutions; those whose articles have no line of their own are cut by their numbers, which follow each other."""
    text = re.sub(r"<[^>]+>", "", spaces(repo.text(path)).split("---", 2)[2])
    heads, out = [], []
    for line in text.split("\n"):
        head, art = re.match(r"^(#+) (.*)$", line), re.match(r"^\*\*Art\. ?([0-9IVX]+[A-Za-z]*(?: ?(?:bis|ter|quater|quinquies))?)\*\* ?(.*)$", line)
        if head:
            heads = [h for h in heads if h[0] < len(head[1])] + [(len(head[1]), head[2])]
            out.append(None)
        elif art:
            title = re.sub(r"^Art\. ?[0-9IVX]+[a-z]*( ?(bis|ter|quater))?\s*", "", art[2]).strip()
            out.append((art[1], [h for _, h in heads] + [title] * (0 < len(title) < 120), [title] * (len(title) >= 120)))
        elif out and out[-1]:
            out[-1][2].append(line)
    lined = [(n, h, "\n".join(b), path) for n, h, b in filter(None, out)]
    run = run_on(text, path)
    return lined if len(lined) > len(run) else run


def run_on(text, path):
    text = re.sub(r" *\n[ \n]* +(?=[^\s#])", " ", text.replace("\t", " "))
    cuts = re.split(r"(?:(?<=[.;:a-zéèà\)\]»’]))(?=Art\. \d+[A-Za-z]?(?:bis|ter)?(?: ?[A-ZÉÈÀÂÎÔÛ1]|\d))|\n(?=Art\. \d)|(?<=[a-zéà])(?=Art\. \d)", text)
    heads, out, last = [], [], 0
    for cut in cuts:
        parts = re.split(r"\n(?=#)", cut)
        art = re.match(r"\s*Art\. (\d+)([A-Za-z]?)(.*)", parts[0], re.S)
        if art:
            number, body = art[1], art[2] + art[3]
            for want in (last + 1, last + 2, last, last + 3, last + 4):
                if art[1].startswith(str(want)):
                    number, body = str(want), art[1][len(str(want)):] + art[2] + art[3]
                    more = re.match(r"^(bis|ter|quater|[a-zA-Z])(?=[\s])", body)
                    if more and not (want == last + 1 and more[1] in "AÀO"):
                        number, body = number + more[1], body[len(more[1]):]
                    break
            last, body = int(re.match(r"\d+", number)[0]), body.strip()
            tail = re.search(r"(?<=[.;:)\]»a-zé])((?:Section|Chapitre|Titre) [\dIVX]+ ?[A-ZÉL][^.]{2,90})$", body)
            body = body[:tail.start()] if tail else body
            body = re.sub(r"(Accepté|Introduit|Abrogé|Nouvelle teneur|Acceptée?s?|Anciennement) [^.]*?(votation|Garantie)[^)]*\)\.?", "", body)
            for before in (r"[a-zéèàçù»’\)]", r"[.;:»\)]"):
                body = re.sub(rf"(?<={before})(?=\d{{1,2}} (?:[A-ZÉÈÀÂÎÔ«]))", "\n", body)
            body = re.sub(r"(?<=[;:,.])(?=[a-z][.)] ?[a-zéàl])", "\n", body)
            body = re.sub(r"(?<=[a-zéèàçù\)])(?=[A-ZÉÈÀÂÎ][a-zé’\'])", "\n", body, count=1)
            first, _, rest = body.partition("\n")
            title = rest and len(first) < 90 and not first.rstrip().endswith((".", ":", ";")) and not first[:1].isdigit()
            out.append((number, heads + [first.strip()] * bool(title), re.sub(r"^Garantie de l’Ass\. féd\.[^)]*\)\.?", "", spaces(rest if title else body).strip()), path))
        for part in parts[1 if art else 0:]:
            head = re.match(r"\s*(#+) (.*)", part)
            if head:
                heads = heads[:max(0, len(head[1]) - 1)] + [re.sub(r"(?<=[IVX\d])(?=[A-ZÉ][a-zé])", " ", head[2].strip())[:100]]
    return out


def belgian(repo, path):
    heads, out = [], []
    for line in spaces(repo.text(path)).split("\n"):
        art, head = re.match(r"^\*\*Art(?:icle)?\.? ?(.*?)\.?\*\*(.*)$", line), re.match(r"^(#+) (.*)$", line)
        if head:
            heads = [h for h in heads if h[0] < len(head[1])] + [(len(head[1]), re.sub(r"[*_\[\]`]|<.*?>", "", head[2])[:120])]
            out.append(None)
        elif art and re.match(r"^\d", art[1].replace("(", "")):
            out.append((re.sub(r"[^0-9A-Za-z/.]", "", art[1]).rstrip("."), [h for _, h in heads[1:]], [art[2]]))
        elif out and out[-1] and not line.startswith(">"):
            out[-1][2].append(line)
    return [(n, h, re.sub(r"\(NOTE[^)]*\)|<[^>]*>", "", re.sub(r"\[\d+ |\]\d+|`[^`]*`", "", "\n".join(b))), path) for n, h, b in filter(None, out)]


def lines(article, heading, dropped=r"^$"):
    """Articles of plain text: they begin where a line is like article (its number, the rest), and end at headings."""
    depth = {"livre": 0, "titre": 1, "chapitre": 2}

    def cut(repo, path):
        heads, out = [], []
        text = re.sub(r"(?m)^ *[A-Za-zÀ-ÿ]{1,4} *$", "", repo.text(path)) if "TUN" in path else repo.text(path)  # a watermark of syllables
        for line in spaces(text).split("\n"):
            s = line.strip()
            art, head = re.match(article, s), re.match(heading, s)
            if s and re.search(dropped, s):
                continue
            if art:
                out.append((art[1].strip(), [h for _, h in heads], [art[2] or ""]))
            elif head and len(s) < 130:
                level = depth.get(re.match(r"[#* ]*(\w+)", s)[1].lower(), 3)
                heads = [h for h in heads if h[0] < level] + [(level, re.sub(r"[#*]+", "", s).strip())]
                out.append(None)
            elif out and out[-1]:
                out[-1][2].append(line)
            elif heads and s and len(s) < 120 and not heads[-1][1].endswith("."):
                heads[-1] = (heads[-1][0], (heads[-1][1] + " " + s)[:160])
        return [(n, h, "\n".join(b), path) for n, h, b in filter(None, out)]
    return cut


def customs(repo, path):
    got = (re.match(r"Article (\d+) \(?(.*?)\)? *\(CDC\) *-->(.*)", v["content"], re.S) for v in repo.json(path).values())
    return [(m[1], [m[2].strip()], m[3].replace("##LINE##", "\n"), path) for m in got if m]


def numbered(repo, path):
    return [(str(x["Article"]), [], re.sub(r"\n\s*(LIVRE|TITRE|CHAPITRE|SECTION)\b.*$", "", x["Texte"], flags=re.S), path) for x in repo.json(path)]


def codes(repo, path):
    files, out = repo.files("codes-en-vigueur/" + path), []
    titles = {os.path.dirname(n): b.split("\n", 1)[0].lstrip("# ").strip() for n, b in files.items() if n.endswith("README.md")}
    for n, b in files.items():
        if "/article-" in n:
            head, _, body = b.partition("\n")
            way, at = [], os.path.dirname(n)
            while at != "codes-en-vigueur/" + path and at:
                way, at = [titles.get(at, ""), *way], os.path.dirname(at)
            out.append((re.sub(r"^#+\s*Article\s*", "", head).strip(), [w for w in way if w], body, path))
    return out


def canadian(repo, path):
    heads, out = [], []
    text = re.sub(r"<details>.*?</details>|\*\*?", "", repo.text(path), flags=re.S)
    for line in text.split("\n"):
        head, art = re.match(r"^#+ (.*)$", line), re.match(r"^#+ ([\d.]+)(?: (.*))?$", line)
        if art:
            out.append((art[1], heads + [art[2] or ""], []))
        elif head:
            heads = [head[1]]
        elif out:
            out[-1][2].append(line)
    return [(n, [x for x in h if x], "\n".join(b), path) for n, h, b in out]


FRENCH = r"^(LIVRE|TITRE|CHAPITRE|SECTION|Livre|Titre|Chapitre|Section)\b.*"
CUTTERS = {
    "Ansvar-Systems": provisions,
    "Curtis1706/lahalex-v0": pages,
    "XYOca/laws-lois-markdown": canadian,
    "Scttpr/openseckit": lines(r"^#* ?\**Article (\d+|premier)\**\s*(?:[-–—:.]\s*)?\**(.*?)\**$", r"^#+ *\**(CHAPITRE|Section|Chapitre|SECTION).*"),
    "benaja-bendo/mibeko-dashboard": lambda r, p: nested(r.json(p), p, "numero", "contenu", ("intitule",)),
    "benjamin-arfa/swiss-law": fedlex,
    "emmanuelbis72/droitgpt-site": lines(r"^Art(?:icle)?\.? *(\d+(?:er| ?bis| ?ter)?) *[.:-]+ *(.*)$", FRENCH, r"^(Loi Foncière|Journal Officiel n°.*|\d{1,3})$"),
    "etalab/codes-juridiques-francais": codes,
    "malak-khouja/Chatbot_juridistique": lines(r"^Article (premier|\d+(?:[ -](?:\d+|bis|ter|quater))*)\s*(\(.*)?$", r"^(LIVRE|TITRE|CHAPITRE|SECTION|Livre|Titre|Chapitre|Section) (premi|[IVX\d]).{0,60}$", r"^(\d{1,3}|Imprimerie Officielle.*)$"),
    "mauyz/madagascar_constitution": lambda r, p: nested(r.json(p)["headlines"], p, "title", "content", ("title",)),
    "mauyz/madagascar_workcode": lambda r, p: nested(r.json(p)["headlines"], p, "number", "content", ("value", "text")),
    "openjusticebe/be_laws_fr": belgian,
    "pekombila/droit-assistant-ia": lines(r"^\**Article ([0-9]+(?:er|bis|ter)?(?:-[0-9]+)?) *:? *\** *:? *(.*)$", r"^#+ .*"),
    "wendtoinissaka/projet-tutore-L3-chatbot-sensibilisation-droits-et-lois-BF": numbered,
    "zakarius/douanes_ai": customs,
}


def clean(s):
    s = spaces(s.replace("\r", "").replace("\u00ad", ""))
    s = "\n".join(x.strip() for x in re.sub(r"[ \t]+", " ", s).split("\n"))
    return re.sub(r"\n{2,}", "\n", s).strip()


def unnumbered(s):
    s = re.sub(r"^\s*Art(icle)?s?\.? *\d+[a-zA-Z0-9.-]*\s*(?:er)?\s*[.:°-]*\s*[-—–:.]*\s*", "", spaces(s))
    return clean(re.sub(r"^[-–—:. ]+", "", s))


# How the text of an article was written when it was asked about; the first form is written for those that were not.
FORMS = (
    clean, unnumbered,
    lambda s: re.sub(r"^Article \d+(?: ?er)?[ _*]*:[ _*]*", "", clean(s)),
    lambda s: re.sub(r"[ \t]+", " ", s).strip(),
    lambda s: "\n".join(x.strip() for x in s.split("\n") if x.strip()),
)


def digest(s):
    return hashlib.sha256(s.encode()).hexdigest()[:16]


def find(repositories, source):
    owner, name = source.split("/")
    for folder in (f"{owner}/{name}", f"{owner}+{name}/repo", f"{owner}+{name}"):
        if os.path.isdir(os.path.join(repositories, folder)):
            return Repository(os.path.join(repositories, folder))
    return None


def root(gold):
    """The file of the whole text, or its folder where each article has a file."""
    return "/".join(gold["path"].split("/")[:3]) if CUTTERS.get(gold["source"]) is pages else gold["path"]


def write(repositories, out, file):
    questions = [json.loads(line) for line in open(file, encoding="utf8")]
    stem, golds, texts, missing = os.path.basename(file)[:-len(".jsonl")], {}, {}, set()
    for g in (g for q in questions for g in q["gold"]):
        texts.setdefault((g["source"], root(g)), []).append(g)
    ids = set()
    with open(os.path.join(out, stem + ".articles.jsonl"), "w", encoding="utf8") as articles:
        for (source, at), asked in texts.items():
            repo = find(repositories, source)
            if repo is None:
                missing.add(source)
                continue
            wanted = {g["sha256"]: g for g in asked}
            for number, heads, raw, path in (CUTTERS.get(source) or CUTTERS[source.split("/")[0]])(repo, at):
                body, hit = clean(html.unescape(re.sub(r"<[^>]+>", " ", raw))) if "<" in raw else clean(raw), None
                for form in FORMS:
                    text = form(raw)
                    if digest(text) in wanted:
                        body, hit = text, digest(text)
                        break
                if not body or not number:
                    continue
                name = f"{stem}:{digest(source + at)[:6]}:{number}".replace(" ", "-")
                while name in ids:
                    name += "'"
                ids.add(name)
                about = wanted.get(hit, asked[0])
                if hit and ((hit, at) not in golds or about["article"] == number):
                    golds[hit, at] = name
                articles.write(json.dumps({"id": name, "jurisdiction": about["jurisdiction"], "field": about["field"], "text_title": about["text"], "number": number,
                                           "path": heads, "body": body, "source_repo": source, "source_path": path}, ensure_ascii=False) + "\n")
    kept, lost, asked = 0, 0, True
    with open(os.path.join(out, stem + ".questions.jsonl"), "w", encoding="utf8") as fh:
        for q in questions:
            names = [golds.get((g["sha256"], root(g))) for g in q["gold"]]
            asked = None not in names and (asked or bool(names))  # one that nothing answers is asked of the law of the question before it
            if not asked:
                lost += 1
                continue
            kept += 1
            fh.write(json.dumps({"id": q["id"], "question": q["question"], "style": q["style"], "gold": names, "before": q.get("before", [])}, ensure_ascii=False) + "\n")
    for source in sorted(missing):
        print(f"{stem}: {source} is not there", file=sys.stderr)
    print(f"{stem}: {len(ids)} articles, {kept} questions, {lost} left out", file=sys.stderr)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    os.makedirs(sys.argv[2], exist_ok=True)
    for name in sys.argv[3:] or [os.path.join(HERE, n) for n in ("breadth.jsonl", "further.jsonl", "unread.jsonl")]:
        write(sys.argv[1], sys.argv[2], name)
