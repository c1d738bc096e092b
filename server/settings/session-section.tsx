import { Moment } from './components/moment.tsx'
import { useNotify } from './components/notice-board.tsx'
import { usePages } from './hooks/use-pages.ts'
import { RecordRow } from './records/record-row.tsx'
import { RecordSection } from './records/record-section.tsx'
import type { SessionCalls } from './settings-scope.ts'

/** The sessions of people with a role in the organisation. Ending one needs no dialog: the person can sign in again. */
export function SessionSection({ sessions }: { readonly sessions: SessionCalls }) {
  const { items, refresh, ...pages } = usePages(sessions.listPage)
  const notify = useNotify()
  return (
    <RecordSection id="sessions" title="Sessions" pages={pages}>
      {items?.map(({ id, person, role, created_at }) => {
        const name = person.email ?? person.subject
        const end = async () => {
          await sessions.end({ id })
          notify(`${name} is signed out.`)
          refresh()
        }
        return (
          <RecordRow
            key={id}
            name={name}
            title={name}
            tags={[role]}
            state={
              <p>
                Created <Moment at={created_at} />
              </p>
            }
            actions={[{ text: 'Sign out', run: end }]}
          />
        )
      })}
    </RecordSection>
  )
}
