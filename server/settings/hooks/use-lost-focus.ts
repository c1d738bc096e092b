import { useCallback, useLayoutEffect, useRef } from 'preact/hooks'

/**
 * Moves the focus to a heading when the element that had the focus disappears. Call `beforeRemoval` with the element
 * while it is still there.
 *
 * @param content - what the section shows; the focus moves when it has changed
 */
export function useLostFocus(content: unknown) {
  const heading = useRef<HTMLHeadingElement>(null)
  const isLost = useRef(false)
  const beforeRemoval = useCallback((element: HTMLElement) => {
    if (element.contains(document.activeElement)) isLost.current = true
  }, [])
  useLayoutEffect(() => {
    if (isLost.current) heading.current?.focus()
    isLost.current = false
  }, [content])
  return { heading, beforeRemoval }
}
