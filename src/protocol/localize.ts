import { t as translate } from '@vscode/l10n';

export { config } from '@vscode/l10n';

/** Replaces `t` of @vscode/l10n in all bundles (see esbuild.mjs), so that every text is filled in the same way. */
export function t(text: string, ...values: readonly FillValue[] | readonly [named: FillValues]): string {
  const [first] = values;
  return fillText(translate(text), typeof first === 'object' ? first : (values as readonly FillValue[]));
}

const wide = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}，。、；：？！（）“”《》〈〉「」『』【】…—·]`;
const startsWide = new RegExp(`^${wide}`, 'u');
const endsWide = new RegExp(`${wide}$`, 'u');
const wideThenSpace = new RegExp(`${wide} $`, 'u');
const spaceThenWide = new RegExp(`^ ${wide}`, 'u');
const startsHan = /^\p{sc=Han}/u;
const endsHan = /\p{sc=Han}$/u;
const startsLatin = /^[A-Za-z0-9]/;
const endsLatin = /[A-Za-z0-9]$/;
const placeholder = /\{([^}]+)\}/g;

type FillValue = string | number | boolean;
/** By number, or by name. */
type FillValues = readonly FillValue[] | Readonly<Record<string, FillValue>>;

/**
 * Fills the placeholders of a text. Chinese has a space next to Latin letters and digits, but none between two Chinese characters, so in a
 * Chinese text the space around a placeholder depends on the value. The values themselves aren't changed.
 */
export function fillText(template: string, values: FillValues): string {
  const isChinese = /\p{sc=Han}/u.test(template);
  let text = '';
  let from = 0;
  const add = (piece: string) => (text = isChinese ? joined(text, piece) : text + piece);
  for (const { index, 0: found, 1: name = '' } of template.matchAll(placeholder)) {
    add(template.slice(from, index));
    add(Object.hasOwn(values, name) ? String((values as Record<string, FillValue>)[name]) : found);
    from = index + found.length;
  }
  add(template.slice(from));
  return text;
}

/** Long enough for a space and a character of two UTF-16 units. */
const nearby = 3;

/** Joins two pieces of a Chinese text, one of which is the value of a placeholder. */
function joined(text: string, piece: string): string {
  const [end, start] = [text.slice(-nearby), piece.slice(0, nearby)];
  if (end === '' || start === '') return text + piece;
  if (end.endsWith(' ') && start.startsWith(' ')) return joined(text.slice(0, -1), piece);
  if (wideThenSpace.test(end) && startsWide.test(start)) return text.slice(0, -1) + piece;
  if (endsWide.test(end) && spaceThenWide.test(start)) return text + piece.slice(1);
  const isMixed = (endsHan.test(end) && startsLatin.test(start)) || (endsLatin.test(end) && startsHan.test(start));
  return isMixed ? `${text} ${piece}` : text + piece;
}
