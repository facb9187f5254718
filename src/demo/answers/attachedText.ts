import { isRecord } from '../validate';
import type { Attachment, Question } from './question';
import { shaped } from './shape';
import { countTokens } from './tokens';
import { excerpt, linesOf, sentencesOf, wordsOf } from './words';

const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

const wantsCounts =
  /\b(?:count|how (?:many|long)|number of)\b.*\b(?:words?|lines?|char\w*|letters|sentences?|tokens?)\b|统计|多少(?:个)?(?:字|词|行|句)|字数|行数|几行|几个字/i;

function counts({ ask, attachments, say }: Question): string | undefined {
  if (attachments.length === 0 || !wantsCounts.test(ask)) return undefined;
  const sum = (count: (text: string) => number) => attachments.reduce((total, { text }) => total + count(text), 0);
  const words = sum((text) => wordsOf(text).length);
  const lines = sum((text) => linesOf(text).length);
  const head = [
    say('Text', '文本'),
    say('Lines', '行'),
    say('Words', '词'),
    say('Characters', '字符'),
    say('Sentences', '句'),
    say('Tokens (estimate)', 'Token（估计）'),
  ];
  const rows = attachments.map(({ name, text }, index) => [
    name ?? say(`Text ${index + 1}`, `文本 ${index + 1}`),
    ...[
      linesOf(text).length,
      wordsOf(text).length,
      Array.from(text).length,
      sentencesOf(text).length,
      countTokens(text),
    ].map(String),
  ]);
  return [
    say(
      `**${words} words** in **${lines} line${lines === 1 ? '' : 's'}**.`,
      `共 **${words} 个词（字）**、**${lines} 行**。`,
    ),
    tableOf(head, rows),
  ].join('\n\n');
}

function table({ ask, material, say }: Question): string | undefined {
  if (material === '' || !/\btables?\b|表格/i.test(ask)) return undefined;
  const shown = (head: readonly string[], rows: readonly (readonly string[])[]) =>
    [
      say(`${rows.length} rows and ${head.length} columns:`, `${rows.length} 行，${head.length} 列：`),
      tableOf(head, rows.slice(0, 100)),
    ].join('\n\n');
  const json = rowsOfJson(parseJson(material));
  if (json !== undefined) return shown(json.head, json.rows);
  const [head, ...rows] = readRows(material) ?? [];
  if (head !== undefined) return shown(head, rows);
  const items = (readItems(material) ?? linesOf(material)).map((item, index) => {
    const [name = '', ...more] = item.split(/\s*(?:：|[:–—]\s|\s-\s)\s*/);
    return [String(index + 1), name, more.join(' – ')];
  });
  const hasDetails = items.some(([, , detail]) => detail !== '');
  return shown(
    ['#', say('Item', '项目'), ...(hasDetails ? [say('Detail', '说明')] : [])],
    hasDetails ? items : items.map((row) => row.slice(0, 2)),
  );
}

const typed = (text: string): unknown =>
  /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text === 'true' ? true : text === 'false' ? false : text;

