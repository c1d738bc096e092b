import { t } from 'tap'
import { z } from 'zod'
import { writePlainMessage } from '../../../server/problems/plain-messages.ts'

/** Values that a schema refuses, and the message about each. */
const cases: readonly (readonly [z.ZodType, unknown, string])[] = [
  [z.string(), undefined, 'is required'],
  [z.enum(['a', 'b']), undefined, 'is required'],
  [z.union([z.string(), z.number()]), undefined, 'is required'],
  [z.string(), null, 'must be a text'],
  [z.string(), ['a', 'b'], 'must be a single text'],
  [z.number(), '7', 'must be a number'],
  [z.int(), 1.5, 'must be a whole number'],
  [z.boolean(), 'yes', 'must be true or false'],
  [z.array(z.string()), {}, 'must be a list'],
  [z.object({}), [], 'must be an object'],
  [z.record(z.string(), z.string()), 7, 'must be an object'],
  [z.never(), 7, 'must be left out'],
  [z.strictObject({}), { a: 1, b: 2 }, 'has unknown members: a, b'],
  [z.strictObject({ port: z.int().optional() }), { prot: 1 }, 'has unknown members: prot; did you mean port?'],
  [
    z.strictObject({ host: z.string().optional(), port: z.int().optional() }),
    { hots: '', prot: 1, others: 2 },
    'has unknown members: hots, prot, others; did you mean host, port?',
  ],
  [
    z.strictObject({ port: z.int().optional() }),
    Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'prot', 'l'].map((name) => [name, 1])),
    'has unknown members: a, b, c, d, e, f, g, h, i, j, and 2 more',
  ],
  [z.enum(['a', 'b', 'c']), 'd', 'must be "a", "b" or "c"'],
  [z.literal('a'), 'b', 'must be "a"'],
  [z.literal([1, null]), 2, 'must be 1 or null'],
  [
    z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]),
    { kind: 'c' },
    'must be "a" or "b"',
  ],
  [z.string().min(1), '', 'must not be empty'],
  [z.string().min(2), '', 'must have at least 2 characters'],
  [z.string().max(3), 'long', 'must have at most 3 characters'],
  [z.string().length(2), 'a', 'must have exactly 2 characters'],
  [z.array(z.string()).min(1), [], 'must not be empty'],
  [z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 item'],
  [z.number().min(1), 0, 'must be at least 1'],
  [z.number().gt(0), 0, 'must be more than 0'],
  [z.int().max(9), 10, 'must be at most 9'],
  [z.number().lt(9), 9, 'must be less than 9'],
  [z.uuid(), 'a', 'Invalid UUID'],
  [z.string().regex(/^a$/, 'must be an a'), 'b', 'must be an a'],
]

t.test('the message about a wrong value is in plain words', async (t) => {
  for (const [schema, value, message] of cases) {
    const { error } = schema.safeParse(value, { error: writePlainMessage })
    t.match(error?.issues, [{ message }], message)
  }
})
