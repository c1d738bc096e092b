// Prints what the forms of the settings page ask about expectations: for each kind, the fields of its JSON Schema. The
// page has no zod, and needs little of the schema.
import { expectationForms, expectationKinds } from '@floe/contract'
import { expectationKindNames } from '@floe/contract/lists'
import { z } from 'zod'
import type { FormField } from '../../server/settings/fields/form-field.ts'
import type { JsonSchema } from './collect-definitions.ts'

/** Members that all kinds have. Those of the kind come between them: what must be said before what may be. */
const [firstMembers, lastMembers] = [
  ['branch', 'repos'],
  ['within', 'alias'],
]

/** Prints the module with the fields of all kinds. */
export function printExpectationForms(): string {
  const forms = expectationKindNames.map((name) => {
    const { title, meaning } = expectationKinds[name]
    return [name, { title, meaning: `${meaning}.`, fields: listFields(expectationForms[name].creation) }] as const
  })
  const json = JSON.stringify(Object.fromEntries(forms))
  return `
    import type { ExpectationKindName } from '@floe/contract/lists'
    import type { ExpectationForm } from '../fields/form-field.ts'

    /** What the form of each kind of expectation asks. */
    export const expectationForms: Readonly<Record<ExpectationKindName, ExpectationForm>> = ${json}
  `
}

function listFields(schema: z.ZodType): readonly FormField[] {
  const translated = z.toJSONSchema(schema, { io: 'input' })
  const $defs = translated.$defs ?? {}
  // The printer refuses what is not in `JsonSchema`.
  const { properties = {}, required = [] } = ($defs[schema.meta()?.id ?? ''] ?? translated) as JsonSchema
  const { kind: _, ...members } = properties
  const own = Object.keys(members).filter((name) => ![...firstMembers, ...lastMembers].includes(name))
  const { must = [], may = [] } = Object.groupBy(own, (name) => (required.includes(name) ? 'must' : 'may'))
  const names = [...firstMembers, ...must, ...may, ...lastMembers]
  return names.map((name) => describeField(name, members[name] ?? {}))
}

function describeField(name: string, schema: JsonSchema): FormField {
  const text = name.replaceAll('_', ' ')
  const label = `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  // What may be null has the rest in its first alternative. The form says everything else.
  const whole = { ...schema.anyOf?.[0], ...schema }
  const isRequired = schema.anyOf === undefined
  return { name, label, isRequired, hint: writeHint(whole), ...describeControl(name, whole) }
}

function describeControl(
  name: string,
  schema: JsonSchema & FormLimits,
): Pick<FormField, 'control'> & Partial<FormField> {
  const { type, items, pattern, minimum, exclusiveMinimum, maximum, minLength, maxLength } = schema
  if (schema.$ref?.endsWith('/DatasetContract')) return { control: 'document' }
  if (schema.enum) return { control: 'select', options: schema.enum.map(String) }
  const limits = { min: minimum ?? exclusiveMinimum, max: maximum }
  if (type === 'number' || type === 'integer') return { control: 'number', ...limits, isWhole: type === 'integer' }
  if (type === 'array' && items?.type === 'string') return { control: 'lines' }
  if (type === 'string') return { control: 'text', pattern, minLength, maxLength }
  throw new TypeError(`the form of expectations has no control for ${name}: ${JSON.stringify(schema)}`)
}

/** The limits that a control has too. */
type FormLimits = {
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
}

/** Writes the description for people who fill in a form: what is null is an empty field there. */
function writeHint({ description = '', examples: [example] = [], type }: JsonSchema): string {
  const text = description.replace(/Null, the default, (is|means)/, 'Empty $1')
  const shown = JSON.stringify(example ?? '').replaceAll(/["[\]]/g, '')
  const also = shown === '' || text.includes(`\`${shown}\``) ? '' : ` Such as \`${shown}\`.`
  return `${text}${text === '' ? '' : '.'}${type === 'array' ? ' One per line.' : ''}${also}`.trim()
}
