/** The ways a token may be written in the text, likeliest first; or its bytes, if it is only part of a character. */
export type TokenText = { readonly texts: readonly string[] } | { readonly bytes: readonly number[] };

/**
 * Reads a token in any notation that services use: as it is; with the marks of byte-level vocabularies (`Ġ` blank, `Ċ` line end,
 * `ĉ` tab) or of SentencePiece (`▁` blank); as one byte, `<0x0A>`; as several bytes, `bytes:\xe4\xbd`.
 */
export function readToken(raw: string): TokenText {
  const bytes = bytesOf(raw);
  if (bytes) {
    const whole = wholeText(bytes);
    return whole === undefined ? { bytes } : { texts: [raw, whole] };
  }
  const plain = raw
    .replaceAll('Ġ', ' ')
    .replaceAll('▁', ' ')
    .replaceAll('Ċ', '\n')
    .replaceAll('č', '\r')
    .replaceAll('ĉ', '\t');
  return { texts: plain === raw ? [raw] : [raw, plain] };
}

/** Returns the token's end if it occurs at `at`, otherwise `undefined`. LF and CRLF match each other. */
export function matchAt(text: string, at: number, token: TokenText): number | undefined {
  if (!('texts' in token)) return undefined;
  for (const candidate of token.texts) {
    const end = endOf(text, at, candidate);
    if (end !== undefined) return end;
  }
  return undefined;
}

function endOf(text: string, at: number, candidate: string): number | undefined {
  if (text.startsWith(candidate, at)) return at + candidate.length;
  let place = at;
  for (let index = 0; index < candidate.length; index++) {
    const wanted = candidate[index]!;
    if (wanted === '\r' && text[place] !== '\r' && candidate[index + 1] === '\n') continue;
    if (wanted === '\n' && text[place] === '\r' && text[place + 1] === '\n') place += 2;
    else if (text[place] === wanted) place++;
    else return undefined;
  }
  return place;
}

function bytesOf(raw: string): readonly number[] | undefined {
  const one = /^<0x([0-9A-Fa-f]{2})>$/.exec(raw);
  if (one) return [Number.parseInt(one[1]!, 16)];
  if (!/^bytes:(?:\\x[0-9A-Fa-f]{2})+$/.test(raw)) return undefined;
  return [...raw.matchAll(/\\x([0-9A-Fa-f]{2})/g)].map(([, byte = '0']) => Number.parseInt(byte, 16));
}

/** `undefined` if the bytes end within a character. */
export function wholeText(bytes: readonly number[]): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}
