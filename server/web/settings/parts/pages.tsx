import { Button } from './button.tsx'

type PagesProps = {
  /** What is listed, such as `deliveries`. */
  readonly of: string
  /** Where this page begins; undefined for the newest. */
  readonly before: string | undefined
  /** Where the next page begins, if there is one. */
  readonly next: string | null | undefined
  readonly onTurn: (before: string | undefined) => void
}

/** Buttons to the newer and older pages of a list. */
export function Pages({ of, before, next, onTurn }: PagesProps) {
  if (before === undefined && !next) return null
  return (
    <nav class="pages" aria-label={`Pages of ${of}`}>
      {before !== undefined && <Button onClick={() => onTurn(undefined)}>Newest</Button>}
      {next && <Button onClick={() => onTurn(next)}>Older</Button>}
    </nav>
  )
}
