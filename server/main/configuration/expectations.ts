// The `expectations` section of `floe.yaml`: how old the last commit of branches may become, and which share of their
// chunks must be written.
import { ExpectedBranch, Glob, MaxAge, OrgName, parseMaxAge, WrittenShare } from '@floe/contract'
import { maxExpectations } from '@floe/storage/database'
import { z } from 'zod'

const Expectation = z
  .strictObject({
    org: OrgName,
    /** A pattern of the names of repositories. */
    repo: Glob,
    branch: ExpectedBranch.default('main'),
    path: Glob.nullable().default(null),
    maxAge: MaxAge.nullable().default(null),
    written: WrittenShare.nullable().default(null),
  })
  .refine(({ maxAge, written }) => (maxAge === null) !== (written === null), {
    path: ['maxAge'],
    message: 'must be given if `written` is not, and only then',
  })
  .transform(({ repo: repos, ...expectation }) => {
    const { maxAge } = expectation
    return { ...expectation, repos, maxAgeMs: maxAge === null ? null : parseMaxAge(maxAge) }
  })

/** The `expectations` section. */
export const Expectations = z
  .array(Expectation)
  .max(1_000)
  .superRefine((expectations, context) => {
    for (const [name, same] of Map.groupBy(expectations, ({ org, repos }) => `${org}/${repos}`)) {
      if (same.length <= maxExpectations) continue
      context.addIssue({ code: 'custom', message: `has more than ${maxExpectations} expectations for ${name}` })
    }
  })
  .default([])
