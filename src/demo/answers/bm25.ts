/** Returns the words in lower case without their most common endings; Chinese text as pairs of characters, or as a single one. */
export function termsOf(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.flatMap((word) => {
    if (!/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word))
      return [word.length > 4 ? word.replace(/(?:ing|ed|es|s|ly)$/, '') : word];
    const letters = Array.from(word);
    return letters.length === 1
      ? letters
      : letters.slice(0, -1).map((letter, index) => letter + (letters[index + 1] ?? ''));
  });
}

/** Stop words, which occur in most texts and say nothing about the topic. */
const common = new Set('a an and are as at by for from in is it my of on or the to with'.split(' '));

const saturation = 1.2;
const lengthWeight = 0.75;

/** Returns the Okapi BM25 score of each text for the query, in the order of the texts; 0 if they share no term. */
export function bm25(query: string, texts: readonly string[]): readonly number[] {
  const documents = texts.map(termsOf);
  const average = documents.reduce((sum, terms) => sum + terms.length, 0) / Math.max(1, documents.length);
  const frequencies = documents.map((terms) => {
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    return counts;
  });
  const terms = [...new Set(termsOf(query))];
  const telling = terms.filter((term) => !common.has(term));
  const searched = telling.length > 0 ? telling : terms;
  const rarity = new Map(
    searched.map((term) => {
      const holding = frequencies.filter((counts) => counts.has(term)).length;
      return [term, Math.log(1 + (documents.length - holding + 0.5) / (holding + 0.5))];
    }),
  );
  return frequencies.map((counts, index) => {
    const length = (documents[index]?.length ?? 0) / Math.max(1, average);
    return searched.reduce((score, term) => {
      const count = counts.get(term) ?? 0;
      const weight = (count * (saturation + 1)) / (count + saturation * (1 - lengthWeight + lengthWeight * length));
      return score + (rarity.get(term) ?? 0) * weight;
    }, 0);
  });
}
