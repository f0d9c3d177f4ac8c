/** Mark in the address of a window for a passkey: the page of the frame, alone. */
export const ALONE = '#passkey'
/** Mark of a window in which the visitor confirms a large value. */
export const DECISION = '#decision'
