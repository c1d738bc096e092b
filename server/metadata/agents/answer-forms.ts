// The forms in which tools give the answers of their routes: an excerpt of the JSON, or the schema of a dataset as
// text.
import { z } from 'zod'
import { Slices } from '@floe/storage/waiting'
import { RequestProblem } from '../../problems/request-problem.ts'
import { writeSchema } from './dataset-schema.ts'
import { takeExcerpt } from './excerpt.ts'
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
    .describe('JSON pointer to a part'),
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
      if (shown === undefined)
        throw new RequestProblem('invalid-request', `The answer has no part ${JSON.stringify(part)}`)
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
      const start = await json.find('/index/pending')
      const pending = start === undefined ? 0 : Number(json.read(start, await json.findEnd(start)))
      return { text, notes: pending === 0 ? notes : [explainPending(pending), ...notes] }
    }
  },
}

function explainPending(pending: number): string {
  const branches = pending === 1 ? '1 branch is' : `${pending} branches are`
  return `${branches} not indexed yet, so datasets and words can be missing here. Ask again in some seconds.`
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
