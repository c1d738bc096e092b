// What suites about expectations start from: a repository with a webhook, and expectations of it.
import {
  type Database,
  type ExpectationStateChange,
  type ExpectedBranch,
  type GoodMove,
  type Judgement,
  listExpectedBranches,
  type NewExpectation,
  readHead,
  recordHeadMove,
  recordJudgements,
} from '@floe/storage/database'
import { at, commit, repositoryWith, webhook } from '../recorded.ts'

/** A freshness as it is added to a repository. */
export const fresh: NewExpectation = {
  kind: 'freshness',
  alias: null,
  branch: 'main',
  severity: 'warning',
  within: null,
  withinMs: null,
  remind: null,
  remindMs: null,
  settings: { max_age: '6h', due: null, days: null, path: null },
  document: null,
  repos: null,
}

export const contract: NewExpectation = { ...fresh, kind: 'contract', settings: {}, document: '{"version":1}' }

export const met: Judgement = { verdict: 'met', facts: { found: 0 } }
export const unmet: Judgement = { verdict: 'unmet', facts: { found: 1 } }

/** Writes an event as it was recorded. */
export const describeChange = (change: ExpectationStateChange | GoodMove) => {
  const { name, branch } = change
  if (name === 'GoodMoved') {
    const { from, to, behind, reason } = change
    const details = { since: 0, head: `${from} to ${to}, ${behind} behind`, reason }
    return { payload: JSON.stringify({ event: name, details }), line: `${name} ${branch}` }
  }
  const { since, isReminder, state } = change
  const details = { since: since.getTime() - at(0).getTime(), head: state.headId, reason: state.reason, isReminder }
  return { payload: JSON.stringify({ event: name, details }), line: `${name} ${branch}` }
}

/** A repository whose events all go to one webhook. */
export async function expectedRepository(db: Database, name = 'weather') {
  const events = ['NewCommit', 'ExpectationUnmet', 'ExpectationMet'] as const
  const { repoId, receivers } = await repositoryWith(db, [webhook('hook', { events, branches: ['**'] })], name)
  const repository = { id: repoId, org: 'acme', name }
  return {
    repository,
    receiver: receivers.get('hook'),
    move: async (snapshotId: string, ms: number, branch = 'main') => {
      const previous = await readHead(db, repoId, branch)
      const event = { payload: '{"event":"NewCommit"}', line: 'moved' }
      const head = { repoId, branch, snapshotId, commit: { ...commit, writtenAt: at(ms) } }
      await recordHeadMove(db, { ...head, previous, event }, at(ms))
    },
    /** The branch with this name of the first expectation that has it. */
    find: async (branch = 'main') => {
      const found = (await listExpectedBranches(db, repository)).find((one) => one.branch === branch)
      if (found === undefined) throw new Error(`${branch} is not expected`)
      return found
    },
    judge: (from: ExpectedBranch, judgement: Judgement, ms: number, on = db, isAboutHead = false) =>
      recordJudgements(on, repository, [{ from, judgement, isAboutHead }], describeChange, { checkedAt: at(ms) }),
    /** The events of expectations in the repository. */
    listEvents: async () => {
      const rows = await db
        .selectFrom('events')
        .select(['payload', 'sequence', 'line'])
        .where('repo_id', '=', repoId)
        .where('name', '<>', 'NewCommit')
        .orderBy('position')
        .execute()
      return rows.map(({ payload, sequence, line }) => {
        const { since, head, reason, isReminder } = JSON.parse(payload).details
        const parts = [`${line} #${sequence} since ${since}`, head && `at ${head}`, reason, isReminder && 'again']
        return parts.filter(Boolean).join(', ')
      })
    },
  }
}

/** The kinds of statements other than `select` that `run` executes. */
export async function listWrites(db: Database, run: (spied: Database) => Promise<unknown>): Promise<readonly string[]> {
  const writes: string[] = []
  const spied = db.withPlugin({
    transformQuery: ({ node }) => {
      if (node.kind !== 'SelectQueryNode') writes.push(node.kind)
      return node
    },
    transformResult: async ({ result }) => result,
  })
  await run(spied)
  return writes
}
