import type { Skill } from './skill';
import { asks } from './skill';
import { excerpt, keywordsOf, linesOf, sentencesOf, wordsOf } from './words';

/** Returns the sentences with the most keywords of the text, in text order. */
export function salientSentences(text: string, count: number): readonly string[] {
  const sentences = sentencesOf(text);
  const keys = keywordsOf(text, 12).map((key) => key.toLowerCase());
  const scored = sentences.map((sentence, index) => {
    const lower = sentence.toLowerCase();
    const hits = keys.reduce((sum, key, rank) => sum + (lower.includes(key) ? 1 - rank / 24 : 0), 0);
    return {
      sentence,
      index,
      score: hits / Math.sqrt(Math.max(6, wordsOf(sentence).length)) + (index === 0 ? 0.4 : 0),
    };
  });
  return scored
    .toSorted((a, b) => b.score - a.score)
    .slice(0, count)
    .toSorted((a, b) => a.index - b.index)
    .map((item) => item.sentence);
}

export const summarySkill: Skill = {
  name: 'summary',
  fits: (question) =>
    question.material !== '' &&
    asks(
      question,
      /\b(summari[sz]e|summary|sum up|tl;?dr|in (?:one|a) sentence|shorten|key points|gist|main (?:idea|point)s?|what (?:is|does) (?:this|it)|explain this)\b|总结|概括|摘要|概述|归纳|讲了什么|主要内容/i,
    ),
  write: ({ ask, material, say }) => {
    const words = wordsOf(material).length;
    const isOne = /\bone sentence\b|一句话/i.test(ask);
    const sentences = salientSentences(material, isOne ? 1 : words > 300 ? 4 : words > 80 ? 3 : 2);
    if (isOne && sentences[0] !== undefined) return sentences[0];
    const shown =
      sentences.length > 0
        ? sentences
        : linesOf(material)
            .filter((line) => line.trim() !== '')
            .slice(0, 3);
    return [
      say(`**In short**, from ${words} words:`, `**概要**（原文 ${words} 字）：`),
      shown.map((sentence) => `> ${excerpt(sentence, 280)}`).join('\n>\n'),
    ].join('\n\n');
  },
};
