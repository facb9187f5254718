import * as l10n from '@vscode/l10n';
import createMarkdownIt from 'markdown-it';
import type { MarkdownIt, Token, StateInline } from 'markdown-it';
import readCjkEmphasis from 'markdown-it-cjk-friendly';
import { escapeHtml } from './escapeHtml';
import { readNestedFences } from './fences';
import { markDirectionControls, withoutInvisible } from './invisible';

export type References = Record<string, { readonly title: string; readonly href: string }>;

/**
 * Renders Markdown as HTML that still has to be sanitized. Every top-level block becomes exactly one element, definitions none.
 * `references` are the definitions known so far; new ones are added.
 */
export interface MarkdownRenderer {
  /** Parses the block structure only, without inline content, including definitions. */
  outline(source: string): readonly Token[];
  render(source: string, references: References): string;
  renderInline(source: string, references: References): string;
  /** Renders part of the content of a fence. */
  renderCode(code: string): string;
  /** Renders the `<li>`s of a source that is one list; `undefined` if it is not. `loose` is that of the list they belong to. */
  renderItems(source: string, loose: boolean, references: References): string | undefined;
}

/**
 * Answers are below a heading of level 3. A model begins at any level and skips some, which would break the outline of the page, so
 * its headings differ in size only.
 */
const headingTag = 'h4';
/** Elements that determine their own text direction. In a list or quote only the outermost does, which puts markers on the right side. */
const directed = new Set([
  'paragraph_open',
  'heading_open',
  'bullet_list_open',
  'ordered_list_open',
  'blockquote_open',
]);

export function createMarkdownRenderer(): MarkdownRenderer {
  const outliner = createMarkdownIt({ html: false });
  outliner.core.ruler.enableOnly(['normalize', 'block']);
  readBlocks(outliner);
  const md = createParser();

  return {
    outline: (source) => outliner.parse(source, {}),
    render: (source, references) => md.render(source, { references }),
    renderInline: (source, references) => md.renderInline(source, { references }),
    renderCode: shown,
    renderItems(source, loose, references) {
      const env = { references };
      const tokens = md.parse(source, env);
      const isOneList =
        tokens.filter((token) => token.level === 0).length === 2 && tokens[0]?.type.endsWith('_list_open');
      if (!isOneList) return undefined;
      for (const token of tokens) {
        if (token.level === 2 && token.type.startsWith('paragraph_')) token.hidden = !loose;
      }
      return md.renderer.render(tokens.slice(1, -1), md.options, env);
    },
  };
}

function createParser(): MarkdownIt {
  const md = createMarkdownIt({ html: false, linkify: true, breaks: true });
  readBlocks(md);
  readInlineMath(md);
  readElements(md);
  readFootnoteMarks(md);
  md.use(readCjkEmphasis);

  // Bare "main.rs" and "script.py" are files, not hosts.
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  // Checked in `prepareLinks`, which can distinguish an image from a link.
  md.validateLink = () => true;
  md.core.ruler.push('answer', ({ tokens }) => {
    tokens.forEach((token) => prepare(token));
    showTasks(tokens);
  });

  const { rules } = md.renderer;
  rules['text'] = (tokens, index) => shown(tokens[index]?.content ?? '');
  rules['code_inline'] = (tokens, index) => `<code>${shown(tokens[index]?.content ?? '')}</code>`;
  rules['code_block'] = (tokens, index) => `<pre><code>${shown(tokens[index]?.content ?? '')}</code></pre>\n`;
  rules['math'] = (tokens, index) => `<code class="md-math">${shown(tokens[index]?.content ?? '')}</code>`;
  rules['math_block'] = (...[tokens, index, ...rest]) =>
    `<p dir="ltr">${rules['math']?.(tokens, index, ...rest)}</p>\n`;
  rules['fence'] = (tokens, index) => {
    const { content = '', info = '' } = tokens[index] ?? {};
    const language = md.utils.unescapeAll(info).trim().split(/\s/, 1)[0] ?? '';
    const named = language ? ` data-lang="${escapeHtml(language)}"` : '';
    return `<pre><code${named}>${shown(content)}</code></pre>\n`;
  };
  rules['image'] = (tokens, index) => {
    const token = tokens[index];
    const source = attribute(token, 'src');
    const label = l10n.t('blocked image: {0}', imageSource(source));
    const alternative = withoutInvisible(token?.content ?? '').trim();
    // An image isn't loaded, because its host would learn of it, but the user can open it.
    if (isSafeLink(source) && token?.meta?.['isInLink'] !== true) {
      const named = escapeHtml(alternative ? `${alternative}\n${source}` : source);
      return `<a class="md-image" href="${escapeHtml(source)}" title="${named}">${escapeHtml(withoutInvisible(label))}</a>`;
    }
    const title = alternative ? ` title="${escapeHtml(alternative)}"` : '';
    return `<span class="md-image"${title}>${escapeHtml(withoutInvisible(label))}</span>`;
  };
  rules['link_close'] = (tokens, index) => `</a>${shownTarget(tokens[index])}`;
  rules['unsafe_link_open'] = () => '';
  rules['unsafe_link_close'] = (tokens, index) => shownTarget(tokens[index]);
  return md;
}

