import { useLayoutEffect, useRef } from 'preact/hooks'
import { useNotify } from '../components/notice-board.tsx'

/**
 * Moves the focus to the heading of a list when the element in the list that had it disappears.
 *
 * @param lossNotice - shown if a dialog disappears with its row, because somebody else has deleted what it edits
 */
export function useLostFocus(lossNotice: string | undefined) {
  const notify = useNotify()
  const heading = useRef<HTMLHeadingElement>(null)
  const list = useRef<HTMLUListElement>(null)
  // While the component renders, the list is still as it was.
  const focused = list.current?.contains(document.activeElement) ? document.activeElement : undefined
  const editedRow = list.current?.querySelector('dialog')?.closest('li')
  useLayoutEffect(() => {
    if (focused?.isConnected === false) heading.current?.focus()
    if (lossNotice !== undefined && editedRow?.isConnected === false) notify(lossNotice)
  })
  return { heading, list }
}
