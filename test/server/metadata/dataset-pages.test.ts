// The pages of datasets beside what xarray says of them (`Dataset.to_dict(data=False)`).
import { DatasetDict } from '@floe/contract'
import { t } from '#tap'
import type { z } from 'zod'
import { readExpectedAnswers } from '../expected-answers.ts'
import { startServer } from '../start-server.ts'
import { elementById, ids, visibleText } from '../web/markup.ts'

type Variables = z.output<typeof DatasetDict>['coords']

/** The rows of a section: name, dimensions, type and shape of each variable, by name. */
function readRows(page: string, id: string): string[][] {
  const section = ids(page).includes(id) ? elementById(page, id) : ''
  const rows = section.matchAll(
    /<(?:b|span)>([^<]*)<\/\w+>\s*<i>([^<]*)<\/i>\s*<code>([^<]*)<\/code>\s*<small>([^<]*)</g,
  )
  return [...rows].map(([, ...cells]) => cells.map(visibleText)).sort()
}

function writeRows(variables: Variables): string[][] {
  return Object.entries(variables)
    .map(([name, { dims, dtype, shape }]) => {
      const size = shape.length === 0 ? '' : `(${shape.join(', ')})`
      return [name, `(${dims.join(', ')})`, dtype, size]
    })
    .sort()
}

for (const name of ['weather', 'satellite']) {
  t.test(`${name}: pages show the dimensions, variables and attributes that xarray has`, async (t) => {
    const server = await startServer(t)
    const { datasets, branches } = await readExpectedAnswers(name)
    for (const [group, answer] of Object.entries(datasets[branches['main'] ?? ''] ?? {})) {
      if ('error' in answer) continue
      const { coords, data_vars, dims, attrs } = DatasetDict.parse(JSON.parse(answer.dict))
      if (Object.keys(coords).length + Object.keys(data_vars).length === 0) continue
      const page = await (await server.get(`datasets/${name}/main/${group}`)).text()
      const dimensions = elementById(page, 'dimensions').matchAll(/<(?:b|span)>([^<]*)<\/\w+>: (\d+)</g)
      t.strictSame(
        new Map([...dimensions].map(([, name, size]) => [name, Number(size)])),
        new Map(Object.entries(dims)),
      )
      t.strictSame(readRows(page, 'coordinates'), writeRows(coords), `coordinates of ${group}`)
      t.strictSame(readRows(page, 'data-variables'), writeRows(data_vars), `data variables of ${group}`)
      const shown = visibleText(page)
      for (const [attribute, value] of [
        attrs,
        ...Object.values({ ...coords, ...data_vars }).map(({ attrs }) => attrs),
      ].flatMap(Object.entries))
        if (typeof value === 'string')
          t.ok(shown.includes(`\n${attribute}\n${value.trim()}\n`), `${group}: ${attribute}`)
    }
  })
}