function attribute(token: Token | undefined, name: string): string {
  return String(token?.attrGet(name) ?? '');
}

function shown(text: string): string {
  return markDirectionControls(escapeHtml(text));
}

/** Sets a block's direction, replaces inline styles with classes, and fits headings into the outline of the page. */
function prepare(token: Token): void {
  const isCell = token.type === 'td_open' || token.type === 'th_open';
  if (isCell || (token.level === 0 && directed.has(token.type))) token.attrSet('dir', 'auto');
  if (token.type === 'heading_open' || token.type === 'heading_close') {
    if (token.nesting === 1) token.attrSet('class', `md-${token.tag}`);
    token.tag = headingTag;
  }
  const alignment = /^text-align:(\w+)$/.exec(attribute(token, 'style'))?.[1];
  if (alignment) {
    token.attrs = (token.attrs ?? []).filter(([name]) => name !== 'style');
    token.attrSet('class', `md-${alignment}`);
  }
  if (token.type === 'inline') prepareLinks(token.children ?? []);
}

/**
 * Shows where a link really leads: in its title, and after its text if the text does not say so. A link with a scheme that is not
 * safe becomes plain text.
 */
function prepareLinks(tokens: readonly Token[]): void {
  let open: Token | undefined;
  let text = '';
  for (const token of tokens) {
    if (token.type === 'link_open') {
      open = token;
      text = '';
    } else if (token.type === 'link_close' && open) {
      const href = attribute(open, 'href');
      const target = linkTarget(href);
      if (isSafeLink(href)) open.attrSet('title', href);
      else {
        open.type = 'unsafe_link_open';
        token.type = 'unsafe_link_close';
      }
      token.meta = saysItsTarget(text, target) ? null : { target };
      open = undefined;
    } else if (open) {
      if (token.type === 'image') token.meta = { isInLink: true };
      token.content = withoutInvisible(token.content);
      text += token.content;
    }
  }
}

function shownTarget(close: Token | undefined): string {
  const target = (close?.meta as { readonly target: string } | null)?.target;
  return target ? `<span class="md-host">${escapeHtml(target)}</span>` : '';
}

/** The only schemes allowed for a link in an answer. Anything else stays text. */
const safeScheme = /^(?:https?|mailto):/i;

function isSafeLink(url: string): boolean {
  return safeScheme.test(url) && URL.canParse(url);
}

/** Returns the shortest true description of a link's target: the host (in ASCII, so that look-alike letters show) or the URL. */
function linkTarget(url: string): string {
  if (!isSafeLink(url)) return withoutInvisible(url);
  const parsed = new URL(url);
  return parsed.protocol === 'mailto:' ? parsed.pathname : parsed.host;
}

