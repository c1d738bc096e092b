import type { PromiseSection } from '../proven-promise.ts'

const checkRefs = 'server/notifications/watch/check-refs.ts'
const checkRefsTest = 'server/notifications/watch/check-refs.test.ts'
const recordEvent = 'storage/database/events/record-event.ts'
const pathsTest = 'server/notifications/changed-paths.test.ts'
const stateChangeTest = 'storage/database/deliveries/record-state-change.test.ts'
const noticesTest = 'server/notifications/notices.test.ts'
const readabilityTest = 'server/notifications/watch/readability.test.ts'
const payloadTest = 'storage/database/events/show-payload.test.ts'
const replay = 'storage/database/deliveries/replay.ts'
const replayTest = 'storage/database/deliveries/replay.test.ts'
const selectionsTest = 'server/metadata/events/selections.test.ts'

/** Which branches, tags, events and paths receivers and streams hear of, and what they can get again. */
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
      mutation: [checkRefs, 'reached.has(snapshotId) ? [] : [', "snapshotId === '' ? [] : ["],
    },
    {
      promise: 'a branch that goes causes `BranchDeleted`; one that comes back is new, and goes on counting',
      test: [checkRefsTest, 'a branch that goes is told with its last head, and one that comes back is new'],
      mutation: [recordEvent, 'return (last ?? 0) + 1', 'return 1'],
    },
    {
      promise: 'tags cause `TagCreated` and `TagDeleted`; one that was deleted and made again is two events',
      test: [checkRefsTest, 'tags are told only to those who ask; one that was made again is two events'],
      mutation: [checkRefs, 'if (tags.get(name) === snapshotId) continue', 'if (tags.has(name)) continue'],
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
    {
      promise: 'only receivers of an organisation can select notices',
      test: [noticesTest, 'receivers of a repository, and streams, cannot select notices'],
      mutation: [
        'contract/schemas/administration/receiver.ts',
        '(names) => !names.some(isNotice)',
        '(names) => names.length > 0 || names.some(isNotice)',
      ],
    },
    {
      promise: 'a receiver that is disabled causes one `ReceiverDisabled`, however many of its attempts fail',
      test: [stateChangeTest, 'SQLite: attempts of several processes that fail at the same time cause one notice'],
      mutation: ['storage/database/deliveries/record-state-change.ts', 'if (before.is_enabled === 0) return true', ''],
    },
    {
      promise: '`ReceiverFailing` is sent after the third attempt, and again only after a success',
      test: [
        stateChangeTest,
        'SQLite: a receiver that fails three attempts is told of once, until it accepts something',
      ],
      mutation: [
        'storage/database/deliveries/attempts.ts',
        'is_failure_noticed = case when ${isGood} then 0 else is_failure_noticed end',
        'is_failure_noticed = is_failure_noticed',
      ],
    },
    {
      promise: '`RepositoryUnreadable` and `RepositoryBack` are sent once, after at least a minute',
      test: [readabilityTest, 'a repository that cannot be read for a minute is told of once, and so is its return'],
      mutation: ['server/notifications/watch/readability.ts', 'minUnreadableMs = 60_000', 'minUnreadableMs = 1_000'],
    },
    {
      promise: 'a replay sends what a webhook failed to accept again, in order and after what is new',
      test: [replayTest, 'SQLite: what was given up or discarded is sent again in order, after what is new'],
      mutation: [replay, '${sql.lit(firstReplayTurn)} + deliveries.number', 'deliveries.number'],
    },
    {
      promise: 'at most 10,000 deliveries are replayed at once',
      test: [replayTest, 'SQLite: ten thousand can be replayed at once, and one more is refused'],
      mutation: [replay, 'if (queued > maxReplayed)', 'if (queued < 0)'],
    },
  ],
}
