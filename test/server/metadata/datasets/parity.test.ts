// Every group of every head of every repository in test/fixtures, as it is served, against what xarray and xpublish
// answered.
import { readdirSync } from 'node:fs'
import { DatasetDict, DatasetInfo, DatasetKeys, viewNames } from '@floe/contract'
import { t } from 'tap'
import { readExpectedAnswers } from '../../expected-answers.ts'
import { fixtures, startServer } from '../../start-server.ts'

const schemas = { info: DatasetInfo, keys: DatasetKeys, dict: DatasetDict } as const

/** In what Python says of arrays without names of dimensions. `keys`, which needs none, answers nevertheless. */
const namesError = '`dimension_names`'
/** In what Python says of a codec that is not installed. All views answer, because readers may have it. */
const codecError = 'An implementation for codec'

const server = await startServer(t)

for (const name of readdirSync(fixtures)) {
  // Proves: `info` has the same `dimensions`, `variables` and `global_attributes` as xpublish
  // Proves: `keys` has the names of all variables, including coordinates
  // Proves: `dict` is xarray's dictionary of the dataset without data
  t.test(`${name} is served, byte for byte, as xpublish serves it`, async (t) => {
    const { datasets, snapshots } = await readExpectedAnswers(name)
    for (const [id, groups] of Object.entries(datasets)) {
      for (const [group, answer] of Object.entries(groups)) {
        // A repository without commits has no root group, and the stack's answer says so.
        const refusal = snapshots[id]?.nodes[`/${group}`] === 'group' ? 422 : 404
        for (const view of viewNames) {
          const segments = [name, id, ...group.split('/'), view].filter((segment) => segment !== '')
          const path = `datasets/${segments.map(encodeURIComponent).join('/')}`
          const response = await server.get(path)
          const text = await response.text()
          if ('error' in answer) {
            const isAnswered =
              (view === 'keys' && answer.error.includes(namesError)) || answer.error.includes(codecError)
            t.equal(response.status, isAnswered ? 200 : refusal, path)
            continue
          }
          t.equal(response.status, 200, path)
          t.equal(text, dropInfinity(answer[view]), path)
          t.ok(schemas[view].safeParse(JSON.parse(text)).success, `${path} follows the contract`)
        }
      }
    }
  })
}

/** The stack prints numbers beyond the doubles as the bare word Infinity, which is not JSON. */
function dropInfinity(text: string): string {
  return text.replaceAll(/(?<=[:[,])-?Infinity(?=[,\]}])/g, 'null')
}
