import type { Pages } from '../hooks/use-pages.ts'
import { Button } from './button.tsx'
import { FailureNote } from './failure-note.tsx'

type PageButtonsProps = {
  /** What the pages list, for screen readers. */
  readonly of: string
  readonly pages: Pages
}

/**
 * Why a page could not be loaded, and buttons that lead to the newest page of a list and to older entries; no buttons
 * when there is only one page.
 */
export function PageButtons({ of, pages: { before, next, error, turn } }: PageButtonsProps) {
  return (
    <>
      <FailureNote error={error} />
      {(before !== undefined || next !== null) && (
        <nav class="pages" aria-label={`Pages of ${of}`}>
          <Button isOff={before === undefined} onClick={() => turn(undefined)}>
            Newest
          </Button>
          <Button isOff={!next} onClick={() => turn(next ?? undefined)}>
            Older
          </Button>
        </nav>
      )}
    </>
  )
}
