// The notifications of remarks.
import type { EventNameAbout } from '../../lists.ts'
import { exampleFacts, remarkFacts, RemarkId } from '../metadata/remarks.ts'
import { exampleRepository, repositoryFields } from './new-commit.ts'
import { type NotificationForms, notificationForms } from './notification-forms.ts'

const fields = { ...repositoryFields, remark_id: RemarkId, ...remarkFacts }

function remarkEvent<Name extends EventNameAbout<'remark'>>(name: Name, noun: string) {
  const words = {
    details: `What the ${noun} is about, and what it says`,
    notification: `The notification of a ${noun}`,
  }
  return notificationForms(name, fields, words, {
    ...exampleRepository,
    remark_id: '7d0c1b52-19a4-4c1e-8f5b-2a6f0f4d3e11',
    ...exampleFacts,
  })
}

/** The notifications of remarks, by event. */
export const remarkEventForms = {
  NotePosted: remarkEvent('NotePosted', 'note'),
  SnapshotRetracted: remarkEvent('SnapshotRetracted', 'retraction'),
} satisfies Record<EventNameAbout<'remark'>, NotificationForms>
