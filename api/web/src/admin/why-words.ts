// The words for what is known of an article that was looked at, and for what decides whether it answers: the names that
// internal/search/rank gives them, in groups of what they are about.

/** Groups of features: their heading, and the French words by the name of each. */
export const features: readonly { title: string; words: Record<string, string> }[] = [
  { title: 'Par les mots', words: {
    words: 'Mots communs, part du meilleur passage', words_of_most: 'Mots communs, part de ce que la question permet', held: 'Part de la question que le passage a', rank_words: 'Rang par les mots',
    pieces: 'Parties de mots, part du meilleur passage', rank_pieces: 'Rang par les parties de mots', short_words: 'Mots communs, question de peu de mots',
  } },
  { title: 'Par le sens', words: {
    cosine: 'Proximité de sens', cosine_gap: 'Écart avec le passage le plus proche', rank_cosine: 'Rang par le sens', short_cosine: 'Proximité de sens, question de peu de mots',
  } },
  { title: 'Par les phrases', words: {
    sentence: 'Proximité des phrases', sentence_gap: 'Écart avec l’article le plus proche', rank_sentence: 'Rang par les phrases', projected: 'Proximité des phrases, apprise', rank_projected: 'Rang par la proximité apprise',
  } },
  { title: 'Ce qui l’entoure', words: {
    section_words: 'Mots communs sous les mêmes intitulés, au mieux', section_mean: 'Mots communs sous les mêmes intitulés, en moyenne', section_gap: 'Proximité de sens sous les mêmes intitulés',
    section_count: 'Passages trouvés sous les mêmes intitulés', neighbor_words: 'Mots communs des articles voisins', neighbor_gap: 'Proximité de sens des articles voisins', opening: 'Place sous ses intitulés',
  } },
  { title: 'Ce que c’est', words: {
    length: 'Longueur du passage', article_long: 'Longueur de l’article', no_article: 'Hors de tout article', numbered_l: 'Numéro en L', numbered_r: 'Numéro en R ou en D', anew: 'Nouvelle rédaction d’un article d’un autre texte',
    foreign: 'Loi d’un autre pays que celui de la question', nobodys: 'Pays du texte inconnu', not_local: 'Le catalogue n’a rien du pays de la question', text_named: 'La question nomme le texte',
  } },
  { title: 'Ce qu’il dit de la question', words: {
    covered: 'Part de la question, intitulés et titre compris', covered_body: 'Part de la question dans l’article', covered_heads: 'Part de la question dans les intitulés', covered_title: 'Part de la question dans le titre du texte',
    covered_legal: 'Ce que les mots de la loi y ajoutent', covered_plain: 'Part de la question sans les noms', covered_shape: 'Part des mots qui disent quelle réponse est attendue', covered_earlier: 'Part des mots d’une question d’avant',
    covered_beside: 'Part des mots hors de la phrase qui demande', best_covered: 'Écart avec l’article qui a le plus de la question', near_covered: 'Part de la question, mots de sens proche compris', near_missed: 'Poids du mot le plus éloigné',
    close: 'Part de la question en un même endroit', together: 'Mots voisins de la question qui se suivent', rarest: 'Présence du mot le plus rare', missed_most: 'Poids du mot manquant le plus lourd', missed_names: 'Part des noms qui manquent',
    leaf_likeness: 'Ressemblance avec l’intitulé le plus proche', path_likeness: 'Ressemblance avec tous les intitulés', title_likeness: 'Ressemblance avec le titre du texte',
    unfigured: 'Un chiffre est demandé, et il n’y en a pas', unpunished: 'Une sanction est demandée, et il n’y en a pas', unknown: 'Part de la question que le catalogue n’a nulle part', asked: 'Longueur de la question',
  } },
  { title: 'Ce qu’il offre de ce qui est demandé', words: {
    aligned_authority: 'Une autorité (qui\u202f?)', aligned_permission: 'Une permission ou une interdiction (peut-on\u202f?)', aligned_period: 'Une durée ou une date (combien de temps, quand\u202f?)',
    aligned_condition: 'Une condition (à quelles conditions\u202f?)', aligned_place: 'Un lieu (où\u202f?)',
  } },
  { title: 'La recherche', words: { found: 'Note de la recherche, écart avec le meilleur', rank_found: 'Rang de la recherche', in_text: 'Part des articles lus qui sont du même texte' } },
]

const all: Record<string, string> = Object.assign({}, ...features.map((g) => g.words)) as Record<string, string>

/** What decides and is no feature of the first article under the same name. */
const evidence: Record<string, string> = {
  score: 'Note du premier article', margin: 'Écart avec le deuxième', crowd: 'Part du premier parmi les dix meilleurs', unfigured: 'Un chiffre ou une sanction est demandé, et il n’y en a pas',
  not_local: 'Loi d’un autre pays que celui de la question', log_covered: 'Part de la question chez les cinq meilleurs (logarithme)', unknown_words: 'Part de la question que le catalogue n’a nulle part', words_asked: 'Longueur de la question',
  one_text: 'Part des dix meilleurs qui sont du texte du premier', long_texts: 'Longueur des textes du catalogue, de 0 (courts) à 1 (longs)',
  read: 'Note du lecteur pour le premier article', read_margin: 'Avance du premier article, lecture comprise', before_first: 'Chances du premier article avant la lecture (logarithme)',
}
export const evidenceWord = (name: string): string => evidence[name] ?? all[name] ?? name

const languages: Record<string, string> = { fr: 'français', en: 'anglais', wo: 'wolof', ar: 'arabe', '': 'inconnue' }
export const languageWord = (l: string): string => languages[l] ?? l

/** A value with at most two places behind the comma: « 0,43 », « −1,2 ». */
export const value = (x: number): string => String(Math.round(x * 100) / 100).replace('.', ',').replace('-', '−')

/** A probability as people say it. */
export const percent = (p: number): string => `${Math.round(p * 100)}\u202f%`

/** A feature of several articles: its words, and its value of each, null where it is 0 or does not apply. */
export interface FeatureRow { name: string; word: string; of: (number | null)[] }

/** The features of articles as the rows of a table, in groups; what none of them has is left out, and what nobody named stands at the end under its own name. */
export function featureRows(articles: readonly Record<string, number>[]): { title: string; rows: FeatureRow[] }[] {
  const row = (name: string, word: string): FeatureRow => ({ name, word, of: articles.map((a) => a[name] ?? null) })
  const groups = features.map((g) => ({ title: g.title, rows: Object.entries(g.words).map(([name, word]) => row(name, word)) }))
  const rest = [...new Set(articles.flatMap((a) => Object.keys(a)))].filter((name) => !(name in all)).sort()
  groups.push({ title: 'Autres', rows: rest.map((name) => row(name, name)) })
  return groups.map((g) => ({ ...g, rows: g.rows.filter((r) => r.of.some((x) => x !== null)) })).filter((g) => g.rows.length > 0)
}
