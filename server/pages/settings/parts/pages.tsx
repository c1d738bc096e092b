import { Button } from './button.tsx'

type PagesProps = {
  readonly of: string
  /** Where this page begins; undefined for the newest. */
  readonly before: string | undefined
  /** Where the next page begins; null when there is none, undefined while this is not known. */
  readonly next: string | null | undefined
  readonly onTurn: (before: string | undefined) => void
}

export function Pages({ of, before, next, onTurn }: PagesProps) {
  if (before === undefined && next === null) return null
  return (
    <nav class="pages" aria-label={`Pages of ${of}`}>
      <Button isOff={before === undefined} onClick={() => onTurn(undefined)}>
        Newest
      </Button>
      <Button isOff={!next} onClick={() => onTurn(next ?? undefined)}>
        Older
      </Button>
    </nav>
  )
}
