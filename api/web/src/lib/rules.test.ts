import { test } from 'node:test'
import { deepEqual, equal } from 'node:assert/strict'
import { cutRules, isItem, onceForEditions } from './rules'

test('quoted articles are set apart', () => {
  deepEqual(cutRules('Réponses possibles :\n\nL’article 66 de la loi n° 28-2008/AN dispose : « La durée est fixée à :\n1. huit jours ;\n2. un « vrai » mois. » [1]\n\nL’article 26 du même texte, modifié par l’article 2 de la loi n° 2025-03 (sans valeur officielle), dispose : « Le préavis. » [2] [3]\n\nÀ lire.'), [
    'Réponses possibles :',
    { name: 'L’article 66 de la loi n° 28-2008/AN', made: '', quote: 'La durée est fixée à :\n1. huit jours ;\n2. un « vrai » mois.', cites: [1] },
    { name: 'L’article 26 du même texte', made: 'modifié par l’article 2 de la loi n° 2025-03 (sans valeur officielle)', quote: 'Le préavis.', cites: [2, 3] },
    'À lire.',
  ])
})

test('the country before an article is no part of its name, a title in guillemets is', () => {
  deepEqual(cutRules('Droit cité : Bénin – l’article 3 du texte « Le sel » dispose : « A. » [1]\nEt, pour l’article 5 : « B. » [1]'), [
    { name: 'L’article 3 du texte « Le sel »', made: '', quote: 'A.', cites: [1] },
    { name: 'Et, pour l’article 5', made: '', quote: 'B.', cites: [1] },
  ])
})

test('what is being written goes on to the end', () => {
  deepEqual(cutRules('L’article 3 de la loi dispose : « Le sel est'), [{ name: 'L’article 3 de la loi', made: '', quote: 'Le sel est', cites: [] }])
})

test('other words stay as they are', () => {
  for (const text of ['Bonjour.', 'Le cadre donne « trois mois » [1], et plus.', 'La loi dispose : trois mois [1].']) deepEqual(cutRules(text), [text])
})

test('the same refusal is said once for two editions', () => {
  equal(onceForEditions('L’article 9 du code (texte du 3 mai 2008) n’existe pas.\n\nL’article 9 du code (texte du 2 juin 2020) n’existe pas.\n\nFin.'),
    'L’article 9 du code (textes du 3 mai 2008 et du 2 juin 2020) n’existe pas.\n\nFin.')
})

test('items of lists', () => {
  for (const line of ['– huit jours', '1. un', '2° deux', 'a) trois', 'iv) quatre', '- cinq']) equal(isItem(line), true, line)
  for (const line of ['Le préavis', '2 mois', 'Art. 5', 'A. Koné']) equal(isItem(line), line === 'A. Koné', line)
})
