import { useAppKit, useAppKitAccount, useAppKitNetwork, useAppKitProvider } from '@portico/widget/react'
import { useState } from 'react'
import type { EIP1193Provider } from 'viem'
import { anvilOne, explorerUrl } from '../networks.ts'
import { inWords } from '../words.ts'
import { mint } from './mint.ts'
import { artOf, type Print } from './prints.ts'

type Step = { at: 'idle' | 'switching' | 'wallet' } | { at: 'minted'; hash: string } | { at: 'failed'; reason: string }

/** Print with its button: connects if no wallet is, switches to the chain of the shop, and mints. */
export function PrintCard({ print }: { print: Print }) {
  const { open } = useAppKit()
  const { address, isConnected } = useAppKitAccount()
  const { chainId, switchNetwork } = useAppKitNetwork()
  const { walletProvider } = useAppKitProvider<EIP1193Provider>('eip155')
  const [step, setStep] = useState<Step>({ at: 'idle' })
  const busy = step.at === 'switching' || step.at === 'wallet'
  const press = async () => {
    if (!isConnected || !address || !walletProvider) return void open().catch(() => {})
    try {
      if (chainId !== anvilOne.id) {
        setStep({ at: 'switching' })
        await switchNetwork(anvilOne)
      }
      setStep({ at: 'wallet' })
      setStep({ at: 'minted', hash: await mint(walletProvider, address as `0x${string}`, print) })
    } catch (error) {
      setStep({ at: 'failed', reason: shortly(error) })
    }
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
            <a href={`${explorerUrl}/tx/${step.hash}`} target="_blank" rel="noopener">
              View transaction
            </a>
          </>
        )}
      </output>
    </article>
  )
}

/** Code of a wallet whose user declined (EIP-1193). */
const DECLINED = 4001

/** Reason without the request that libraries add to it. */
function shortly(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && cause.code === DECLINED) return 'You declined in your wallet. Nothing was minted.'
  const short = error instanceof Error && 'shortMessage' in error ? error.shortMessage : undefined
  return typeof short === 'string' ? short : inWords(error)
}
