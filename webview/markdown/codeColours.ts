import { type CodeLanguage, toCodeLanguage } from './codeLanguages';
import workerCode from './highlight.worker';

/** What the worker is sent. It answers with HTML, or nothing where it stays plain; once with nothing when it is ready. */
export interface CodeToColour {
  readonly code: string;
  readonly language: CodeLanguage;
}

interface Job extends CodeToColour {
  readonly element: HTMLElement;
  /** It is the lines that have come of code that goes on. */
  readonly grows: boolean;
}

interface Coloured extends CodeToColour {
  readonly html: string;
}

/** Longer code stays plain. Usual code of this length takes some 50 ms. */
const maxLength = 40_000;
const limitMs = 1000;
/** A page that was busy itself hears an answer that came in time before it gives up on it. */
const graceMs = 100;
/** After so many blocks that took too long, nothing is coloured any more until the page is loaded anew. */
const maxGivenUp = 5;
/** Of so many code blocks the colours are remembered: those that grow side by side, and those before them in an open list. */
const maxKnown = 16;
/** How many times as long as code took its next lines wait: they are coloured together with all before them. */
const growthPatience = 10;

/**
 * Colours code in a worker. Some code takes the highlighter many seconds, within a single regular expression: nothing but
 * ending its thread stops it.
 */
export class CodeColours {
  private readonly address = workerAddress();
  private readonly jobs: Job[] = [];
  private readonly givenUp = new Set<string>();
  /** The newest first. */
  private known: readonly Coloured[] = [];
  /** How many characters of it have colours. */
  private readonly shown = new WeakMap<HTMLElement, number>();
  private worker: Worker | undefined;
  /** The worker tells when it is: only from then on is it measured how long code takes. */
  private isReady = false;
  private isOver = false;
  private current: Job | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private startedAt = 0;
  /** Before then no code that grows is coloured again. */
  private growsAt = 0;
  /** Where code grows, as long as it is on the page. */
  private readonly open = new Set<HTMLElement>();
  private waiting: ReturnType<typeof setTimeout> | undefined;

  /** Colours a `<code data-lang>` that no longer changes. It stays as it is until the colours come, or for good. */
  colour(element: HTMLElement): void {
    const job = this.toJob(element, false);
    if (!job || this.showKnown(job) === job.code.length) return;
    this.jobs.push(job);
    this.next();
  }

  /** Gives the code within that still grows, and was just drawn, the colours that are known of it, and sees to those of its new lines. */
  colourOpen(root: HTMLElement): void {
    this.open.add(root);
    this.grow();
  }

  private grow(): void {
    for (const root of this.open) {
      if (!root.isConnected) this.open.delete(root);
      for (const element of root.querySelectorAll<HTMLElement>('code[data-lang]')) this.growOne(element);
    }
  }

  private growOne(element: HTMLElement): void {
    const job = this.toJob(element, true);
    // What is asked for while another one is at work is looked for again when that is done.
    if (!job || this.showKnown(job) >= job.code.length || this.current || this.jobs.length > 0) return;
    const wait = this.growsAt - performance.now();
    clearTimeout(this.waiting);
    if (wait > 0) this.waiting = setTimeout(() => this.grow(), wait);
    else {
      this.jobs.push(job);
      this.next();
    }
  }

  private toJob(element: HTMLElement, grows: boolean): Job | undefined {
    const language = toCodeLanguage(element.dataset['lang'] ?? '');
    const text = element.textContent;
    if (this.isOver || language === undefined || text.length > maxLength) return undefined;
    return { element, language, grows, code: grows ? text.slice(0, text.lastIndexOf('\n') + 1) : text };
  }

  /** Shows the colours that are known of the beginning of this code, and tells how long that is. */
  private showKnown({ element, code, language }: Job): number {
    const best = this.known.find((one) => one.language === language && code.startsWith(one.code));
    if (best && this.shown.get(element) !== best.code.length) this.show(element, best);
    return best?.code.length ?? 0;
  }

  private show(element: HTMLElement, { code, html }: Coloured): void {
    const plain = document.createRange();
    plain.setStart(element, 0);
    plain.setEnd(...placeIn(element, code.length));
    plain.deleteContents();
    element.prepend(coloured(html));
    this.shown.set(element, code.length);
  }

  private keep(job: Job, html: string): void {
    const { code, language, element } = job;
    const others = this.known.filter((one) => one.language !== language || !code.startsWith(one.code));
    this.known = [{ code, language, html }, ...others].slice(0, maxKnown);
    if (element.isConnected && element.textContent.startsWith(code)) this.showKnown(job);
  }

  private next(): void {
    if (this.current) return;
    let job = this.jobs.shift();
    while (job && (!job.element.isConnected || this.isGivenUp(job))) job = this.jobs.shift();
    if (!job) return;
    if (!this.worker || !this.isReady) {
      this.jobs.unshift(job);
      if (!this.worker) this.start();
      return;
    }
    this.current = job;
    const { code, language } = job;
    this.startedAt = performance.now();
    this.worker.postMessage({ code, language } satisfies CodeToColour);
    this.timer = setTimeout(() => (this.timer = setTimeout(() => this.giveUp(), graceMs)), limitMs);
  }

  private start(): void {
    this.worker = new Worker(this.address);
    this.worker.addEventListener('error', () => this.endForGood());
    this.worker.addEventListener('message', ({ data }: MessageEvent<string | undefined>) => {
      clearTimeout(this.timer);
      const job = this.current;
      this.current = undefined;
      this.isReady = true;
      if (job && data !== undefined) this.keep(job, data);
      const now = performance.now();
      if (job) this.growsAt = now + (now - this.startedAt) * growthPatience;
      this.next();
      // What stays plain is not asked for again before more of it came.
      if (!job || data !== undefined) this.grow();
    });
  }

  /** Also what goes on from code that took too long. */
  private isGivenUp(job: Job): boolean {
    return [...this.givenUp].some((key) => keyOf(job).startsWith(key));
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

/** Behind so many characters of the text within. */
function placeIn(element: HTMLElement, length: number): [Node, number] {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let left = length;
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const own = node.nodeValue?.length ?? 0;
    if (left <= own) return [node, left];
    left -= own;
  }
  return [element, element.childNodes.length];
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
