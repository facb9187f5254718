import type { TokenLogprobs } from '../api/completions/completionEvents';
import type { Span } from './movedSpan';

/** A token at its position in the text; the byte tokens of one character are merged. */
export interface TokenSpan extends Span {
  readonly text: string;
  /** `null` if the service reports none. */
  readonly logprob: number | null;
  /** Most probable first. Can include the token itself. */
  readonly alternatives: readonly { readonly text: string; readonly logprob: number }[];
}

/** How far ahead to search for a token that does not start where the previous one ended, in characters. */
const mostSkipped = 80;

interface Piece {
  readonly token: TokenText;
  readonly logprob: number | null;
  readonly top: Readonly<Record<string, number>> | null | undefined;
}

/**
 * Locates the tokens of a text, in order and without overlap. Services write tokens in several ways: literally, with marks for blanks and
 * line ends, or as single bytes. Tokens that aren't found are omitted.
 */
export function tokenSpans(text: string, logprobs: TokenLogprobs): readonly TokenSpan[] {
  const pieces = piecesOf(logprobs);
  const spans: TokenSpan[] = [];
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    const start = find(text, at, pieces, index);
    const end = start === undefined ? undefined : matchAt(text, start, piece.token);
    if (start === undefined || end === undefined) continue;
    at = end;
    if (end === start) continue;
    spans.push({ start, end, text: text.slice(start, end), logprob: piece.logprob, alternatives: topOf(piece.top) });
  }
  return spans;
}

/** Merges tokens that are bytes of one character; their probabilities multiply. */
function piecesOf({ tokens, token_logprobs, top_logprobs }: TokenLogprobs): readonly Piece[] {
  const pieces: Piece[] = [];
  let bytes: number[] = [];
  let sum: number | null = 0;
  for (const [index, raw] of tokens.entries()) {
    const token = readToken(raw);
    const logprob = token_logprobs[index] ?? null;
    if (!('bytes' in token)) {
      [bytes, sum] = [[], 0];
      pieces.push({ token, logprob, top: top_logprobs?.[index] });
      continue;
    }
    for (const one of token.bytes) bytes.push(one);
    sum = sum === null || logprob === null ? null : sum + logprob;
    const text = wholeText(bytes);
    if (text !== undefined) pieces.push({ token: { texts: [text] }, logprob: sum, top: undefined });
    // No character has more than four bytes: an incomplete one stays incomplete.
    if (text !== undefined || bytes.length >= 4) [bytes, sum] = [[], 0];
  }
  return pieces;
}

/** Returns where the token starts: right here, or a little ahead if the next token follows it there. */
function find(text: string, at: number, pieces: readonly Piece[], index: number): number | undefined {
  const { token } = pieces[index]!;
  if (matchAt(text, at, token) !== undefined) return at;
  const next = pieces[index + 1]?.token;
  for (let start = at + 1; start <= Math.min(text.length, at + mostSkipped); start++) {
    const end = matchAt(text, start, token);
    if (end === undefined || end === start) continue;
    if (next ? matchAt(text, end, next) !== undefined : end === text.length) return start;
  }
  return undefined;
}

function topOf(top: Piece['top']): TokenSpan['alternatives'] {
  return Object.entries(top ?? {})
    .map(([raw, logprob]) => {
      const token = readToken(raw);
      return { text: 'texts' in token ? token.texts.at(-1)! : raw, logprob };
    })
    .toSorted((one, other) => other.logprob - one.logprob);
}

/** The possible spellings of a token in the text, likeliest first, or its bytes if it is only part of a character. */
type TokenText = { readonly texts: readonly string[] } | { readonly bytes: readonly number[] };

/**
 * Reads a token in any notation that services use: literally, with the marks of byte-level vocabularies (`Ġ` blank, `Ċ` line end, `ĉ` tab)
 * or of SentencePiece (`▁` blank), as one byte, `<0x0A>`, or as several bytes, `bytes:\xe4\xbd`.
 */
function readToken(raw: string): TokenText {
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
function matchAt(text: string, at: number, token: TokenText): number | undefined {
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
    const expected = candidate[index]!;
    if (expected === '\r' && text[place] !== '\r' && candidate[index + 1] === '\n') continue;
    if (expected === '\n' && text[place] === '\r' && text[place + 1] === '\n') place += 2;
    else if (text[place] === expected) place++;
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
function wholeText(bytes: readonly number[]): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}
