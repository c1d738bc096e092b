import { readFile } from 'node:fs/promises'
import { SentNewCommit } from '@floe/contract'
import { openRepository } from '@floe/storage/icechunk'
import { openLocalStore, type ObjectStore } from '@floe/storage/objects'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { t } from 'tap'
import { describeEvent } from '../../../../server/events/describe-event.ts'
import { describeHeadMove } from '../../../../server/notifications/watch/checks/head-move.ts'
import { notification } from '../../../contract/notifications.ts'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { buildRepo, buildId } from '../../../storage/repositories/icechunk/build-object.ts'
import { countReads } from '../../catalog/count-reads.ts'
import { readHistory, type FixtureHistory } from '../fixture-histories.ts'

const repoId = '0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11'
const { signal } = new AbortController()

/** Describes the head move of a fixture after `lastId`. */
async function moveFrom(
  { directory }: FixtureHistory,
  lastId: string | null,
  { maxCommits, store = openLocalStore(directory) }: { maxCommits?: number; store?: ObjectStore } = {},
) {
  const state = await openRepository(store).readState(signal)
  const head = state.main
  if (head === null) throw new Error('the fixture has no main')
  const repository = { org: 'acme', name: 'weather', id: repoId }
  const previous = lastId === null ? null : { snapshotId: lastId }
  const move = { repository, branch: 'main', state, snapshotId: head, previous }
  const { payload, line } = await describeHeadMove(move, signal, maxCommits)
  return { payload, line, details: SentNewCommit.parse(JSON.parse(payload)).details }
}

// Proves: `org_name` and `repo_name` name the repository, and `commit_message` is the message of the head
// Proves: `snapshot_id` is the new head
// Proves: `parent_snapshot_id` is the parent of the head
// Proves: `written_at` is the time of the commit of the head, in ISO 8601 and UTC
// Proves: the reason is `first_observation` in the first notification of a branch
t.test('a first observation lists no commits, in either format version', async (t) => {
  for (const name of ['weather', 'weather-v1']) {
    const fixture = await readHistory(name)
    const { details, line } = await moveFrom(fixture, null)
    const writtenAt = new Date(fixture.snapshots[fixture.head]?.writtenAt ?? '').toISOString()
    t.strictSame(details, {
      org_name: 'acme',
      repo_name: 'weather',
      repo_id: repoId,
      branch: 'main',
      snapshot_id: fixture.head,
      parent_snapshot_id: fixture.ids[1],
      previous_snapshot_id: null,
      commit_message: 'State the licence',
      written_at: writtenAt,
      author_id: 'unknown',
      commits: null,
      commits_unavailable_reason: 'first_observation',
    })
    t.equal(line, `acme/weather branch main is now at ${fixture.head}: State the licence`)
  }
})

// Proves: `event` of a head move is `NewCommit`, and `details` has these members in this order
// Proves: each commit in `commits` has `snapshot_id`, `commit_message`, `written_at` and `author_id`
t.test('the payload has the members of the specification in its order, and no others', async (t) => {
  const fixture = await readHistory('weather')
  const [head = '', parent = '', , last = ''] = fixture.ids
  const { payload } = await moveFrom(fixture, last)
  const { event, details } = JSON.parse(payload)
  t.strictSame(Object.keys(JSON.parse(payload)), ['event', 'details'])
  t.equal(event, 'NewCommit')
  t.strictSame(Object.keys(details), [
    'org_name',
    'repo_name',
    'repo_id',
    'branch',
    'snapshot_id',
    'parent_snapshot_id',
    'previous_snapshot_id',
    'commit_message',
    'written_at',
    'author_id',
    'commits',
    'commits_unavailable_reason',
  ])
  t.match(details, { snapshot_id: head, parent_snapshot_id: parent, previous_snapshot_id: last })
  for (const commit of details.commits)
    t.strictSame(Object.keys(commit), ['snapshot_id', 'commit_message', 'written_at', 'author_id'])
})

// Proves: `author_id` is the author, or `unknown`
// Proves: `commits` are all commits after the previous head up to the new head, oldest first
t.test('commits since the last head are listed, oldest first, with their authors', async (t) => {
  const fixture = await readHistory('weather')
  const [head, second, third, last] = fixture.ids
  const { details } = await moveFrom(fixture, last ?? '')
  t.match(details, {
    previous_snapshot_id: last,
    commits_unavailable_reason: null,
    commits: [
      { snapshot_id: third, author_id: 'night-run' },
      {
        snapshot_id: second,
        author_id: 'ada@example.org',
        commit_message: 'Add station observations\n\nHourly reports of four coastal stations.',
      },
      { snapshot_id: head, author_id: 'unknown', commit_message: details.commit_message },
    ],
  })
  t.equal(details.commits?.length, 3)
})

