import { t } from 'tap'
import { z } from 'zod'
import { writePlainMessage } from '../../../server/problems/plain-messages.ts'

const letters = z.enum(['a', 'b', 'c'])
const kinds = z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })])

/** A value that each schema refuses, and the message about it, by the code of the issue. */
const cases: Readonly<Record<z.core.$ZodIssue['code'], readonly (readonly [z.ZodType, unknown, string])[]>> = {
  invalid_type: [
    [z.string(), undefined, 'is required'],
    [z.string(), 7, 'must be a text'],
    [z.string(), null, 'must be a text'],
    [z.string(), ['a', 'b'], 'must be a single text'],
    [z.number(), '7', 'must be a number'],
    [z.int(), 1.5, 'must be a whole number'],
    [z.boolean(), 'yes', 'must be true or false'],
    [z.array(z.string()), {}, 'must be a list'],
    [z.object({}), [], 'must be an object'],
    [z.record(z.string(), z.string()), 7, 'must be an object'],
    [z.never(), 7, 'must be left out'],
  ],
  invalid_value: [
    [letters, undefined, 'is required'],
    [letters, 'd', 'must be "a", "b" or "c"'],
    [z.literal(7), 8, 'must be 7'],
  ],
  too_small: [
    [z.string().min(1), '', 'must not be empty'],
    [z.string().min(2), '', 'must have at least 2 characters'],
    [z.array(z.string()).length(1), [], 'must have exactly 1 entry'],
    [z.number().min(3), 2, 'must be at least 3'],
    [z.number().positive(), 0, 'must be more than 0'],
    [z.date().min(new Date(0)), new Date(-1), 'must be at least 1970-01-01T00:00:00.000Z'],
  ],
  too_big: [
    [z.string().max(1), 'xx', 'must have at most 1 character'],
    [z.array(z.string()).max(0), ['x'], 'must have at most 0 entries'],
    [z.number().max(65_535), 65_536, 'must be at most 65,535'],
    [z.number().lt(3), 3, 'must be less than 3'],
  ],
  invalid_format: [
    [z.uuid(), 'x', 'must be a UUID'],
    [z.url(), 'x', 'must be a URL'],
    [z.iso.datetime(), 'x', 'must be a time such as 2027-01-31T00:00:00Z'],
    [z.string().startsWith('https:'), 'x', 'must start with "https:"'],
    [z.string().endsWith('/v1'), 'x', 'must end with "/v1"'],
    [z.string().includes('@'), 'x', 'must contain "@"'],
    [z.string().regex(/^a$/), 'x', 'must match /^a$/'],
    [z.jwt(), 'x', 'must be in the format jwt'],
  ],
  not_multiple_of: [[z.number().multipleOf(2), 3, 'must be a multiple of 2']],
  unrecognized_keys: [[z.strictObject({}), { a: 1, b: 2 }, 'has members that are not known: a, b']],
  invalid_key: [
    [
      z.record(z.string().max(1), z.string()),
      { ab: '' },
      'has a name that is not allowed: it must have at most 1 character',
    ],
  ],
  invalid_element: [
    [z.map(z.object({}), z.string()), new Map([[{}, 7]]), 'has an entry that is not allowed: it must be a text'],
  ],
  invalid_union: [
    [z.union([z.string(), z.number()]), true, 'matches none of the allowed forms'],
    [z.union([z.string(), z.number()]), undefined, 'is required'],
    [z.xor([z.string(), z.string()]), 'x', 'matches two of the allowed forms at once'],
    [kinds, { kind: 'c' }, 'must be "a" or "b"'],
  ],
  custom: [[z.string().refine(() => false), 'x', 'is not valid']],
}

t.test('every kind of issue has a message in plain words', async (t) => {
  for (const [code, examples] of Object.entries(cases)) {
    for (const [schema, value, message] of examples) {
      const { error } = schema.safeParse(value, { error: writePlainMessage })
      t.match(error?.issues, [{ code, message }], `${code}: ${message}`)
    }
  }
})

t.test("a schema's own message goes first", async (t) => {
  const { error } = z.string().regex(/^a$/, 'must be an a').safeParse('b', { error: writePlainMessage })
  t.match(error?.issues, [{ message: 'must be an a' }])
})
