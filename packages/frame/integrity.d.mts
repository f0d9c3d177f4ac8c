/** Hash of a built frame, in hex. */
export function integrityOf(folder: string): Promise<string>