/** Whether a link's text already begins with its true target, so that showing the target again would only be noise. */
function saysItsTarget(text: string, target: string): boolean {
  const shown = text
    .trim()
    .replace(/^(?:https?:\/\/|mailto:)/i, '')
    .toLowerCase();
  const name = target.toLowerCase();
  return shown.startsWith(name) && /^(?:$|[/?#\s])/.test(shown.slice(name.length));
}

/** Returns the host an image would have been loaded from, or the scheme of a URL without one, such as `data:`. */
function imageSource(url: string): string {
  if (!URL.canParse(url)) return withoutInvisible(url).slice(0, 60);
  const parsed = new URL(url);
  return parsed.host || parsed.protocol;
}

/**
 * Formulas in the source, so that Markdown doesn't interpret their underscores and backslashes. Prices are excluded: the text between two
 * `$` neither begins nor ends with a space, and no digit or letter follows. Chinese, Japanese, and Korean letters can follow, because these
 * languages have no spaces, unless there are such letters between the two `$` as well.
 */
const formula =
  /\\\([^]{1,2000}?\\\)|\\\[[^]{1,2000}?\\\]|\$\$[^$]{1,2000}\$\$|\$(?!\s)(?:\\[^]|[^\\$\n]){1,500}?(?<!\s)\$(?![\p{L}\d])|\$(?!\s)(?:\\[^]|[^\\$\n\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]){1,500}?(?<!\s)\$(?=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}])/uy;

/** Lines that begin a formula of several lines, each with the text that ends it. */
const ends: Readonly<Record<string, string>> = { $$: '$$', '\\[': '\\]' };

/** Adds the blocks of answers to a parser; the outline and the complete text must have the same. */
function readBlocks(md: MarkdownIt): void {
  readNestedFences(md);
  readMathBlocks(md);
  readFootnoteBlocks(md);
}

/** Adds inline formulas to the parser. */
function readInlineMath(md: MarkdownIt): void {
  md.inline.ruler.before('escape', 'math', (state, silent) => {
    formula.lastIndex = state.pos;
    const [found] = formula.exec(state.src) ?? [];
    if (found === undefined) return false;
    if (!silent) state.push('math', '', 0).content = found;
    state.pos += found.length;
    return true;
  });
}

/** Adds block formulas to the parser. One ends at its closing line or a blank one, so that a block depends on its own lines alone. */
function readMathBlocks(md: MarkdownIt): void {
  md.block.ruler.before('fence', 'math_block', (state, start, behind, silent) => {
    const lineAt = (line: number) =>
      state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line]).trim();
    const first = lineAt(start);
    const end = Object.hasOwn(ends, first) ? ends[first]! : undefined;
    if (end === undefined || state.sCount[start]! - state.blkIndent >= 4) return false;
    const isWithin = (line: number) => line < behind && state.sCount[line]! >= state.blkIndent && lineAt(line) !== '';
    let line = start + 1;
    while (isWithin(line) && !lineAt(line).endsWith(end)) line++;
    if (silent) return true;
    state.line = isWithin(line) ? line + 1 : line;
    const token = state.push('math_block', 'p', 0);
    token.map = [start, state.line];
    token.content = state.getLines(start, state.line, state.blkIndent, false).trimEnd();
    return true;
  });
}

/** Elements that answers use for what Markdown has no syntax for. Any other HTML stays text. */
const elements = /<br\s*\/?>|<\/br>|<(sub|sup|kbd)>/iy;
/** Longer elements stay text, because superscripts and subscripts contain only a few words. */
const longestElement = 200;

/** Reads `<br>`, `<sub>`, `<sup>` and `<kbd>`, without attributes. */
function readElements(md: MarkdownIt): void {
  md.inline.ruler.before('autolink', 'element', (state, silent) => {
    elements.lastIndex = state.pos;
    const found = elements.exec(state.src);
    if (!found || found.index + found[0].length > state.posMax) return false;
    const tag = found[1]?.toLowerCase();
    if (tag !== undefined) return readElement(state, { tag, start: state.pos + found[0].length, silent });
    if (!silent) state.push('hardbreak', 'br', 0);
    state.pos += found[0].length;
    return true;
  });
}

interface ElementStart {
  readonly tag: string;
  /** Where its content starts. */
  readonly start: number;
  readonly silent: boolean;
}

