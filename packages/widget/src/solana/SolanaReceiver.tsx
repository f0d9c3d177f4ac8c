import type { SolanaReceiverFault, SolanaView } from '../generated/core.ts'
import { activeAccount } from '../shell/active.ts'
import { readCopied } from '../shell/paste.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { solanaWords } from '../text/solana.ts'
import { useText } from '../text/text.tsx'
import { ReceiverField } from '../ui/ReceiverField.tsx'

/** What is missing is said by the button, and by a message once it was pressed. */
const faults: Readonly<Record<Exclude<SolanaReceiverFault, 'missing'>, keyof typeof solanaWords>> = {
  notAnAddress: 'solanaNotAnAddress',
  wrongLength: 'solanaWrongLength',
  otherNamespace: 'receiverOtherNamespace',
  ownAddress: 'receiverOwnAddress',
  tokenAccount: 'solanaTokenAccount',
  tokenMint: 'solanaTokenMint',
  program: 'solanaProgram',
  programAccount: 'solanaProgramAccount',
  unread: 'solanaUnread'
}

/** Receiver: the address of a wallet. */
export function SolanaReceiver({ solana }: { solana: SolanaView }) {
  const t = useText(solanaWords)
  const dispatch = useDispatch()
  const { receiver, receiverFault: fault, recent, looking } = solana
  const typed = (text: string) => dispatch({ feature: 'solana', event: { type: 'receiverTyped', text } })
  return (
    <ReceiverField
      receiver={receiver}
      hint={t('solanaReceiverHint')}
      fault={fault && (fault === 'missing' ? '' : t(faults[fault]))}
      recent={recent}
      account={useSnapshot(activeAccount)}
      looking={looking && t('solanaLooking')}
      retry={fault === 'unread'}
      onTyped={typed}
      onPaste={() => readCopied(typed)}
    />
  )
}
