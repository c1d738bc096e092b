import { access } from './promises/access.ts'
import { agents } from './promises/agents.ts'
import { catalogues } from './promises/catalogues.ts'
import { checks } from './promises/checks.ts'
import { remarks } from './promises/remarks.ts'
import { compatibility } from './promises/compatibility.ts'
import { delivery } from './promises/notifications/delivery.ts'
import { expectations } from './promises/expectations.ts'
import { metadata } from './promises/metadata.ts'
import { notification } from './promises/notifications/notification.ts'
import { operation } from './promises/operation.ts'
import { receivers } from './promises/notifications/receivers.ts'
import { search } from './promises/search.ts'
import { subscriptions } from './promises/notifications/subscriptions.ts'
import { whatChanged } from './promises/what-changed.ts'
import type { PromiseSection } from './proven-promise.ts'

/** The sections of docs/internals/conformance.md in their order. */
export const promiseSections: readonly PromiseSection[] = [
  metadata,
  whatChanged,
  compatibility,
  search,
  catalogues,
  agents,
  access,
  notification,
  delivery,
  receivers,
  subscriptions,
  expectations,
  checks,
  remarks,
  operation,
]
