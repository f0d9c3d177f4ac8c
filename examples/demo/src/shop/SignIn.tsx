import {
  type createAppKit,
  useAppKitAccount,
  useAppKitEvents,
  useAppKitNetwork,
  useAppKitState
} from '@portico/widget/react'
import { useEffect, useState } from 'react'

type Kit = ReturnType<typeof createAppKit>

/** Offers to sign in with the connected wallet where the sign-in is optional: for a required one the widget itself asks. */
export function SignIn({ kit }: { kit: Kit }) {
  const { address } = useAppKitAccount()
  const { caipNetworkId: chain } = useAppKitNetwork()
  const { siwx } = kit.options
  if (siwx?.getRequired?.() !== false) return null
  // Another account or network starts anew.
  return <Offer key={`${chain} ${address}`} kit={kit} siwx={siwx} chain={chain} address={address} />
}

interface OfferProps {
  readonly kit: Kit
  readonly siwx: NonNullable<Kit['options']['siwx']>
  readonly chain: string | undefined
  readonly address: string | undefined
}

function Offer({ kit, siwx, chain, address }: OfferProps) {
  const { open } = useAppKitState()
  const { timestamp } = useAppKitEvents()
  const [signedIn, setSignedIn] = useState(false)
  const [failed, setFailed] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the visitor may have signed whenever an event comes or the modal closes
  useEffect(() => {
    if (chain === undefined || address === undefined) return
    let isCurrent = true
    siwx.getSessions(chain, address).then(
      (sessions) => isCurrent && setSignedIn(sessions.length > 0),
      () => isCurrent && setSignedIn(false)
    )
    return () => {
      isCurrent = false
    }
  }, [siwx, chain, address, open, timestamp])
  const perform = async (work: () => Promise<unknown>) => {
    setFailed(false)
    try {
      await work()
    } catch (error) {
      console.warn(error)
      setFailed(true)
    }
  }
  // Without a wallet the widget asks for one first, and for the signature then.
  const signIn = () => perform(() => kit.open(address === undefined ? undefined : { view: 'SIWXSignMessage' }))
  const signOut = () =>
    perform(async () => {
      await siwx.revokeSession(String(chain), String(address))
      setSignedIn(false)
    })
  return (
    <section className="coins" aria-label="Your orders">
      <output data-testid="signed-in">
        {failed
          ? "That didn't work. Try again."
          : signedIn
            ? "You're signed in. You have no orders yet."
            : 'Sign in with your wallet to see your orders.'}
      </output>
      <button
        type="button"
        className="mint"
        data-testid={signedIn ? 'sign-out' : 'sign-in'}
        onClick={() => void (signedIn ? signOut() : signIn())}
      >
        {signedIn ? 'Sign out' : 'Sign in'}
      </button>
    </section>
  )
}
