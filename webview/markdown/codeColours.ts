import { type CodeLanguage, toCodeLanguage } from './codeLanguages';
import workerCode from './highlight.worker';

/** What the worker is sent. It answers with HTML, or nothing where it stays plain; once with nothing when it is ready. */
export interface CodeToColour {
  readonly code: string;
  readonly language: CodeLanguage;
}

interface Job extends CodeToColour {
  readonly element: HTMLElement;
}

/** Longer code stays plain. Usual code of this length takes some 50 ms. */
const maxLength = 40_000;
const limitMs = 1000;
/** A page that was busy itself hears an answer that came in time before it gives up on it. */
const graceMs = 100;
/** After so many blocks that took too long, nothing is coloured any more until the page is loaded anew. */
const maxGivenUp = 5;

/**
 * Colours code in a worker. Some code takes the highlighter many seconds, within a single regular expression: nothing but
 * ending its thread stops it.
 */
export class CodeColours {
  private readonly address = workerAddress();
  private readonly jobs: Job[] = [];
  private readonly givenUp = new Set<string>();
  private worker: Worker | undefined;
  /** The worker tells when it is: only from then on is it measured how long code takes. */
  private isReady = false;
  private isOver = false;
  private current: Job | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Colours a `<code data-lang>` that no longer changes. It stays plain until the colours come, or for good. */
  colour(element: HTMLElement): void {
    const language = toCodeLanguage(element.dataset['lang'] ?? '');
    const code = element.textContent;
    if (this.isOver || language === undefined || code.length > maxLength) return;
    this.jobs.push({ element, code, language });
    this.next();
  }

  private next(): void {
    if (this.current) return;
    let job = this.jobs.shift();
    while (job && (!job.element.isConnected || this.givenUp.has(keyOf(job)))) job = this.jobs.shift();
    if (!job) return;
    if (!this.worker || !this.isReady) {
      this.jobs.unshift(job);
      if (!this.worker) this.start();
      return;
    }
    this.current = job;
    const { code, language } = job;
    this.worker.postMessage({ code, language } satisfies CodeToColour);
    this.timer = setTimeout(() => (this.timer = setTimeout(() => this.giveUp(), graceMs)), limitMs);
  }

  private start(): void {
    this.worker = new Worker(this.address);
    this.worker.addEventListener('error', () => this.endForGood());
    this.worker.addEventListener('message', ({ data }: MessageEvent<string | undefined>) => {
      clearTimeout(this.timer);
      if (data !== undefined && this.current?.element.isConnected) this.current.element.replaceChildren(coloured(data));
      this.current = undefined;
      this.isReady = true;
      this.next();
    });
  }

  private giveUp(): void {
    if (this.current) this.givenUp.add(keyOf(this.current));
    this.end();
    if (this.givenUp.size < maxGivenUp) this.next();
    else this.endForGood();
  }

  private end(): void {
    clearTimeout(this.timer);
    this.worker?.terminate();
    this.worker = this.current = undefined;
    this.isReady = false;
  }

  private endForGood(): void {
    this.end();
    this.isOver = true;
    this.jobs.length = 0;
  }
}

function keyOf({ code, language }: CodeToColour): string {
  return `${language}\n${code}`;
}

/** What the DOM's types do not have yet. */
interface TrustedTypesWindow {
  readonly trustedTypes?: {
    createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(url: string): string };
  };
}

/** The worker's code is a part of this script: the page may load no other, from nowhere. */
function workerAddress(): string {
  const address = () => URL.createObjectURL(new Blob([workerCode], { type: 'text/javascript' }));
  const { trustedTypes } = globalThis as unknown as TrustedTypesWindow;
  const policy = trustedTypes?.createPolicy('code-colours', { createScriptURL: address });
  return policy ? policy.createScriptURL('') : address();
}

const parts = /<span class="([^"]*)"(?: data-code="([^"]*)")?>|<\/span>|[^<]+/g;
const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};

/** What the worker made, as elements: spans and text, whatever it says. The sanitizer would take some ten times as long. */
function coloured(html: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const open: (DocumentFragment | HTMLElement)[] = [fragment];
  for (const [part, className, controlCode] of html.matchAll(parts)) {
    if (part === '</span>') open.pop();
    else if (className === undefined)
      open.at(-1)?.append(part.replaceAll(/&[^;]+;/g, (name) => entities[name] ?? name));
    else {
      const span = document.createElement('span');
      span.className = className;
      if (controlCode !== undefined) span.dataset['code'] = controlCode;
      open.at(-1)?.append(span);
      open.push(span);
    }
  }
  return fragment;
}
