import { explainFailure } from '../explain-failure.ts'

export type Finding = {
  readonly kind: 'configuration' | 'database' | 'secrets' | 'repository' | 'receiver'
  /** Name of the checked object. */
  readonly name: string
  readonly ok: boolean
  readonly detail: string
}

/** Makes findings about one object. */
export const reportOn =
  (kind: Finding['kind'], name: string) =>
  (ok: boolean, detail: string): Finding => ({ kind, name, ok, detail })

export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'took too long'
  return explainFailure(error) ?? `${error.name}: ${error.message}`
}
