// Shows the result of the user's last action in a corner of the page, and announces it to screen readers.
import { type ComponentChildren, createContext } from 'preact'
import { useCallback, useContext, useEffect, useState } from 'preact/hooks'
import { CloseButton } from './button.tsx'

type Notice = { readonly text: string; readonly warnings: readonly string[] }

type Notify = (text: string, warnings?: readonly { readonly detail: string }[]) => void

const NotifyContext = createContext<Notify>(() => {})

/** Returns a function that shows the result of an action. A notice with warnings stays until it is dismissed. */
export function useNotify(): Notify {
  return useContext(NotifyContext)
}

/** How long a notice without warnings is shown, in milliseconds. */
const shownMs = 8_000

/** Shows the notices of all components in `children`. */
export function NoticeBoard({ children }: { readonly children: ComponentChildren }) {
  const [notice, setNotice] = useState<Notice>()
  const notify: Notify = useCallback(
    (text, warnings = []) => setNotice({ text, warnings: warnings.map(({ detail }) => detail) }),
    [],
  )
  useEffect(() => {
    if (!notice || notice.warnings.length > 0) return undefined
    const timer = setTimeout(() => setNotice(undefined), shownMs)
    return () => clearTimeout(timer)
  }, [notice])
  return (
    <NotifyContext.Provider value={notify}>
      {children}
      <div role="status" class="notices">
        {notice && (
          <div class="notice">
            <div>
              <p>{notice.text}</p>
              {notice.warnings.map((warning) => (
                <p key={warning} class="warning">
                  {warning}
                </p>
              ))}
            </div>
            <CloseButton label="Dismiss" onClick={() => setNotice(undefined)} />
          </div>
        )}
      </div>
    </NotifyContext.Provider>
  )
}
