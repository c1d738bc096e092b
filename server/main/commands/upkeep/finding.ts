import { explainFailure } from '../explain-failure.ts'

/** What one check has found. */
export type Finding = {
  readonly kind: 'configuration' | 'database' | 'secrets' | 'repository' | 'receiver'
  /** What was checked. */
  readonly name: string
  readonly ok: boolean
  readonly detail: string
}

/** Makes findings about one thing. */
export const reportOn =
  (kind: Finding['kind'], name: string) =>
  (ok: boolean, detail: string): Finding => ({ kind, name, ok, detail })

/** Says why a check failed. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'took too long'
  return explainFailure(error) ?? `${error.name}: ${error.message}`
}
