import './citations.css';
import * as l10n from '@vscode/l10n';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { AnswerCitation } from '../../../src/protocol/chat';

/** The sources of an answer, to which the numbers in its text lead. */
export function Citations({ citations }: { readonly citations: readonly AnswerCitation[] | undefined }) {
  const id = useId();
  const root = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const answer = root.current?.parentElement;
    if (answer && citations) for (const text of answer.querySelectorAll('.md')) linkNumbers(text, citations);
  }, [citations]);
  if (!citations || citations.length === 0) return null;
  return (
    <section class="citations" aria-labelledby={id} ref={root}>
      <h4 class="citations-title" id={id}>
        {l10n.t('Sources')}
      </h4>
      <ol class="citations-list">
        {citations.map((citation, index) => (
          <li key={index}>
            <Source {...citation} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Source({ url, title }: AnswerCitation) {
  if (!isWeb(url)) return <bdi>{title ?? url}</bdi>;
  const { host } = new URL(url);
  return (
    <>
      <a href={url} title={url}>
        <bdi>{title ?? url}</bdi>
      </a>
      {title !== undefined && <span class="citations-host">{host}</span>}
    </>
  );
}

function isWeb(url: string | undefined): url is string {
  return url !== undefined && URL.canParse(url) && /^https?:/i.test(url);
}

/** Elements in which a number in brackets does not refer to a source. */
const notNumbers = 'a, code, pre, math';

/** Makes each number in brackets a link to its source. */
function linkNumbers(root: Element, citations: readonly AnswerCitation[]): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    if (!/\[\d{1,3}\]/.test(text.data) || text.parentElement?.closest(notNumbers)) continue;
    text.replaceWith(...text.data.split(/(\[\d{1,3}\])/).map((piece) => linked(piece, citations)));
  }
}

function linked(piece: string, citations: readonly AnswerCitation[]): string | Element {
  const number = /^\[(\d{1,3})\]$/.exec(piece)?.[1];
  const { url, title } = (number === undefined ? undefined : citations[Number(number) - 1]) ?? {};
  if (!isWeb(url)) return piece;
  const link = document.createElement('a');
  link.href = url;
  link.title = title === undefined ? url : `${title}\n${url}`;
  link.className = 'citation-number';
  link.textContent = piece;
  return link;
}
