// The media types of answers. This file has no schemas, so that reader threads need not load zod.

/** Media types of bodies, without parameters. */
export const mediaTypes = {
  json: 'application/json',
  problem: 'application/problem+json',
  html: 'text/html',
  events: 'text/event-stream',
  text: 'text/plain',
  atom: 'application/atom+xml',
  xml: 'text/xml',
  jsonLd: 'application/ld+json',
} as const

/** Values of `Content-Type`. Server-Sent Events are always UTF-8, and JSON problems need no charset. */
export const contentTypes = {
  json: `${mediaTypes.json}; charset=utf-8`,
  problem: mediaTypes.problem,
  html: `${mediaTypes.html}; charset=utf-8`,
  events: mediaTypes.events,
  atom: `${mediaTypes.atom}; charset=utf-8`,
  xml: `${mediaTypes.xml}; charset=utf-8`,
  jsonLd: mediaTypes.jsonLd,
  /** The text format of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/). */
  metrics: `${mediaTypes.text}; version=0.0.4; charset=utf-8`,
} as const
