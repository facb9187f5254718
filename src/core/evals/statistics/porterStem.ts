const doubles = /([bcdfghjkmnpqrtvwx])\1$/;

type Endings = readonly (readonly [ending: string, replacement: string])[];

/** Endings with what takes their place, the longest first. */
const endings = (written: string): Endings =>
  written
    .split(' ')
    .map((pair) => pair.split(':') as [ending: string, replacement: string])
    .toSorted(([a], [b]) => b.length - a.length);
const second = endings(
  'ational:ate tional:tion enci:ence anci:ance izer:ize abli:able alli:al entli:ent eli:e ousli:ous ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive biliti:ble',
);
const third = endings('icate:ic ative: alize:al iciti:ic ical:ic ful: ness:');
const fourth = endings(
  'al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: sion:s tion:t ou: ism: ate: iti: ous: ive: ize:',
);

/** Longer words than that are not taken for words, and are equal only to themselves. */
const longestWord = 100;

/** Returns the stem of an English word in lower case (Porter 1980). Words of one or two letters are stems themselves. */
export function porterStem(word: string): string {
  if (word.length <= 2 || word.length > longestWord) return word;
  let stem = /(?:ss|i)es$/.test(word) ? word.slice(0, -2) : /[^s]s$/.test(word) ? word.slice(0, -1) : word;
  stem = withoutPast(stem);
  if (stem.endsWith('y') && hasVowel(stem.slice(0, -1))) stem = `${stem.slice(0, -1)}i`;
  stem = replaced(replaced(stem, second, 1), third, 1);
  stem = replaced(stem, fourth, 2);
  if (stem.endsWith('e')) {
    const before = stem.slice(0, -1);
    const count = measure(before);
    if (count > 1 || (count === 1 && !isShort(before))) stem = before;
  }
  return stem.endsWith('ll') && measure(stem.slice(0, -1)) > 1 ? stem.slice(0, -1) : stem;
}

function withoutPast(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const stem = /(?:ed|ing)$/.test(word) ? word.replace(/(?:ed|ing)$/, '') : undefined;
  if (stem === undefined || !hasVowel(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (doubles.test(stem)) return stem.slice(0, -1);
  return measure(stem) === 1 && isShort(stem) ? `${stem}e` : stem;
}

/** Replaces the longest ending that a word has, if enough of the word is left. */
function replaced(word: string, list: Endings, least: number): string {
  const [ending, replacement = ''] = list.find(([one]) => word.endsWith(one)) ?? [];
  if (ending === undefined) return word;
  const stem = word.slice(0, -ending.length);
  // The s or t of -sion and -tion belongs to what is left.
  return measure(stem + (least > 1 ? replacement : '')) >= least ? stem + replacement : word;
}

/** A word with `v` for its vowels and `c` for its other letters. A y after a consonant is a vowel. */
function shapeOf(word: string): string {
  let shape = '';
  for (const letter of word) shape += 'aeiou'.includes(letter) || (letter === 'y' && shape.endsWith('c')) ? 'v' : 'c';
  return shape;
}

/** How often a consonant follows a vowel. */
const measure = (stem: string): number => (shapeOf(stem).match(/vc/g) ?? []).length;
const hasVowel = (stem: string): boolean => shapeOf(stem).includes('v');
/** Whether a stem ends in consonant, vowel, and a consonant other than w, x, and y. */
const isShort = (stem: string): boolean => shapeOf(stem).endsWith('cvc') && !/[wxy]$/.test(stem);
