//! Calls of a host whose wallets may serve several namespaces. Other hosts do not fetch this file.

import type { Connector } from '../generated/core.ts'
import type { ConnectedAccount, ConnectorInfo } from '../host/select.ts'
import { Calls, type ConnectOptions } from './calls.ts'

export class MultiChainCalls extends Calls {
  readonly #engine: ConstructorParameters<typeof Calls>[0]

  constructor(...given: ConstructorParameters<typeof Calls>) {
    super(...given)
    this.#engine = given[0]
  }

  /** Connects a namespace of the wallet, or lets the visitor choose it in the modal. Without a modal it is that of the connector. */
  override async connect(options?: ConnectOptions | null): Promise<ConnectedAccount> {
    // Calls that waited for the core come just before its first step, which finds the wallets.
    if (this.#engine.headless) await undefined
    const { connector, connectorId, namespace } = options ?? {}
    const id = connector?.id ?? connectorId
    const named = this.#connectors().filter((one) => one.id === id)
    if (this.#engine.headless && !namespace && named[0]) return super.connect({ ...options, namespace: named[0].chain })
    if (!(namespace ?? connector?.chain) && named.some(isPart)) this.placed()
    return super.connect(options)
  }

  override getConnectors(): ConnectorInfo[] {
    const connectors = this.#connectors()
    const parts = connectors.filter(isPart)
    const plain = connectors.filter((one) => !isPart(one))
    return super.getConnectors().map((own) => {
      const listed = plain.find(({ id }) => id === own.id)
      const whole = parts.find((part) => isBehind(part, listed))
      if (!whole) return own
      const theirs = parts
        .filter(({ id }) => id === whole.id)
        .flatMap((part) => plain.find((one) => isBehind(part, one)) ?? [])
      const each = theirs.map((one) => ({ ...this.connectorOf(one), imageUrl: own.imageUrl }))
      return { ...own, ...each[0], type: whole.type, chain: undefined, connectors: each }
    })
  }

  override getConnectorImage(connector: { readonly id: string } | null): string | undefined {
    const each = this.getConnectors().flatMap((one) => [one, ...one.connectors])
    return each.find((one) => one.id === connector?.id)?.imageUrl
  }

  /** Connectors that the core has told; none before its first step. */
  #connectors(): readonly Connector[] {
    return this.#engine.store.get().wallets?.connectors ?? []
  }
}

/** Whether a connector stands for a namespace of a wallet that serves several. */
function isPart({ type }: Connector): boolean {
  return type === 'MULTI_CHAIN'
}

/** Whether this connector serves the namespace of that part. */
function isBehind(part: Connector, connector: Connector | undefined): boolean {
  return part.handle === connector?.handle && part.chain === connector.chain
}
