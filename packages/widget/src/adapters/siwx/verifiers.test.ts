import { ed25519 } from '@noble/curves/ed25519'
import { type Anvil, startAnvil } from '@portico/testkit/anvil'
import { base58 } from '@scure/base'
import { concatHex, createTestClient, encodeAbiParameters, getContractAddress, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { SIWXSession } from '../../host/siwx.ts'
import { EIP155Verifier } from './EIP155Verifier.ts'
import { SolanaVerifier } from './SolanaVerifier.ts'

const signer = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
/** Text of the sign-in of this account on this chain. */
function textOf(account: string, chainId: string): string {
  return [
    'shop.example wants you to sign in with your account:',
    account,
    '',
    '',
    'URI: https://shop.example/',
    'Version: 1',
    `Chain ID: ${chainId.split(':')[1]}`,
    'Nonce: 12345678',
    'Issued At: 2026-01-01T00:00:00.000Z'
  ].join('\n')
}

/** Contract that answers every call with the word of EIP-1271 in which these four bytes stand first. */
const answering = (bytes: string): Hex => `0x63${bytes}60e01b5f5260205ff3`
const CONTRACT = '0x00000000000000000000000000000000000c0de1'
const REFUSING = '0x00000000000000000000000000000000000c0de2'
const REVERTING = '0x00000000000000000000000000000000000c0de3'
/** Deployer by CREATE2, which anvil has: call data are the salt and the code that returns the contract's. */
const FACTORY = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
const ODD = `0x${'ab'.repeat(70)}` as Hex

let chain: Anvil
let verifier: EIP155Verifier

function session(accountAddress: string, signature: string, chainId = 'eip155:31337'): SIWXSession {
  const data = { accountAddress, chainId, domain: 'shop.example', uri: 'https://shop.example/', nonce: '12345678' }
  return { data: data as SIWXSession['data'], message: textOf(accountAddress, chainId), signature }
}

beforeAll(async () => {
  chain = await startAnvil({ chainId: 31337 })
  const client = createTestClient({ mode: 'anvil', transport: http(chain.rpcUrl) })
  await client.setCode({ address: CONTRACT, bytecode: answering('1626ba7e') })
  await client.setCode({ address: REFUSING, bytecode: answering('ffffffff') })
  await client.setCode({ address: REVERTING, bytecode: '0x5f5ffd' })
  const { multicall3Bytecode } = await import(new URL('./constants/contracts.js', import.meta.resolve('viem')).href)
  const [from] = (await client.request({ method: 'eth_accounts' as never })) as unknown as [Hex]
  const code = (await client.request({
    method: 'eth_call',
    params: [{ from, data: multicall3Bytecode }, 'latest']
  } as never)) as Hex
  await client.setCode({ address: '0xcA11bde05977b3631167028862bE2a173976CA11', bytecode: code })
  const network = { id: 31337, name: 'Chain', nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 } }
  verifier = new EIP155Verifier({ networks: [{ ...network, rpcUrls: { default: { http: [chain.rpcUrl] } } }] })
})

afterAll(() => chain?.stop())

