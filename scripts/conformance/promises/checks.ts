import type { PromiseSection } from '../proven-promise.ts'

const postChecks = 'storage/records/database/checks/post-checks.ts'

/** What pipelines say of snapshots. */
export const checks: PromiseSection = {
  title: 'Checks',
  introduction: "Floe's own promises.",
  promises: {
    'only keys of checkers and administrators post checks, and only to the repositories that they cover': [
      'server/http/access/access-hook.ts',
      "if (caller.role === 'reader')",
      'if (false)',
    ],
    'a report of checks is recorded whole or not at all': [postChecks, 'names.size > maxChecks.ofSnapshot', 'false'],
    'each change of the state of a check is told once': [postChecks, 'known.get(name)?.state !== state', 'true'],
    'a repository keeps its newest checks': [postChecks, 'order by posted_at desc,', 'order by posted_at asc,'],
    '`main@good` is taken wherever a ref is, and names the newest good head that still exists': [
      'server/metadata/answering/last-good.ts',
      "filter(([, { state }]) => state === 'good')",
      'filter(() => true)',
    ],
    'the link of a check is an https URL without credentials': ['contract/schemas/values.ts', '/^https:', '/^\\w+:'],
  },
}
