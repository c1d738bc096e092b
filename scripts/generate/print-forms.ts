// Prints what the forms of the settings page ask: the fields of receivers, API keys and expectations, which are those
// of their JSON Schemas. The page has no zod, and needs little of the schemas.
import { ApiKeyCreation, expectationForms, expectationKinds, ReceiverCreation } from '@floe/contract'
import { defaultFilter, expectationKindNames } from '@floe/contract/lists'
import { z } from 'zod'
import type { FormField, FormOption, ReceiverField } from '../../server/settings/fields/form-field.ts'
import type { JsonSchema } from './collect-definitions.ts'
import { labels, noneTexts, optionWords } from './form-words.ts'

/** The fields of receivers in their order. */
const receiverMembers = new Set([
  'url',
  'service',
  'alias',
  'format',
  'secret_token',
  'headers',
  ...Object.keys(defaultFilter),
  'signing_secret',
])

/** Members that all expectations have. Those of the kind come between them: first the required ones. */
const [firstMembers, lastMembers] = [
  ['branch', 'repos'],
  ['severity', 'within', 'remind', 'alias'],
]

/** Controls of members whose schema does not determine one. */
const controls: Readonly<Record<string, FormField['control']>> = {
  url: 'url',
  secret_token: 'secret',
  headers: 'headers',
  search: 'search',
  signing_secret: 'signing-secret',
  contract: 'document',
}

/** A member that the contract does not require: the audit log shows the name of an API key. */
const requiredOfPeople = 'name'

/** Prints the module with the fields of all forms. */
export function printForms(): string {
  const kinds = expectationKindNames.map((name) => {
    const { title, meaning } = expectationKinds[name]
    return [name, { title, meaning: `${meaning}.`, fields: listExpectationFields(name) }] as const
  })
  const expectations = Object.fromEntries(kinds)
  const receivers = [...receiverMembers].map(describeReceiverField)
  const keys = describeFields(ApiKeyCreation, ['name', 'role', 'repos', 'expires_at'])
  return `
    import type { ExpectationKindName } from '@floe/contract/lists'
    import type { ExpectationForm, FormField, ReceiverField } from '../fields/form-field.ts'

    /** The fields of an API key. */
    export const keyFields: readonly FormField[] = ${JSON.stringify(keys)}

    /** The fields of receivers. */
    export const receiverFields: readonly ReceiverField[] = ${JSON.stringify(receivers)}

    /** What the form of each kind of expectation asks. */
    export const expectationForms: Readonly<Record<ExpectationKindName, ExpectationForm>> =
      ${JSON.stringify(expectations)}
  `
}

/** Describes a member of receivers, perhaps only of those of one kind. */
function describeReceiverField(name: string): ReceiverField {
  const [webhook, chat] = ReceiverCreation.options
  const [ofWebhook] = describeFields(webhook, [name])
  const [ofChat] = describeFields(chat, [name])
  const field = ofWebhook ?? ofChat
  if (!field) throw new TypeError(`receivers have no member ${name}`)
  return { ...field, kind: ofWebhook && ofChat ? undefined : ofWebhook ? 'webhook' : 'chat' }
}

function listExpectationFields(kind: (typeof expectationKindNames)[number]): readonly FormField[] {
  const schema = expectationForms[kind].creation
  const { properties = {}, required = [] } = readObject(schema)
  const own = Object.keys(properties).filter((name) => !['kind', ...firstMembers, ...lastMembers].includes(name))
  const { must = [], may = [] } = Object.groupBy(own, (name) => (required.includes(name) ? 'must' : 'may'))
  return describeFields(schema, [...firstMembers, ...must, ...may, ...lastMembers])
}

/** The part of JSON Schema that decides which control a member has, with its limits. */
type FormSchema = JsonSchema & {
  readonly format?: string
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
}

