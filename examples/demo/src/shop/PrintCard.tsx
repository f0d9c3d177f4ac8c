import {
  useAppKit,
  useAppKitAccount,
  useAppKitBalance,
  useAppKitNetwork,
  useAppKitProvider,
  useAppKitState
} from '@portico/widget/react'
import { useEffect, useRef, useState } from 'react'
import type { EIP1193Provider } from 'viem'
import { anvilOne, explorerUrl } from '../networks.ts'
import { mint } from './mint.ts'
import { artOf, type Print } from './prints.ts'

type Step = { at: 'idle' | 'switching' | 'wallet' } | { at: 'minted'; hash: string } | { at: 'failed'; reason: string }

/** Print with its button: connects if no wallet is, switches to the chain of the shop, and mints. */
export function PrintCard({ print }: { print: Print }) {
  const { open } = useAppKit()
  // Prints are minted on an EVM chain, whatever account the visitor looks at.
  const { address, isConnected } = useAppKitAccount({ namespace: 'eip155' })
  const { chainId, switchNetwork } = useAppKitNetwork()
  const { walletProvider } = useAppKitProvider<EIP1193Provider>('eip155')
  const { fetchBalance } = useAppKitBalance()
  const [step, setStep] = useState<Step>({ at: 'idle' })
  const busy = step.at === 'switching' || step.at === 'wallet'
  const buy = async (provider: EIP1193Provider, account: `0x${string}`) => {
    try {
      if (chainId !== anvilOne.id) {
        setStep({ at: 'switching' })
        await switchNetwork(anvilOne)
      }
      setStep({ at: 'wallet' })
      setStep({ at: 'minted', hash: await mint(provider, account, print) })
      // The widget reads the balance that is left.
      await fetchBalance()
    } catch (error) {
      setStep({ at: 'failed', reason: shortly(error) })
    }
  }
  const connected = isConnected && address && walletProvider
  const isWaiting = useMintAfterConnecting(
    connected ? () => void buy(walletProvider, address as `0x${string}`) : undefined
  )
  const press = () => {
    if (connected) return void buy(walletProvider, address as `0x${string}`)
    isWaiting.current = true
    open({ view: 'Connect', namespace: 'eip155' }).catch(() => {
      isWaiting.current = false
    })
  }
  return (
    <article className="print" aria-labelledby={`print-${print.id}`}>
      <img className="art" src={artOf(print)} alt="" width="600" height="600" />
      <div className="label">
        <h3 id={`print-${print.id}`}>{print.title}</h3>
        <p>{print.about}</p>
      </div>
      <button
        type="button"
        className="mint"
        disabled={busy}
        aria-label={`Mint ${print.title}`}
        data-testid={`mint-${print.id}`}
        onClick={press}
      >
        {busy ? 'Minting…' : 'Mint'}
      </button>
      <output className="note" data-testid={`minted-${print.id}`}>
        {step.at === 'switching' && `Switch to ${anvilOne.name} in your wallet`}
        {step.at === 'wallet' && 'Approve in your wallet'}
        {step.at === 'failed' && step.reason}
        {step.at === 'minted' && (
          <>
            It's yours.{' '}
            <a
              href={`${explorerUrl}/tx/${step.hash}`}
              target="_blank"
              rel="noopener"
              aria-label="Details of the transaction"
            >
              Details
            </a>
          </>
        )}
      </output>
    </article>
  )
}

/**
 * Mints once the visitor, who pressed the button without a wallet, has connected one. Closing the modal without a wallet ends the wait.
 * `go` is undefined while no wallet is connected.
 */
function useMintAfterConnecting(go: (() => void) | undefined) {
  const isWaiting = useRef(false)
  const { open } = useAppKitState()
  const wasOpen = useRef(open)
  useEffect(() => {
    const closed = wasOpen.current && !open
    wasOpen.current = open
    if (isWaiting.current && go) {
      isWaiting.current = false
      go()
    } else if (closed) isWaiting.current = false
  })
  return isWaiting
}

/** Code of a wallet whose user declined (EIP-1193). */
const DECLINED = 4001

/** The next step; what the libraries say is for developers, who find it in the console. */
function shortly(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && cause.code === DECLINED) return 'You declined in your wallet. Nothing was minted.'
    if (cause.name === 'InsufficientFundsError') return 'Not enough ETH for the network fee. Add some and try again.'
  }
  console.warn(error)
  return "Couldn't mint. Try again."
}
