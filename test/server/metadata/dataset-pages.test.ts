// The pages of datasets beside what xarray says of them (`Dataset.to_dict(data=False)`).
import { DatasetDict } from '@floe/contract'
import { t } from 'tap'
import type { z } from 'zod'
import { readExpectedAnswers } from '../expected-answers.ts'
import { startServer } from '../start-server.ts'
import { elementById, ids, visibleText } from '../pages/markup.ts'

const server = await startServer(t)

type Variables = z.output<typeof DatasetDict>['coords']

/** Dimensions, type and shape of variables, by name. */
type Rows = Readonly<Record<string, readonly string[]>>

function readRows(page: string, id: string): Rows {
  const section = ids(page).includes(id) ? elementById(page, id) : ''
  const rows = section.matchAll(
    /<(?:b|span)>([^<]*)<\/\w+>\s*<i>([^<]*)<\/i>\s*<code>([^<]*)<\/code>\s*<small>([^<]*)</g,
  )
  return Object.fromEntries([...rows].map(([, name = '', ...cells]) => [visibleText(name), cells.map(visibleText)]))
}

function writeRows(variables: Variables): Rows {
  const rows = Object.entries(variables).map(([name, { dims, dtype, shape }]) => {
    return [name, [`(${dims.join(', ')})`, dtype, shape.length === 0 ? '' : `(${shape.join(', ')})`]] as const
  })
  return Object.fromEntries(rows)
}

for (const name of ['weather', 'satellite']) {
  t.test(`${name}: pages show the dimensions, variables and attributes that xarray has`, async (t) => {
    const { datasets, branches } = await readExpectedAnswers(name)
    for (const [group, answer] of Object.entries(datasets[branches['main'] ?? ''] ?? {})) {
      if ('error' in answer) continue
      const { coords, data_vars, dims, attrs } = DatasetDict.parse(JSON.parse(answer.dict))
      if (Object.keys(coords).length + Object.keys(data_vars).length === 0) continue
      const page = await (await server.get(`datasets/${name}/main/${group}`)).text()
      const dimensions = elementById(page, 'dimensions').matchAll(/<(?:b|span)>([^<]*)<\/\w+>: (\d+)</g)
      t.strictSame(Object.fromEntries([...dimensions].map(([, name, size]) => [name, Number(size)])), dims)
      t.strictSame(readRows(page, 'coordinates'), writeRows(coords), `coordinates of ${group}`)
      t.strictSame(readRows(page, 'data-variables'), writeRows(data_vars), `data variables of ${group}`)
      const shown = visibleText(page)
      const variables = Object.values({ ...coords, ...data_vars })
      for (const [attribute, value] of [attrs, ...variables.map(({ attrs }) => attrs)].flatMap(Object.entries)) {
        if (typeof value !== 'string') continue
        t.ok(shown.includes(`\n${attribute}\n${value.trim()}\n`), `${group}: ${attribute}`)
      }
    }
  })
}
