// Expectations with the settings and facts of the examples in the contract.
import { expectationKinds } from '@floe/contract'
import type { ExpectationKindName } from '@floe/contract/lists'
import type { BranchState, Expectation, KindObject } from '@floe/storage/database'

export function sampleExpectation(kind: ExpectationKindName): Expectation {
  const at = new Date('2026-11-20T08:00:00.000Z')
  return {
    number: 1,
    id: '3f0c1c52-7a0e-4d5b-8d21-6e0b6a4d2f17',
    org: 'acme',
    repoId: '0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11',
    repos: null,
    kind,
    alias: 'tile server',
    branch: 'main',
    severity: 'warning',
    within: null,
    withinMs: null,
    remind: null,
    remindMs: null,
    settings: { ...expectationKinds[kind].example.settings },
    isDeclared: false,
    version: 1,
    createdAt: at,
    updatedAt: at,
  }
}

export function sampleState(kind: ExpectationKindName, verdict: 'met' | 'unmet'): BranchState {
  const since = verdict === 'unmet' ? new Date('2026-11-21T18:00:00.000Z') : null
  const facts: KindObject = { ...expectationKinds[kind].example[verdict] }
  return {
    version: 1,
    headId: 'VHQMPVTZR0SCMXSGH9SG',
    verdict,
    failingSince: since,
    unmetSince: since,
    toldAt: since,
    facts,
    reason: null,
    dueAt: null,
  }
}
