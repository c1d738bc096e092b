// Every group of every repository in test/fixtures, against what xarray and xpublish answered.
import { readdirSync, readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { describeGroup } from '../../../scripts/describe-group.ts'
import { openRepository } from '../../../storage/icechunk/index.ts'
import { openLocalStore } from '../../../storage/objects/index.ts'

type Answer = { readonly info: string; readonly keys: string; readonly dict: string } | { readonly error: string }
/** Answers by group by snapshot id; test/fixtures/README.md tells the rest. */
type Expected = { readonly datasets: Readonly<Record<string, Readonly<Record<string, Answer>>>> }

const fixtures = new URL('../../fixtures/', import.meta.url)
const { signal } = new AbortController()

for (const name of readdirSync(new URL('repositories', fixtures))) {
  t.test(`${name} is described as xarray describes it`, async (t) => {
    const repository = openRepository(openLocalStore(new URL(`repositories/${name}`, fixtures).pathname))
    // The file is written by scripts/make-fixtures.py.
    const { datasets } = JSON.parse(readFileSync(new URL(`expected/${name}.json`, fixtures), 'utf8')) as Expected
    for (const [id, answers] of Object.entries(datasets)) {
      const { snapshotId } = await repository.resolve(id, signal)
      const snapshot = await repository.snapshot(snapshotId, signal)
      for (const [group, answer] of Object.entries(answers)) {
        // A repository without commits has no root group; the stack's answer says so, and there is nothing to describe.
        if (snapshot.node(group) === undefined) t.ok('error' in answer, `${group} does not exist`)
        else compare(t, group, describeGroup(snapshot, group), answer)
      }
    }
  })
}

function compare(t: Test, group: string, ours: Answer, theirs: Answer) {
  if ('error' in theirs) t.ok('error' in ours, `${group}: refused, as by the stack: ${theirs.error}`)
  else t.strictSame(ours, withoutInfinity(theirs), group)
}

/** The stack prints numbers beyond the doubles as the bare word Infinity, which is not JSON. */
function withoutInfinity(texts: Answer) {
  return Object.fromEntries(
    Object.entries(texts).map(([view, text]) => [view, text.replaceAll(/-?Infinity(?=[,}\]])/g, 'null')]),
  )
}
