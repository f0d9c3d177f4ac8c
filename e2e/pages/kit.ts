//! Answers of the kit, as a host's code reads them.

import type { Visit } from '../world/visit.ts'

export function caipAddress({ page }: Visit): Promise<string | undefined> {
  return page.evaluate('window.kit.getCaipAddress()')
}

export function account({ page }: Visit, namespace: string): Promise<{ status: string; address?: string } | undefined> {
  return page.evaluate(`window.kit.getAccount('${namespace}')`)
}

/** Runs a script with the namespace's `provider`, as the host receives it; resolves with what the script returns. */
export function withProvider<T>({ page }: Visit, namespace: string, script: string): Promise<T> {
  return page.evaluate(`(async () => { const provider = window.kit.getProvider('${namespace}'); ${script} })()`)
}
