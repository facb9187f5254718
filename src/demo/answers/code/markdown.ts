import type { Question } from '../question';
import { salientSentences } from '../summarySkill';
import { tableOf } from '../tables';
import { excerpt, wordsOf } from '../words';
import { type Source, fenced, inCode } from './source';

interface Heading {
  readonly at: number;
  readonly level: number;
  readonly text: string;
}

/** Returns for each line whether it is inside a code fence. */
function inFences({ lines }: Source): readonly boolean[] {
  let isOpen = false;
  return lines.map((line) => {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    const was = isOpen;
    if (isFence) isOpen = !isOpen;
    return was || isFence;
  });
}

export function headingsOf(source: Source): readonly Heading[] {
  const quiet = inFences(source);
  return source.lines.flatMap((line, at) => {
    const [, marks = '', text = ''] = (quiet[at] === true ? null : /^(#{1,6})\s+(.+?)\s*#*$/.exec(line)) ?? [];
    return marks === '' ? [] : [{ at, level: marks.length, text }];
  });
}

const counted = (count: number, one: string, zh: string, { say }: Question): string =>
  say(`${count} ${one}${count === 1 ? '' : 's'}`, `${count} ${zh}`);

export function markdownOverview(source: Source, question: Question): string {
  const { say } = question;
  const quiet = inFences(source);
  const open = source.lines.filter((_, at) => quiet[at] !== true);
  const items = open.filter((line) => /^\s*(?:[-*+]|\d+[.)])\s/.test(line)).length;
  const rows = open.filter((line) => /^\s*\|.*\|\s*$/.test(line) && !/^[\s|:-]+$/.test(line)).length;
  const links = [...open.join('\n').matchAll(/(?<!!)\[[^\]]*\]\([^)]*\)/g)].length;
  const blocks = source.lines.filter((line) => /^\s*(?:```|~~~)\w/.test(line)).length;
  const parts = [
    counted(source.lines.length, 'line', '行', question),
    counted(wordsOf(source.text).length, 'word', '词', question),
    counted(headingsOf(source).length, 'heading', '个标题', question),
    ...(items > 0 ? [counted(items, 'list item', '个列表项', question)] : []),
    ...(rows > 0 ? [counted(rows, 'table row', '行表格', question)] : []),
    ...(links > 0 ? [counted(links, 'link', '个链接', question)] : []),
    ...(blocks > 0 ? [counted(blocks, 'code block', '个代码块', question)] : []),
  ];
  const named = source.name === '' ? say('This', '这份文档') : inCode(source.name);
  return say(
    `${named} is a Markdown document: ${parts.join(', ')}.`,
    `${named} 是 Markdown 文档：${parts.join('、')}。`,
  );
}

/** Returns the first line of running text below a heading. */
function firstBelow(source: Source, from: number, to: number): string {
  const line = source.lines
    .slice(from, to)
    .find((text) => /^[^#|`\s>-]/.test(text) || /^\s*(?:[-*+]|\d+[.)])\s+\S/.test(text));
  return excerpt((line ?? '').replace(/^\s*(?:[-*+]|\d+[.)])\s+/, ''), 100);
}

export function explainMarkdown(source: Source, question: Question): string {
  const { say } = question;
  const headings = headingsOf(source);
  if (headings.length === 0)
    return [
      markdownOverview(source, question),
      ...salientSentences(source.text, 3).map((sentence) => `> ${excerpt(sentence, 240)}`),
    ].join('\n\n');
  return [
    markdownOverview(source, question),
    tableOf(
      [say('Line', '行'), say('Section', '章节'), say('Begins', '开头')],
      headings
        .slice(0, 24)
        .map(({ at, level, text }, index) => [
          String(source.firstLine + at),
          `${'– '.repeat(level - 1)}${text}`,
          firstBelow(source, at + 1, headings[index + 1]?.at ?? source.lines.length),
        ]),
    ),
  ].join('\n\n');
}

