import type { Question } from './question';
import type { Skill } from './skill';
import { asks } from './skill';
import { type Rows, parseJson, readItems, readRows, rowsOfJson, tableOf } from './tables';
import { excerpt, wordsOf } from './words';

const wantsTable =
  /\btable\b|\btabular\b|\bcompare\b|\bcomparison\b|\bdifferences? between\b|\bvs\.?\b|表格|列表对比|对比|比较|区别/i;

/** The things a comparison names. */
export function comparedItems(ask: string): readonly string[] {
  const named =
    /(?:compare|comparison of|differences? between|contrast)\s+(.+)/i.exec(ask)?.[1] ??
    /(?:对比|比较)(?:一下)?(.+)/.exec(ask)?.[1] ??
    /^(.+?)(?:的)?(?:区别|不同)/.exec(ask)?.[1] ??
    (/\bvs\.?\b/i.test(ask) ? ask : '');
  return named
    .replace(/(?<=[a-z])\s+(?:in|as|with|for|using|by|on)\s+.*$/i, '')
    .replace(/[?？.。!！]+\s*$/, '')
    .split(/\s*(?:,|，|、|;|\bvs\.?|\bversus\b|\band\b|\bwith\b|\bor\b|和|与|跟|以及)\s*/i)
    .map((item) => item.replace(/^(?:the|a|an)\s+/i, '').trim())
    .filter((item) => item !== '' && item.length < 40);
}

function comparison({ say, random }: Question, items: readonly string[]): string {
  const aspects = [
    [
      say('Named in your question', '在问题中的位置'),
      items.map((_, index) => say(`item ${index + 1} of ${items.length}`, `第 ${index + 1} 项，共 ${items.length} 项`)),
    ],
    [
      say('Length of the name', '名称长度'),
      items.map((item) => say(`${Array.from(item).length} characters`, `${Array.from(item).length} 个字符`)),
    ],
    [say('Words', '词数'), items.map((item) => String(wordsOf(item).length))],
    [
      say('To check first', '先看什么'),
      items.map(
        () =>
          [
            say('cost', '成本'),
            say('speed', '速度'),
            say('upkeep', '维护'),
            say('safety', '安全'),
            say('fit for the job', '是否合适'),
          ][Math.floor(random() * 5)] ?? '',
      ),
    ],
  ] as const;
  return [
    say(
      `${items.map((item) => `**${item}**`).join(' and ')}, side by side:`,
      `${items.map((item) => `**${item}**`).join(' 与 ')} 的对照：`,
    ),
    tableOf(
      [say('Aspect', '方面'), ...items],
      aspects.map(([name, cells]) => [name, ...cells]),
    ),
    say(
      'Name the two or three aspects that matter to you, and I put them in as rows.',
      '告诉我你最关心的两三个方面，我把它们补成新的行。',
    ),
  ].join('\n\n');
}

function fromRows({ say }: Question, head: readonly string[], rows: Rows): string {
  return [
    say(`${rows.length} rows, ${head.length} columns:`, `共 ${rows.length} 行、${head.length} 列：`),
    tableOf(head, rows),
  ].join('\n\n');
}

/** CSV, JSON, a list or named things as a table. */
export const tableSkill: Skill = {
  name: 'table',
  fits: (question) => asks(question, wantsTable),
  write: (question) => {
    const { say, material, ask } = question;
    const json = rowsOfJson(parseJson(material));
    if (json !== undefined) return fromRows(question, json.head, json.rows);
    const [head, ...rows] = readRows(material) ?? [];
    if (head !== undefined) return fromRows(question, head, rows);
    const compared = comparedItems(ask);
    if (compared.length > 1) return comparison(question, compared);
    const items = readItems(material) ?? inlineItems(ask);
    const described = items.map((item, index) => {
      const [name = '', ...more] = item.split(/\s*(?:：|[:–—]\s|\s-\s)\s*/);
      return [String(index + 1), name, more.join(' – ')];
    });
    const hasMore = described.some((row) => row[2] !== '');
    const heads = ['#', say('Item', '项目'), ...(hasMore ? [say('Detail', '说明')] : [say('Words', '词数')])];
    const shown = hasMore
      ? described
      : described.map(([index = '', name = '']) => [index, name, String(wordsOf(name).length)]);
    return [
      say(`Your ${shown.length} items as a table:`, `${shown.length} 个项目的表格：`),
      tableOf(heads, shown),
    ].join('\n\n');
  },
};

/** Things enumerated in a sentence; at the least the sentence's own words. */
export function inlineItems(ask: string): readonly string[] {
  const parts = ask
    .replace(/^.*?(?:\bof\b|\bfor\b|[:：]|关于|列出)\s*/i, '')
    .replace(/[?？.。!！]+\s*$/, '')
    .split(/\s*(?:,|，|、|;|\band\b|和)\s*/i)
    .filter((part) => part.trim() !== '')
    .map((part) => excerpt(part, 60));
  return parts.length > 1 ? parts : [...new Set(wordsOf(ask).filter((word) => word.length > 3))].slice(0, 6);
}
