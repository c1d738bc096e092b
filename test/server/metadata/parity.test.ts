// Every group of every head of every repository in test/fixtures, as it is served, against what xarray and xpublish
// answered.
import { readdirSync } from 'node:fs'
import t from 'tap'
import { readExpectedAnswers } from '../expected-answers.ts'
import { fixtures, startServer } from '../start-server.ts'

const views = ['info', 'keys', 'dict'] as const

for (const name of readdirSync(fixtures)) {
  t.test(`${name} is served, byte for byte, as xpublish serves it`, async (t) => {
    const server = await startServer(t)
    const { datasets, snapshots } = await readExpectedAnswers(name)
    for (const [id, groups] of Object.entries(datasets)) {
      for (const [group, answer] of Object.entries(groups)) {
        // A repository without commits has no root group, and the stack's answer says so.
        const refusal = snapshots[id]?.nodes[`/${group}`] === 'group' ? 422 : 404
        for (const view of views) {
          const segments = [name, id, ...group.split('/'), view].filter((segment) => segment !== '')
          const path = `datasets/${segments.map(encodeURIComponent).join('/')}`
          const response = await server.get(path)
          t.equal(response.status, 'error' in answer ? refusal : 200, path)
          const text = await response.text()
          if (!('error' in answer)) t.equal(text, dropInfinity(answer[view]), path)
        }
      }
    }
  })
}

/** The stack prints numbers beyond the doubles as the bare word Infinity, which is not JSON. */
function dropInfinity(text: string): string {
  return text.replaceAll(/(?<=[:[,])-?Infinity(?=[,\]}])/g, 'null')
}
