import { t } from 'tap'
import { refuseDeepJson } from '../../../server/problems/refuse-deep-json.ts'

const refusal = {
  code: 'invalid-request',
  errors: [{ pointer: '/body', message: 'nests more than 64 lists and objects' }],
}

t.test('JSON that nests too deep is refused, and other texts are left to the parser', async (t) => {
  const nest = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth)
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"a":', '}]'],
  ] as const) {
    const lists = open.length > 5 ? 2 : 1
    t.doesNotThrow(() => refuseDeepJson(nest(open, close, 64 / lists)))
    t.throws(() => refuseDeepJson(nest(open, close, 64 / lists + 1)), refusal, open)
  }
  t.throws(() => refuseDeepJson('['.repeat(400_000)), refusal, 'a text that never ends its lists')
  t.doesNotThrow(() => refuseDeepJson(`[${Array.from({ length: 1_000 }, () => '[]').join()}]`), 'many side by side')
  t.doesNotThrow(() => refuseDeepJson(JSON.stringify({ '[[{': '['.repeat(100), 'a"b\\': '\\"['.repeat(100) })))
  t.throws(() => refuseDeepJson(`{"a\\"":"\\\\",${'"b":{'.repeat(70)}`), refusal, 'behind escapes')
  for (const text of ['', '"', ']]]]', '}{', 'no JSON']) t.doesNotThrow(() => refuseDeepJson(text))
})