/** Answers with a table of contents. */
export function markdownContents(source: Source, { say }: Question): string {
  const headings = headingsOf(source);
  if (headings.length === 0)
    return say('It has no headings, so there are no contents to list.', '文中没有标题，无法列出目录。');
  const least = headings.map(({ level }) => level).reduce((least, one) => Math.min(least, one), Infinity);
  const anchor = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s-]/gu, '')
      .trim()
      .replace(/\s/g, '-');
  const lines = headings.map(({ level, text }) => `${'  '.repeat(level - least)}- [${text}](#${anchor(text)})`);
  return [
    say('The document is text itself. What it may lack is its contents:', '这份文件本身就是文档，可以补上的是目录：'),
    fenced('markdown', lines.join('\n')),
  ].join('\n\n');
}

/** Lists violations of Markdown conventions, line by line, and returns the corrected text. */
export function repairMarkdown(source: Source, question: Question): string {
  const { say } = question;
  const quiet = inFences(source);
  const found: [number, string][] = [];
  let level = 0;
  const lines = source.lines.flatMap((line, at) => {
    if (quiet[at] === true) return [line];
    let text = line;
    const add = (en: string, zh: string) => found.push([at, say(en, zh)]);
    if (/^#{1,6}[^#\s]/.test(text)) {
      add('a space is missing after the `#`', '`#` 后缺少空格');
      text = text.replace(/^(#{1,6})/, '$1 ');
    }
    const marks = /^(#{1,6})\s/.exec(text)?.[1]?.length;
    if (marks !== undefined) {
      if (level > 0 && marks > level + 1) {
        add(`the heading jumps from level ${level} to ${marks}`, `标题从 ${level} 级跳到 ${marks} 级`);
        text = text.replace(/^#+/, '#'.repeat(level + 1));
      }
      level = Math.min(marks, level === 0 ? marks : level + 1);
    }
    if (/\[[^\]]*\]\(\s*\)/.test(text)) add('a link without an address', '链接缺少地址');
    if (/!\[\s*\]\(/.test(text)) add('a picture without a description', '图片缺少说明');
    if (/\]\s+\(http/.test(text)) {
      add('a space between the two halves of a link', '链接两部分之间多了空格');
      text = text.replace(/\]\s+\(http/g, '](http');
    }
    if (/^\s*[*+-]\S/.test(text) && !/^\s*(?:\*\*|--|\*[^*\s][^*]*\*|[+-]\d)/.test(text)) {
      add('a space is missing after the bullet', '列表符号后缺少空格');
      text = text.replace(/^(\s*[*+-])/, '$1 ');
    }
    const before = source.lines[at - 1] ?? '';
    if (marks !== undefined && at > 0 && before.trim() !== '') {
      add('an empty line is missing above the heading', '标题上方缺少空行');
      return ['', text];
    }
    return [text];
  });
  const fences = source.lines.filter((line) => /^\s*```/.test(line)).length;
  if (fences % 2 === 1) {
    found.push([source.lines.length - 1, say('a fence of code is never closed', '代码块没有闭合')]);
    lines.push('```');
  }
  if (found.length === 0)
    return say(
      'I find nothing wrong in the form of this Markdown: headings, lists, links and fences. The demo service has no model, so it does not judge the wording.',
      '这份 Markdown 的形式没有问题：标题、列表、链接和代码块。演示服务没有模型，不评判文字本身。',
    );
  return [
    say(`${found.length} finding${found.length === 1 ? '' : 's'}:`, `${found.length} 处问题：`),
    tableOf(
      [say('Line', '行'), say('What is wrong', '问题')],
      found.map(([at, what]) => [String(source.firstLine + at), what]),
    ),
    ...(lines.join('\n') === source.text ? [] : [say('Corrected:', '修正后：'), fenced('markdown', lines.join('\n'))]),
  ].join('\n\n');
}