// Proves: `parent_snapshot_id` is null for the first commit of a repository
t.test('the parent of the first commit of a repository is null', async (t) => {
  const repo = buildRepo({ snapshots: [{ id: buildId(1), parent: -1, message: 'First' }], branches: [['main', 0]] })
  const state = await openRepository(new MemoryStore([['repo', repo]])).readState(signal)
  const repository = { org: 'acme', name: 'weather', id: repoId }
  const move = { repository, branch: 'main', state, snapshotId: buildId(1), previous: null }
  const { payload } = await describeHeadMove(move, signal)
  t.match(SentNewCommit.parse(JSON.parse(payload)).details, { snapshot_id: buildId(1), parent_snapshot_id: null })
})

// Proves: the reason is `too_many_commits` when there are more than 250 commits
t.test('no more commits than the maximum are listed', async (t) => {
  const fixture = await readHistory('weather')
  const last = fixture.ids[3] ?? ''
  t.equal((await moveFrom(fixture, last, { maxCommits: 3 })).details.commits?.length, 3)
  const { details } = await moveFrom(fixture, last, { maxCommits: 2 })
  t.match(details, { previous_snapshot_id: last, commits: null, commits_unavailable_reason: 'too_many_commits' })
})

/** Describes the move of `main` from the first of these commits to the last, all by one author. */
async function moveThrough(messages: readonly string[], author?: string) {
  const snapshots = messages.map((message, index) => ({
    id: buildId(index + 1),
    parent: index - 1,
    message,
    ...(author !== undefined && { author }),
  }))
  const repo = buildRepo({ snapshots, branches: [['main', snapshots.length - 1]] })
  const state = await openRepository(new MemoryStore([['repo', repo]])).readState(signal)
  const move = {
    branch: 'main',
    repository: { org: 'acme', name: 'weather', id: repoId },
    state,
    snapshotId: buildId(snapshots.length),
    previous: { snapshotId: buildId(1) },
  }
  const { payload, commit } = await describeHeadMove(move, signal)
  const { details } = SentNewCommit.parse(JSON.parse(payload))
  return { payload, bytes: Buffer.byteLength(payload), details, commit }
}

t.test('commits are listed while the payload stays within 256,000 bytes', async (t) => {
  const listMessages = (count: number, end: number) => [
    '',
    ...Array<string>(count).fill('ä'.repeat(5_000)),
    'x'.repeat(end),
  ]
  const { bytes } = await moveThrough(listMessages(24, 0))
  const left = 256_000 - bytes
  t.ok(left > 2 && left < 20_000)
  // The head's message stands in the payload twice: in the details, and in the list.
  const full = await moveThrough(listMessages(24, Math.floor(left / 2)))
  t.ok(full.bytes > 255_998 && full.bytes <= 256_000)
  t.equal(full.details.commits?.length, 25)
  const beyond = await moveThrough(listMessages(24, Math.floor(left / 2) + 1))
  t.match(beyond.details, {
    previous_snapshot_id: buildId(1),
    commits: null,
    commits_unavailable_reason: 'too_many_commits',
  })
  t.ok(beyond.bytes < 20_000)
})

t.test('a NUL is sent, and replaced in the recorded head, because PostgreSQL refuses it', async (t) => {
  const { details, commit } = await moveThrough(['', 'a\0b'], 'Ada\0')
  t.match(details, { commit_message: 'a\0b', author_id: 'Ada\0' })
  t.match(commit, { message: 'a\ufffdb', author: 'Ada\ufffd' })
})

