// The schemas of the client accept what the contract accepts, and refuse what it refuses, except for lists of values and
// kinds, where the client accepts any text, and for members that it does not know, which later services may add.
import { contract, listRoutes, Notification, Problem } from '@floe/contract'
import fc from 'fast-check'
import { t } from 'tap'
import { z } from 'zod'
import { findErrors, type Schema } from '../../../client/check-value.ts'
import * as schemas from '../../../client/generated/schemas.ts'
import { checkProperty } from '../../check-property.ts'

/** Schemas of the contract by name: the bodies of answers, and what else the client checks. */
const originals = new Map<string, z.ZodType>([
  ['Notification', Notification],
  ['Problem', Problem],
])
for (const [, { responses }] of listRoutes(contract)) {
  for (const response of Object.values(responses)) {
    const id = response instanceof z.ZodType ? response.meta()?.id : undefined
    if (id !== undefined && response instanceof z.ZodType) originals.set(id, response)
  }
}

const examplesOf = (original: z.ZodType): unknown[] => z.array(z.unknown()).parse(original.meta()?.['examples'])

const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(
    null,
    true,
    '',
    'main',
    0,
    -1,
    0.5,
    2 ** 53,
    [],
    {},
    '1CECHNKREP0F1RSTCMT0',
    '2026-11-21T12:00:00.123Z',
  ),
  fc.constant(undefined),
)

/** Returns a copy in which the value at one place is another. */
function change(example: unknown, at: number, other: unknown): unknown {
  let count = 0
  const text = JSON.stringify(example)
  JSON.parse(text, () => void count++)
  let index = 0
  return JSON.parse(text, (_, old: unknown) => (index++ === at % count ? other : old))
}

/** Whether the contract accepts a value, or would if lists of values and objects were open. */
function isAccepted(original: z.ZodType, value: unknown): boolean {
  const issues = original.safeParse(value).error?.issues ?? []
  return issues.every((issue) => {
    if (issue.code === 'unrecognized_keys') return true
    const { path } = issue
    const found = path.reduce<unknown>((part, key) => Object(part)[key], value)
    if (issue.code === 'invalid_union' && issue.discriminator === 'kind') return typeof found === 'string'
    // The value true alone, or a number, is no list of texts.
    if (issue.code !== 'invalid_value' || issue.values.some((value) => typeof value !== 'string')) return false
    // Nor is the one kind that an answer can have.
    if (path.at(-1) === 'kind' && issue.values.length === 1) return false
    if (typeof found !== 'string' || path.at(-1) === 'commits_unavailable_reason') return false
    // Only a text of this form is the type of a problem.
    return path.at(-1) !== 'type' || found.startsWith('/problems/')
  })
}

for (const [name, schema] of Object.entries<Schema>(schemas)) {
  const original = originals.get(name)
  // The names of deployments and organisations are patterns, which the tests of clients try.
  if (original === undefined) {
    t.ok(['DeploymentName', 'OrgName'].includes(name), `${name} has an original`)
    continue
  }
  t.test(`${name} of the client and of the contract accept the same`, async (t) => {
    const examples = examplesOf(original)
    t.ok(examples.length > 0)
    for (const example of examples) t.strictSame(findErrors(schema, example), [])
    await checkProperty(
      500,
      fc.property(fc.constantFrom(...examples), fc.nat(), value, (example, at, other) => {
        const changed = change(example, at, other)
        return isAccepted(original, changed) === (findErrors(schema, changed).length === 0)
      }),
    )
  })
}
