"""The sets of lists that `scripts/train reader` writes, and one name for each country in all of them."""

SETS = {
    "breadth": "questions on law of 19 jurisdictions",
    "further": "questions on law of further countries and on French codes",
    "gazettes": "questions on real gazettes",
    "codes": "titles of sheets and typed questions on French codes",
}

CANON = {"Algérie": "algerie", "Tunisie": "tunisie", "Maroc": "maroc", "Burkina Faso": "burkina-faso", "Cameroun": "cameroun", "Sénégal": "senegal",
         "Congo-Brazzaville": "congo", "Congo": "congo", "République du Congo": "congo", "Bénin": "benin", "OHADA": "ohada", "Luxembourg": "luxembourg", "Haïti": "haiti",
         "Togo": "togo", "République démocratique du Congo": "rdc", "Guinée": "guinee", "France": "france", "Union européenne": "union-europeenne"}
