import createMarkdownIt, { type MarkdownIt, type Token } from 'markdown-it';
import { escapeHtml } from './escapeHtml';
import { markDirectionControls, withoutInvisible } from './invisible';
import { imageSource, isSafeLink, linkTarget, saysItsTarget } from './links';
import { readInlineMath, readMathBlocks } from './math';

export type References = Record<string, { readonly title: string; readonly href: string }>;

/** Localized strings in a rendered answer. `{0}` is the host. */
export interface MarkdownWords {
  readonly blockedImage: string;
}

/**
 * Renders Markdown as HTML that still has to be sanitized. Every top-level block becomes exactly one element, definitions none.
 * `references` are the definitions known so far; new ones are added.
 */
export interface MarkdownRenderer {
  /** Parses the block structure only, without inline content, including definitions. */
  outline(source: string): readonly Token[];
  render(source: string, references: References): string;
  renderInline(source: string, references: References): string;
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

export function createMarkdownRenderer(words: MarkdownWords): MarkdownRenderer {
  const outliner = createMarkdownIt({ html: false });
  outliner.core.ruler.enableOnly(['normalize', 'block']);
  readMathBlocks(outliner);
  const md = createParser(words);

  return {
    outline: (source) => outliner.parse(source, {}),
    render: (source, references) => md.render(source, { references }),
    renderInline: (source, references) => md.renderInline(source, { references }),
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

function createParser(words: MarkdownWords): MarkdownIt {
  const md = createMarkdownIt({ html: false, linkify: true });
  readMathBlocks(md);
  readInlineMath(md);

  // Bare "main.rs" and "script.py" are files, not hosts.
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  // Checked in `prepareLinks`, which can distinguish an image from a link.
  md.validateLink = () => true;
  md.core.ruler.push('answer', ({ tokens }) => tokens.forEach((token) => prepare(token)));

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
    const label = words.blockedImage.replace('{0}', imageSource(attribute(token, 'src')));
    const alternative = withoutInvisible(token?.content ?? '').trim();
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
      token.content = withoutInvisible(token.content);
      text += token.content;
    }
  }
}

function shownTarget(close: Token | undefined): string {
  const target = (close?.meta as { readonly target: string } | null)?.target;
  return target ? `<span class="md-host">${escapeHtml(target)}</span>` : '';
}
