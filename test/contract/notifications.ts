// Generates notifications that follow the contract, and changed ones that may break it.
import type { NewCommit } from '@floe/contract'
import fc from 'fast-check'

const commit = {
  snapshot_id: 'P874YS3J196959RDHX7G',
  commit_message: 'Add the 12 UTC run 🛰️',
  written_at: '2026-11-21T12:00:00.123Z',
  author_id: 'ada@example.org',
}

/** One notification. */
export const notification: NewCommit = {
  event: 'NewCommit',
  details: {
    org_name: 'acme',
    repo_name: 'weather',
    repo_id: '0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11',
    branch: 'main',
    parent_snapshot_id: '1CECHNKREP0F1RSTCMT0',
    ...commit,
    previous_snapshot_id: '1CECHNKREP0F1RSTCMT0',
    commits: [commit],
    commits_unavailable_reason: null,
  },
}

/** Strings of any UTF-16 code units, so that lone surrogates are among them. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) }),
)
const snapshotId = fc.stringMatching(/^[0-9A-HJKMNP-TV-Z]{19}[0G]$/)
const repoName = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 255, size: 'max' })
  // oxlint-disable-next-line no-control-regex -- the rule for names
  .filter((name) => !/[\u0000-\u001f\u007f-\u009f]/.test(name))
const commits = fc.record({
  snapshot_id: snapshotId,
  commit_message: text,
  author_id: text,
  written_at: fc
    .date({ min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
    .map((date) => date.toISOString()),
})

const situation = fc.oneof(
  fc.record({
    previous_snapshot_id: snapshotId,
    commits: fc.array(commits, { minLength: 1, maxLength: 4 }),
    commits_unavailable_reason: fc.constant(null),
  }),
  fc.record({
    previous_snapshot_id: fc.constant(null),
    commits: fc.constant(null),
    commits_unavailable_reason: fc.constant('first_observation'),
  }),
  fc.record({
    previous_snapshot_id: snapshotId,
    commits: fc.constant(null),
    commits_unavailable_reason: fc.constantFrom('repo_format_v1', 'history_rewritten', 'too_many_commits'),
  }),
)

const head = fc.record({
  org_name: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/),
  repo_name: repoName,
  repo_id: fc.uuid(),
  branch: fc.string({ unit: 'binary', minLength: 1 }),
  parent_snapshot_id: fc.option(snapshotId),
})

/** Any notification, as the text that is sent. */
export const notificationText: fc.Arbitrary<string> = fc
  .tuple(head, commits, situation)
  .map(([head, commit, situation]) =>
    JSON.stringify({ event: 'NewCommit', details: { ...head, ...commit, ...situation } }),
  )

type Mutation = (value: unknown) => unknown

const wrongTexts: readonly string[] = ['', 'NewCommit', 'first_observation', '2026-02-30T12:00:00.000Z']
const insertion = fc.constantFrom('\n', '\0', '\ud800', 'a', 'I', '0', '-', 'Z', '🛰️', '١', 'x'.repeat(255))

/** Changes of one value. Some of them leave the notification valid. */
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.jsonValue().map((other) => () => other),
  fc.constantFrom(...wrongTexts, null, 0, -1, 0.5, 2 ** 53, 1e300, [], {}).map((other) => () => other),
  fc.tuple(fc.nat(40), insertion).map(([at, inserted]): Mutation => (value) => {
    return typeof value === 'string' ? value.slice(0, at) + inserted + value.slice(at) : value
  }),
  fc.nat(40).map((at): Mutation => (value) => {
    return typeof value === 'string' ? value.slice(0, at) + value.slice(at + 1) : value
  }),
  fc.constant<Mutation>((value) => (typeof value === 'string' ? value.toLowerCase() : value)),
  fc.constant(() => undefined),
  fc.constantFrom('extra', '__proto__', 'constructor', '').map((name): Mutation => (value) => {
    return isRecord(value) ? JSON.parse(`{${JSON.stringify(name)}:1,${JSON.stringify(value).slice(1)}`) : value
  }),
)

/** Notifications with one changed value, as text. Most of them are no longer valid. */
export const mutatedText: fc.Arbitrary<string> = fc
  .tuple(notificationText, fc.nat(), mutation)
  .map(([text, at, mutate]) => {
    let count = 0
    JSON.parse(text, (_, value: unknown) => (count++, value))
    let index = 0
    const mutated: unknown = JSON.parse(text, (_, value: unknown) => (index++ === at % count ? mutate(value) : value))
    return JSON.stringify(mutated) ?? 'null'
  })

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
}
