export type Language = 'en' | 'zh';

const han = /\p{Script=Han}/gu;

/** Chinese when a fifth of the letters are. */
export function languageOf(text: string): Language {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return (text.match(han)?.length ?? 0) > letters / 5 ? 'zh' : 'en';
}

/** Words as a person counts them: each Chinese character is one. */
export function wordsOf(text: string): readonly string[] {
  return text.match(/\p{Script=Han}|[\p{L}\p{N}]+(?:['’_-][\p{L}\p{N}]+)*/gu)?.filter((word) => word !== '') ?? [];
}

export const linesOf = (text: string): readonly string[] => text.replace(/\n+$/, '').split(/\r?\n/);

/** Sentences, without the white space around them. */
export function sentencesOf(text: string): readonly string[] {
  const plain = text.replace(/```[\s\S]*?```/g, ' ').replace(/\s+/g, ' ');
  return (plain.match(/[^.!?。！？]+(?:[.!?。！？]+["”’)]*|$)/gu) ?? [])
    .map((sentence) => sentence.trim())
    .filter((sentence) => wordsOf(sentence).length > 2);
}

const stopWords = new Set(
  `a about above after again all also am an and any are as at be because been before being between both but by can could did do does doing
  down during each every explain few for from further get give had has have having he her here hers him his how i if in into is it its just kind let like
  list make many may me more most my need no nor not now of off on once one only or other our out over own please same say she should show
  simple small so some such tell than that the their them then there these they this those through to too under until up use used using very want was we
  were what when where which while who why will with word words would write you your paragraph sentence sentences short text file attached lines`.split(
    /\s+/,
  ),
);
const stopPairs =
  /[的了吗呢是在和与或把被给我你他她它们这那哪么什怎为请吧啊个一有不就也都很会能要用可以及对从到中上下]/u;

/** The words that carry a text, the most frequent first; Chinese text gives pairs of characters. */
export function keywordsOf(text: string, limit: number): readonly string[] {
  const counts = new Map<string, { shown: string; count: number }>();
  const add = (key: string, shown: string, weight: number) => {
    const entry = counts.get(key);
    if (entry === undefined) counts.set(key, { shown, count: weight });
    else entry.count += weight;
  };
  for (const word of text.match(/[A-Za-z\u00c0-\u024f][\w'’-]*/gu) ?? []) {
    const key = word.toLowerCase();
    if (key.length > 2 && !stopWords.has(key)) add(key, word, 1 + Math.min(key.length, 10) / 20);
  }
  for (const run of text.match(/\p{Script=Han}+/gu) ?? []) {
    for (const part of run.split(stopPairs)) {
      if (part.length >= 2 && part.length <= 6) add(part, part, part.length / 2);
      else for (let at = 0; at + 2 <= part.length; at += 2) add(part.slice(at, at + 2), part.slice(at, at + 2), 1);
    }
  }
  return [...counts.values()]
    .toSorted((a, b) => b.count - a.count)
    .slice(0, limit)
    .map((entry) => entry.shown);
}

/** Shortened to so many characters at a word's end, on one line. */
export function excerpt(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= length) return line;
  return `${line.slice(0, length).replace(/\s+\S*$/, '')}…`;
}
