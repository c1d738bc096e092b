import type { PromiseSection } from '../proven-promise.ts'

const checkRefs = 'server/notifications/watch/check-refs.ts'
const checkRefsTest = 'server/notifications/watch/check-refs.test.ts'
const recordEvent = 'storage/database/events/record-event.ts'
const pathsTest = 'server/notifications/changed-paths.test.ts'
const payloadTest = 'storage/database/events/show-payload.test.ts'
const selectionsTest = 'server/metadata/events/selections.test.ts'

/** Which branches, tags, events and paths receivers and streams hear of. */
export const subscriptions: PromiseSection = {
  title: 'Subscriptions',
  introduction:
    "Floe's own promises. `npm run compare -- notifications` and `-- diffs` compare random changes with the official library: see " +
    '[measurements](measurements.md).',
  promises: [
    {
      promise: 'only the branches and tags that a receiver or a stream names are watched, besides `main`',
      test: [checkRefsTest, 'without a receiver that names them, other refs cause nothing'],
      mutation: [
        'storage/database/heads/selection.ts',
        'mainAlone: WatchedSelection = { branches: [], tags: false }',
        "mainAlone: WatchedSelection = { branches: ['dev'], tags: false }",
      ],
    },
    {
      promise: 'a receiver gets the events of its `branches` alone',
      test: [checkRefsTest, 'a receiver gets the events of its branches alone'],
      mutation: [recordEvent, "ref.kind === 'branch' && !selectsBranch(row, ref.name)", "ref.name === ''"],
    },
    {
      promise: 'a receiver gets its `events` alone',
      test: [checkRefsTest, 'a receiver gets the events of its branches alone'],
      mutation: [recordEvent, '!parseEvents(row.events).includes(name)', '!parseEvents(row.events)'],
    },
    {
      promise: 'a branch that exists when it is named first causes nothing; its moves count from there',
      test: [checkRefsTest, 'a branch that exists when it is named causes nothing; its moves are counted from there'],
      mutation: [checkRefs, 'branches.push({ repoId: entry.id, branch, snapshotId, commit })', 'void commit'],
    },
    {
      promise:
        'a branch that appears causes `BranchCreated`, and `NewCommit` only if no watched branch had reached its head',
      test: [checkRefsTest, 'a branch that appears is told, and its head only if no watched branch had reached it'],
      mutation: [checkRefs, 'firstCommit: isReached ? undefined : firstCommit', 'firstCommit'],
    },
    {
      promise: 'a branch that goes causes `BranchDeleted`; one that comes back is new, and goes on counting',
      test: [checkRefsTest, 'a branch that goes is told with its last head, and one that comes back is new'],
      mutation: [recordEvent, 'return (last ?? 0) + 1', 'return 1'],
    },
    {
      promise: 'tags cause `TagCreated` and `TagDeleted`; one that was deleted and made again is two events',
      test: [checkRefsTest, 'tags are told only to those who ask; one that was made again is two events'],
      mutation: [checkRefs, 'if (tags.get(tag) !== snapshotId) await', 'if (!tags.has(tag)) await'],
    },
    {
      promise: 'what is no longer named is forgotten, and counts anew when it is named again',
      test: [checkRefsTest, 'what is no longer named is forgotten, and counts anew when it is named again'],
      mutation: [
        checkRefs,
        'const forgotten = [...known.keys()].filter((branch) => !matchesSome(selection.branches, branch))',
        'const forgotten: string[] = []',
      ],
    },
    {
      promise: 'in patterns, `*` stands for any characters except `/`, `**` for any characters, and `?` for one',
      test: ['storage/globs.test.ts', 'patterns match whole texts'],
      mutation: ['storage/globs.ts', "shallow !== undefined && text[shallow.text] !== '/'", 'shallow !== undefined'],
    },
    {
      promise: 'with `paths`, `NewCommit` is sent only if a node with such a path changed',
      test: [pathsTest, 'a webhook gets the commits that changed its paths, and what changed if it asks'],
      mutation: [recordEvent, 'changes?.matches.get(row.paths) ?? true', 'true'],
    },
    {
      promise: 'with `paths`, `NewCommit` is sent where it cannot be told what changed',
      test: [pathsTest, 'a move whose changes cannot be told is sent to all, and says so'],
      mutation: [
        'server/reading/diff/find-changed-paths.ts',
        'matches: filters.map(() => true), changes: null',
        'matches: filters.map(() => false), changes: null',
      ],
    },
    {
      promise: '`details.changes` is absent unless the webhook sets `include_changes`',
      test: [payloadTest, 'other receivers and other events get the recorded bytes'],
      mutation: ['storage/database/events/show-payload.ts', 'includes_changes === 0 || ', ''],
    },
    {
      promise: '`details.changes` is null where it cannot be told what changed',
      test: [payloadTest, 'a receiver that asks is told what a head move changed, and null where that cannot be told'],
      mutation: [
        'storage/database/events/show-payload.ts',
        '!payload.startsWith(headMove)) return',
        'changes === null) return',
      ],
    },
    {
      promise: 'a stream carries the events that it selects with `events` and `branches`',
      test: [selectionsTest, 'a stream carries the events that it selects, of the branches that it selects'],
      mutation: [
        'server/metadata/events/event-stream.ts',
        'branch === null || matchesSome(branches, branch)',
        'branch === null || branches.length > 0',
      ],
    },
  ],
}