describe('the verifier of EVM accounts', () => {
  it('accepts the signature of the account and of nobody else, without a chain', async () => {
    const alone = new EIP155Verifier()
    const signature = await signer.signMessage({ message: textOf(signer.address, 'eip155:31337') })
    expect(await alone.verify(session(signer.address, signature))).toBe(true)
    const small = { ...session(signer.address, signature).data, accountAddress: signer.address.toLowerCase() }
    expect(await alone.verify({ ...session(signer.address, signature), data: small })).toBe(true)
    expect(await alone.verify(session(CONTRACT, signature))).toBe(false)
    expect(
      await alone.verify({
        ...session(signer.address, signature),
        message: `${textOf(signer.address, 'eip155:31337')} `
      })
    ).toBe(false)
    const [r, s, v] = [signature.slice(0, 66), BigInt(`0x${signature.slice(66, 130)}`), signature.slice(130)]
    const other = (0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n - s)
      .toString(16)
      .padStart(64, '0')
    expect(await alone.verify(session(signer.address, r + other + (v === '1b' ? '1c' : '1b')))).toBe(false)
    for (const nonsense of ['', '0x', '0x12', 'hello', signature.slice(0, -2), `${signature}00`])
      expect(await alone.verify(session(signer.address, nonsense)), nonsense).toBe(false)
  })

  it('accepts no text but the sign-in of this account on this chain, domain and nonce', async () => {
    const other = 'hello'
    const signature = await signer.signMessage({ message: other })
    expect(await verifier.verify({ ...session(signer.address, signature), message: other })).toBe(false)
    const own = session(signer.address, await signer.signMessage({ message: textOf(signer.address, 'eip155:31337') }))
    expect(await verifier.verify(own)).toBe(true)
    for (const wrong of [
      { chainId: 'eip155:1' },
      { domain: 'other.example' },
      { domain: 'shop.exampl' },
      { uri: 'https://shop.example/other' },
      { nonce: '1234567' },
      { accountAddress: `zz${signer.address.slice(2)}` }
    ])
      expect(await verifier.verify({ ...own, data: { ...own.data, ...wrong } }), JSON.stringify(wrong)).toBe(false)
  })

  it('asks a contract on its chain (EIP-1271)', async () => {
    expect(await verifier.verify(session(CONTRACT, ODD))).toBe(true)
    expect(await verifier.verify(session(REFUSING, ODD))).toBe(false)
    expect(await verifier.verify(session(REVERTING, ODD))).toBe(false)
    // An account without code answers nothing, and a chain that is not the host's is not asked.
    expect(await verifier.verify(session('0x00000000000000000000000000000000000c0de9', ODD))).toBe(false)
    expect(await verifier.verify(session(CONTRACT, ODD, 'eip155:1'))).toBe(false)
  })

  it('asks a contract that is not deployed yet (ERC-6492)', async () => {
    for (const [word, accepted] of [
      ['1626ba7e', true],
      ['ffffffff', false]
    ] as const) {
      const code = answering(word).slice(2)
      // Code that returns `code`, which is 14 bytes and stands after these 12 bytes.
      const creation: Hex = `0x600e600c5f39600e5ff30000${code}`
      const salt = `0x${'00'.repeat(32)}` as const
      const account = getContractAddress({ opcode: 'CREATE2', from: FACTORY, salt, bytecode: creation })
      const deploy = concatHex([salt, creation])
      const wrapped = concatHex([
        encodeAbiParameters([{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }], [FACTORY, deploy, ODD]),
        `0x${'6492'.repeat(16)}`
      ])
      expect(await verifier.verify(session(account, wrapped))).toBe(accepted)
      expect(await verifier.verify(session('0x00000000000000000000000000000000000c0de9', wrapped))).toBe(false)
    }
    expect(await verifier.verify(session(REFUSING, `0x${'ff'.repeat(96)}${'6492'.repeat(16)}`))).toBe(false)
  })

  it('refuses the signature of a contract whose call fails in the EVM of a real node', async () => {
    const client = createTestClient({ mode: 'anvil', transport: http(chain.rpcUrl) })
    const address = '0x00000000000000000000000000000000000c0de4'
    // An invalid instruction, one without operands, a jump to none, and a loop without end.
    for (const bytecode of ['0xfe', '0x01', '0x5f56', '0x5b5f56'] as const) {
      await client.setCode({ address, bytecode })
      expect(await verifier.verify(session(address, ODD)), bytecode).toBe(false)
    }
  })

  it.each([
    ['geth', { code: 3, message: 'execution reverted', data: '0xdf2d9b42' }],
    ['geth', { code: -32000, message: 'out of gas' }],
    ['geth', { code: -32000, message: 'invalid opcode: INVALID' }],
    ['geth', { code: -32000, message: 'invalid jump destination' }],
    ['geth', { code: -32000, message: 'stack underflow (0 <=> 2)' }],
    ['geth', { code: -32602, message: 'invalid argument 0: json: cannot unmarshal hex string of odd length' }],
    ['Erigon', { code: -32000, message: 'execution reverted' }],
    ['Erigon', { code: -32000, message: 'out of gas: gas uint64 overflow' }],
    ['Erigon', { code: -32000, message: 'invalid opcode: opcode 0xfe not defined' }],
    ['Nethermind', { code: -32015, message: 'VM execution error.', data: 'Reverted 0x7a933234' }],
    [
      'Nethermind',
      { code: -32015, message: 'VM execution error.', data: 'err: StackUnderflow (supplied gas 100000000)' }
    ],
    ['Nethermind', { code: -32000, message: 'execution reverted', data: '0xf4f28e99' }],
    ['Nethermind', { code: -32003, message: 'stack underflow' }],
    ['anvil', { code: 3, message: 'execution reverted', data: '0x' }],
    ['anvil', { code: -32603, message: 'EVM error InvalidFEOpcode' }],
    ['anvil', { code: -32003, message: 'EVM error OpcodeNotFound' }],
    ['Reth', { code: -32003, message: 'EVM error: InvalidJump' }],
    ['OpenEthereum', { code: -32015, message: 'VM execution error.', data: 'Stack underflow DUP15 15/0' }]
  ])('refuses the signature where a call fails at %s: %o', async (_, error) => {
    vi.stubGlobal('fetch', async () => Response.json({ jsonrpc: '2.0', id: 1, error }))
    const told = await verifier.verify(session(CONTRACT, ODD)).finally(() => vi.unstubAllGlobals())
    expect(told).toBe(false)
  })

  it('refuses the signature where a node answers a failed call with the status 500', async () => {
    const error = { code: 3, message: 'execution reverted' }
    vi.stubGlobal('fetch', async () => Response.json({ jsonrpc: '2.0', id: 1, error }, { status: 500 }))
    const told = await verifier.verify(session(CONTRACT, ODD)).finally(() => vi.unstubAllGlobals())
    expect(told).toBe(false)
  })

  it.each([
    ['cannot be reached', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['takes too long', () => Promise.reject(new DOMException('late', 'TimeoutError'))],
    ['answers with a page', async () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
    ['answers with nothing', async () => Response.json(null)]
  ])('spec_4_27_says_that_it_cannot_tell_where_the_chain_%s', async (_, answer) => {
    vi.stubGlobal('fetch', answer)
    await cannotTell()
  })

  it.each([
    [429, -32005, 'Limit exceeded'],
    [200, -32005, 'limit exceeded'],
    [429, -32602, 'Invalid params'],
    [503, 3, 'execution reverted'],
    [500, -32603, 'Internal error'],
    [200, -32601, 'the method eth_call does not exist/is not available'],
    [200, -32603, 'Internal error'],
    [200, -32000, 'header not found'],
    [200, -32000, 'execution aborted (timeout = 5s)'],
    [200, -32000, 'missing trie node 6e03c5b2 (path 0a) state 0xb2 is not available'],
    [200, -32603, 'EVM error FatalExternalError']
  ])('spec_4_27_says_that_it_cannot_tell_where_the_node_answers_%i_with_%i_%s', async (status, code, message) => {
    vi.stubGlobal('fetch', async () => Response.json({ jsonrpc: '2.0', id: 1, error: { code, message } }, { status }))
    await cannotTell()
  })

  async function cannotTell(): Promise<void> {
    const told = await verifier.verify(session(CONTRACT, ODD)).catch((error) => error)
    vi.unstubAllGlobals()
    expect(told).toMatchObject({
      status: 503,
      message: "Couldn't ask the chain whether the signature is valid. Try again."
    })
  }
})

describe('the verifier of Solana accounts', () => {
  it('accepts the signature of the account and of nobody else', async () => {
    const secret = new Uint8Array(32).fill(7)
    const address = base58.encode(ed25519.getPublicKey(secret))
    const signature = base58.encode(ed25519.sign(new TextEncoder().encode(textOf(address, 'solana:1')), secret))
    const verifier = new SolanaVerifier()
    const of = (account: string, signed: string) => verifier.verify(session(account, signed, 'solana:1'))
    expect(await of(address, signature)).toBe(true)
    expect(await of(base58.encode(ed25519.getPublicKey(new Uint8Array(32).fill(8))), signature)).toBe(false)
    for (const nonsense of ['', '0x12', 'O0Il', signature.slice(1)]) expect(await of(address, nonsense)).toBe(false)
    expect(await of('nobody', signature)).toBe(false)
  })

  it('accepts nothing for a key of small order, which nobody owns', async () => {
    const verifier = new SolanaVerifier()
    for (const key of ['11111111111111111111111111111111', '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM']) {
      // A signature of zeros, and of the neutral point: forgeries that a lenient verifier accepts.
      for (const point of [new Uint8Array(32), Uint8Array.from({ length: 32 }, (_, index) => (index === 0 ? 1 : 0))]) {
        const forged = base58.encode(Uint8Array.from([...point, ...new Uint8Array(32)]))
        expect(await verifier.verify(session(key, forged, 'solana:1')), key).toBe(false)
      }
    }
  })
})
