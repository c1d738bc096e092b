// Whether changes break readers: repositories that official Icechunk wrote, over HTTP.
import { Compatibility } from '@floe/contract'
import { openLocalStore } from '@floe/storage/objects'
import { t, type Test } from 'tap'
import { startServer } from '../start-server.ts'

const histories = new URL('../../fixtures/changes/', import.meta.url).pathname

async function start(t: Test) {
  const server = await startServer(t, { sources: [{ kind: 'scan', store: openLocalStore(histories) }] })
  return async (address: string) => {
    const response = await server.get(`compatibility/${address}`)
    t.equal(response.status, 200, address)
    return Compatibility.parse(await response.json())
  }
}

const list = ({ datasets }: Compatibility) =>
  datasets.map(({ group, verdict, changes }) => [
    group,
    verdict,
    ...changes.map(
      ({ kind, variable, dimension, attribute }) => `${kind} ${variable ?? dimension ?? ''} ${attribute ?? ''}`,
    ),
  ])

t.test('the changes of each dataset are listed with their verdicts, the worst first', async (t) => {
  const ask = await start(t)
  const answer = await ask('v2/s1/s2')
  console.log(JSON.stringify(answer, null, 1))
  console.log(list(await ask('v2/s2/s3')), list(await ask('v2/s3/s4')), list(await ask('v2/s0/s6')), JSON.stringify(await ask('v2/s2/other')))
})
