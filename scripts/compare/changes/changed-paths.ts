// Answers which filters of paths match what changed between two snapshots, one JSON text per line on stdin, with one on
// stdout. changes/diffs.py runs it.
// Usage: node --conditions=@floe/source scripts/compare/changes/changed-paths.ts
import { createInterface } from 'node:readline'
import { defaultLimits, openRepository, parseSnapshotId } from '@floe/storage/icechunk'
import { openLocalStore } from '@floe/storage/objects'
import { z } from 'zod'
import { answerDiff } from '../../../server/reading/questions/answer-diff.ts'

const SnapshotId = z.string().transform((text) => parseSnapshotId(text) ?? z.NEVER)
const Asked = z.object({
  directory: z.string(),
  from: SnapshotId,
  to: SnapshotId,
  filters: z.array(z.array(z.string())),
})

for await (const line of createInterface({ input: process.stdin })) {
  const { directory, from, to, filters } = Asked.parse(JSON.parse(line))
  const repository = openRepository(openLocalStore(directory))
  const signal = AbortSignal.timeout(120_000)
  const [before, after, logs] = await Promise.all([
    repository.readSnapshot(from, signal),
    repository.readSnapshot(to, signal),
    repository.readLogs(from, to, signal),
  ])
  const answer = await answerDiff({ before, after, logs }, { kind: 'changed-paths', from, filters }, defaultLimits)
  process.stdout.write(`${answer.toString()}\n`)
}
