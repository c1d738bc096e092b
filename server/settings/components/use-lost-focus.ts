import { useCallback, useLayoutEffect, useRef } from 'preact/hooks'
import { useNotify } from './notice-board.tsx'

/**
 * Moves the focus to a heading when the element that had the focus disappears. Call `beforeRemoval` with the element
 * while it is still there.
 *
 * @param content - what the section shows; the focus moves when it has changed
 * @param notice - shown if a dialog is open in the element, because somebody else has deleted what it edits
 */
export function useLostFocus(content: unknown, notice?: string) {
  const notify = useNotify()
  const heading = useRef<HTMLHeadingElement>(null)
  const isLost = useRef(false)
  const beforeRemoval = useCallback(
    (element: HTMLElement) => {
      if (element.contains(document.activeElement)) isLost.current = true
      if (notice !== undefined && element.querySelector('dialog')) notify(notice)
    },
    [notice, notify],
  )
  useLayoutEffect(() => {
    if (isLost.current) heading.current?.focus()
    isLost.current = false
  }, [content])
  return { heading, beforeRemoval }
}
