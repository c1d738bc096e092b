import type { PromiseSection } from '../proven-promise.ts'

const recordJudgement = 'storage/records/database/contracts/record-judgement.ts'

/** Who is told when a branch breaks what its readers rely on. */
export const contracts: PromiseSection = {
  title: 'Contracts',
  introduction: "Floe's own promises.",
  promises: {
    'each change of the state of a contract is told once': [
      recordJudgement,
      'findStateChange(before?.brokenSince ?? null, ',
      'findStateChange(null, ',
    ],
    'a judgement of a contract that another process overtook is ignored': [
      recordJudgement,
      'version === from.version &&',
      'true ||',
    ],
    'a head that cannot be judged changes no state of a contract': [
      recordJudgement,
      'return { state, brokenSince, breaks, breakingChanges, unknownReason: makeStorable(judgement.reason) }',
      'return { state, brokenSince: null, breaks, breakingChanges, unknownReason: makeStorable(judgement.reason) }',
    ],
    'a service that was down tells once which contracts are broken when it is back': [
      'storage/records/database/contracts/contracts.ts',
      'findings?.headId === headId &&',
      'findings !== null &&',
    ],
    'checks do not wait for judgements': [
      'server/notifications/watch/watched-repository.ts',
      'this.#judgements.noteCheck({ judged, version: head.version, startedAt })',
      'this.#judgements.noteCheck({ judged, version: head.version, startedAt })\n      await this.#judgements.ended',
    ],
    'contracts in `floe.yaml` keep their state when the service starts again': [
      'storage/records/database/contracts/declared-contracts.ts',
      '!wanted.has(',
      "'' !== (",
    ],
    'a repository has at most 20 contracts': [
      'storage/records/database/contracts/change-contracts.ts',
      '>= maxContracts',
      '>= 1_000',
    ],
  },
}