/** Describes the fields of a schema in the order of `names`; leaves out those that it does not have. */
function describeFields(schema: z.ZodType, names: readonly string[]): readonly FormField[] {
  const { properties = {}, required = [], $defs = {} } = readObject(schema)
  /** Replaces a reference, and what may be null, by what it stands for. The form says the rest. */
  const resolve = ({ $ref, anyOf: [first] = [], ...rest }: FormSchema): FormSchema => {
    const whole = $ref ?? first
    if (whole === undefined) return rest
    return { ...resolve(typeof whole === 'string' ? ($defs[whole.split('/').at(-1) ?? ''] ?? {}) : whole), ...rest }
  }
  return names.flatMap((name) => {
    const member = properties[name]
    if (member === undefined) return []
    const { items, ...whole } = resolve(member)
    const isNullable = member.anyOf !== undefined
    // A list or a severity that may be left out, but not be null, begins with its default.
    const hasDefault = !isNullable && (whole.type === 'array' || name === 'severity')
    const isRequired = required.includes(name) || name === requiredOfPeople || hasDefault
    const resolved = { ...whole, ...(items && { items: resolve(items) }) }
    const control = describeControl(name, resolved, isRequired)
    const hint = writeHint(resolved, control.control)
    // JSON leaves out what is undefined.
    const flags = { isRequired: isRequired || undefined, isNullable: isNullable || undefined }
    return [{ name, label: writeLabel(name), hint, ...flags, ...control }]
  })
}

function readObject(schema: z.ZodType): FormSchema & { readonly $defs?: Readonly<Record<string, FormSchema>> } {
  const translated = z.toJSONSchema(schema, { io: 'input' })
  const $defs = translated.$defs ?? {}
  // The printer refuses what is not in `FormSchema`.
  return { ...($defs[schema.meta()?.id ?? ''] ?? translated), $defs } as ReturnType<typeof readObject>
}

function writeLabel(name: string): string {
  const text = name.replaceAll('_', ' ')
  return labels[name] ?? `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

function describeControl(
  name: string,
  schema: FormSchema,
  isRequired: boolean,
): Pick<FormField, 'control'> & Partial<FormField> {
  const { type, format, items, minimum, exclusiveMinimum, maximum, minLength, maxLength } = schema
  const own = controls[name]
  if (own !== undefined) return { control: own, maxLength }
  if (schema.enum) {
    const options = listOptions(name, schema.enum)
    return isRequired ? { control: 'radio', options } : { control: 'select', options, none: noneTexts[name] ?? '' }
  }
  if (items?.enum) return { control: 'checkboxes', options: listOptions(name, items.enum) }
  if (type === 'boolean') return { control: 'checkbox' }
  const limits = { min: minimum ?? exclusiveMinimum, max: maximum }
  if (type === 'number' || type === 'integer') return { control: 'number', ...limits, isWhole: type === 'integer' }
  if (type === 'object') return { control: 'object' }
  if (type === 'array') return { control: items?.type === 'object' ? 'objects' : 'lines' }
  if (type === 'string') return { control: format === 'date-time' ? 'time' : 'text', minLength, maxLength }
  throw new TypeError(`forms have no control for ${name}: ${JSON.stringify(schema)}`)
}

function listOptions(name: string, values: readonly unknown[]): readonly FormOption[] {
  return values.map(String).map((value) => {
    const [text, hint, group] = optionWords[name]?.[value] ?? [value]
    return { value, text, hint, group }
  })
}

/** How people type what the JSON says in another way. */
const typing: { readonly [Control in FormField['control']]?: string } = {
  lines: ' One per line.',
  objects: ' One per line, as JSON.',
  object: ' As JSON.',
  headers: ' One per line, such as `Authorization: Bearer …`.',
  search: ' Paste the address of a search page, or write its query, such as `q=temperature&units=K`.',
}

/** Sentences about what the form shows: its default values, the fields that are allowed, and what would be removed. */
const forPrograms = /^(?:Default (?:null|for|`)|Only (?:for an?|webhooks and chats) |A change of )/

/** Writes the description for people who fill in a form: what is null or `{}` is an empty field there. */
function writeHint(
  { description = '', examples: [example] = [] }: FormSchema,
  control: FormField['control'],
): string | undefined {
  // Options, and the control of a signing secret, say what they mean.
  if (['radio', 'checkboxes', 'signing-secret'].includes(control)) return undefined
  const sentences = description
    .split('. ')
    .filter((sentence) => !forPrograms.test(sentence))
    .map((sentence) => `${sentence.replace(/^(?:null(?:, the default,)?|`\{\}`) /i, 'Empty ')}.`)
  const hint = sentences.join(' ') + (typing[control] ?? '')
  const shown =
    typeof example === 'string' || typeof example === 'object' ? [example].flat().map(writeExample).join(', ') : ''
  // The example of a search is JSON, and nobody types that.
  return shown === '' || control === 'search' || hint.includes(`\`${shown}\``) ? hint : `${hint} Such as \`${shown}\`.`
}

function writeExample(example: unknown): string {
  return typeof example === 'string' ? example : JSON.stringify(example)
}
