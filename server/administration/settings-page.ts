// The frame of the settings page. The script in server/pages/settings/ renders the part below the heading.
import { html } from '../pages/html.ts'
import { layout, listDocumentationLinks, masthead } from '../pages/layout.ts'
import type { PageLinks } from '../pages/page-links.ts'

export type SettingsPageData = {
  readonly org: string
  readonly repo: string
  /** Path of the API, ending in `/v1`. */
  readonly v1: string
  readonly script: string
  readonly stylesheet: string
  /** The pages of a deployment that serves the repository; undefined when there is none. */
  readonly links: PageLinks | undefined
}

export function settingsPage({ org, repo, v1, script, stylesheet, links }: SettingsPageData): string {
  return layout({
    title: ['Settings', repo, org],
    stylesheet,
    script,
    ...(links && { home: links.home }),
    breadcrumbs: [
      { text: org, label: `Organisation ${org}`, ...(links && { href: links.home }) },
      { text: repo, label: `Repository ${repo}`, ...(links && { href: links.repository(repo) }) },
      { text: 'Settings' },
    ],
    ...(links && { footer: listDocumentationLinks(links) }),
    main: html`${masthead('Settings of the repository', repo)}
      <div class="settings" id="settings" data-v1="${v1}" data-org="${org}" data-repo="${repo}">
        <noscript><p class="note">This page needs JavaScript. Without it, use the API below ${v1}.</p></noscript>
      </div>`,
  })
}
