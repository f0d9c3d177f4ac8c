import { useEffect, useId, useRef, useState } from 'react'
import type { Account } from '../wallet/accounts.ts'
import type { Question } from '../wallet/question.ts'
import { countdown } from '../wallet/text.ts'
import type { Wallet } from '../wallet/wallet.ts'
import { PeerCard, Standing } from './PeerCard.tsx'
import { firstAccounts, ProposalDetails } from './ProposalDetails.tsx'
import { RequestDetails } from './RequestDetails.tsx'

export interface QuestionDialogProps {
  wallet: Wallet
  question: Question
  count: number
  now: number
  /** Puts the question aside for later. */
  put(): void
}

/** Dialog of one question, with all information that the user needs to answer it. */
export function QuestionDialog({ wallet, question, count, now, put }: QuestionDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const heading = useId()
  const [chosen, choose] = useState<readonly Account[]>(() => firstAccounts(question))
  useEffect(() => {
    dialog.current?.showModal()
    // Focus starts at the title; the buttons come after everything that should be read.
    title.current?.focus()
  }, [])
  const { peer, expiry, busy, fault } = question
  const isDanger = peer.standing.level === 'danger'
  const impossible = question.kind === 'proposal' && (question.offer.missing.length > 0 || chosen.length === 0)
  return (
    <dialog ref={dialog} aria-labelledby={heading} data-testid="question" onClose={put}>
      <header>
        <h2 id={heading} ref={title} tabIndex={-1}>
          {question.kind === 'proposal' ? 'Connect to this app?' : question.ask.title}
        </h2>
        <p className="soft">
          {count > 1 && <bdi>1 of {count}</bdi>}
          {expiry !== null && <bdi role="timer">{countdown(expiry - now)} left</bdi>}
        </p>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is long is scrolled with the keyboard as well */}
      <section className="scroll" aria-label="Details" tabIndex={0}>
        <PeerCard peer={peer} />
        <Standing standing={peer.standing} />
        {question.kind === 'proposal' ? (
          <ProposalDetails offer={question.offer} chosen={chosen} choose={choose} />
        ) : (
          <RequestDetails ask={question.ask} />
        )}
      </section>
      {fault && (
        <p className="standing" data-level="warning" role="alert">
          {fault}
        </p>
      )}
      <footer>
        <button
          type="button"
          data-testid="session-reject-button"
          disabled={busy}
          onClick={() => void wallet.refuse(question)}
        >
          Decline
        </button>
        <button
          type="button"
          className={isDanger ? 'danger' : 'primary'}
          data-testid="session-approve-button"
          disabled={busy || impossible}
          onClick={() => void wallet.approve(question, chosen)}
        >
          {busy ? 'One moment…' : question.kind === 'proposal' ? 'Connect' : question.ask.verb}
        </button>
      </footer>
    </dialog>
  )
}
