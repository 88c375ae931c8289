"""Writes law without questions for weak lists, in the form that `scripts/train reader --law` reads.

    python3 law.py REPOSITORIES OUT

REPOSITORIES has the public repositories named below, each a Git repository in owner/name, owner+name or owner+name/repo. OUT gets
articles of each. Texts that are not French, and articles of a few words, are left out.
"""
import html
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../judged/questions"))
from articles import belgian, clean, find, unnumbered

SEEDS = {"Djibouti": "Ansvar-Systems/Djibouti-law-mcp", "Cameroun": "Ansvar-Systems/Cameroonian-law-mcp", "Sénégal": "Ansvar-Systems/Senegalese-law-mcp",
         "Côte d'Ivoire": "Ansvar-Systems/Ivorian-law-mcp", "Haïti": "Ansvar-Systems/Haitian-law-mcp", "Maroc": "Ansvar-Systems/Moroccan-law-mcp",
         "Rwanda": "Ansvar-Systems/Rwandan-law-mcp"}
BELGIUM, BENIN = "openjusticebe/be_laws_fr", "Curtis1706/lahalex-v0"

# Law of unions and treaties that stands among that of a country: whoever leaves the union out leaves it out.
UNIONS = (("ohada|acte uniforme", "OHADA"), ("c[eé]mac|udeac|ueac", "CEMAC"), ("cima|code des assurances", "CIMA"), ("uemoa|bceao", "UEMOA"), ("bangui|oapi", "OAPI"),
          ("ceeac", "CEEAC"), ("cedeao", "CEDEAO"), ("convention|traité|protocole|pacte|charte", "traités"))
COMMON = set("le la les de des du et en est par un une au aux dans pour qui".split())


def french(text):
    words = re.findall(r"[a-zàâéèêëîïôûùç]+", text.lower())
    return len(words) > 20 and sum(w in COMMON for w in words) > 0.2 * len(words)


def plain(text):
    return html.unescape(re.sub(r"<[^>]+>", " ", text))


def seeds(repo):
    """Texts as objects with « provisions »: (title, number, headings, text, path)."""
    seen = set()
    for path, text in repo.files("data/seed").items():
        try:
            law = json.loads(text)
        except ValueError:
            continue
        if not isinstance(law, dict) or law.get("title") in seen:
            continue
        parts = [p for p in law.get("provisions") or [] if p.get("provision_ref") != "visas" and isinstance(p.get("content"), str)]
        if len(parts) < 5 or not french(" ".join(p["content"] for p in parts[:30])):
            continue
        seen.add(law["title"])
        for p in parts:
            yield law["title"], re.sub("^art", "", p["provision_ref"]), re.split(" > ", p.get("chapter") or ""), plain(p["content"]), path


def belgium(repo):
    for path, text in repo.files(".").items():
        if path.endswith(".md") and text.startswith("---"):
            title = (re.search(r"(?m)^title: (.+)$", text) or [0, ""])[1]
            for number, headings, body, _ in belgian(repo, path):
                yield title.capitalize() if title.isupper() else title, number, headings, body, path


def benin(repo):
    files = repo.files("content/documents")
    titles = {path.split("/")[2]: json.loads(text).get("title") for path, text in files.items() if path.endswith("/metadata.json")}
    for path, text in files.items():
        parts = path.split("/")
        if parts[-1].startswith("article") and path.endswith(".md") and french(text):
            yield titles.get(parts[2]) or parts[2], re.sub(r"^article-|-?\.md$", "", parts[-1]), [], text, path


def write(repositories, out):
    os.makedirs(out, exist_ok=True)
    for country, source, cut in [(c, s, seeds) for c, s in SEEDS.items()] + [("Belgique", BELGIUM, belgium), ("Bénin", BENIN, benin)]:
        repo, seen = find(repositories, source), set()
        if repo is None:
            print(f"{source} is not there")
            continue
        with open(os.path.join(out, country + ".articles.jsonl"), "w", encoding="utf8") as file:
            for title, number, headings, text, path in cut(repo):
                body = unnumbered(text)
                headings = [clean(re.sub(r"\.{4,}.*", "", h)) for h in headings if h]
                of = next((to for words, to in UNIONS if re.search(words, (title + " " + path).lower())), country)
                key = title, number, body[:100]
                if not 60 <= len(body) <= 12000 or key in seen:
                    continue
                seen.add(key)
                file.write(json.dumps({"id": f"{country}:{len(seen)}", "jurisdiction": of, "field": "", "text_title": clean(title), "number": number, "path": headings,
                                       "body": body, "source_repo": source, "source_path": path}, ensure_ascii=False) + "\n")
        print(country, len(seen))


write(*sys.argv[1:])
