export type Language = 'en' | 'zh';

const han = /\p{Script=Han}/gu;

const englishWord =
  /\b(?:what|how|why|who|where|which|the|to|is|are|in|a|an|of|and|with|does|do|can|you|i|translate|write|explain|mean|show)\b/i;

/** Returns `zh` if more than a fifth of the letters are Chinese, or fewer of them among names but no English sentence. */
export function languageOf(text: string): Language {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const chinese = text.match(han)?.length ?? 0;
  return chinese > letters / 5 || (chinese > 1 && !englishWord.test(text)) ? 'zh' : 'en';
}

/** Splits a text into words as people count them: each Chinese character is one. */
export function wordsOf(text: string): readonly string[] {
  return text.match(/\p{Script=Han}|[\p{L}\p{N}]+(?:['’_-][\p{L}\p{N}]+)*/gu)?.filter((word) => word !== '') ?? [];
}

export const linesOf = (text: string): readonly string[] => text.replace(/\n+$/, '').split(/\r?\n/);

/** Splits a text into sentences, without surrounding white space. */
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
  were what when where which while who why will with word words would write you your paragraph sentence sentences short text file attached lines
  step steps point points plan list table idea ideas summarise summarize started explain compare please show hello`.split(
    /\s+/,
  ),
);
const stopWordsZh = new Set(
  `关于 如何 怎么 怎样 什么 为什么 一个 一些 这个 那个 这些 那些 下面 以下 内容 请把 我们 你们 他们 可以 需要 应该 开始 进行 整理 写成 一首 一篇
  帮我 给我 告诉 解释 介绍 说明 列出 列举 步骤 表格 列表 总结 概括 三个 两个 五个 字的 文章 故事 一段 文字 文本 以及 或者 因为 所以 但是 如果 时候 没有`.split(
    /\s+/,
  ),
);
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

/** Returns the keywords of a text, the most frequent first. */
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
    for (const { segment } of segmenter.segment(run)) {
      if (segment.length >= 2 && !stopWordsZh.has(segment)) add(segment, segment, segment.length / 2);
    }
  }
  return [...counts.values()]
    .toSorted((a, b) => b.count - a.count)
    .slice(0, limit)
    .map((entry) => entry.shown);
}

/** Shortens a text to one line of at most `length` characters, cut at the end of a word. */
export function excerpt(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= length) return line;
  return `${line.slice(0, length).replace(/\s+\S*$/, '')}…`;
}
