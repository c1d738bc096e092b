import { useCallback, useLayoutEffect, useRef } from 'preact/hooks'

/**
 * Moves the focus to a heading when the element that had it disappears. Call `leave` with an element before it does.
 *
 * @param content - what the section shows; the focus moves when it has changed
 */
export function useLostFocus(content: unknown) {
  const heading = useRef<HTMLHeadingElement>(null)
  const isLost = useRef(false)
  const leave = useCallback((element: HTMLElement) => {
    if (element.contains(document.activeElement)) isLost.current = true
  }, [])
  useLayoutEffect(() => {
    if (isLost.current) heading.current?.focus()
    isLost.current = false
  }, [content])
  return { heading, leave }
}
