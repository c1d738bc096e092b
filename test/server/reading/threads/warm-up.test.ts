import { t } from 'tap'
import { warmUp } from '../../../../server/reading/threads/warm-up.ts'

t.test('every kind of question is answered, and arrays are decoded as those of real repositories are', async (t) => {
  const [info, keys, dict, datasets, datasetPage, refPage] = (await warmUp()).map((body) =>
    Buffer.from(body).toString(),
  )
  t.match(JSON.parse(info ?? ''), {
    variables: { temperature: { type: 'float64' }, time: { type: 'datetime64[ns]' }, x: { type: 'int16' } },
  })
  t.strictSame(JSON.parse(keys ?? '').sort(), ['temperature', 'time', 'x'])
  t.match(JSON.parse(dict ?? ''), { coords: { time: { dims: ['time'] } } })
  t.strictSame(JSON.parse(datasets ?? ''), [''])
  for (const text of [datasetPage, refPage]) t.match(text, '<!doctype html>')
})
