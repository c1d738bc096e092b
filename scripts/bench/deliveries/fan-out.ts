// How long it takes to record a head move with deliveries to many webhooks of an organisation, and to read what they
// select.
// Usage: npm run bench -- fan-out [--database postgres://USER@HOST/DATABASE] [--receivers 10000] [--rounds 20]
import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { defaultFilter } from '@floe/contract/lists'
import { type Database, listWantedSelections, mainAlone, openDatabase, writeFilter } from '@floe/storage/database'
import { createDatabase, declareWebhooks, recordEvent } from './loopback-deliveries.ts'

const { values } = parseArgs({
  options: {
    database: { type: 'string' },
    receivers: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '20' },
  },
})

const { url, remove } = await createDatabase(values.database)
const db = await openDatabase(url)
try {
  const repoId = await declareWebhooks(db, ['https://receiver.test/'])
  await multiply(db, Number(values.receivers))
  const times: number[] = []
  for (let round = 0; round < Number(values.rounds); round++) {
    const start = performance.now()
    await recordEvent(db, repoId)
    times.push(performance.now() - start)
  }
  const start = performance.now()
  await listWantedSelections(db, mainAlone, new Date())
  const listMs = performance.now() - start
  times.sort((a, b) => a - b)
  const median = times[Math.floor(times.length / 2)] ?? 0
  console.log(`${values.receivers} webhooks: median ${median.toFixed(0)} ms, longest ${times.at(-1)?.toFixed(0)} ms`)
  console.log(`what they select: ${listMs.toFixed(0)} ms`)
} finally {
  await db.destroy()
  await remove()
}

/** Makes the webhook one of the organisation, and copies it. */
async function multiply(db: Database, count: number): Promise<void> {
  await db
    .updateTable('receivers')
    .set({ repo_id: null, filter: writeFilter({ ...defaultFilter, repos: ['**'] }) })
    .execute()
  const row = await db.selectFrom('receivers').selectAll().executeTakeFirstOrThrow()
  for (let from = 1; from < count; from += 500) {
    const copies = Array.from({ length: Math.min(500, count - from) }, (_, index) => ({
      ...row,
      id: randomUUID(),
      alias: `copy ${from + index}`,
    }))
    await db.insertInto('receivers').values(copies).execute()
  }
}
