// @vitest-environment happy-dom

import { privateKeyToAccount } from 'viem/accounts'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { SIWXSession } from '../../host/siwx.ts'
import { DefaultSIWX, type SIWXVerifier } from './DefaultSIWX.ts'
import { EIP155Verifier } from './EIP155Verifier.ts'
import { InformalMessenger } from './InformalMessenger.ts'

const KEY = '@appkit/siwx'
const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const input = { accountAddress: account.address, chainId: 'eip155:1' }

beforeEach(() => localStorage.clear())

/** Session whose message is valid for a minute, as the wallet signs it. */
async function signed(domain = location.host, notBefore?: string): Promise<SIWXSession> {
  const messenger = new InformalMessenger({
    domain,
    uri: 'https://shop.example',
    expiration: 60_000,
    getNonce: async () => 'abc12345'
  })
  const message = await messenger.createMessage({ ...input, ...(notBefore === undefined ? {} : { notBefore }) })
  const text = message.toString()
  const data = JSON.parse(JSON.stringify(message)) as SIWXSession['data']
  return { data, message: text, signature: await account.signMessage({ message: text }) }
}

const store = (...sessions: unknown[]) => localStorage.setItem(KEY, JSON.stringify(sessions))

/** Sessions that count after a reload, of the account that the stored session names. */
function counting({ data }: SIWXSession, verifiers: SIWXVerifier[] = [new EIP155Verifier()]): Promise<SIWXSession[]> {
  return new DefaultSIWX({ verifiers }).getSessions(data.chainId, data.accountAddress)
}

describe('a stored session', () => {
  it('counts after a reload if the account signed it on this page', async () => {
    const session = await signed(location.host, new Date(Date.now() - 1_000).toISOString())
    store(session)
    expect(await counting(session)).toEqual([session])
  })

  it('counts for nobody who did not sign it', async () => {
    const session = await signed()
    const { data } = session
    const { expirationTime: _, ...endless } = data
    for (const forged of [
      { ...session, signature: `0x${'11'.repeat(65)}` },
      { ...session, data: { ...data, accountAddress: OTHER } },
      {
        ...session,
        data: { ...data, accountAddress: OTHER },
        message: session.message.replace(account.address, OTHER)
      },
      { ...session, data: { ...data, chainId: 'eip155:10' } },
      { ...session, data: { ...data, chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' } },
      { ...session, data: endless },
      { ...session, data: { ...data, expirationTime: '2999-01-01T00:00:00.000Z' } },
      { ...session, data: { ...data, notBefore: '2020-01-01T00:00:00.000Z' } },
      await signed('other.example'),
      { ...session, message: 7 },
      { ...session, signature: null },
      { ...session, data: { ...data, uri: [] } }
    ] as SIWXSession[]) {
      store(forged)
      expect(await counting(forged), JSON.stringify(forged)).toEqual([])
    }
  })

  it('is verified once per page, and again where it is another one', async () => {
    const verify = vi.fn(async ({ signature }: SIWXSession) => signature !== '0x12')
    const siwx = new DefaultSIWX({ verifiers: [{ chainNamespace: 'eip155', verify }] })
    const session = await signed()
    const ask = () => siwx.getSessions('eip155:1', account.address)
    store(session)
    expect([await ask(), await ask()]).toEqual([[session], [session]])
    expect(verify).toHaveBeenCalledTimes(1)
    store({ ...session, signature: '0x12' })
    expect([await ask(), await ask()]).toEqual([[], []])
    expect(verify).toHaveBeenCalledTimes(2)
  })

  it.each([
    ['a chain that cannot be asked', Object.assign(new Error('down'), { status: 503 }), 1],
    ['a failed fetch', new TypeError('Failed to fetch'), 1],
    ['a fetch that takes too long', new DOMException('late', 'TimeoutError'), 1],
    ['a refusal', Object.assign(new Error('no'), { status: 422 }), 0],
    ['a signature that a library cannot read', Object.assign(new TypeError('no'), { code: 'INVALID_ARGUMENT' }), 0],
    ['a fault of the verifier', new TypeError("Cannot read properties of undefined (reading 's')"), 0],
    ['another error', new Error('no'), 0]
  ])(
    'counts for the moment where the verifier rejects by %s, if that says nothing about it: %#',
    async (_, error, count) => {
      const verify = vi.fn().mockRejectedValueOnce(error).mockResolvedValue(false)
      const siwx = new DefaultSIWX({ verifiers: [{ chainNamespace: 'eip155', verify }] })
      const session = await signed()
      store(session)
      expect(await siwx.getSessions('eip155:1', account.address)).toHaveLength(count)
      expect(await siwx.getSessions('eip155:1', account.address)).toEqual([])
      expect(verify).toHaveBeenCalledTimes(2)
    }
  )
})
