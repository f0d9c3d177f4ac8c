/** The parts of the package that the tests use; it has no types of its own. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  // biome-ignore lint/style/noDefaultExport: the package has one
  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): RequestListener
    readonly AccessToken: { find(token: string): Promise<{ readonly accountId: string } | undefined> }
  }
}
