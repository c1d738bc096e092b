import { Button } from './button.tsx'

type PageButtonsProps = {
  /** What the pages list, for screen readers. */
  readonly of: string
  /** Cursor of this page; undefined for the newest page. */
  readonly before: string | undefined
  /** Cursor of the page with older entries; null when there is none, undefined while this is unknown. */
  readonly next: string | null | undefined
  readonly onTurn: (before: string | undefined) => void
}

/** Buttons that lead to the newest page of a list and to older entries; nothing when there is only one page. */
export function PageButtons({ of, before, next, onTurn }: PageButtonsProps) {
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
