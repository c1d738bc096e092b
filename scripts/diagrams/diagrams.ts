import { arrow, box, type Diagram, label } from './draw.ts'

const twoWays: Diagram = {
  title: 'The two ways of metadata',
  description:
    'Queries: people, programs and agents ask Floe, which looks up the ref in the object store, reads one snapshot ' +
    'and keeps it in memory. Notifications: Floe sees that a head moved by a poll or a message of the object store, ' +
    'records an event in its database, and sends it to webhooks, chats and streams.',
  size: [760, 330],
  parts: [
    label([20, 30], ['1. Queries: a caller asks, Floe reads'], 'start'),
    box([20, 50], [150, 80], ['Callers', 'people, programs,', 'agents']),
    box([290, 50], [190, 80], ['Floe', 'ref → snapshot → answer', 'caches both in memory'], 'floe'),
    box([600, 50], [140, 80], ['Object store', 'refs, snapshots']),
    arrow([
      [170, 75],
      [290, 75],
    ]),
    label([230, 66], ['request']),
    arrow([
      [290, 108],
      [170, 108],
    ]),
    label([230, 126], ['answer']),
    arrow([
      [480, 75],
      [600, 75],
    ]),
    label([540, 66], ['read']),
    arrow([
      [600, 108],
      [480, 108],
    ]),
    label([540, 126], ['metadata']),
    label([20, 185], ['2. Notifications: a head moves, Floe sends'], 'start'),
    box([20, 210], [140, 80], ['Object store', 'head of a branch']),
    box([250, 210], [120, 80], ['Floe', 'sees the move'], 'floe'),
    box([410, 210], [130, 80], ['Database', 'event, deliveries'], 'floe'),
    box([610, 210], [130, 80], ['Receivers', 'webhooks, chats,', 'streams']),
    arrow([
      [160, 235],
      [250, 235],
    ]),
    label([205, 226], ['message']),
    arrow(
      [
        [250, 268],
        [160, 268],
      ],
      true,
    ),
    label([205, 286], ['poll']),
    arrow([
      [370, 250],
      [410, 250],
    ]),
    arrow([
      [540, 250],
      [610, 250],
    ]),
    label([575, 240], ['in order']),
  ],
}

const replicas: Diagram = {
  title: 'Replicas',
  description:
    'A load balancer sends each request to any replica that is ready. All replicas read the object store. They ' +
    'share one PostgreSQL, which gives each repository to one replica to poll and the queue of each receiver to one ' +
    'replica at a time.',
  size: [760, 350],
  parts: [
    box([300, 20], [160, 44], ['Load balancer']),
    box([110, 120], [230, 80], ['Replica 1', 'polls half of the repositories', 'own cache'], 'floe'),
    box([420, 120], [230, 80], ['Replica 2', 'polls the other half', 'own cache'], 'floe'),
    arrow([
      [340, 64],
      [225, 120],
    ]),
    arrow([
      [420, 64],
      [535, 120],
    ]),
    label([570, 46], ['only to replicas whose', '/readyz answers 200'], 'start'),
    box([20, 270], [180, 60], ['Object store', 'read by all']),
    box([270, 270], [220, 60], ['PostgreSQL', 'shared by all']),
    box([560, 270], [180, 60], ['Receivers', 'one sender at a time']),
    arrow([
      [165, 200],
      [110, 270],
    ]),
    arrow([
      [480, 200],
      [200, 285],
    ]),
    arrow([
      [260, 200],
      [340, 270],
    ]),
    arrow([
      [510, 200],
      [430, 270],
    ]),
    arrow([
      [320, 200],
      [560, 285],
    ]),
    arrow([
      [600, 200],
      [650, 270],
    ]),
  ],
}

const retries: Diagram = {
  title: 'The attempts of a delivery',
  description:
    'Floe sends a delivery. A status from 200 to 299 within 5 seconds delivers it, and the next delivery follows. ' +
    '410 disables the webhook at once. Everything else is a failed attempt, and up to 11 more follow after 5 and 30 ' +
    'seconds, 2, 10 and 30 minutes, and 2, 5, 10, 14, 20 and 24 hours. If the last one fails, Floe disables the ' +
    'webhook and holds its deliveries for 90 days.',
  size: [760, 330],
  parts: [
    box([20, 40], [160, 60], ['Delivery', 'next in the queue']),
    box([260, 40], [160, 60], ['Attempt', 'at most 5 seconds'], 'floe'),
    box([580, 40], [160, 60], ['Delivered', 'the next one follows']),
    box([580, 150], [160, 60], ['Disabled', 'deliveries are held'], 'bad'),
    box([240, 150], [200, 60], ['Wait', 'later deliveries wait too'], 'floe'),
    arrow([
      [180, 70],
      [260, 70],
    ]),
    arrow([
      [420, 70],
      [580, 70],
    ]),
    label([500, 61], ['200 to 299']),
    arrow([
      [420, 90],
      [580, 165],
    ]),
    label([520, 122], ['410'], 'start'),
    arrow([
      [360, 100],
      [360, 150],
    ]),
    label([368, 130], ['fails'], 'start'),
    arrow([
      [310, 150],
      [310, 100],
    ]),
    label([282, 130], ['again']),
    arrow([
      [440, 190],
      [580, 190],
    ]),
    label([510, 208], ['12 failed']),
    label([20, 258], ['Wait before attempts 2 to 12, each varied by up to 20 %:'], 'start'),
    ...['5 s', '30 s', '2 min', '10 min', '30 min', '2 h', '5 h', '10 h', '14 h', '20 h', '24 h'].map((delay, index) =>
      box([20 + index * 66, 276], [60, 34], [delay]),
    ),
  ],
}

/** The pictures that are drawn, by path below the root of the project. */
export const diagrams: Readonly<Record<string, Diagram>> = {
  'docs/diagrams/two-ways.svg': twoWays,
  'docs/diagrams/replicas.svg': replicas,
  'docs/diagrams/retries.svg': retries,
}