t.test('texts have at most the characters that the published schema allows, and are cut to just as many', async (t) => {
  const schema = JSON.parse(
    await readFile(new URL('../../../../contract/notification.schema.json', import.meta.url), 'utf8'),
  )
  const validate = addFormats.default(new Ajv2020({ strict: true })).compile(schema)
  const cases = (max: number) => [
    ['x'.repeat(max), 'x'.repeat(max)],
    ['x'.repeat(max + 1), `${'x'.repeat(max - 1)}…`],
    ['🌊'.repeat(max), '🌊'.repeat(max)],
    ['🌊'.repeat(max + 1), `${'🌊'.repeat(max - 1)}…`],
    // The last character that stays, and the first that goes, has two UTF-16 units.
    [`${'x'.repeat(max - 2)}🌊xx`, `${'x'.repeat(max - 2)}🌊…`],
    [`${'x'.repeat(max - 1)}🌊x`, `${'x'.repeat(max - 1)}…`],
    [`${'x'.repeat(max - 1)}🌊`, `${'x'.repeat(max - 1)}🌊`],
  ]
  for (const [text = '', expected] of cases(16_384)) {
    const { payload, details } = await moveThrough(['', text])
    t.equal(details.commit_message, expected)
    t.equal(details.commits?.at(-1)?.commit_message, expected)
    t.ok(validate(JSON.parse(payload)))
  }
  for (const [text = '', expected] of cases(1_024)) {
    const { payload, details } = await moveThrough(['', ''], text)
    t.equal(details.author_id, expected)
    t.equal(details.commits?.at(-1)?.author_id, expected)
    t.ok(validate(JSON.parse(payload)))
  }
  const details = { ...JSON.parse((await moveThrough(['', ''])).payload).details }
  for (const [member, max] of Object.entries({ commit_message: 16_384, author_id: 1_024 })) {
    for (const [text, isValid] of [
      ['🌊'.repeat(max), true],
      ['🌊'.repeat(max + 1), false],
    ] as const) {
      const value = { event: 'NewCommit', details: { ...details, [member]: text } }
      t.equal(validate(value), isValid)
      t.equal(SentNewCommit.safeParse(value).success, isValid)
    }
  }
})

// Proves: the reason is `history_rewritten` after a reset
t.test('a last head that is not an ancestor means that history was rewritten', async (t) => {
  for (const name of ['reset', 'expired']) {
    const fixture = await readHistory(name)
    const lost = Object.keys(fixture.snapshots).filter((id) => !fixture.ids.includes(id))
    t.ok(lost.length > 0, `${name} has left commits behind`)
    for (const last of [...lost, '0000000000000000000G']) {
      const { details } = await moveFrom(fixture, last)
      t.match(details, { previous_snapshot_id: last, commits: null, commits_unavailable_reason: 'history_rewritten' })
    }
  }
})

t.test('a head that was seen in version 1 is an ancestor after the migration', async (t) => {
  const fixture = await readHistory('migrated')
  const [head, lastOfVersion1] = fixture.ids
  const { details } = await moveFrom(fixture, lastOfVersion1 ?? '')
  t.strictSame(
    details.commits?.map(({ snapshot_id }) => snapshot_id),
    [head],
  )
})

// Proves: the reason is `repo_format_v1` for format version 1, whose history would cost a request for each commit
t.test('version 1 costs one snapshot; its history is not walked', async (t) => {
  const fixture = await readHistory('weather-v1')
  const { store, reads } = countReads(openLocalStore(fixture.directory))
  const { details } = await moveFrom(fixture, fixture.ids[2] ?? '', { store })
  t.match(details, { commits: null, commits_unavailable_reason: 'repo_format_v1' })
  t.strictSame(reads.toSorted(), ['refs/branch.main/ref.json', 'repo', `snapshots/${fixture.head}`])
})

// Proves: chats get `<org>/<repo> branch <branch> is now at <snapshot_id>: <commit_message>` as plain text
t.test('the line is plain text of one line, whatever a commit message holds', (t) => {
  const start = 'acme/weather branch main is now at P874YS3J196959RDHX7G: '
  const repository = { org: 'acme', name: 'weather', id: notification.details.repo_id }
  const writeLine = (commit_message: string) =>
    describeEvent('NewCommit', repository, {
      ...notification.details,
      snapshot_id: 'P874YS3J196959RDHX7G',
      commit_message,
    }).line
  t.equal(writeLine('Append  <b>data</b> ü 🌊'), `${start}Append  <b>data</b> ü 🌊`)
  t.equal(writeLine(''), start)
  t.equal(writeLine('first\r\n\r\n\tsecond\u2028third'), `${start}first second third`)
  t.equal(writeLine('a\0b\u001b[31mc\u007f\u009fd'), `${start}ab[31mcd`)
  t.equal(writeLine('\u202egnp.\u2066exe\u2069\u200f\u061c'), `${start}gnp.exe`)
  t.equal(Array.from(writeLine('🌊'.repeat(5_000))).length, 2_000)
  t.equal(writeLine('🌊'.repeat(5_000)), start + '🌊'.repeat(2_000 - start.length))
  t.end()
})
