import { useAppKitAccount, useAppKitBalance, useAppKitNetwork, useAppKitState } from '@portico/widget/react'
import { useEffect, useState } from 'react'
import { networks } from '../networks.ts'
import { GIFT, giveCoins, isEmpty } from './coins.ts'

type Step = 'unneeded' | 'offered' | 'sending' | 'failed' | 'arrived'

/** Offers test coins to a connected account without any: a new account, as after a login by email, could try nothing otherwise. */
export function TestCoins() {
  const { address } = useAppKitAccount({ namespace: 'eip155' })
  const { chainId } = useAppKitNetwork()
  const network = networks.find(({ id }) => id === chainId)
  // Another account or network starts anew.
  return address && network ? <Offer key={`${network.id} ${address}`} network={network} address={address} /> : null
}

function Offer({ network, address }: { network: (typeof networks)[number]; address: string }) {
  const { open } = useAppKitState()
  const { fetchBalance } = useAppKitBalance()
  const [step, setStep] = useState<Step>('unneeded')
  useEffect(() => {
    // A closed modal may have spent or received coins.
    if (open) return
    let isCurrent = true
    isEmpty(network, address).then(
      (empty) => isCurrent && empty && setStep((step) => (step === 'sending' || step === 'failed' ? step : 'offered')),
      // Without a balance nothing is offered: the node doesn't answer.
      () => {}
    )
    return () => {
      isCurrent = false
    }
  }, [network, address, open])
  const get = async () => {
    setStep('sending')
    try {
      await giveCoins(network, address as `0x${string}`)
      setStep('arrived')
      // The widget reads the new balance.
      await fetchBalance()
    } catch (error) {
      console.warn(error)
      setStep('failed')
    }
  }
  if (step === 'unneeded') return null
  return (
    <section className="coins" aria-label="Test ETH">
      <output>
        {step === 'arrived'
          ? `${GIFT} test ETH arrived. Try minting, sending or swapping.`
          : step === 'failed'
            ? "Couldn't get test ETH. Check your connection and try again."
            : step === 'sending'
              ? `${GIFT} test ETH are on their way.`
              : `Your account on ${network.name} is empty. Test ETH is free and only works in this demo.`}
      </output>
      {step !== 'arrived' && (
        <button
          type="button"
          className="mint"
          disabled={step === 'sending'}
          data-testid="get-test-coins"
          onClick={() => void get()}
        >
          {step === 'sending' ? 'Getting test ETH…' : step === 'failed' ? 'Try again' : 'Get test ETH'}
        </button>
      )}
    </section>
  )
}
