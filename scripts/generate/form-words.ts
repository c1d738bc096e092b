// Words of the forms of the settings page: labels, and the meanings of options. The names in the contract are for
// programs.
import { expectationKinds } from '@floe/contract'
import {
  type ChangeVerdict,
  type ChatService,
  eventDefinitions,
  eventNames,
  type EventSubject,
  expectationKindNames,
  type Role,
  type Severity,
  type WebhookFormat,
} from '@floe/contract/lists'

/** Labels of members, where they are not the name of the member. */
export const labels: Readonly<Record<string, string>> = {
  url: 'Webhook URL',
  service: 'Chat service',
  format: 'Format',
  secret_token: 'Secret Token',
  repos: 'Repositories',
  kinds: 'Kinds of expectations',
  checks: 'Names of checks',
  states: 'States of checks',
  compatibility: 'Verdicts of SchemaChanged',
  include_changes: 'Include changed paths',
  quiet: 'Quiet hours',
  expires_at: 'Expires',
  due: 'Due (UTC)',
  days: 'Days on which it is due (none: every day)',
}

/** An option as people read it, what it means, and the heading under which it is offered. */
type OptionWords = readonly [text: string, hint?: string, group?: string]

const services = {
  slack: ['Slack'],
  mattermost: ['Mattermost'],
  discord: ['Discord'],
  teams: ['Microsoft Teams'],
  googlechat: ['Google Chat'],
  rocketchat: ['Rocket.Chat'],
  dingtalk: ['DingTalk'],
  feishu: ['Feishu or Lark'],
  wecom: ['WeCom'],
} satisfies Record<ChatService, OptionWords>

const formats = {
  standard: ['Standard Webhooks'],
  'cloudevents-binary': ['CloudEvents in headers (binary mode)'],
  'cloudevents-structured': ['CloudEvents in the body (structured mode)'],
} satisfies Record<WebhookFormat, OptionWords>

const roles = {
  reader: ['Reader', 'Reads metadata.'],
  checker: ['Checker', 'Also posts checks of snapshots.'],
  admin: ['Administrator', 'Also manages webhooks, chats, expectations and API keys.'],
} satisfies Record<Role, OptionWords>

const severities = {
  info: ['info', 'It can wait.'],
  warning: ['warning', 'The default.'],
  critical: ['critical', 'Messages begin with CRITICAL.'],
} satisfies Record<Severity, OptionWords>

const verdicts = {
  breaking: ['breaking', 'Who reads the earlier state cannot read the new one as before.'],
  unknown: ['unknown', 'The metadata does not show it.'],
  compatible: ['compatible', 'Readers go on as before; every append is compatible.'],
} satisfies Record<ChangeVerdict, OptionWords>

/** The headings of events by what these are about. */
const eventGroups = {
  head: 'Commits',
  branch: 'Branches and tags',
  tag: 'Branches and tags',
  expectation: 'Alerts',
  check: 'Alerts',
  good: 'Alerts',
  remark: 'Alerts',
  service: 'About Floe',
} satisfies Record<EventSubject, string>

const events = eventNames.map((name) => {
  const { meaning, subject } = eventDefinitions[name]
  return [name, [name, `${meaning}.`, eventGroups[subject]]] satisfies [string, OptionWords]
})

/** The options of members by their values. */
export const optionWords: Readonly<Record<string, Readonly<Record<string, OptionWords>>>> = {
  service: services,
  format: formats,
  role: roles,
  severity: severities,
  compatibility: verdicts,
  events: Object.fromEntries(events),
  kinds: Object.fromEntries(expectationKindNames.map((name) => [name, [name, `${expectationKinds[name].title}.`]])),
}

/** The option of a drop-down list for no value, by members. */
export const noneTexts: Readonly<Record<string, string>> = { service: 'Detect from the URL', severity: 'All' }
