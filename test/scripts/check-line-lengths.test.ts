import { t } from 'tap'
import { findLongLines } from '../../scripts/check-line-lengths.ts'

const words = (columns: number) => 'word '.repeat(columns).slice(0, columns)

t.test('lines of more than 120 columns are found by their numbers', async (t) => {
  const text = [`// ${words(117)}`, `// ${words(118)}`, `const text = '${words(120)}'`, ''].join('\n')
  t.strictSame(findLongLines('server/example.ts', text), [2, 3])
  t.strictSame(findLongLines('server/example.ts', `const waves = '${'🌊 '.repeat(50)}'`), [], 'code points are counted')
})

t.test('a line that is a single word is allowed, and so are samples in tests', async (t) => {
  t.strictSame(findLongLines('server/example.ts', `  // https://example.org/${'x'.repeat(120)}`), [])
  t.strictSame(findLongLines('test/example.ts', `const sample = '${words(120)}'\n/** ${words(120)} */`), [2])
})
