import type { PromiseSection } from '../../proven-promise.ts'

const checkRefs = 'server/notifications/watch/checks/check-refs.ts'
const recordEvents = 'storage/records/database/events/record-events.ts'
const eventFilter = 'storage/records/event-filter.ts'
const matchTouched = 'server/reading/diff/match-touched.ts'
const replay = 'storage/records/database/deliveries/replay.ts'
const gatherDigest = 'storage/records/database/deliveries/gather-digest.ts'
const showPayload = 'storage/records/database/events/show-payload.ts'

/** Which branches, tags, events and paths receivers and streams hear of, and what they can get again. */
export const subscriptions: PromiseSection = {
  title: 'Subscriptions',
  introduction:
    "Floe's own promises. `npm run compare -- notifications` and `-- diffs` compare random changes with the official " +
    'library: see [measurements](measurements.md).',
  promises: {
    'a selection of a stream reaches only repositories that the deployment serves and the caller may read': [
      'server/metadata/events/stream-selections.ts',
      'const repos = served.patterns',
      "const repos = ['**']",
    ],
    'selections of anonymous streams leave room for those of API keys and of other deployments': [
      'storage/waiting/fair-shares.ts',
      'return isAnonymous ?',
      'return isAnonymous && caller.length > 1_000 ?',
    ],
    'branches that only anonymous streams select take no place of those that others select': [
      checkRefs,
      '=> !matchesSome(',
      '=> false && !matchesSome(',
    ],
    'only the branches and tags that a receiver or a stream names are watched, besides `main`': [
      'storage/records/database/heads/ref-selection.ts',
      'RefSelection = { branches: []',
      "RefSelection = { branches: ['dev']",
    ],
    'a receiver gets events only of the branches that its `branches` select': [
      eventFilter,
      'branch !== null &&',
      'false &&',
    ],
    'a receiver gets only its `events`': [eventFilter, '!events.includes(name)', 'false'],
    'a branch that exists when it is first named causes no event; its moves from then on do': [
      checkRefs,
      'heads.push(',
      'void (',
    ],
    'a new branch causes `BranchCreated`, and `NewCommit` unless a watched branch had reached its head': [
      checkRefs,
      'reached.has(',
      'false && reached.has(',
    ],
    'a deleted branch causes `BranchDeleted`; one that is created again is new, and its numbers go on': [
      recordEvents,
      'return last + 1',
      'return 1',
    ],
    'the numbers of a branch, tag or expectation increase, also after its events are deleted': [
      'storage/records/database/retention.ts',
      'sequences: recordDeletedSequences(db, [...whole.values()]),',
      '',
    ],
    'tags cause `TagCreated` and `TagDeleted`; one that was deleted and made again causes both': [
      checkRefs,
      '.get(name) === snapshotId',
      '.has(name)',
    ],
    'a branch that is no longer named is forgotten, and is new when it is named again': [
      checkRefs,
      '=> !selectsBranch(',
      '=> false && !selectsBranch(',
    ],
    'in patterns, `*` stands for any characters except `/`, `**` for any characters, and `?` for one': [
      'storage/globs.ts',
      "text[star.text] !== '/'",
      "text[star.text] !== ''",
    ],
    'with `paths`, `NewCommit` is sent only if a node with such a path changed': [
      eventFilter,
      '!moveEvents.has(name)',
      'true',
    ],
    'with `paths`, `NewCommit` is sent if it is unknown what changed': [
      'server/reading/diff/find-changed-paths.ts',
      '() => true',
      '() => false',
    ],
    'with `search`, `NewCommit` is sent only if it touched a dataset that the search finds': [
      eventFilter,
      'changes.found.get(writeCondition(search)) ??',
      'null ??',
    ],
    'with `search`, `NewCommit` is sent if it is unknown what it touched': [
      matchTouched,
      'compared.chunksUnavailable !== null',
      'false',
    ],
    'a search of a receiver finds a dataset if and only if the search route finds it': [
      'server/search/match/dataset-matcher.ts',
      'term.startsWith(beginning)',
      'term === beginning',
    ],
    'a commit matches a search if the search finds a dataset that it touched, before or after it, and else not': [
      matchTouched,
      '[compared.after, compared.before]',
      '[compared.after]',
    ],
    '`details.changes` is absent unless the webhook sets `include_changes`': [
      showPayload,
      '!filter.include_changes',
      'false',
    ],
    '`details.changes` is null if it is unknown what changed': [showPayload, "'null'", "'{}'"],
    'a stream carries the events that it selects with `events` and `branches`': [
      'server/metadata/events/event-stream.ts',
      '!matchesFilter(filter, event)',
      'false',
    ],
    'a receiver of `SchemaChanged` is told the verdict of each head move, after its `NewCommit`': [
      'storage/records/database/events/record-head-move.ts',
      'schemaChange !== undefined',
      'false',
    ],
    'without `compatibility`, a receiver is told of breaking and unknown changes only': [
      'contract/lists.ts',
      "compatibility: ['breaking', 'unknown']",
      "compatibility: ['breaking', 'unknown', 'compatible']",
    ],
    'where nobody selects `SchemaChanged`, nothing is asked about a head move': [
      'server/notifications/watch/checks/changes/ask-about-move.ts',
      'verdicts.size === 0',
      'false',
    ],
    'a move whose verdict cannot be computed is told as `unknown` with the reason, after its `NewCommit`': [
      'server/notifications/watch/checks/changes/ask-about-move.ts',
      "verdicts.has('unknown') ?",
      'false ?',
    ],
    'a stream carries `SchemaChanged` with the verdicts that it selects, also if no receiver wants it': [
      'server/metadata/events/stream-selections.ts',
      "!filter.events.includes('SchemaChanged')",
      'true',
    ],
    'a receiver that is enabled with the latest held deliveries gets the last commit beside the last verdict': [
      'storage/records/database/events/record-head-move.ts',
      "kind: 'verdict', name: branch",
      "kind: 'branch', name: branch",
    ],
    'only receivers of an organisation can select notices': [
      'server/notifications/receivers/organisation-members.ts',
      'noticeNames.some(',
      'false && noticeNames.some(',
    ],
    'a receiver that is disabled causes one `ReceiverDisabled`, however many of its attempts fail': [
      'storage/records/database/deliveries/record-state-changes.ts',
      'disabled.has(receiver.id) ||',
      '',
    ],
    '`ReceiverFailing` is sent after the third attempt, and again only after a success': [
      'storage/records/database/deliveries/attempts.ts',
      'then 0 else',
      'then 1 else',
    ],
    '`RepositoryUnreadable` and `RepositoryBack` are sent once, after at least a minute': [
      'server/notifications/watch/readability.ts',
      '60_000',
      '1_000',
    ],
    'what a chat is not told in its quiet hours comes as one message when they end': [
      'storage/records/digest-time.ts',
      'return end < findNext(quiet.from, now, null) ? end : null',
      'return null',
    ],
    'a receiver can select alerts by their least severity': [
      eventFilter,
      '!isAtLeast(severity, filter.severity)',
      'false',
    ],
    'critical alerts wait for no digest': [
      'storage/records/database/events/select-receivers.ts',
      "severity === 'critical'",
      'false',
    ],
    'a digest comes neither before an older delivery nor after a newer one': [
      gatherDigest,
      'before !== undefined',
      'false',
    ],
    'a digest has the same bytes when it is sent again': [
      gatherDigest,
      ".set({ digest }).where('number', '=', last)",
      ".set({ digest: null }).where('number', '=', last)",
    ],
    'a replay sends again what a webhook failed to accept, in order and after what is new': [
      replay,
      '} + deliveries.number',
      '} - deliveries.number',
    ],
    'at most 10,000 deliveries are replayed at once': [replay, 'queued >', '0 >'],
  },
}
