import { test } from 'node:test'
import { deepEqual, equal } from 'node:assert/strict'
import type { ArticleLink } from '../api/types'
import { linked, mayRefer } from './links'

const link = (name: string) => ({ name }) as ArticleLink

test('words are cut at their references', () => {
  const [a, b] = [link('article 5'), link('l’article précédent')]
  deepEqual(linked('Selon l’article 5 et l’article précédent.', [a, link('loi n° 1'), b]), [
    { words: 'Selon l’' }, { words: 'article 5', link: a }, { words: ' et ' }, { words: 'l’article précédent', link: b }, { words: '.' },
  ])
  deepEqual(linked('Rien.', [a]), [{ words: 'Rien.' }])
})

test('most articles refer to nothing', () => {
  equal(mayRefer('Le préavis est de trois mois.'), false)
  equal(mayRefer('Sous réserve de l’article 5.'), true)
})
