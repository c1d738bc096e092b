import type { Pages } from '../hooks/use-pages.ts'
import { Button } from './button.tsx'

type PageButtonsProps = {
  /** What the pages list, for screen readers. */
  readonly of: string
  readonly pages: Pages
}

/** Buttons that lead to the newest page of a list and to older entries; nothing when there is only one page. */
export function PageButtons({ of, pages: { before, next, turn } }: PageButtonsProps) {
  if (before === undefined && next === null) return null
  return (
    <nav class="pages" aria-label={`Pages of ${of}`}>
      <Button isOff={before === undefined} onClick={() => turn(undefined)}>
        Newest
      </Button>
      <Button isOff={!next} onClick={() => turn(next ?? undefined)}>
        Older
      </Button>
    </nav>
  )
}
