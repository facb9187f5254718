/** Encodings of text that is not UTF-8, by the name that `TextDecoder` takes. */
export type TextEncoding = 'gb18030' | 'big5' | 'utf-16le' | 'utf-16be' | 'shift_jis' | 'euc-kr' | 'windows-1252';

/** An encoding that a text may have, with the beginning of the text when it is decoded so. */
export interface EncodingGuess {
  readonly encoding: TextEncoding;
  readonly preview: string;
}

const previewLength = 80;
/** Enough to distinguish encodings, and little enough to decode several times. */
const sampleBytes = 1 << 16;
/** A guess that fits less is not offered. */
const leastFit = 0.25;
/** How much a guess gains by the language of the window: short texts fit several encodings. */
const gain = 0.1;
const byLanguage: readonly (readonly [language: RegExp, encoding: TextEncoding])[] = [
  [/^zh-(tw|hk|mo|hant)/i, 'big5'],
  [/^zh/i, 'gb18030'],
  [/^ja/i, 'shift_jis'],
  [/^ko/i, 'euc-kr'],
];
/** Common characters of Korean are common ones in Chinese encodings too, so the former come first if both fit. */
const multibyte = ['euc-kr', 'gb18030', 'big5', 'shift_jis', 'windows-1252'] as const;

/**
 * Returns the possible encodings of a text that isn't UTF-8, the most likely first, or none for binary content. `language` is that of the
 * window. Only the beginning is examined.
 */
export function guessEncodings(bytes: Uint8Array, language: string): readonly EncodingGuess[] {
  const sample = bytes.subarray(0, sampleBytes);
  const wide = wideEncoding(sample);
  const tried: readonly TextEncoding[] = wide ? [wide] : sample.includes(0) ? [] : multibyte;
  const usual = byLanguage.find(([pattern]) => pattern.test(language))?.[1];
  return tried
    .flatMap((encoding) => {
      const text = decodeAs(sample, encoding, { isPart: bytes.length > sample.length });
      if (text === undefined || /(?![\t\n\f\r])\p{Cc}/u.test(text)) return [];
      const fit = fitOf(sample, text, encoding) + (encoding === usual ? gain : 0);
      return fit < leastFit
        ? []
        : [{ encoding, fit, preview: text.trim().replaceAll(/\s+/g, ' ').slice(0, previewLength) }];
    })
    .toSorted((one, other) => other.fit - one.fit)
    .map(({ encoding, preview }) => ({ encoding, preview }));
}

/** Decodes a text, without a byte-order mark; `undefined` if the bytes are invalid, or if the encoding isn't supported on this machine. */
export function decodeAs(
  bytes: Uint8Array,
  encoding: TextEncoding,
  { isPart = false }: { readonly isPart?: boolean } = {},
): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: isPart });
  } catch {
    return undefined;
  }
}

/** Detects UTF-16 by its byte-order mark, or by the zero bytes of its Latin characters. */
function wideEncoding(sample: Uint8Array): TextEncoding | undefined {
  if (sample[0] === 0xff && sample[1] === 0xfe) return 'utf-16le';
  if (sample[0] === 0xfe && sample[1] === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2]!++;
  const [even = 0, odd = 0] = zeros;
  const few = sample.length / 50;
  if (odd > few && even * 4 < odd) return 'utf-16le';
  return even > few && odd * 4 < even ? 'utf-16be' : undefined;
}

/** Returns how well a text fits an encoding, from 0 to 1: the share of its characters that are in everyday use. */
function fitOf(sample: Uint8Array, text: string, encoding: TextEncoding): number {
  switch (encoding) {
    case 'utf-16le':
    case 'utf-16be':
      return 1;
    case 'gb18030':
      // The punctuation and the common characters of GB 2312.
      return shareOfPairs(
        sample,
        (lead, trail) => trail >= 0xa1 && ((lead >= 0xb0 && lead <= 0xd7) || (lead >= 0xa1 && lead <= 0xa3)),
      );
    case 'big5':
      return shareOfPairs(sample, (lead) => lead >= 0xa1 && lead <= 0xc6);
    case 'shift_jis':
      return Math.min(1, shareOf(text, /[ぁ-んァ-ヶー、。]/u) * 2);
    case 'euc-kr':
      return shareOf(text, /\p{sc=Hangul}/u);
    case 'windows-1252':
      return shareOf(text, /[\p{sc=Latin}«»“”‘’–—…€°£§ ]/u) / 2;
  }
}

/** Returns the share of two-byte characters for which `isCommon` holds. */
function shareOfPairs(sample: Uint8Array, isCommon: (lead: number, trail: number) => boolean): number {
  let pairs = 0;
  let common = 0;
  for (let at = 0; at + 1 < sample.length; at++) {
    const lead = sample[at]!;
    if (lead < 0x80) continue;
    at++;
    pairs++;
    if (isCommon(lead, sample[at]!)) common++;
  }
  return pairs === 0 ? 0 : common / pairs;
}

/** Returns the share of the characters beyond ASCII that match. */
function shareOf(text: string, pattern: RegExp): number {
  let beyond = 0;
  let matching = 0;
  for (const sign of text) {
    if (sign <= '\u007f') continue;
    beyond++;
    if (pattern.test(sign)) matching++;
  }
  return beyond === 0 ? 0 : matching / beyond;
}
