// Answers, which are read with Markdown: loaded behind the question box.
import { Late } from './late'
import type { AnswerView as View } from './answer'

export const loadAnswers = () => import('./answer').then((m) => m.AnswerView)

export const AnswerView = (props: Parameters<typeof View>[0]) => <Late load={loadAnswers} props={props} waiting="Ouverture de la réponse…" />