function readElement(state: StateInline, { tag, start, silent }: ElementStart): boolean {
  const close = `</${tag}>`;
  const length = state.src
    .slice(start, Math.min(start + longestElement, state.posMax))
    .toLowerCase()
    .indexOf(close);
  if (length < 0) return false;
  if (!silent) {
    const { posMax } = state;
    state.push(`${tag}_open`, tag, 1);
    state.pos = start;
    state.posMax = start + length;
    state.md.inline.tokenize(state);
    state.push(`${tag}_close`, tag, -1);
    state.posMax = posMax;
  }
  state.pos = start + length + close.length;
  return true;
}

const footnoteStart = /^\[\^([^\s\]^]{1,40})\]:[ \t]*(?=\S)/;
const footnoteMark = /\[\^([^\s\]^]{1,40})\]/y;

/** The blocks that a footnote ends without a blank line. */
const interrupted = ['paragraph', 'reference'];

/** How the definitions of a text list a footnote. No link can have this name. */
function footnoteKey(label: string): string {
  return `^${label.toUpperCase()}`;
}

/**
 * Reads `[^label]: text` as a paragraph where it is written, because streamed text has no end to collect footnotes at, and adds the label
 * to the definitions.
 */
function readFootnoteBlocks(md: MarkdownIt): void {
  md.block.ruler.before(
    'reference',
    'footnote',
    (state, start, behind, silent) => {
      const lineAt = (line: number) => state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line]);
      const label = footnoteStart.exec(lineAt(start))?.[1];
      if (label === undefined || state.sCount[start]! - state.blkIndent >= 4) return false;
      if (silent) return true;
      const rules = state.md.block.ruler.getRules('paragraph');
      const isEnd = (line: number) =>
        state.isEmpty(line) ||
        state.sCount[line]! < state.blkIndent ||
        (state.sCount[line]! - state.blkIndent < 4 &&
          (footnoteStart.test(lineAt(line)) || rules.some((rule) => rule(state, line, behind, true))));
      const { parentType } = state;
      state.parentType = 'paragraph';
      let line = start + 1;
      while (line < behind && !isEnd(line)) line++;
      state.parentType = parentType;
      state.line = line;
      const env = state.env as { references?: Record<string, unknown> };
      env.references ??= {};
      env.references[footnoteKey(label)] ??= { title: '', href: '' };
      const open = state.push('paragraph_open', 'p', 1);
      open.map = [start, line];
      open.attrSet('class', 'md-footnote');
      const inline = state.push('inline', '', 0);
      inline.content = state.getLines(start, line, state.blkIndent, false).trim();
      inline.map = [start, line];
      inline.children = [];
      state.push('paragraph_close', 'p', -1);
      return true;
    },
    { alt: interrupted },
  );
}

/** Reads `[^label]` as a reference to a footnote that the definitions list. */
function readFootnoteMarks(md: MarkdownIt): void {
  md.inline.ruler.before('link', 'footnote_mark', (state, silent) => {
    footnoteMark.lastIndex = state.pos;
    const [found, label] = footnoteMark.exec(state.src) ?? [];
    const { references } = state.env as { references?: Record<string, unknown> };
    if (found === undefined || label === undefined || references?.[footnoteKey(label)] === undefined) return false;
    if (!silent) {
      state.push('sup_open', 'sup', 1);
      state.push('text', '', 0).content = label;
      state.push('sup_close', 'sup', -1);
    }
    state.pos += found.length;
    return true;
  });
}

const task = /^\[([ xX])\][ \t]+/;

/** Shows a box before the text of each task in a list. */
function showTasks(tokens: readonly Token[]): void {
  tokens.forEach((token, at) => {
    const item = tokens[at - 2];
    const first = token.type === 'inline' ? token.children?.[0] : undefined;
    if (item?.type !== 'list_item_open' || first?.type !== 'text' || !task.test(first.content)) return;
    const isDone = !first.content.startsWith('[ ]');
    first.content = first.content.replace(task, isDone ? '☑ ' : '☐ ');
    item.attrJoin('class', 'md-task');
  });
}