function json(question: Question): string | undefined {
  const { ask, system, material, say } = question;
  const isRequested = /\bjsonl?\b/i.test(ask);
  const drawn = isRequested || /\bjson\b/i.test(system) ? shaped(question) : undefined;
  if (drawn !== undefined) return fenced('json', JSON.stringify(drawn, undefined, 2));
  if (!isRequested || material === '') return undefined;
  const parsed = parseJson(material.trim());
  if (parsed !== undefined) return fenced('json', JSON.stringify(parsed, undefined, 2));
  if (/^\s*[{[]/.test(material)) return undefined;
  const [head, ...rows] = readRows(material) ?? [];
  const value =
    head === undefined
      ? (readItems(material) ?? [material])
      : rows.map((row) => Object.fromEntries(head.map((key, index) => [key, typed(row[index] ?? '')])));
  return [
    say(`${value.length} item${value.length === 1 ? '' : 's'} as JSON:`, `${value.length} 项，JSON 形式：`),
    fenced('json', JSON.stringify(value, undefined, 2)),
  ].join('\n\n');
}

const wantsSorting =
  /^\W*(?:please |can you )?(?:sort|alphabeti[sz]e|order)\b(?!.*\b(?:by|relevan\w+|functions?|code)\b(?! (?:name|letter|size|number)))|排序/i;

/** Sorts a list by number or by letter. */
function sorted({ ask, material, say }: Question): string | undefined {
  const items = wantsSorting.test(ask) && !/代码|函数|算法|程序/.test(ask) ? readItems(material) : undefined;
  if (items === undefined) return undefined;
  const isNumeric = items.every((item) => /^-?\d+(?:\.\d+)?$/.test(item));
  const ascending = isNumeric
    ? items.toSorted((a, b) => Number(a) - Number(b))
    : items.toSorted((a, b) => a.localeCompare(b, 'en'));
  const isDown = /\b(?:descending|reverse|largest first|z to a)\b|降序|从大到小|倒序/i.test(ask);
  const list = (isDown ? ascending.toReversed() : ascending).map((item) => `- ${item}`).join('\n');
  return [isNumeric ? say('Sorted by number:', '按数字排序：') : say('Sorted by letter:', '按字母排序：'), list].join(
    '\n\n',
  );
}

const renames =
  /\brename\s+(?:the\s+)?(?:(?:function|variable|class|method|key|parameter|argument|constant|field|property)\s+)?[`"'“]?([\p{L}_$][\p{L}\p{N}_$-]*)[`"'”]?\s+(?:to|as|into)\s+[`"'“]?([\p{L}_$][\p{L}\p{N}_$-]*)|(?:把|将)\s*[`"“]?([\w$-]+)[`"”]?\s*(?:重命名为|改名为|改为|改成|重命名成)\s*[`"“]?([\w$-]+)/iu;

/** Replaces a name wherever it stands as a word. */
function rename({ ask, attachments, say }: Question): string | undefined {
  const [, a, b, c, d] = renames.exec(ask) ?? [];
  const [from, to] = [a ?? c, b ?? d];
  if (from === undefined || to === undefined || attachments.length === 0) return undefined;
  const word = new RegExp(String.raw`(?<![\w$])${from.replaceAll('$', String.raw`\$`)}(?![\w$])`, 'gu');
  const changed = attachments.flatMap((attachment) => {
    const places = attachment.text.match(word)?.length ?? 0;
    return places === 0 ? [] : [{ attachment, places, text: attachment.text.replace(word, () => to) }];
  });
  if (changed.length === 0)
    return say(`\`${from}\` doesn't occur in the attached text.`, `附加的文本中没有 \`${from}\`。`);
  const places = changed.reduce((sum, one) => sum + one.places, 0);
  return [
    say(
      `\`${from}\` is now \`${to}\` in ${places} place${places === 1 ? '' : 's'}, including comments and strings.`,
      `\`${from}\` 已改为 \`${to}\`，共 ${places} 处，包括注释和字符串。`,
    ),
    ...changed.map(({ attachment, text }) =>
      [
        ...(attachment.name === undefined ? [] : [`\`${attachment.name}\`:`, '']),
        fenced(attachment.language ?? '', text),
      ].join('\n'),
    ),
  ].join('\n\n');
}

const definition =
  /^\s*(?:(?:export|default|public|private|protected|static|abstract|async|pub|final|override)\s+)*(?:(?:def|class|function\*?|interface|type|enum|struct|fn|func|impl|trait|module|namespace|object|record)\s+[\w$]+|(?:const|let|var)\s+[\w$]+\s*=\s*(?:async\s*)?(?:\([^)]*\)|\w+)\s*=>)/;

const isCode = ({ name = '', language = '' }: Attachment): boolean =>
  !/^(?:|text|plaintext|markdown|md|json|csv)$/.test(language) ||
  /\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|swift|rb|php|c|cc|cpp|h|cs|sh|sql|lua)$/i.test(name);

/** Returns the lines that a reader would see in an outline: definitions, headings, or the keys of a JSON object. */
function outlineOf(attachment: Attachment): readonly (readonly [line: number, text: string])[] {
  const first = attachment.firstLine ?? 1;
  const lines = linesOf(attachment.text);
  const parsed = parseJson(attachment.text.trim());
  if (isRecord(parsed))
    return Object.keys(parsed).flatMap((key) => {
      const at = lines.findIndex((line) => line.includes(JSON.stringify(key)));
      return at < 0 ? [] : [[first + at, JSON.stringify(key)] as const];
    });
  const pattern = isCode(attachment) ? definition : /^#{1,6}\s+\S/;
  return lines.flatMap((line, at) => (pattern.test(line) ? [[first + at, excerpt(line, 100)] as const] : []));
}

function structure({ attachments, say }: Question): string {
  return attachments
    .slice(0, 4)
    .map((attachment) => {
      const lines = linesOf(attachment.text).length;
      const name =
        attachment.name === undefined ? say('The text', '文本') : `\`${attachment.name.split(/[\\/]/).at(-1) ?? ''}\``;
      const size = say(
        `${name} has ${lines} line${lines === 1 ? '' : 's'} and ${wordsOf(attachment.text).length} words.`,
        `${name} 共 ${lines} 行、${wordsOf(attachment.text).length} 个词（字）。`,
      );
      const outline = outlineOf(attachment).slice(0, 40);
      return outline.length === 0
        ? size
        : [
            size,
            tableOf(
              [say('Line', '行'), say('Outline', '大纲')],
              outline.map(([line, text]) => [String(line), `\`${text.replaceAll('`', '')}\``]),
            ),
          ].join('\n\n');
    })
    .join('\n\n');
}

/** Transforms or counts attached text by rules that need no model; `undefined` if the question asks for anything else. */
export function answerFromText(question: Question): string | undefined {
  return rename(question) ?? sorted(question) ?? counts(question) ?? json(question) ?? table(question);
}

/** Says what the attached texts contain: sizes, and outlines with line numbers. Empty without attachments, and for a line within the question. */
export const describeText = (question: Question): string =>
  question.material === '' || question.attachments.every(({ name, text }) => name === undefined && !text.includes('\n'))
    ? ''
    : structure(question);

type Rows = readonly (readonly string[])[];

const cell = (value: string): string => value.trim().replaceAll('|', '\\|').replace(/\s+/g, ' ');

/** Returns a Markdown table, with numeric columns right-aligned. */
function tableOf(head: readonly string[], rows: Rows): string {
  const isFigure = (column: number) =>
    rows.length > 0 && rows.every((row) => /^[-+]?[\d.,]+\s*%?$/.test((row[column] ?? '').trim()));
  const line = (cells: readonly string[]) => `| ${head.map((_, column) => cell(cells[column] ?? '')).join(' | ')} |`;
  return [
    line(head),
    `| ${head.map((_, column) => (isFigure(column) ? '---:' : '---')).join(' | ')} |`,
    ...rows.map(line),
  ].join('\n');
}

/** Splits one line of CSV or TSV, respecting quotes. */
function cellsOf(line: string, separator: string): readonly string[] {
  const cells: string[] = [];
  let current = '';
  let quoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const letter = line[at] ?? '';
    if (letter === '"') {
      if (quoted && line[at + 1] === '"') {
        current += '"';
        at += 1;
      } else quoted = !quoted;
    } else if (letter === separator && !quoted) {
      cells.push(current);
      current = '';
    } else current += letter;
  }
  return [...cells, current].map((value) => value.trim());
}

/** Returns the rows of comma-, tab- or semicolon-separated text; `undefined` for anything else. */
function readRows(text: string): Rows | undefined {
  const lines = text
    .trim()
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');
  if (lines.length < 2) return undefined;
  for (const separator of ['\t', ',', ';', '，']) {
    const rows = lines.map((line) => cellsOf(line, separator));
    const width = rows[0]?.length ?? 0;
    if (width > 1 && rows.every((row) => row.length === width)) return rows;
  }
  return undefined;
}

/** Returns bulleted or numbered items, or lines that look like items; `undefined` if there are fewer than two. */
function readItems(text: string): readonly string[] | undefined {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const marked = lines
    .filter((line) => /^(?:[-*+•]|\d+[.)、])\s*\S/.test(line))
    .map((line) => line.replace(/^(?:[-*+•]|\d+[.)、])\s*/, ''));
  if (marked.length > 1) return marked;
  const [only = ''] = lines;
  if (lines.length === 1 && only.length < 300 && !/[.!?。！？]\s/.test(only)) {
    const parts = only
      .replace(/[.。]$/, '')
      .split(/\s*[,，、;；]\s*(?:(?:and|or)\s+)?/)
      .filter((part) => part !== '');
    return parts.length > 1 && parts.every((part) => part.length < 40) ? parts : undefined;
  }
  return lines.length > 1 && lines.every((line) => line.length < 120) ? lines : undefined;
}

/** Returns the rows and head of an array of objects; `undefined` for anything else. */
function rowsOfJson(value: unknown): { head: readonly string[]; rows: Rows } | undefined {
  const records = Array.isArray(value) ? value.filter(isRecord) : [];
  if (records.length === 0 || !Array.isArray(value) || records.length !== value.length) return undefined;
  const head = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const shown = (item: unknown) => (typeof item === 'string' ? item : item === undefined ? '' : JSON.stringify(item));
  return { head, rows: records.map((record) => head.map((key) => shown(record[key]))) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
