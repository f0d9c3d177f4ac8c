/** Text whose long words, such as addresses, break in their middle: halves are easier to compare than a line and two letters. */
export function Whole({ text }: { text: string }) {
  return text.split(/(\S{32,})/).map((piece, at) =>
    at % 2 === 0 ? (
      piece
    ) : (
      // The pieces of a text never change their order.
      // biome-ignore lint/suspicious/noArrayIndexKey: the place is all that tells them apart
      <span key={at}>
        {piece.slice(0, piece.length / 2)}
        <wbr />
        {piece.slice(piece.length / 2)}
      </span>
    )
  )
}
