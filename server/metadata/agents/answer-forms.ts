// The forms in which tools give the answers of their routes: an excerpt of the JSON, or the schema of a dataset as
// text.
import { z } from 'zod'
import { Slices } from '@floe/storage/waiting'
import { RequestProblem } from '../../problems/request-problem.ts'
import { writeSchema } from './dataset-schema.ts'
import { nameParts, takeExcerpt } from './excerpt.ts'
import { JsonSpans } from './json-spans.ts'
import { explainCuts, explainLeftOut } from './explain-cuts.ts'

/** Maximum size of an answer, in bytes: some 5,000 tokens of JSON. */
const maxExcerptBytes = 20_000

/** Maximum size of a schema, in bytes: some 300 variables. */
const maxSchemaBytes = 24_000

/** Maximum of `skip` and `take`: more entries than the largest answer can have. */
const maxEntries = 100_000_000

/** What an agent gets: a text, then notes about it. */
type ShownAnswer = { readonly text: string; readonly notes: readonly string[] }

/** Makes the text from the JSON of the route. Throws the reason of the signal if that aborts. */
export type ShowAnswer = (body: Buffer, signal: AbortSignal) => Promise<ShownAnswer>

/** A form, with the arguments that choose what is shown. */
export type AnswerForm = {
  readonly shape: Readonly<Record<string, z.ZodType>>
  /**
   * Checks the arguments. Throws ZodError.
   *
   * @param canNameGroup whether the agent could have named a single group
   */
  readonly prepare: (sentArguments: object, canNameGroup: boolean) => ShowAnswer
}

// Their names say enough, and each description would be listed with most tools.
const skip = z.int().min(0).max(maxEntries).default(0)
const take = z.int().min(1).max(maxEntries).optional()

const ExcerptArguments = z.object({
  part: z
    .string()
    .max(16_384)
    .regex(/^$|^\//, 'must be empty or begin with a slash')
    .default('')
    .describe('JSON pointer'),
  // Without descriptions, which each tool would repeat: the notes of a cut answer say how to use both.
  skip,
  take,
})

/** The JSON, or as much of it as fits. */
export const excerptForm: AnswerForm = {
  shape: ExcerptArguments.shape,
  prepare: (sentArguments, canNameGroup) => {
    const { part, skip, take = Infinity } = ExcerptArguments.parse(sentArguments)
    return async (body, signal) => {
      const shown = await takeExcerpt(body, { part, skip, take, maxBytes: maxExcerptBytes }, signal)
      if (shown === undefined) {
        const parts = await nameParts(body, part, signal)
        throw new RequestProblem('invalid-request', `The answer has no part ${JSON.stringify(part)}. It has ${parts}`)
      }
      return { text: shown.text, notes: explainCuts(shown.cuts, part, canNameGroup) }
    }
  },
}

/** The same for answers of a search, which say how much of the index is missing. */
export const searchForm: AnswerForm = {
  shape: excerptForm.shape,
  prepare: (sentArguments, canNameGroup) => {
    const show = excerptForm.prepare(sentArguments, canNameGroup)
    return async (body, signal) => {
      const { text, notes } = await show(body, signal)
      const json = new JsonSpans(body, new Slices(signal))
      const count = async (pointer: string) => {
        const start = await json.find(pointer)
        return start === undefined ? 0 : Number(json.read(start, await json.findEnd(start)))
      }
      const failed = await count('/index/failed')
      const waiting = (await count('/index/pending')) - failed
      const omitted = await count('/index/omitted')
      return {
        text,
        notes: [...explainWaiting(waiting), ...explainFailed(failed), ...explainOmitted(omitted), ...notes],
      }
    }
  },
}

function explainWaiting(waiting: number): string[] {
  if (waiting === 0) return []
  const branches = waiting === 1 ? '1 branch is' : `${waiting} branches are`
  return [`${branches} not indexed yet, so datasets and words can be missing here. Ask again in some seconds.`]
}

function explainFailed(failed: number): string[] {
  if (failed === 0) return []
  const branches = failed === 1 ? '1 branch' : `${failed} branches`
  return [`${branches} could not be indexed, so datasets and words can be missing here.`]
}

function explainOmitted(omitted: number): string[] {
  if (omitted === 0) return []
  const datasets = omitted === 1 ? '1 dataset is' : `${omitted} datasets are`
  return [`${datasets} left out of the index, because a repository has too many datasets or words.`]
}

const SchemaArguments = z.object({
  filter: z.string().max(255).default('').describe('Only variables with this text in name, units or long name'),
  skip: skip.describe('Variables to skip'),
  take: take.describe('Most variables'),
})

/** The schema of a dataset as text, made from its `dict`. */
export const schemaForm: AnswerForm = {
  shape: SchemaArguments.shape,
  prepare: (sentArguments) => {
    const { filter, skip, take = Infinity } = SchemaArguments.parse(sentArguments)
    return async (body, signal) => {
      const schema = await writeSchema(body, { filter, skip, take, maxBytes: maxSchemaBytes }, signal)
      return { text: schema.text, notes: explainLeftOut(schema, { filter, skip }) }
    }
  },
}
