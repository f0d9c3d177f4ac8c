import { shortFee } from '../../../widget/src/text/fee.ts'
import type {
  ApprovalFlag,
  ApprovalRow,
  ApprovalView,
  FrameUiEvent,
  HostView,
  NetworkView
} from '../generated/frame.ts'
import type { Secrets } from '../secrets.ts'
import { faultText, filled, language, words, written } from '../text/words.ts'
import { Again, byVisitor } from './Again.tsx'
import { Watched } from './Watched.tsx'

interface Asked {
  readonly approval: ApprovalView
  readonly host: HostView
  readonly secrets: Secrets
  dispatch(event: FrameUiEvent): void
}

/** The request that waits for the visitor (spec 2.26). */
export function ApproveTransactionView({ approval, host, secrets, dispatch }: Asked) {
  const { approval: t, direction } = words()
  const { confirm, fault, number, revision, stage, window } = approval
  const busy = stage === 'signing' || stage === 'sending'
  const deceives = approval.flags.some(isScam)
  const decline = byVisitor(() => dispatch({ type: 'cancelled', approval: number }))
  const approve = byVisitor(() => dispatch({ type: 'approved', approval: number, revision }))
  const blocking = approval.block !== null && (
    <button
      type="button"
      className="button block"
      disabled={!approval.block || stage === 'sending'}
      onClick={byVisitor(() => dispatch({ type: 'blocked', approval: number }))}
    >
      {t.block}
    </button>
  )
  const refusing = (
    <button type="button" className="button" disabled={stage === 'sending'} onClick={decline}>
      {t.decline}
    </button>
  )
  return (
    <section className="approval" aria-labelledby="title" lang={language()} dir={direction} aria-busy={busy}>
      <h1 id="title">{t.titles[approval.action]}</h1>
      {fault && (
        <p className="flags blocked" role="alert">
          {faultText(fault)}
        </p>
      )}
      {confirm && !window && <Again approval={approval} confirm={confirm} secrets={secrets} dispatch={dispatch} />}
      <p className="host">
        <bdi>{host.origin}</bdi>
        {host.name && <small>{filled(t.callsItself, host.name)}</small>}
      </p>
      <Flags approval={approval} />
      <Details approval={approval} />
      <p role="status">{window && confirm && !busy ? t.inWindowHint : t.stages[stage]}</p>
      {confirm ? (
        <div className="decision">
          {refusing}
          {blocking}
        </div>
      ) : (
        <Watched approval={number} revision={revision} dispatch={dispatch}>
          {refusing}
          <button
            type="button"
            className={`button ${deceives ? 'grave' : 'primary'}`}
            disabled={!approval.armed}
            onClick={approve}
          >
            {window ? t.inWindow : t.approve}
          </button>
          {blocking}
        </Watched>
      )}
    </section>
  )
}

/** Whether somebody seems to deceive the visitor. */
const isScam = (flag: ApprovalFlag): boolean => flag === 'lookAlike' || flag === 'fakeToken'

function Flags({ approval }: { approval: ApprovalView }) {
  if (approval.flags.length === 0) return null
  return (
    <div className={approval.blocked || approval.flags.some(isScam) ? 'flags blocked' : 'flags'} role="alert">
      {approval.flags.map((flag) => (
        <p key={flag}>{words().approval.flags[flag]}</p>
      ))}
    </div>
  )
}

function Details({ approval }: { approval: ApprovalView }) {
  const { approval: t } = words()
  const { account, expected, fee, network, rows, text } = approval
  const said = text !== null && (
    <pre className="text" dir="auto">
      {text}
    </pre>
  )
  // What is signed comes first: a message without rows is all that there is to read.
  const alone = rows.length === 0
  return (
    <>
      {expected && (
        <section className="expected" aria-labelledby="expected">
          <h2 id="expected">{t.expected}</h2>
          {expected.length > 0 ? (
            <dl>
              <Rows rows={expected} />
            </dl>
          ) : (
            <p>{t.unchanged}</p>
          )}
        </section>
      )}
      {alone && said}
      <dl>
        <Rows rows={rows} />
        <div>
          <dt>{t.account}</dt>
          <dd>
            <Halves text={account} />
          </dd>
        </div>
        <div>
          <dt>{t.network}</dt>
          <dd>{networkName(network)}</dd>
        </div>
        {fee && (
          <div>
            <dt>{t.fee}</dt>
            <dd>
              <bdi>{written(fee, shortFee)}</bdi>
            </dd>
          </div>
        )}
      </dl>
      {!alone && said}
    </>
  )
}

/** A name that is not of the frame's own table stands beside the number of its chain. */
function networkName({ name, id }: NetworkView): string {
  const { approval: t } = words()
  if (id === null) return name ?? ''
  return name === null ? filled(t.chain, id) : filled(t.chainNamed, name, id)
}

function Rows({ rows }: { rows: readonly ApprovalRow[] }) {
  // Rows never change their order while they are shown, and two of one label may have one value.
  const keyed = rows.map((row, index) => ({ ...row, key: `${row.label} ${index}` }))
  return keyed.map(({ key, label, text }) => (
    <div key={key} data-row={label}>
      <dt>{words().approval.labels[label]}</dt>
      <dd>
        <Halves text={written(text)} />
      </dd>
    </div>
  ))
}

/** A long word, such as an address, breaks in its middle where it has no room: halves are easier to compare than a line and two letters. */
function Halves({ text }: { text: string }) {
  const word = /\S{32,}/.exec(text)
  if (!word) return <bdi>{text}</bdi>
  const middle = word.index + word[0].length / 2
  return (
    <bdi>
      {text.slice(0, middle)}
      <wbr />
      {text.slice(middle)}
    </bdi>
  )
}
