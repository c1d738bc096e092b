import { explainFailure } from '../explain-failure.ts'

/** The result of one check. */
export type Finding = {
  readonly kind:
    'configuration' | 'database' | 'secrets' | 'repository' | 'proxy' | 'receiver' | 'expectation' | 'issuer'
  /** Name of what was checked. */
  readonly name: string
  readonly ok: boolean
  /** Whether a person should know it although nothing is wrong. */
  readonly isNote?: true
  readonly detail: string
}

/** Returns a function that makes findings with this kind and name. */
export const reportOn =
  (kind: Finding['kind'], name: string) =>
  (ok: boolean, detail: string): Finding => ({ kind, name, ok, detail })

/** Makes a finding that a person should know although nothing is wrong. */
export function note(kind: Finding['kind'], name: string, detail: string): Finding {
  return { kind, name, ok: true, isNote: true, detail }
}

export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'took too long'
  return explainFailure(error) ?? `${error.name}: ${error.message}`
}
