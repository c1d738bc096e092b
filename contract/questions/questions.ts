import type { z } from 'zod'
import { chunkSources } from './chunk-sources.ts'
import { citation } from './citation.ts'
import { compatibility } from './compatibility.ts'
import { completeness } from './completeness.ts'
import { croissant } from './catalogues/croissant.ts'
import { datahub } from './catalogues/datahub.ts'
import { datasetPage } from './views/dataset-page.ts'
import { datasets } from './datasets.ts'
import { dcatRepository } from './catalogues/dcat-repository.ts'
import { dict } from './views/dict.ts'
import { diff } from './diff.ts'
import { gaps } from './gaps.ts'
import { info } from './views/info.ts'
import { keys } from './views/keys.ts'
import { openmetadata } from './catalogues/openmetadata.ts'
import type { Question } from './question.ts'
import { stacCollection } from './catalogues/stac-collection.ts'
import { stacRepository } from './catalogues/stac-repository.ts'
import { zarr } from './zarr.ts'

/** All questions about snapshots by their names, in the order in which agents are offered their tools. */
export const questions = {
  datasets,
  dict,
  keys,
  info,
  'dataset-page': datasetPage,
  diff,
  compatibility,
  completeness,
  gaps,
  'chunk-sources': chunkSources,
  citation,
  'stac-repository': stacRepository,
  'stac-collection': stacCollection,
  croissant,
  datahub,
  openmetadata,
  'dcat-repository': dcatRepository,
  zarr,
} as const satisfies Readonly<Record<string, Question>>

/** All questions by their names. */
export type Questions = typeof questions

/** The body of the answer to a question, as JSON or text. */
export type AnswerTo<Name extends keyof Questions> = z.output<Questions[Name]['answer']>
