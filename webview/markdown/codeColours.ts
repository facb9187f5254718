import { type CodeLanguage, toCodeLanguage } from './codeLanguages';
import workerCode from './highlight.worker';

/** A request to the worker. The response is HTML, or `undefined` if the code stays plain; one `undefined` reports that it is ready. */
export interface CodeToColour {
  readonly code: string;
  readonly language: CodeLanguage;
}

interface Job extends CodeToColour {
  readonly element: HTMLElement;
  /** Whether the code consists of the complete lines of a block that is still growing. */
  readonly grows: boolean;
}

interface Coloured extends CodeToColour {
  readonly html: string;
}

/** Longer code stays plain. Typical code of this length takes about 50 ms. */
const maxLength = 40_000;
const limitMs = 1000;
/** Gives a busy page the time to receive a response that came within the limit. */
const graceMs = 100;
/** After this many blocks that took too long, no more code is colored until the page is reloaded. */
const maxAbandoned = 5;
/** The number of code blocks whose colors are cached: those that grow side by side, and those before them in an open list. */
const maxKnown = 16;
/** New lines of growing code wait this many times as long as the last coloring took, and are colored together with all others. */
const growthPatience = 10;

/**
 * Colors code in a worker. Some code takes the highlighter many seconds inside a single regular expression, which only terminating
 * its thread can stop.
 */
export class CodeColours {
  private readonly address = workerAddress();
  private readonly jobs: Job[] = [];
  private readonly abandoned = new Set<string>();
  /** Newest first. */
  private known: readonly Coloured[] = [];
  /** How many characters of each element are colored. */
  private readonly shown = new WeakMap<HTMLElement, number>();
  private worker: Worker | undefined;
  /** Set when the worker reports that it is ready. Only from then on is the highlighting time measured. */
  private isReady = false;
  private isOver = false;
  private current: Job | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private startedAt = 0;
  /** Before this time no growing code is colored again. */
  private growsAt = 0;
  /** Elements that contain growing code, as long as they are on the page. */
  private readonly open = new Set<HTMLElement>();
  private waiting: ReturnType<typeof setTimeout> | undefined;

  /** Colors a `<code data-lang>` that no longer changes. It stays plain until the colors arrive, or permanently. */
  colour(element: HTMLElement): void {
    const job = this.toJob(element, false);
    if (!job || this.showKnown(job) === job.code.length) return;
    this.jobs.push(job);
    this.next();
  }

  /** Shows the cached colors of the growing code inside `root`, which was just drawn, and requests those of its new lines. */
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
    // A request during another job is dropped; `grow` runs again when that job is done.
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

  /** Shows the cached colors of the beginning of this code, and returns the length of that beginning. */
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
    while (job && (!job.element.isConnected || this.isAbandoned(job))) job = this.jobs.shift();
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
      // Code that stays plain is not requested again before it has grown.
      if (!job || data !== undefined) this.grow();
    });
  }

  /** Whether the code, or a beginning of it, took too long before. */
  private isAbandoned(job: Job): boolean {
    return [...this.abandoned].some((key) => keyOf(job).startsWith(key));
  }

  private giveUp(): void {
    if (this.current) this.abandoned.add(keyOf(this.current));
    this.end();
    if (this.abandoned.size < maxAbandoned) this.next();
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

/** Returns the DOM position after `length` characters of the text inside `element`. */
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

/** Not yet part of the DOM's types. */
interface TrustedTypesWindow {
  readonly trustedTypes?: {
    createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(url: string): string };
  };
}

/** Returns a URL of the worker's code. The code is bundled into this script, because the page may not load any other. */
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

/** Converts the worker's response to elements: spans and text only. The sanitizer would take about ten times as long. */
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
