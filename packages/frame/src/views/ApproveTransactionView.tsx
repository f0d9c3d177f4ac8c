import type { MouseEvent } from 'react'
import type { ApprovalRow, ApprovalView, FrameUiEvent, HostView } from '../generated/frame.ts'
import { flags, labels, stages, titles } from './text.ts'
import { Watched } from './Watched.tsx'

interface Asked {
  readonly approval: ApprovalView
  readonly host: HostView
  dispatch(event: FrameUiEvent): void
}

/** Clicks of scripts do not count: only the visitor approves. */
const byVisitor = (act: () => void) => (event: MouseEvent) => {
  if (event.nativeEvent.isTrusted) act()
}

/** The request that waits for the visitor (spec 2.26). */
export function ApproveTransactionView({ approval, host, dispatch }: Asked) {
  const { number, revision, stage } = approval
  const busy = stage === 'signing' || stage === 'sending'
  const cancel = byVisitor(() => dispatch({ type: 'cancelled', approval: number }))
  const approve = byVisitor(() => dispatch({ type: 'approved', approval: number, revision }))
  return (
    <section className="approval" aria-labelledby="title" aria-busy={busy}>
      <h1 id="title">{titles[approval.action]}</h1>
      <p className="host">
        <bdi>{host.origin}</bdi>
        {host.name && <small>calls itself “{host.name}”</small>}
      </p>
      <Flags approval={approval} />
      <Details approval={approval} />
      <p role="status">{stages[stage]}</p>
      <Watched approval={number} revision={revision} dispatch={dispatch}>
        <button type="button" className="button" disabled={stage === 'sending'} onClick={cancel}>
          Cancel
        </button>
        <button type="button" className="button primary" disabled={!approval.armed} onClick={approve}>
          Approve
        </button>
      </Watched>
    </section>
  )
}

function Flags({ approval }: { approval: ApprovalView }) {
  if (approval.flags.length === 0) return null
  return (
    <ul className={approval.blocked ? 'flags blocked' : 'flags'} role="alert">
      {approval.flags.map((flag) => (
        <li key={flag}>{flags[flag]}</li>
      ))}
    </ul>
  )
}

function Details({ approval }: { approval: ApprovalView }) {
  const { account, expected, fee, network, rows, text } = approval
  return (
    <>
      {expected && (
        <section className="expected" aria-labelledby="expected">
          <h2 id="expected">Expected effect</h2>
          {expected.length > 0 ? (
            <dl>
              <Rows rows={expected} />
            </dl>
          ) : (
            <p>Your balances stay the same.</p>
          )}
        </section>
      )}
      <dl>
        <Rows rows={rows} />
        <div>
          <dt>Account</dt>
          <dd>
            <bdi>{account}</bdi>
          </dd>
        </div>
        <div>
          <dt>Network</dt>
          <dd>{network}</dd>
        </div>
        {fee && (
          <div>
            <dt>Highest network fee</dt>
            <dd>{fee}</dd>
          </div>
        )}
      </dl>
      {text !== null && (
        <pre className="text">
          <bdi>{text}</bdi>
        </pre>
      )}
    </>
  )
}

function Rows({ rows }: { rows: readonly ApprovalRow[] }) {
  // Rows never change their order while they are shown, and two of one label may have one value.
  const keyed = rows.map((row, index) => ({ ...row, key: `${row.label} ${index}` }))
  return keyed.map(({ key, label, value }) => (
    <div key={key} data-row={label}>
      <dt>{labels[label]}</dt>
      <dd>
        <bdi>{value}</bdi>
      </dd>
    </div>
  ))
}
