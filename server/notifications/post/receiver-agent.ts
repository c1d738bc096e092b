import { Agent } from 'undici'
import { type ConnectorOptions, ReceiverConnector } from './receiver-connector.ts'
import type { ExchangeStage } from './explain-exchange.ts'

/** Most connections to one origin (host and port); further requests wait for one of them. */
const maxConnections = 16

/** Deliveries that follow each other share a connection. An idle one takes about 50 KB. */
const idleMs = 1_000

const maxHeaderBytes = 16_384

/** Connects to receivers, and keeps each connection for a short while after an exchange. */
export class ReceiverAgent extends Agent {
  readonly #connector: ReceiverConnector

  constructor(options: ConnectorOptions) {
    const connector = new ReceiverConnector(options)
    super({
      connect: connector.connect,
      connections: maxConnections,
      allowH2: false,
      // Set here because the variable UNDICI_USE_MILO would choose another parser, which refuses HTTP/1.0.
      useMilo: false,
      maxHeaderSize: maxHeaderBytes,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      // Each exchange limits its time itself.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    this.#connector = connector
  }

  /** Returns what a request to an origin waits for before it is sent. */
  findStage(origin: string): ExchangeStage {
    return this.#connector.findStage(origin)
  }
}
