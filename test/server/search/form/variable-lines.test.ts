import { t } from 'tap'
import { readLine, variablesPerChunk, writeChunks } from '../../../../server/search/form/variable-lines.ts'

t.test('variables are read as they were written, whatever their texts hold', (t) => {
  const texts = ['temperature', 'a\tb', 'a\nb', 'a\\b', '\\t', '\\', 'größe, 温度']
  const variables = texts.map((text) => ({
    name: text,
    standard_name: null,
    long_name: text,
    units: null,
    type: 'float32',
    dimensions: ['time', text],
  }))
  const chunks = writeChunks(variables)
  t.strictSame(
    chunks.flatMap((chunk) => chunk.split('\n').map(readLine)),
    variables,
  )
  const tooMany = Array.from({ length: variablesPerChunk + 1 }, () => variables)
    .flat()
    .slice(0, variablesPerChunk + 1)
  t.equal(writeChunks(tooMany).length, 2)
  t.end()
})
